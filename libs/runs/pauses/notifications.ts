import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { isAnyDue } from '#libs/platform/database/fair-claim';
import { claimByReceiver, type Deliverable } from '#libs/platform/database/delivery-room';
import type { Asking } from '#libs/language/engine/asking';
import { cutText, screenText } from '#libs/platform/text/whole-text';
import { Links } from './links.ts';
import type { PausePoint } from './pause.entity.ts';

/** One message to one receiver about one pause or trigger. Its id is the same however often it is sent. */
interface Notice extends Deliverable {
  id: string;
  /** `opened`, `reminder 1`, `escalated`; of a trigger `disabled`. */
  occasion: string;
  channel: 'email' | 'webhook';
  target: string;
  attempts: number;
}

export type PauseNotification = Notice & { contextId: string; triggerId: null };
export type TriggerNotification = Notice & { contextId: null; triggerId: string };
export type Notification = PauseNotification | TriggerNotification;

/** The pause that a notice is about, as it is now. */
export interface Occasion extends Pick<
  PausePoint,
  'contextId' | 'rootId' | 'blockId' | 'registeredAt' | 'expiresAt'
> {
  workflowId: string;
  workflowName: string;
  display: PausePoint['display'];
  asking: Asking | null;
  open: boolean;
  /** False for a member who has switched off mails about pauses. */
  wanted: boolean;
  /** True when the receiver's address is that of a member. */
  toMember: boolean;
  apiUrl: string;
  /** The receiver's own link, or one that names no person. */
  uiUrl: string;
}

/** How many mails about pauses and triggers a workspace may send in a day, in all and to addresses of people who are no members. */
export interface MailAllowance {
  mailsPerDay: number;
  outsideMailsPerDay: number;
}

export type NotificationStatus = 'sent' | 'dropped' | 'failed';

/**
 * The messages about pauses and triggers to people and systems. They are committed with what they tell of, sent afterwards, and
 * repeated until the receiver takes them.
 */
@Injectable()
export class Notifications {
  readonly due = isAnyDue(pending);

  constructor(
    private readonly database: Database,
    private readonly links: Links,
  ) {}

  /** Claims due notices for a `DeliveryRoom`. No other process gets them for a minute. */
  claim(values: unknown[]): Promise<Notification[]> {
    return this.database.systemUnflushed<Notification>(claimNotices, values);
  }

  /** Counts a mail. Returns why it may not be sent, or null when it may. A repetition of a mail is not counted again. */
  async refusedMail(
    { workspaceId, attempts }: Notification,
    { toMember }: Pick<Occasion, 'toMember'>,
    { mailsPerDay, outsideMailsPerDay }: MailAllowance,
  ): Promise<string | null> {
    if (attempts > 1) return null;
    const takes = async (kind: string, perDay: number) =>
      perDay > 0 && (await this.database.system(takeMail, [workspaceId, kind, perDay])).length > 0;
    if (!toMember && !(await takes('outside_mail', outsideMailsPerDay)))
      return `the workspace has sent its mails of the day to addresses outside of its members, OUTSIDE_MAILS_PER_DAY (${outsideMailsPerDay})`;
    if (!(await takes('mail', mailsPerDay)))
      return `the workspace has sent its mails of the day, MAILS_PER_DAY (${mailsPerDay})`;
    return null;
  }

  async about({ workspaceId, contextId, channel, target }: PauseNotification): Promise<Occasion | null> {
    const [row] = await this.database.statement(workspaceId, findOccasion, [contextId, target]);
    if (!row) return null;
    // The columns have the names of an `Occasion`'s members.
    const occasion = row as unknown as Omit<Occasion, 'apiUrl' | 'uiUrl'>;
    const place = { workspaceId, workflowId: occasion.workflowId, executionId: occasion.rootId, contextId };
    const uiUrl = this.links.uiUrl(place, occasion, channel === 'email' ? target : '');
    return { ...occasion, apiUrl: this.links.apiUrl(place), uiUrl };
  }

  async settle(id: string, status: NotificationStatus, error = ''): Promise<void> {
    await this.database.system(settleNotice, [id, status, cutText(screenText(error), 500)]);
  }

  /** The notice is due again after a delay, which grows with every attempt; after a day it has failed. */
  async postpone(id: string, error: string): Promise<void> {
    await this.database.system(postponeNotice, [id, cutText(screenText(error), 500)]);
  }
}

/** The host of a webhook, or the domain of an address. */
const host = `coalesce(substring(target from '^[a-z]+://(?:[^/?#]*@)?([^/?#]*)'), substring(target from '@([^@]*)$'), target)`;

const pending = { table: 'notices', id: 'id', at: 'due_at', waits: [`status = 'pending'`] };

const claimNotices = /* sql */ `
with chosen as (${claimByReceiver(pending, host)})
update notices n set due_at = now() + interval '1 minute', attempts = n.attempts + 1
from chosen where n.id = chosen.id
returning n.id, n.workspace_id as "workspaceId", n.context_id as "contextId", n.trigger_id as "triggerId", n.occasion, n.channel, n.target,
  ${host} as receiver, n.attempts`;

/** A bucket of mails, which fills again within a day. $1 workspace, $2 kind, $3 mails of a day */
const takeMail = /* sql */ `
insert into rate_buckets as b (owner, kind, tokens, updated_at) values ($1, $2, $3::int - 1, clock_timestamp())
on conflict (owner, kind) do update set updated_at = clock_timestamp(),
  tokens = least($3::int, b.tokens + extract(epoch from clock_timestamp() - b.updated_at) * $3::int / 86400) - 1
where least($3::int, b.tokens + extract(epoch from clock_timestamp() - b.updated_at) * $3::int / 86400) >= 1
returning kind`;

/** $1 pause, $2 receiver */
const findOccasion = /* sql */ `
select p.context_id as "contextId", p.root_id as "rootId", p.block_id as "blockId", p.registered_at as "registeredAt",
  p.expires_at as "expiresAt", p.display, p.asking, p.resume_status = 'paused' as open,
  not exists (select from memberships m join users u on u.id = m.user_id
    where m.workspace_id = p.workspace_id and lower(u.email) = $2 and not m.pause_mails) as wanted,
  exists (select from memberships m join users u on u.id = m.user_id
    where m.workspace_id = p.workspace_id and lower(u.email) = lower($2)) as "toMember",
  e.workflow_id as "workflowId", e.workflow_name as "workflowName"
from pause_points p join executions e on e.id = p.root_id where p.context_id = $1`;

const settleNotice = /* sql */ `
update notices set status = $2, sent_at = case when $2 = 'sent' then now() end, last_error = nullif($3, '')
where id = $1 and status = 'pending'`;

const postponeNotice = /* sql */ `
update notices set last_error = $2, due_at = now() + least(3600, 5 * 2 ^ least(attempts - 1, 12)) * interval '1 second', status = case when created_at < now() - interval '1 day' then 'failed' else status end
where id = $1 and status = 'pending'`;
