import { Injectable } from '@nestjs/common';
import { Database, indexOrder, send } from '#libs/platform/database/database';
import { Cursors, type Page } from '#libs/platform/cursors/cursor';
import type { Person } from '#libs/language/definition/blocks/approvals';
import { PausePoint } from './pause.entity.ts';
import { findPerson } from './people.ts';

/** One open pause of a workspace. */
export interface InboxItem extends PausePoint {
  workflowId: string;
  workflowName: string;
  /** The title of the execution. */
  executionTitle: string | null;
  /** True when the reader of the list may answer the pause, by name or by role, and has not answered it. */
  mine: boolean;
}

export interface InboxQuery {
  /** The reader of the list; a workspace key is no person. */
  who?: string;
  mineOnly: boolean;
  limit: number;
  cursor?: string;
}

/** The open pauses of a workspace, over all of its workflows. */
@Injectable()
export class Inbox {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
  ) {}

  /** Pauses that the reader may answer come first. Both groups are sorted oldest first. */
  async list(workspaceId: string, { who, mineOnly, limit, cursor }: InboxQuery): Promise<Page<InboxItem>> {
    const scope = `inbox ${workspaceId} ${who ?? ''} ${mineOnly}`;
    const after = this.cursors.open(cursor, scope);
    const rows = await this.database.within(workspaceId, async (tx) => {
      await send(tx, indexOrder);
      const person: Pick<Person, 'own' | 'names' | 'role'> =
        who === undefined ? { names: [] } : await findPerson(tx, workspaceId, who);
      const [rank = '0', at = null] = after?.at.split(' ') ?? [];
      const place = [at, after?.id ?? null];
      const names = person.role ? [...person.names, `role:${person.role}`] : person.names;
      const read = (sql: string, most: number, from: (string | null)[]) =>
        send<InboxItem>(tx, sql, [workspaceId, names, person.own ?? [], most, ...from]);
      const mine = rank === '0' ? await read(findMine, limit + 1, place) : [];
      const remaining = mineOnly ? 0 : limit + 1 - mine.length;
      const others =
        remaining > 0 ? await read(findOthers, remaining, rank === '0' ? [null, null] : place) : [];
      return [...mine, ...others];
    });
    return this.cursors.page(rows, limit, scope, ({ mine, registeredAt, contextId }) => ({
      at: `${mine ? 0 : 1} ${registeredAt.toISOString()}`,
      id: contextId,
    }));
  }
}

/**
 * For each pause `p`: `asked` is true when it asks one of the names $2. `done` is true when the person $3 has answered
 * or delegated it. The offset keeps the planner from reading all answers of all pauses at once.
 */
const about = /* sql */ `
cross join lateral (
  select
    exists (select from asked_people a where a.context_id = p.context_id and a.name = any ($2)) as asked,
    exists (select from resume_entries r
      where r.context_id = p.context_id and r.status <> 'failed' and r.person ->> 'id' = any ($3))
    or exists (select from delegations d where d.context_id = p.context_id and d.from_id = any ($3)) as done
  offset 0
) about`;

/** True when `p` comes after the last item of the page before. */
const isBehind = (p: string) =>
  `($5::timestamptz is null or (${p}.registered_at, ${p}.context_id) > ($5, $6))`;

/**
 * One group of the list. For each name it reads at most $4 rows of an index, and the pauses that the person is done
 * with.
 * $1 workspace, $2 names and role of the reader that a pause may ask, $3 all ids of the reader, $4 limit, $5 and $6
 * the position of the last item before
 */
const open = (mine: boolean, from: string) => /* sql */ `
select p.context_id as "contextId", p.workspace_id as "workspaceId", p.execution_id as "executionId", p.root_id as "rootId",
  p.paused_execution_id as "pausedExecutionId", p.path, p.block_id as "blockId", p.resume_status as "resumeStatus",
  p.display, p.form, p.asking, p.registered_at as "registeredAt", p.expires_at as "expiresAt", ${mine} as mine,
  e.workflow_id as "workflowId", e.workflow_name as "workflowName", e.title as "executionTitle"
${from}
order by p.registered_at, p.context_id limit $4`;

const findMine = open(
  true,
  /* sql */ `
from (
  select distinct a.context_id from unnest($2::text[]) n (name) cross join lateral (
    select p.context_id from asked_people p ${about}
    where p.workspace_id = $1 and p.name = n.name and not about.done and ${isBehind('p')}
    order by p.registered_at, p.context_id limit $4
  ) a
) asked join pause_points p using (context_id) join executions e on e.id = p.root_id`,
);

const findOthers = open(
  false,
  /* sql */ `
from pause_points p ${about} join executions e on e.id = p.root_id
where p.workspace_id = $1 and p.resume_status = 'paused' and ${isBehind('p')} and (not about.asked or about.done)`,
);
