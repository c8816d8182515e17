import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { EntityManager } from 'typeorm';
import { Database, send } from '#libs/platform/database/database';
import { Conflict, Denied, Invalid, NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import type { JsonObject } from '#libs/platform/json/json';
import { type Execution, isKeptBack, terminal } from '../execution.entity.ts';
import { ageMsMax } from '../control/effect-holds.ts';
import * as sql from './holds.sql.ts';

export const holdModes = ['queue', 'refuse'] as const;
/** What a hold stops: new starts alone, or also the effects of executions that have started. */
export const holdReaches = ['starts', 'effects'] as const;
export type HoldReach = (typeof holdReaches)[number];
export type HoldMode = (typeof holdModes)[number];

/** Why an execution does not start. */
export interface Hold {
  id: string;
  /** Null: all of them, held by an operator. */
  workspaceId: string | null;
  /** Null: every workflow of the workspace. */
  workflowId: string | null;
  /** The trigger whose starts are held; null: all starts. */
  triggerId: string | null;
  /** The host to which calls stop; null: all effects, and starts. */
  host: string | null;
  stops: HoldReach;
  mode: HoldMode;
  reason: string;
  actor: JsonObject;
  heldAt: Date;
  releasedAt: Date | null;
  perSecond: number | null;
}

/** The hold that an acceptance met. The time may be text of Postgres. */
export type HoldNotice = Pick<
  Hold,
  'workflowId' | 'triggerId' | 'host' | 'stops' | 'mode' | 'reason' | 'actor'
> & {
  heldAt: Date | string;
};

/** A hold with the number of executions that it keeps back, counted to 10,000. */
export interface ShownHold extends Hold {
  waiting: number;
}

/** The refusal of an execution, a retry or a fork that a hold does not take. */
export function toHeldRefusal({
  workflowId,
  triggerId,
  reason,
}: Pick<Hold, 'workflowId' | 'triggerId' | 'reason'>): Conflict {
  const what = triggerId === null ? (workflowId === null ? 'workspace' : 'workflow') : 'trigger';
  return new Conflict(`The ${what} is held and takes no executions: ${reason}`, 'EXECUTIONS_HELD');
}

/** Runs one statement, within a transaction. */
type Run = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

/**
 * Holds a subject again whose hold is being released, under the id of that hold. Returns null when there is none. Throws when it is
 * held already.
 */
export async function holdSubjectAgain(
  run: Run,
  subject: Pick<Hold, 'workspaceId' | 'workflowId' | 'triggerId' | 'host' | 'mode' | 'reason' | 'stops'>,
  actor: JsonObject,
): Promise<string | null> {
  const { workspaceId, workflowId, triggerId, host, mode, reason, stops } = subject;
  const values = [workspaceId, workflowId, triggerId, host];
  const [former] = await run<{ id: string; isReleased: boolean }>(sql.lockSubject, values);
  if (!former) return null;
  if (!former.isReleased)
    throw new Conflict('It is held already: change that hold, or release it.', 'ALREADY_HELD');
  await run(sql.holdAgain, [former.id, mode, reason, stops, JSON.stringify(actor)]);
  if (stops === 'starts') await run(sql.freeEffects, [workspaceId]);
  return former.id;
}

/** Throws for a hold that is no tenant's to change. */
function requireOwn({ workspaceId, reason }: Hold): void {
  if (workspaceId === null)
    throw new Denied(
      `The operator of this installation holds it, and releases it: ${reason}`,
      'HELD_BY_OPERATOR',
    );
}

/** A turn lets go so many executions of one hold at most. */
const batch = 1000;

/**
 * Keeps executions of a workflow, of a trigger or of a workspace from starting, and lets them go. Those that have started go on, unless the
 * hold stops effects too.
 */
@Injectable()
export class Holds {
  readonly due = 'exists (select from holds where released_at is not null)';

  constructor(private readonly database: Database) {}

  list(workspaceId: string): Promise<ShownHold[]> {
    return this.database.statement(workspaceId, `${sql.shown} order by held_at, id`, [workspaceId]);
  }

  async get(workspaceId: string, id: string): Promise<ShownHold> {
    return found(
      await this.database.statement<ShownHold>(workspaceId, `${sql.shown} and id = $2`, [workspaceId, id]),
    );
  }

  /** Holds a workflow, what a trigger starts, or the whole workspace. Throws when it is held already. */
  async create(
    workspaceId: string,
    wanted: Omit<HoldNotice, 'actor' | 'heldAt'>,
    actor: JsonObject,
  ): Promise<ShownHold> {
    const { workflowId, triggerId, mode, reason, host, stops } = wanted;
    const values = [
      newId('hold'),
      workspaceId,
      workflowId,
      triggerId,
      mode,
      reason,
      JSON.stringify(actor),
      host,
      stops,
    ];
    const hold = await this.database.within(workspaceId, async (tx) => {
      const [made] = await send<ShownHold>(tx, sql.insertHold, values);
      if (made) return made;
      const id = await holdSubjectAgain(
        (text, given) => send(tx, text, given),
        { workspaceId, ...wanted },
        actor,
      );
      return id === null ? null : { id };
    });
    if (!hold)
      throw triggerId === null
        ? Invalid.field('workflowId', 'is not a workflow of the workspace', 'unknown')
        : Invalid.field('triggerId', 'is not a trigger of the workspace', 'unknown');
    // From the answer on, no process begins an effect that the hold stops.
    if (stops === 'effects') await pause(ageMsMax);
    return this.get(workspaceId, hold.id);
  }

  /** Changes what is given, and holds again what was being released. */
  async update(
    workspaceId: string,
    id: string,
    { mode, reason, stops }: Partial<Pick<Hold, 'mode' | 'reason' | 'stops'>>,
  ): Promise<ShownHold> {
    requireOwn(await this.get(workspaceId, id));
    await this.database.within(workspaceId, async (tx) => {
      const [former] = await send<Pick<Hold, 'host' | 'stops'>>(tx, sql.lockHold, [workspaceId, id]);
      if (!former) throw new NotFound('hold');
      if (former.host !== null && mode === 'refuse')
        throw Invalid.field('mode', 'must be queue for a host, which starts nothing', 'conflict');
      if (former.host !== null && stops === 'starts')
        throw Invalid.field('stops', 'must be effects for a host', 'conflict');
      await send(tx, sql.holdAgain, [id, mode ?? null, reason ?? null, stops ?? null, null]);
      if (stops === 'starts' && former.stops === 'effects') await send(tx, sql.freeEffects, [workspaceId]);
    });
    const changed = await this.get(workspaceId, id);
    if (changed.stops === 'effects') await pause(ageMsMax);
    return changed;
  }

  /** Begins to let go what waits, the oldest first. New executions wait behind it; the hold ends when nothing waits. */
  async release(workspaceId: string, id: string, perSecond: number | null): Promise<ShownHold> {
    requireOwn(await this.get(workspaceId, id));
    found(
      await this.database.statement<ShownHold>(workspaceId, sql.releaseHold, [workspaceId, id, perSecond]),
    );
    return this.get(workspaceId, id);
  }

  /** True while a hold refuses what a trigger would start. */
  async isRefusing({
    id,
    workspaceId,
    workflowId,
  }: {
    id: string;
    workspaceId: string;
    workflowId: string;
  }): Promise<boolean> {
    const values = [workspaceId, workflowId, id];
    const holds = await this.database.statement<ShownHold>(workspaceId, sql.refusingHold, values);
    return holds.length > 0;
  }

  /** Lets go what the rates of released holds allow, and ends holds for which nothing waits. Row locks give each hold to one process. */
  async releaseDue(): Promise<void> {
    await this.database.systemTransaction(async (client) => {
      const { rows } = await client.query<Due>(sql.dueHolds);
      for (const hold of rows) await releaseSome(client, hold);
    });
  }
}

interface Due {
  id: string;
  is_of_all: boolean;
  per_second: number | null;
  for_s: number;
}

/** Returns the hold that keeps an execution back, or stops an effect of it; null when none does. */
export async function explainHold(tx: EntityManager, row: Execution): Promise<Hold | null> {
  if (terminal(row.status)) return null;
  const { workspaceId, workflowId, id, actor } = row;
  const [hold] = isKeptBack(row)
    ? await send<ShownHold>(tx, sql.holdOfStart, [workspaceId, workflowId, actor['triggerId'] ?? null])
    : await send<ShownHold>(tx, sql.holdOfEffects, [workspaceId, id]);
  return hold ?? null;
}

async function releaseSome(
  client: pg.PoolClient,
  { id, is_of_all: isOfAll, per_second: perSecond, for_s: forS }: Due,
): Promise<void> {
  // Time in which no process was there gives no right to a burst, unless the rate is below one in that time.
  const most =
    perSecond === null
      ? batch
      : Math.min(batch, Math.floor(perSecond * Math.min(forS, Math.max(sql.burstS, 1 / perSecond))));
  if (most < 1) return;
  // Executions that have started go on before others start.
  const { rowCount: gone } = await client.query(sql.letEffectsGo(isOfAll), [id, most]);
  const left = most - (gone ?? 0);
  const { rowCount } = left > 0 ? await client.query(sql.letGo(isOfAll), [id, left]) : { rowCount: 0 };
  if (perSecond !== null) await client.query(sql.useCredit, [id, most / perSecond]);
  if ((rowCount ?? 0) >= left) return;
  // Waits for acceptances that have seen the hold. Later ones do not see it.
  await client.query('select id from holds where id = $1 for update', [id]);
  await client.query(sql.endHold(isOfAll), [id]);
}

function found(rows: ShownHold[]): ShownHold {
  if (!rows[0]) throw new NotFound('hold');
  return rows[0];
}
