import type { Raw } from '../given.ts';

/**
 * A definition with faults: what is wrong with it, and every fault as `block path code`; `-` when the fault is in
 * no block.
 */
export type Row = [wrong: string, definition: unknown, ...faults: string[]];

/** Edges from texts such as `a b` or `a b error`. */
export const edges = (...texts: string[]): Raw[] =>
  texts.map((text) => {
    const [from = '', to = '', port] = text.split(' ');
    return port ? { from, to, port } : { from, to };
  });

/** A body with one block after the other. */
export const chain = (...blocks: Raw[]): Raw => {
  const ids = ['start', ...blocks.map(({ id }) => String(id))];
  return { blocks, edges: ids.slice(1).map((to, i) => ({ from: ids[i], to })) };
};

export const condition = (id: string, when: unknown, port: unknown = 'yes'): Raw => ({
  id,
  type: 'condition',
  cases: [{ port, when }],
});
export const wait = (id: string, params: unknown = { duration: 1 }): Raw => ({ id, type: 'wait', params });
export const set = (id: string, values: unknown): Raw => ({ id, type: 'variables', params: { set: values } });
export const code = (id: string, params: unknown): Raw => ({ id, type: 'function', params });
export const child = (id: string, params: unknown): Raw => ({ id, type: 'workflow', params });
export const loop = (id: string, params: unknown, ...blocks: Raw[]): Raw => ({
  id,
  type: 'loop',
  params,
  body: chain(...blocks),
});
export const parallel = (id: string, params: unknown, ...blocks: Raw[]): Raw => ({
  ...loop(id, params, ...blocks),
  type: 'parallel',
});
