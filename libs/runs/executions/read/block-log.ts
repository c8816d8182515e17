import { Injectable } from '@nestjs/common';
import { Database, find, send } from '#libs/platform/database/database';
import { type Json, objectOf } from '#libs/platform/json/json';
import type { SentValue } from '#libs/language/engine/effects';
import { Cursors } from '#libs/platform/cursors/cursor';
import { type Execution, terminal, VisitRow } from '../execution.entity.ts';
import { findOfWorkflow } from '../executions.ts';
import { buildSentId, Payloads } from '../record/payloads.ts';
import { explainWaits, type Waits } from './waits.ts';

/** A visit, with the cost of its calls; null when nothing was booked for it. */
export interface VisitWithCost extends VisitRow {
  cost: number | null;
  /** True while a hold, or the limit of a host, keeps its effect from beginning. */
  isHeld: boolean;
}

/** An execution with one page of its block log. */
export interface ExecutionDetail extends Execution {
  visits: VisitWithCost[];
  waits: Waits;
  /** The cursor of the next page of the block log; null on the last one. */
  nextCursor: string | null;
}

/** Stored outputs of one page of the block log are resolved up to this many bytes. Further ones stay references. */
const logBytesMax = 2 * 1024 * 1024;

/** Reads the block log a page at a time, so that no read grows with the length of a run. */
@Injectable()
export class BlockLog {
  constructor(
    private readonly database: Database,
    private readonly payloads: Payloads,
    private readonly cursors: Cursors,
  ) {}

  /** The execution with its inputs, one page of its block log in the order of the visits, and why it waits, all of one moment. */
  async detail(
    workspaceId: string,
    id: string,
    workflowId: string,
    { limit, cursor, seesValues }: { limit: number; cursor?: string; seesValues: boolean },
  ): Promise<ExecutionDetail> {
    return this.database.atOneMoment(workspaceId, async (tx) => {
      const row = await findOfWorkflow(tx, id, workflowId);
      const owner = { workspaceId, executionId: row.id };
      const scope = `visits ${row.id}`;
      const after = this.cursors.open(cursor, scope);
      const [seq = null, at = null] = after?.at.split(' ') ?? [];
      const read = await find(tx, VisitRow, visitsPage, [row.id, seq, at, after?.id ?? null, limit + 1]);
      const { items, nextCursor } = this.cursors.page(read, limit, scope, (visit) => ({
        at: `${visit.seq} ${visit.startedAt.toISOString()}`,
        id: visit.path,
      }));
      const [inputs, output] = [
        await this.payloads.resolveUnreadWithin(tx, owner, row.inputs),
        await this.payloads.resolveUnreadWithin(tx, owner, row.output),
      ];
      const written = items.map((visit) => visit.output);
      const outputs = await this.payloads.resolveUnreadWithin(tx, owner, written, logBytesMax);
      const costs = await send(tx, visitCosts, [row.id, items.map(({ path }) => path)]);
      const costOf = new Map(costs.map(({ path, cost }) => [path, Number(cost)]));
      const stopped = terminal(row.status) ? [] : await send(tx, heldPaths, [row.id]);
      const held = new Set(stopped.map(({ path }) => path));
      const visits = items.map((visit, n) => ({
        ...visit,
        output: Array.isArray(outputs) ? (outputs[n] ?? null) : null,
        sent: seesValues ? withWhole(visit) : null,
        cost: costOf.get(visit.path) ?? null,
        isHeld: visit.status === 'running' && held.has(visit.path),
      }));
      const waits = await explainWaits(tx, row);
      return { ...row, inputs: objectOf(inputs), output, visits, waits, nextCursor };
    });
  }

  /** Why an execution that was read before waits now. */
  async explainWaits(row: Execution): Promise<Waits> {
    if (terminal(row.status)) return { hold: null, place: null, host: null };
    return this.database.within(row.workspaceId, (tx) => explainWaits(tx, row));
  }

  /** The last output of each of these blocks, by block. A block without an output is left out. Large outputs stay references. */
  async lastOutputs(
    workspaceId: string,
    executionId: string,
    blockIds: string[],
  ): Promise<Map<string, Json>> {
    if (blockIds.length === 0) return new Map();
    return this.database.within(workspaceId, async (tx) => {
      const rows = await find(tx, VisitRow, lastCompleted, [executionId, blockIds]);
      const owner = { workspaceId, executionId };
      const written = rows.map(({ output }) => output);
      const outputs = await this.payloads.resolveWithin(tx, owner, written, logBytesMax);
      const read = Array.isArray(outputs) ? outputs : [];
      return new Map(rows.map(({ blockId }, n) => [blockId, read[n] ?? null]));
    });
  }
}

/** Returns what a visit has sent, with a reference to the whole of it when it is cut. */
function withWhole({ executionId, path, sent }: VisitRow): SentValue | null {
  if (!sent?.isCut || sent.whole) return sent;
  return { ...sent, whole: { $payload: buildSentId(executionId, path), bytes: sent.bytes ?? sent.chars } };
}

/** $1 execution, $2 to $4 the position of the last visit before, $5 limit */
const visitsPage = /* sql */ `
where t.execution_id = $1
  and ($2::int is null or (t.seq, t.started_at, t.path) > ($2::int, $3::timestamptz, $4))
order by t.seq, t.started_at, t.path limit $5`;

/** Adds up the cost of the calls of each visit. $1 execution, $2 paths of visits */
const visitCosts = /* sql */ `
select visit_path as path, sum(cost)::float8 as cost from usage_entries
where during_execution = $1 and visit_path = any($2::text[]) group by visit_path`;

/** $1 execution */
const heldPaths = 'select path from held_effects where execution_id = $1 and due_at is null limit 10000';

/** $1 execution, $2 blocks */
const lastCompleted = /* sql */ `
join unnest($2::text[]) wanted (id) on wanted.id = t.block_id
join lateral (
  select path from visits where execution_id = $1 and block_id = wanted.id and status = 'completed'
  order by seq desc, started_at desc, path desc limit 1
) last on last.path = t.path
where t.execution_id = $1`;
