/** Short functions for the parts of a definition. */

export interface Block {
  id: string;
}

export interface Graph {
  blocks: Block[];
  edges: object[];
}

/** Puts the blocks one after the other. */
export function line(...blocks: Block[]): Graph {
  const ids = ['start', ...blocks.map(({ id }) => id)];
  return { blocks, edges: blocks.map(({ id }, i) => ({ from: ids[i], to: id })) };
}

export const block = (id: string, type: string, params: object, more: object = {}) => ({
  id,
  type,
  params,
  ...more,
});

/** A loop or a parallel around a line of blocks. */
export const box = (id: string, type: string, params: object, ...body: Block[]) =>
  block(id, type, params, { body: line(...body) });

export const respond = (data: unknown) => block('done', 'response', { data });

/** A pause that a person answers with yes or no. */
export const ask = (id: string) =>
  block(id, 'human', { title: id, form: [{ name: 'ok', type: 'boolean', required: true }] });
