import { performance } from 'node:perf_hooks';
import { Logger } from '@nestjs/common';
import { deferrals } from '#libs/platform/telemetry/metrics/metrics';
import type { Database } from './database.ts';
import { isAway, queryCancelled, sqlState } from './violations.ts';

const log = new Logger('Deferrals');

/** The number of rows of the first statement. The number doubles after each quick statement. */
const firstRows = 100;
/** A statement is quick when it ends within this time, in milliseconds. */
const quickMs = 1000;
/** The default duration of a turn, in milliseconds. */
const turnMs = 45_000;
/** The longest time of a turn for one item, in milliseconds. */
const itemMs = 5000;

/** Tells when one maintenance pass ends: at a time limit, or at shutdown. Work stops between statements, and the next pass does the rest. */
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

  /** The bounds for one item of the turn, so that no item uses the time of the others. */
  get ofItem(): TurnBounds {
    return new TurnBounds(Math.min(itemMs, this.endsAtMs - performance.now()), this.signal);
  }
}

/** The result of a deletion: how many rows it deleted, and whether no row is left. */
export interface BoundedDeletion {
  rows: number;
  complete: boolean;
}

/**
 * Deletes rows until no row is left or the turn is over. `remove` deletes at most the given number of rows, and returns how many it
 * found. After a statement that Postgres cancelled for its time, the next one gets a tenth of the rows. After a quick
 * statement, the next one gets twice as many, at most `rowsMax`. Throws the time-out of a statement of one row, and every other
 * error of `remove`.
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
 * SQL that deletes at most `most` rows of a table, and returns their number as `n`. `most` is a parameter, as `$2`. It finds rows by
 * their `ctid`, because `delete` has no `limit`. A `ctid` names a row only within one partition, so for a partitioned table `where`
 * must choose one partition.
 */
export const buildDeletion = (table: string, where: string, most: string): string => /* sql */ `
with gone as (
  delete from ${table} where ${where} and ctid = any (array(select ctid from ${table} where ${where} limit ${most})) returning 1
)
select count(*)::int as n from gone`;

/** The kinds of items that can be deferred. Each word is a label of a metric. */
export type Deferrable =
  | 'alert rule'
  | 'audit log'
  | 'backfill'
  | 'bulk job'
  | 'column of a table'
  | 'deletions of a table'
  | 'event'
  | 'delivery'
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
  /** SQL that gives the id of a row, as text. */
  id: string;
  /** SQL that selects the old rows. `order` is the order of an index; the first rows in it are deleted first. */
  where: string;
  order: string;
  values: unknown[];
}

/** The items of a turn, and the work on each. */
export interface Items<T> {
  kind: Deferrable;
  items: T[];
  id: (item: T) => string;
  /** Resolves to false when the bounds ended the work before it was done. */
  work: (item: T, bounds: TurnBounds) => Promise<boolean>;
}

/**
 * Works on each item until the turn is over. Returns the number of items whose work is done. An item that fails is deferred, for
 * longer each time, and the next item follows. Throws when the database is unreachable.
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
 * Deletes old rows until none are due or the turn is over, and returns their number. `onStuck` gets each row that cannot be deleted
 * even alone within the time-out; by default the row is deferred. Rows that others have locked are left for later turns.
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

/** Defers an item. Throws its error when the database is unreachable. */
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

/** An SQL condition: the item is not deferred at present. `id` is SQL that gives the id of the item, as text. */
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
 * Defers an item for five seconds at first, then for twice as long each time, at most for an hour. It also deletes deferrals that
 * were due two days ago: such an item is done or deleted, because otherwise it would have been deferred again. $1 kind, $2 item
 */
const deferItem = /* sql */ `
with done as (
  delete from deferrals where due_at < now() - interval '2 days' and (kind, item) <> ($1, $2)
)
insert into deferrals as d (kind, item, due_at) values ($1, $2, now() + interval '5 seconds')
on conflict (kind, item) do update set failures = d.failures + 1,
  due_at = now() + make_interval(secs => least(3600, 5 * 2 ^ least(d.failures, 10)))`;
