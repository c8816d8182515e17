import Activity from '@lucide/svelte/icons/activity';
import BookText from '@lucide/svelte/icons/book-text';
import ChartColumn from '@lucide/svelte/icons/chart-column';
import CircleUser from '@lucide/svelte/icons/circle-user';
import House from '@lucide/svelte/icons/house';
import Inbox from '@lucide/svelte/icons/inbox';
import Table from '@lucide/svelte/icons/table-2';
import Workflow from '@lucide/svelte/icons/workflow';
import ScrollText from '@lucide/svelte/icons/scroll-text';
import Settings from '@lucide/svelte/icons/settings';
import type { Permission } from './api/session.svelte.ts';
import { texts } from './texts.ts';

/** One entry of the navigation. To add an area, add a row here and a folder in `routes/w/[workspace]`. */
export interface Area {
  /** Its folder below the workspace; empty for the first page. */
  place: string;
  label: string;
  icon: typeof House;
  /** True when it is in the bar of a phone. The other entries are below "More" there. */
  isPrimary: boolean;
  /** The permission that the entry needs; left out, permission to read. */
  needs?: Permission;
  /** It is about the person, and stands at the foot of the side bar. */
  isPersonal?: boolean;
}

export const areas: Area[] = [
  { place: '', label: texts.areas.home, icon: House, isPrimary: true },
  { place: 'inbox', label: texts.areas.inbox, icon: Inbox, isPrimary: true },
  { place: 'workflows', label: texts.areas.workflows, icon: Workflow, isPrimary: true },
  { place: 'executions', label: texts.areas.executions, icon: Activity, isPrimary: true },
  { place: 'tables', label: texts.areas.tables, icon: Table, isPrimary: false },
  { place: 'knowledge', label: texts.areas.knowledge, icon: BookText, isPrimary: false },
  { place: 'usage', label: texts.areas.usage, icon: ChartColumn, isPrimary: false },
  { place: 'audit', label: texts.areas.audit, icon: ScrollText, isPrimary: false, needs: 'admin' },
  { place: 'settings', label: texts.areas.settings, icon: Settings, isPrimary: false },
  { place: 'account', label: texts.areas.account, icon: CircleUser, isPrimary: false, isPersonal: true },
];
