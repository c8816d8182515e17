import type { Database } from '#libs/platform/database/database';
import { queryCancelled, sqlState } from '#libs/platform/database/violations';
import type { CursorPosition } from '#libs/platform/cursors/cursor';
import { picked, type ListPosition } from './entries.sql.ts';
import { type LogFilters, FilterValues } from './filters.ts';

/** The result of a search: entries in the order of the list, the position of its end, and whether time ended it. */
export interface Found {
  ids: string[];
  /** The last execution that was read or that is on the page; null when all were read. */
  last: CursorPosition | null;
  /** True when the time was over before the page was full and before all were read. */
  cut: boolean;
}

/** No further batch begins after this time. */
const searchMs = 2000;
const batchMax = 4000;
/** The first batch is small, because one statement may have time for few large outputs. */
const batchFirst = 20;
/** The batch size adapts to take about this long, so that a search ends near its bound. */
const batchMs = 200;

/**
 * Looks for a text in failures and outputs, execution by execution. No index can serve it: under a row policy an
 * index may only use comparisons that leak nothing about other rows. So it has a time limit and returns the position
 * of its end.
 */
export async function search(
  database: Pick<Database, 'statement'>,
  { search: text = '', ...filters }: LogFilters,
  place: ListPosition,
  boundMs = searchMs,
): Promise<Found> {
  const begun = performance.now();
  const matches: CursorPosition[] = [];
  let [after, batch] = [place.after, batchFirst];
  for (;;) {
    const batchBegun = performance.now();
    const rows = await look(database, { filters, text }, { ...place, after, limit: batch }).catch(
      (error: unknown) => {
        if (batch === 1 || sqlState(error) !== queryCancelled) throw error;
        return null;
      },
    );
    if (!rows) {
      batch = Math.ceil(batch / 2);
      continue;
    }
    matches.push(...rows.filter((one) => one.isMatch));
    const enough = matches[place.limit - 1];
    const ids = matches.slice(0, place.limit).map(({ id }) => id);
    if (enough && matches.length > place.limit) return { ids, last: positionOf(enough), cut: false };
    const last = rows.at(-1);
    if (!last || rows.length < batch) return { ids, last: null, cut: false };
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
  place: ListPosition,
): Promise<(CursorPosition & { isMatch: boolean })[]> {
  const values = new FilterValues();
  const source = picked(filters, place, values);
  // Within an output the text is escaped as in JSON.
  const [plain, written] = [values.add(text), values.add(JSON.stringify(text).slice(1, -1))];
  const rows = await database.statement<{ id: string; at: Date; found: boolean }>(
    place.workspaceIds,
    matching(source, { plain, written, order: place.order }),
    values.all,
    'shaped by a caller',
  );
  return rows.map(({ id, at, found }) => ({ id, at: at.toISOString(), isMatch: found }));
}

const holds = (value: string, text: string) => `position(lower(${text}::text) in lower(${value})) > 0`;

/** The output's text. A reference keeps only the preview of its value. */
const inline = `case when position('"$payload"' in e.output::text) = 0 then e.output::text
  else regexp_replace(e.output::text, '"[$]payload":"[^"]*","bytes":[0-9]+', '', 'g') end`;

/** A shorter text is in many ids by chance. */
const idCharsMin = 8;

/** A stored output is searched when it has at most a megabyte. */
const matching = (
  source: string,
  { plain, written, order }: { plain: string; written: string; order: string },
) => /* sql */ `
select e.id, e.created_at as at, coalesce(
  ${holds('e.id', plain)} and length(${plain}::text) >= ${idCharsMin} or ${holds(`coalesce(e.title, '')`, plain)} or ${holds('e.inputs::text', written)}
  or ${holds(`e.failure ->> 'message'`, plain)} or ${holds(`e.failure ->> 'code'`, plain)}
  or ${holds(`(e.failure -> 'details')::text`, written)} or ${holds(inline, written)}
  or position('"$payload"' in e.output::text) > 0 and exists (
    select from payloads p where p.execution_id = e.id and p.bytes <= 1048576
      and position(p.id in e.output::text) > 0 and ${holds('p.body::text', written)}
  ), false) as found
from (${source}) e order by e.created_at ${order}, e.id ${order}`;
