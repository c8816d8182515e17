import type { Database } from '#libs/platform/database/database';
import { queryCancelled, sqlState } from '#libs/platform/database/violations';
import type { CursorPosition } from '#libs/platform/cursors/cursor';
import { picked, type Place } from './entries.sql.ts';
import { type LogFilters, FilterValues } from './filters.ts';

/** The result of a search: entries in the order of the list, how far it looked, and why it ended. */
export interface Found {
  ids: string[];
  /** The last execution that was looked at, or the last one that the page has; null when all were looked at. */
  last: CursorPosition | null;
  /** The time was over before the page was full and before all were looked at. */
  cut: boolean;
}

/** After this no further batch is begun. */
const searchMs = 2000;
const batchMax = 4000;
/** Outputs may be so large that more could not be looked at in the time of a statement. */
const batchFirst = 20;
/** A batch is meant to take about so long, so that a search ends near its bound however large outputs are. */
const batchMs = 200;

/**
 * Looks for a text in failures and outputs, execution by execution. No index can serve it: under a row policy an index takes only
 * comparisons that tell nothing of other rows. So it is bounded by time, and says where it ended.
 */
export async function search(
  database: Pick<Database, 'statement'>,
  { search: text = '', ...filters }: LogFilters,
  place: Place,
  boundMs = searchMs,
): Promise<Found> {
  const begun = performance.now();
  const found: CursorPosition[] = [];
  let [after, batch] = [place.after, batchFirst];
  for (;;) {
    const batchBegun = performance.now();
    const looked = await look(database, { filters, text }, { ...place, after, limit: batch }).catch(
      (error: unknown) => {
        if (batch === 1 || sqlState(error) !== queryCancelled) throw error;
        return null;
      },
    );
    if (!looked) {
      batch = Math.ceil(batch / 2);
      continue;
    }
    found.push(...looked.filter((one) => one.found));
    const enough = found[place.limit - 1];
    const ids = found.slice(0, place.limit).map(({ id }) => id);
    if (enough && found.length > place.limit) return { ids, last: positionOf(enough), cut: false };
    const last = looked.at(-1);
    if (!last || looked.length < batch) return { ids, last: null, cut: false };
    after = positionOf(last);
    if (performance.now() - begun > boundMs) return { ids, last: after, cut: true };
    const size = (batch * batchMs) / (performance.now() - batchBegun);
    batch = Math.round(Math.min(batchMax, Math.max(1, size)));
  }
}

const positionOf = ({ at, id }: CursorPosition): CursorPosition => ({ at, id });

async function look(
  database: Pick<Database, 'statement'>,
  { filters, text }: { filters: LogFilters; text: string },
  place: Place,
): Promise<(CursorPosition & { found: boolean })[]> {
  const values = new FilterValues();
  const source = picked(filters, place, values);
  // In an output a text stands as JSON writes it.
  const [plain, written] = [values.add(text), values.add(JSON.stringify(text).slice(1, -1))];
  const rows = await database.statement<{ id: string; at: Date; found: boolean }>(
    place.workspaceIds,
    matching(source, { plain, written, order: place.order }),
    values.all,
    'shaped by a caller',
  );
  return rows.map(({ id, at, found }) => ({ id, at: at.toISOString(), found }));
}

const holds = (value: string, text: string) => `position(lower(${text}::text) in lower(${value})) > 0`;

/** An output without what a reference says of itself, but with the preview of its value. */
const inline = `case when position('"$payload"' in e.output::text) = 0 then e.output::text
  else regexp_replace(e.output::text, '"[$]payload":"[^"]*","bytes":[0-9]+', '', 'g') end`;

/** An output that is stored apart is looked into when it has at most a megabyte. */
const matching = (
  source: string,
  { plain, written, order }: { plain: string; written: string; order: string },
) => /* sql */ `
select e.id, e.created_at as at, coalesce(
  ${holds(`e.failure ->> 'message'`, plain)} or ${holds(`e.failure ->> 'code'`, plain)}
  or ${holds(`(e.failure -> 'details')::text`, written)} or ${holds(inline, written)}
  or position('"$payload"' in e.output::text) > 0 and exists (
    select from payloads p where p.execution_id = e.id and p.bytes <= 1048576
      and position(p.id in e.output::text) > 0 and ${holds('p.body::text', written)}
  ), false) as found
from (${source}) e order by e.created_at ${order}, e.id ${order}`;
