import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, send } from '#libs/platform/database/database';
import type { Json } from '#libs/platform/json/json';
import type { ActivityEffect } from '#libs/language/engine/effects';
import type { RunKey } from '#temporal/activities';
import { toStoredJson } from '#libs/platform/text/whole-text';
import { pack, type Packed } from './pack.ts';
import { storing } from './payloads.ts';
import { unrecordedSeq } from './record.sql.ts';
import { requireRunStatements, Resets } from './resets.ts';

/** An effect and its visit. */
type VisitedEffect = Pick<ActivityEffect, 'name' | 'type'> & ActivityEffect['visit'];

/**
 * The committed outputs of effects, by visit. An output and its visit in the block log are committed in one transaction,
 * together with the writes of an effect on this database. So a process that dies has done all of it or nothing, and the
 * next attempt knows which.
 */
@Injectable()
export class EffectCheckpoints {
  constructor(
    private readonly database: Database,
    private readonly resets: Resets,
  ) {}

  /**
   * Carries the effect out, unless an earlier attempt has. Returns its packed output in both cases. `first` is the
   * path of the first effect of its chain, when the activity has several.
   */
  async commitOnce(
    run: RunKey,
    effect: VisitedEffect,
    write: (tx: EntityManager) => Promise<Json>,
    first?: string,
  ): Promise<Json> {
    return this.resets.commitAsOwner(run, () => this.writeOnce(run, effect, write, first));
  }

  /**
   * Commits the output of one of several effects that an activity carries out side by side. Checks no owner, because the key contains the
   * Temporal run id.
   */
  async saveInBatch(run: RunKey, path: string, { value, payloads }: Packed, first: string): Promise<void> {
    const values = [
      run.executionId,
      buildCallName(run, path),
      run.workspaceId,
      toStoredJson(value),
      buildCallName(run, first),
    ];
    await this.database.batch(run.workspaceId, [...storing(run, payloads), [keepOutput, values]]);
  }

  /** The committed outputs of an activity with several effects, by visit path, oldest first. */
  async checkpoints(run: RunKey, first: string): Promise<Record<string, Json>> {
    const { workspaceId, executionId } = run;
    const values = [executionId, buildCallName(run, first)];
    const rows = await this.database.statement<{ call: string; output: Json }>(workspaceId, ofChain, values);
    const before = buildCallName(run, '').length;
    return Object.fromEntries(rows.map(({ call, output }) => [call.slice(before), output]));
  }

  private writeOnce(
    run: RunKey,
    effect: VisitedEffect,
    write: (tx: EntityManager) => Promise<Json>,
    first?: string,
  ): Promise<Json> {
    const { workspaceId, executionId } = run;
    const call = buildCallName(run, effect.path);
    const chain = first === undefined ? null : buildCallName(run, first);
    return this.database.within(workspaceId, async (tx) => {
      for (const [sql, values] of requireRunStatements(run)) await send(tx, sql, values);
      // The second of two attempts at once waits here until the first has committed.
      const [reserved] = await send(tx, reserveCheckpoint, [executionId, call, workspaceId, chain]);
      if (!reserved) {
        const [row] = await send(tx, outputOf, [executionId, call]);
        return row?.['output'] as Json;
      }
      const { value, payloads } = pack(await write(tx));
      const output = toStoredJson(value);
      for (const [sql, values] of storing(run, payloads)) await send(tx, sql, values);
      await send(tx, keep, [executionId, call, output]);
      await send(tx, completeVisit, visitValues(run, effect, output));
      return value;
    });
  }
}

/** Names a call. All attempts of one Temporal run get the same name; the run after a reset gets another. */
export function buildCallName({ temporal }: RunKey, name: string): string {
  return `${temporal?.runId ?? ''} ${name}`;
}

function visitValues({ executionId, workspaceId }: RunKey, effect: VisitedEffect, output: string): unknown[] {
  const { path, blockId, name, type } = effect;
  return [executionId, workspaceId, path, blockId, name, type, output];
}

const reserveCheckpoint = /* sql */ `
insert into effect_checkpoints (execution_id, call, workspace_id, chain) values ($1, $2, $3, $4)
on conflict (execution_id, call) do nothing returning 1 as reserved`;

const outputOf = 'select output from effect_checkpoints where execution_id = $1 and call = $2';

const keep = 'update effect_checkpoints set output = $3 where execution_id = $1 and call = $2';

const keepOutput = /* sql */ `
insert into effect_checkpoints (execution_id, call, workspace_id, output, chain) values ($1, $2, $3, $4, $5)
on conflict (execution_id, call) do nothing`;

const ofChain = /* sql */ `
select call, output from effect_checkpoints where execution_id = $1 and chain = $2 and output is not null
order by committed_at`;

/** The run's record writes the visit again, with its place in the order. */
const completeVisit = /* sql */ `
insert into visits (execution_id, workspace_id, path, seq, block_id, name, type, status, started_at, ended_at, output)
values ($1, $2, $3, ${unrecordedSeq}, $4, $5, $6, 'completed', now(), now(), $7)
on conflict (execution_id, path) do update set status = 'completed', ended_at = now(), output = excluded.output
where visits.status = 'running'`;
