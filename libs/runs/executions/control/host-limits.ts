import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, send } from '#libs/platform/database/database';
import type { RunKey } from '#temporal/activities';
import { type Execution, terminal } from '../execution.entity.ts';

/** The place of a call that waits for the limit of a host. */
export interface HostWait {
  host: string;
  /** From 1, which is next. */
  place: number;
}

/** A call whose process was lost keeps its place for so long after its time-out, in milliseconds. */
const graceMs = 10_000;

/** The limits of hosts of outgoing calls, which all workflows of a workspace share. The functions of the migration decide. */
@Injectable()
export class HostLimits {
  readonly due = `exists (select from held_effects where ${isWaiting})`;

  constructor(private readonly database: Database) {}

  /** Lets a call begin. Returns the id of its place; `0` for a host without a limit, and null for a call that must wait. */
  async enterHost(
    { workspaceId, executionId }: RunKey,
    { path, host, timeoutMs, mayWait }: { path: string; host: string; timeoutMs: number; mayWait: boolean },
  ): Promise<string | null> {
    const values = [workspaceId, executionId, path, host, (timeoutMs + graceMs) / 1000, mayWait];
    const [entered] = await this.database.statement<{ place: string | null }>(workspaceId, enter, values);
    return entered?.place ?? null;
  }

  /** Gives the place of a call that has ended to the next. Never rejects, because the place also ends by itself. */
  async leaveHost(workspaceId: string, host: string, place: string): Promise<void> {
    await this.database.statement(workspaceId, leave, [workspaceId, host, place]).catch(() => undefined);
  }

  /** Tells calls that wait for a rate, or for the place of a lost call. */
  async advanceDue(): Promise<void> {
    const lines = await this.database.system<{ workspace_id: string; host: string }>(waitingLines);
    for (const { workspace_id: workspaceId, host } of lines)
      await this.database.system(advance, [workspaceId, host]);
  }
}

/** Returns what a run that has started waits for; null when it waits for no host. */
export async function explainHostWait(
  tx: EntityManager,
  { id, status }: Execution,
): Promise<HostWait | null> {
  if (terminal(status) || status === 'queued') return null;
  const [wait] = await send<HostWait>(tx, findWait, [id]);
  return wait ?? null;
}

/** $1 workspace, $2 execution, $3 path, $4 host, $5 seconds, $6 whether it may wait */
const enter = 'select enter_host($1, $2, $3, $4, make_interval(secs => $5), $6) as place';

/** $1 workspace, $2 host, $3 place */
const leave = 'select leave_host($1, $2, $3)';

const isWaiting = `waits_for = 'limit' and due_at is null`;

const waitingLines = `select distinct workspace_id, host from held_effects where ${isWaiting} limit 1000`;

/** Passes over a host that another process decides about. $1 workspace, $2 host */
const advance = /* sql */ `
select case when pg_try_advisory_xact_lock(hashtextextended('host ' || $1 || ' ' || $2, 0)) then advance_host($1, $2) end`;

/** $1 execution */
const findWait = /* sql */ `
select k.host, (select count(*) from (select from held_effects o where o.workspace_id = k.workspace_id and o.host = k.host
  and o.waits_for = 'limit' and o.due_at is null and (o.turn, o.held_at, o.id) < (k.turn, k.held_at, k.id) limit 10000) ahead)::int + 1 as place
from held_effects k where k.execution_id = $1 and k.waits_for = 'limit' and k.due_at is null order by k.turn, k.held_at limit 1`;
