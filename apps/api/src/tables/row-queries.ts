import type { ExactObject } from '#libs/platform/json/exact-json';
import type { RowQuery } from '#libs/tables/reads/rows';
import { readMembers, parseParameter, readText, readInteger } from './exact-bodies.ts';
import { cursorMax, limitMax, offsetMax, type RowsQuery, tokenMax } from './rows.dto.ts';

/** A query for a page of rows, or with `changedSince` for the changes since a token. */
export interface RowPageQuery extends RowQuery {
  changedSince?: string;
}

/** The query in the parameters of a URL. Throws `Invalid` when `filter` or `sort` is not JSON. */
export function queryOfParameters({ filter, sort, ...query }: RowsQuery): RowPageQuery {
  const { limit, offset, cursor, changedSince } = query;
  const parsed = { filter: parseParameter(filter, 'filter'), sort: parseParameter(sort, 'sort') };
  return { ...parsed, limit, offset, cursor, changedSince };
}

/** The query in a body, which has members with the names of the URL parameters. Throws `Invalid` for unknown or wrong members. */
export function queryOfBody(body: unknown): RowPageQuery {
  const known = ['filter', 'sort', 'limit', 'offset', 'cursor', 'changedSince'];
  const members: ExactObject = readMembers(body ?? {}, known);
  const { filter, sort } = members;
  return {
    filter,
    sort,
    limit: readInteger(members, 'limit', { min: 1, max: limitMax }) ?? 100,
    offset: readInteger(members, 'offset', { min: 0, max: offsetMax }) ?? 0,
    cursor: readText(members, 'cursor', cursorMax),
    changedSince: readText(members, 'changedSince', tokenMax),
  };
}
