import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, send } from '#libs/database/database';
import { sqlState } from '#libs/database/violations';
import type { Json } from '#libs/definition/values';
import type { ActivityEffect } from '#libs/engine/effects';
import type { RunKey } from '#temporal/activities';
import { pack } from './pack.ts';
import { storing } from './payloads.ts';
import { Resets } from './resets.ts';
import { otherRun, requireRun } from './resets.sql.ts';

/** Thrown in a Temporal run that an operator has replaced: it may change nothing any more. */
export class ReplacedRun extends Error {}

/**
 * Effects on this database. What an effect writes, its output, and its visit in the block log are committed in one
 * transaction, so a process that dies at any point has done all of it or nothing, and the next attempt knows which.
 */
@Injectable()
export class CommittedEffects {
  constructor(
    private readonly database: Database,
    private readonly resets: Resets,
  ) {}

  /** Carries the effect out, unless an attempt before has; gives its output, packed, either way. */
  async once(
    run: RunKey,
    effect: Pick<ActivityEffect, 'visit' | 'name' | 'type'>,
    write: (tx: EntityManager) => Promise<Json>,
  ): Promise<Json> {
    try {
      return await this.attempt(run, effect, write);
    } catch (error) {
      const { temporal } = run;
      if (!temporal || sqlState(error) !== otherRun) throw error;
      if (await this.resets.takeOver(run, temporal)) return this.attempt(run, effect, write);
      throw new ReplacedRun('An operator has replaced this run.');
    }
  }

  private attempt(
    run: RunKey,
    { visit, name, type }: Pick<ActivityEffect, 'visit' | 'name' | 'type'>,
    write: (tx: EntityManager) => Promise<Json>,
  ): Promise<Json> {
    const { workspaceId, executionId, temporal } = run;
    const call = `${temporal?.runId ?? ''} ${visit.path}`;
    return this.database.within(workspaceId, async (tx) => {
      if (temporal) await send(tx, requireRun, [executionId, temporal.runId]);
      // Two attempts at once: the second waits here until the first has committed.
      const [claimed] = await send(tx, claim, [executionId, call, workspaceId]);
      if (!claimed) {
        const [known] = await send(tx, outputOf, [executionId, call]);
        return known?.['output'] as Json;
      }
      const { value, payloads } = pack(await write(tx));
      const output = JSON.stringify(value);
      for (const [sql, values] of storing(run, payloads)) await send(tx, sql, values);
      await send(tx, keep, [executionId, call, output]);
      await send(tx, completeVisit, [
        executionId,
        workspaceId,
        visit.path,
        visit.blockId,
        name,
        type,
        output,
      ]);
      return value;
    });
  }
}

const claim = /* sql */ `
insert into committed_effects (execution_id, call, workspace_id) values ($1, $2, $3)
on conflict (execution_id, call) do nothing returning 1 as claimed`;

const outputOf = 'select output from committed_effects where execution_id = $1 and call = $2';

const keep = 'update committed_effects set output = $3 where execution_id = $1 and call = $2';

/** The record of the run writes the visit again, with its place in the order. */
const completeVisit = /* sql */ `
insert into visits (execution_id, workspace_id, path, seq, block_id, name, type, status, started_at, ended_at, output)
values ($1, $2, $3, 2147483647, $4, $5, $6, 'completed', now(), now(), $7)
on conflict (execution_id, path) do update set status = 'completed', ended_at = now(), output = excluded.output
where visits.status = 'running'`;
