import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import type { Asking } from '#libs/language/engine/asking';
import { cutText, screenText } from '#libs/platform/text/whole-text';
import { Links } from './links.ts';
import type { PausePoint } from './pause.entity.ts';

/** One message to one receiver about one pause. Its id is the same however often it is sent. */
export interface PauseNotification {
  id: string;
  workspaceId: string;
  contextId: string;
  /** `opened`, `reminder 1`, `escalated`. */
  occasion: string;
  channel: 'email' | 'webhook';
  target: string;
}

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
  apiUrl: string;
  /** The receiver's own link, or one that names no person. */
  uiUrl: string;
}

export interface NotificationClaim {
  limit: number;
  perTarget: number;
  /** Targets that already have enough deliveries under way. */
  busy: string[];
}

export type NotificationStatus = 'sent' | 'dropped' | 'failed';

/**
 * The messages about pauses to people and systems. They are committed with the pauses, sent afterwards, and repeated
 * until the receiver takes them.
 */
@Injectable()
export class Notifications {
  constructor(
    private readonly database: Database,
    private readonly links: Links,
  ) {}

  /**
   * Claims at most `limit` due notices, at most `perTarget` of one target, and none of the `busy` targets. No other
   * process gets them for a minute.
   */
  async claim({ limit, perTarget, busy }: NotificationClaim): Promise<PauseNotification[]> {
    return this.database.systemUnflushed<PauseNotification>(claimNotices, [limit, perTarget, busy]);
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

/** Reads only the oldest due notices, so that a target with very many does not make the statement slow. */
const claimNotices = /* sql */ `
with due as (
  select id, target, due_at from notices where status = 'pending' and due_at <= now() and target <> all ($3::text[])
  order by due_at limit 1000
), placed as (
  select id, row_number() over (partition by target order by due_at) as place, due_at from due
), chosen as (
  select id from notices where status = 'pending' and due_at <= now()
    and id = any (array(select id from placed where place <= $2 order by due_at limit $1))
  for update skip locked
)
update notices n set due_at = now() + interval '1 minute', attempts = n.attempts + 1
from chosen where n.id = chosen.id
returning n.id, n.workspace_id as "workspaceId", n.context_id as "contextId", n.occasion, n.channel, n.target`;

/** $1 pause, $2 receiver */
const findOccasion = /* sql */ `
select p.context_id as "contextId", p.root_id as "rootId", p.block_id as "blockId", p.registered_at as "registeredAt",
  p.expires_at as "expiresAt", p.display, p.asking, p.resume_status = 'paused' as open,
  not exists (select from memberships m join users u on u.id = m.user_id
    where m.workspace_id = p.workspace_id and lower(u.email) = $2 and not m.pause_mails) as wanted,
  e.workflow_id as "workflowId", e.workflow_name as "workflowName"
from pause_points p join executions e on e.id = p.root_id where p.context_id = $1`;

const settleNotice = /* sql */ `
update notices set status = $2, sent_at = case when $2 = 'sent' then now() end, last_error = nullif($3, '')
where id = $1 and status = 'pending'`;

const postponeNotice = /* sql */ `
update notices set last_error = $2, due_at = now() + least(3600, 5 * 2 ^ least(attempts - 1, 12)) * interval '1 second', status = case when created_at < now() - interval '1 day' then 'failed' else status end
where id = $1 and status = 'pending'`;
