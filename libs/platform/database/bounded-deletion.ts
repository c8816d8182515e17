import { performance } from 'node:perf_hooks';
import { Logger } from '@nestjs/common';
import { deferrals } from '#libs/platform/telemetry/metrics/metrics';
import type { Database } from './database.ts';
import { isAway, queryCancelled, sqlState } from './violations.ts';

const log = new Logger('Deferrals');

/** Rows of the first statement. Those after it take more while they are quick. */
const firstRows = 100;
/** A statement that ends within this time, in milliseconds, is followed by one of twice as many rows. */
const quickMs = 1000;
/** The default time of one run, in milliseconds. */
const turnMs = 45_000;
/** The time of a run for one item before it goes on with the next, in milliseconds. */
const itemMs = 5000;

/** The end of a run. A process that stops ends its runs between two statements; the next run does the rest. */
export class TurnBounds {
  private readonly endsAtMs: number;

  constructor(
    forMs = turnMs,
    readonly signal: AbortSignal = new AbortController().signal,
  ) {
    this.endsAtMs = performance.now() + forMs;
  }

  get over(): boolean {
    return this.signal.aborted || performance.now() >= this.endsAtMs;
  }

  /** The bounds of one item of the turn, so that none keeps the others waiting. */
  get ofItem(): TurnBounds {
    return new TurnBounds(Math.min(itemMs, this.endsAtMs - performance.now()), this.signal);
  }
}

/** The result of a deletion. It is complete when nothing is left. */
export interface BoundedDeletion {
  rows: number;
  complete: boolean;
}

/**
 * Deletes until nothing is left or the turn is over. `remove` deletes as many rows as it is given and returns how many it found. It is given
 * a tenth after a statement that the time-out ended, and more again while statements are quick. Throws the time-out of a statement
 * that had one row, and whatever else `remove` throws.
 */
export async function deleteInBatches(
  rowsMax: number,
  bounds: TurnBounds,
  remove: (rows: number) => Promise<number>,
): Promise<BoundedDeletion> {
  let [size, deleted] = [Math.min(firstRows, rowsMax), 0];
  while (!bounds.over) {
    const beganAtMs = performance.now();
    const found = await remove(size).catch((error: unknown) => {
      if (size === 1 || sqlState(error) !== queryCancelled) throw error;
      return null;
    });
    if (found === null) {
      size = Math.ceil(size / 10);
      continue;
    }
    deleted += found;
    if (found < size) return { rows: deleted, complete: true };
    if (performance.now() - beganAtMs < quickMs) size = Math.min(rowsMax, size * 2);
  }
  return { rows: deleted, complete: false };
}

/**
 * Deletes rows of a table by their places: without the limit in a subquery of its own one statement would take all. `most` is the parameter that says how
 * many. A divided table must be bound to one of its parts by `where`. The statement returns their number as `n`.
 */
export const deletionOf = (table: string, where: string, most: string): string => /* sql */ `
with gone as (
  delete from ${table} where ${where} and ctid = any (array(select ctid from ${table} where ${where} limit ${most})) returning 1
)
select count(*)::int as n from gone`;

/** The items of a run, in their order; each word is a label of a metric. */
export type Deferrable =
  | 'audit log'
  | 'column of a table'
  | 'deletions of a table'
  | 'execution'
  | 'idempotency key'
  | 'import'
  | 'import report'
  | 'index of a table'
  | 'leftover of knowledge'
  | 'record of OAuth'
  | 'session'
  | 'table'
  | 'usage entry';

/** Old rows of one table that are forgotten together. */
export interface OldRows {
  kind: Deferrable;
  table: string;
  /** Names a row, as text. */
  id: string;
  /** The old rows. `order` is the order of an index, and decides which are first. */
  where: string;
  order: string;
  values: unknown[];
}

/** The items of a turn. */
export interface Items<T> {
  kind: Deferrable;
  items: T[];
  id: (item: T) => string;
  /** Returns false when there is more to do than its bounds allowed. */
  work: (item: T, bounds: TurnBounds) => Promise<boolean>;
}

/**
 * Works on each item until the turn is over, and returns how many had all of their work done. What fails is put off, for longer each
 * time, and the others go on. Throws when the database is away: that is no item's fault.
 */
export async function workOnEach<T>(
  database: Database,
  { kind, items, id, work }: Items<T>,
  bounds: TurnBounds,
): Promise<number> {
  let done = 0;
  for (const item of items) {
    if (bounds.over) break;
    try {
      if (await work(item, bounds.ofItem)) done += 1;
    } catch (error) {
      await putOff(database, kind, { item: id(item), error });
    }
  }
  return done;
}

/**
 * Forgets old rows, and returns how many. One that cannot be deleted alone is given to `onStuck`, and is put off unless that says otherwise.
 * Rows that others hold are left for later turns.
 */
export async function forgetRows(
  database: Database,
  { rowsMax, ...rows }: OldRows & { rowsMax: number },
  bounds: TurnBounds,
  onStuck = (item: string, error: unknown) => putOff(database, rows.kind, { item, error }),
): Promise<number> {
  let deleted = 0;
  const remove = async (most: number) => {
    const [row] = await database.system<{ n: number }>(deletionOfOld(rows), [...rows.values, most]);
    deleted += row?.n ?? 0;
    return row?.n ?? 0;
  };
  while (!bounds.over) {
    try {
      await deleteInBatches(rowsMax, bounds, remove);
      break;
    } catch (error) {
      if (sqlState(error) !== queryCancelled) throw error;
      const [first] = await database.system<{ id: string }>(chosenOf(rows, rows.id), [...rows.values, 1]);
      if (!first) break;
      await onStuck(first.id, error);
    }
  }
  return deleted;
}

/** Puts an item off. Throws its error when the database is away. */
async function putOff(
  database: Database,
  kind: Deferrable,
  { item, error }: { item: string; error: unknown },
): Promise<void> {
  if (isAway(error)) throw error;
  await database.system(deferItem, [kind, item]);
  deferrals.inc({ kind });
  log.warn(`${kind} ${item} is put off: ${String(error)}`);
}

/** The condition under which an item is due. `id` is the text that names it. */
export const isDue = (kind: Deferrable, id: string): string =>
  `not exists (select from deferrals d where d.kind = '${kind}' and d.item = ${id} and d.due_at > now())`;

function chosenOf({ kind, table, id, where, order, values }: OldRows, shown: string): string {
  return `select ${shown} as id from ${table} t where ${where} and ${isDue(kind, id)}
    order by ${order} limit $${values.length + 1} for update of t skip locked`;
}

const deletionOfOld = (rows: OldRows) => /* sql */ `
with gone as (
  delete from ${rows.table} where ctid = any (array(${chosenOf(rows, 't.ctid')})) returning 1
)
select count(*)::int as n from gone`;

/**
 * For five seconds at first, then for twice as long each time, at most for an hour. An item that was due two days ago is done, or gone: else it
 * would have been put off again.
 */
const deferItem = /* sql */ `
with done as (
  delete from deferrals where due_at < now() - interval '2 days' and (kind, item) <> ($1, $2)
)
insert into deferrals as d (kind, item, due_at) values ($1, $2, now() + interval '5 seconds')
on conflict (kind, item) do update set failures = d.failures + 1,
  due_at = now() + make_interval(secs => least(3600, 5 * 2 ^ least(d.failures, 10)))`;
