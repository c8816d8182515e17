import { compile } from '#libs/language/definition/compile';
import type { Block } from '#libs/language/definition/blocks/registry';
import type { Definition, Edge } from '#libs/language/definition/definition';
import type { JsonObject } from '#libs/platform/json/json';

import { Run } from '../run.ts';

/** Edges from texts such as `a b` or `a b error`. */
export function parseEdges(...texts: string[]): Edge[] {
  return texts.map((text) => {
    const [from = '', to = '', port] = text.split(' ');
    return port === undefined ? { from, to } : { from, to, port };
  });
}

/** A run at time 0 of these blocks, one after the other unless the edges are given. */
export function givenRun(
  blocks: Block[],
  {
    edges,
    inputs = {},
    variables = {},
  }: { edges?: Edge[]; inputs?: JsonObject } & Pick<Definition, 'variables'> = {},
): Run {
  const ids = ['start', ...blocks.map(({ id }) => id)];
  const line = ids.slice(1).map((to, i) => ({ from: ids[i] ?? 'start', to }));
  const plan = compile({ blocks, edges: edges ?? line, variables });
  return Run.start(plan, { inputs, run: { id: 'exec_1' }, nowMs: 0 });
}

export const http = (id: string, body: string | null = null): Block => ({
  id,
  type: 'http',
  params: { method: 'POST', url: 'https://a.test', body },
});

export const respond = (id: string, data: string | JsonObject): Block => ({
  id,
  type: 'response',
  params: { data },
});
