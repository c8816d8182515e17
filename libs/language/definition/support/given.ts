import { validate } from '../checks/validate.ts';

/** Builders for the specs of this room. */
export type Raw = Record<string, unknown>;

export const http = (id: string, more: Raw = {}): Raw => ({
  id,
  type: 'http',
  params: { method: 'GET', url: 'https://a.test' },
  ...more,
});
export const respond = (id: string, data: unknown): Raw => ({ id, type: 'response', params: { data } });
export const human = (id: string, params: Raw = {}): Raw => ({
  id,
  type: 'human',
  params: { title: 'Hello', ...params },
});

/** A definition with these blocks one after the other, unless the edges are given. */
export function line(blocks: Raw[], more: Raw = {}): Raw {
  const ids = ['start', ...blocks.map(({ id }) => String(id))];
  return { blocks, edges: ids.slice(1).map((to, i) => ({ from: ids[i], to })), ...more };
}

/** The faults as `path code`, in the order in which they are found. */
export function found(input: unknown): string[] {
  return validate(input).faults.map(({ path, code }) => `${path} ${code}`);
}
