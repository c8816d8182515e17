/** Rows that wait in a table, for a claim that takes them by workspace in turn. */
export interface WaitingRows {
  table: string;
  /** The primary key. */
  id: string;
  /** The time from which a row is due. */
  at: string;
  /**
   * The conditions of the rows that wait. Rows of the first condition go before all others. Each needs a partial index over
   * `workspace_id` and `at`.
   */
  waits: readonly string[];
  /** A further condition of the rows, such as a receiver that has room. */
  also?: string;
}

/** A claim chooses among this many rows at least, because other processes may hold some. */
const candidatesMin = 400;

/**
 * SQL that locks at most `$1` due rows and returns their ids: the oldest of each workspace, then the second of each, and so on. So a
 * workspace with very many rows delays no other. It reads one entry of the index for each workspace that waits, and then the first
 * rows of each, however many there are.
 */
export function claimInTurn({ table, id, at, ...rows }: WaitingRows): string {
  // The rows are locked one after another in the order of the turns, until there are enough.
  return /* sql */ `
  select locked.${id} from (
    select fair_id from (${candidatesInTurn({ table, id, at, ...rows })}) candidates order by class, place, fair_at
  ) fair cross join lateral (
    select ${id} from ${table} where ${id} = fair_id and (${rows.waits.join(' or ')}) and ${at} < now() for update skip locked
  ) locked limit $1`;
}

/** A recursive table of SQL: each workspace with a row that waits, and the time of its first, each read from one entry of the index. */
function listOwners(table: string, at: string, condition: string): string {
  const first = (further: string) => /* sql */ `
    select workspace_id, ${at} as at from ${table} where ${condition} ${further} order by workspace_id, ${at} limit 1`;
  return /* sql */ `recursive owners as (
      (${first('')})
      union all
      select next.* from owners cross join lateral (${first('and workspace_id > owners.workspace_id')}) next
    )`;
}

/** SQL that is true when a row is due. It costs little, so that it can be asked several times a second. */
export const isAnyDue = ({ table, at, waits }: Pick<WaitingRows, 'table' | 'at' | 'waits'>): string => {
  const exists = waits.map(
    (condition) => `exists (with ${listOwners(table, at, condition)} select from owners where at < now())`,
  );
  return `(${exists.join(' or ')})`;
};

/** SQL that returns due rows with their place in the line of their workspace: `fair_id`, `class`, `place`, `fair_at`. It locks none. */
export function candidatesInTurn({ table, id, at, waits, also = 'true' }: WaitingRows): string {
  const inTurn = waits.map((condition, n) => {
    return /* sql */ `(
    with ${listOwners(table, at, condition)}, due as (select workspace_id from owners where at < now())
    select oldest.fair_id, ${n} as class, row_number() over (partition by workspace_id order by fair_at) as place, oldest.fair_at
    from due cross join lateral (
      select ${id} as fair_id, ${at} as fair_at from ${table}
      where workspace_id = due.workspace_id and ${condition} and ${at} < now() and ${also}
      order by ${at} limit (select greatest(2, ${candidatesMin} / greatest(count(*), 1)) from due)
    ) oldest)`;
  });
  return inTurn.join(' union all ');
}
