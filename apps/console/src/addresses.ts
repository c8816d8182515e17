import { base } from '$app/paths';
import { page } from '$app/state';

type Query = Record<string, string | number | boolean | null | undefined>;

/** The workspace of the address. */
export const workspaceOf = (): string => page.params['workspace'] ?? '';

/** The address of a page within the workspace of this one. */
export function pathTo(place = '', query: Query = {}, workspaceId = workspaceOf()): string {
  return `${base}/w/${encodeURIComponent(workspaceId)}${place && `/${place}`}${formatSearch(query)}`;
}

/** This address with other parameters; an empty one is taken out. */
export function withQuery(query: Query): string {
  const params = new URLSearchParams(page.url.searchParams);
  for (const [name, value] of Object.entries(query)) {
    params.delete(name);
    if (!isEmpty(value)) params.set(name, String(value));
  }
  const search = params.toString();
  return page.url.pathname + (search && `?${search}`);
}

export const queryOf = (name: string): string => page.url.searchParams.get(name) ?? '';

function formatSearch(query: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (!isEmpty(value)) params.set(name, String(value));
  const search = params.toString();
  return search && `?${search}`;
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === '' || value === false;
