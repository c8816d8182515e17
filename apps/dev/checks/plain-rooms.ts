import type { Room } from './rooms.ts';

/** The folders of `libs` that hold no rows. */
export const plainNames = [
  'faults',
  'exact-json',
  'database',
  'settings',
  'ids',
  'pages',
  'temporal-client',
  'temporal-workers',
  'logging',
  'tracing',
  'metrics',
  'definition',
  'import',
];

/** Files of other products become definitions by calculation alone: nothing is read or stored. */
export const importRooms: Room[] = [
  { at: 'libs/language/import', rooms: ['libs/language/definition', 'libs/platform/errors'] },
];

/** The templates are files alone; only their spec reads code, to check and play them. */
export const templateRooms: Room[] = [
  { at: 'libs/templates', rooms: ['libs/language/definition', 'libs/runs/scenario'] },
];
