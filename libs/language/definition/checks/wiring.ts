import { languageNames } from '../expressions/ast.ts';
import { identifier } from '../expressions/atoms.ts';
import { kindOf } from '../blocks/registry.ts';
import { type Link, order, reachable } from '../graph.ts';
import { loopAlias } from '../expressions/loop-name.ts';
import { at, isObject, type Report } from '../shapes/shape.ts';

/** A block as far as it can be recognised, whatever else is wrong with it. */
export interface LooseBlock {
  path: string;
  id: string;
  type: string;
  raw: Record<string, unknown>;
}

/** An edge whose ends exist. */
export interface LooseEdge extends Link {
  path: string;
  port: string;
}

/** Names that no block may have, because they mean something else in expressions. */
export const reservedIds = new Set([
  'start',
  'vars',
  'loop',
  'branch',
  'run',
  'secrets',
  loopAlias,
  ...languageNames,
]);

/**
 * Checks the ids of the blocks of one graph; `taken` has the ids of the whole definition. Returns the blocks that have
 * an id of their own, those with a forbidden one too: edges to them are no second fault.
 */
export function checkIds(blocks: unknown, path: string, taken: Set<string>, report: Report): LooseBlock[] {
  if (!Array.isArray(blocks)) return [];
  return blocks.flatMap((raw: unknown, index): LooseBlock[] => {
    if (!isObject(raw)) return [];
    const where = at(path, index);
    const { id, type } = raw;
    const fault = idFault(id) ?? (taken.has(String(id)) ? duplicate(String(id)) : undefined);
    if (fault) report(at(where, 'id'), fault.code, fault.message);
    // Edges begin at `start` without any block, so a block of that name would be mistaken for it.
    if (typeof id !== 'string' || id === '' || id === 'start' || taken.has(id)) return [];
    taken.add(id);
    return [{ path: where, id, type: typeof type === 'string' ? type : '', raw }];
  });
}

const idRule = 'at most 64 letters, digits and _, not beginning with a digit';

function idFault(id: unknown): { code: string; message: string } | undefined {
  if (id === undefined) return { code: 'required', message: 'It is required.' };
  if (typeof id !== 'string' || id.length > 64 || !identifier.test(id))
    return {
      code: 'pattern',
      message: `It must be ${idRule}.`,
    };
  if (reservedIds.has(id))
    return {
      code: 'reserved_name',
      message: `"${id}" means something else in expressions; choose another id, as "${id}1". An id is ${idRule}.`,
    };
  return undefined;
}

function duplicate(id: string): { code: string; message: string } {
  return { code: 'duplicate_id', message: `Another block has the id "${id}" already.` };
}

/** The ports by which edges may leave a block. */
export function listPorts({ type, raw }: LooseBlock): string[] {
  return [...(kindOf(type)?.ports?.(raw) ?? ['out']), 'error'];
}

/** Checks both ends and the port of every edge. Returns the edges between blocks that exist. */
export function checkEdges(edges: unknown, path: string, blocks: LooseBlock[], report: Report): LooseEdge[] {
  if (!Array.isArray(edges)) return [];
  const known = new Map(blocks.map((block) => [block.id, block]));
  const seen = new Set<string>();
  return edges.flatMap((raw: unknown, i): LooseEdge[] => {
    if (!isObject(raw)) return [];
    const { from, to, port = 'out' } = raw;
    const where = at(path, i);
    if (typeof from !== 'string' || typeof to !== 'string' || typeof port !== 'string') return [];
    if (!endsExist({ from, to }, known, (step, code, message) => report(at(where, step), code, message)))
      return [];
    const key = JSON.stringify([from, port, to]);
    if (seen.has(key)) {
      report(where, 'duplicate_edge', `This edge from "${from}" by "${port}" to "${to}" is there already.`);
      return [];
    }
    seen.add(key);
    checkPort(port, from, known.get(from), (code, message) => report(at(where, 'port'), code, message));
    return [{ from, to, port, path: where }];
  });
}

function endsExist({ from, to }: Link, known: Map<string, LooseBlock>, report: Report): boolean {
  if (from !== 'start' && !known.has(from)) report('from', 'unknown_block', `There is no block "${from}".`);
  if (to === 'start') report('to', 'edge_to_start', 'Nothing can lead to the start.');
  else if (!known.has(to)) report('to', 'unknown_block', `There is no block "${to}".`);
  return (from === 'start' || known.has(from)) && known.has(to);
}

function checkPort(
  port: string,
  from: string,
  block: LooseBlock | undefined,
  report: (code: string, message: string) => void,
): void {
  const ports = block ? listPorts(block) : ['out'];
  if (ports.includes(port)) return;
  const hint = block ? kindOf(block.type)?.portHint?.(port) : undefined;
  const message = `"${from}" has no port "${port}", but ${ports.join(', ')}.`;
  report('unknown_port', hint ? `${message} ${hint}` : message);
}

/** Reports blocks that can never run: those that no path of edges leads to, and those on a cycle. */
export function checkReachable(blocks: LooseBlock[], edges: LooseEdge[], report: Report): void {
  const reached = reachable(edges);
  for (const { id, path } of blocks)
    if (!reached.has(id)) report(path, 'unreachable', `No way leads from the start to "${id}".`);
  const known = new Map(blocks.map((block) => [block.id, block]));
  for (const cycle of cycles(blocks, edges)) {
    const way = [...cycle, cycle[0]].join(' → ');
    report(known.get(cycle[0] ?? '')?.path ?? 'edges', 'cycle', `These blocks wait for each other: ${way}.`);
  }
}

/** One cycle for each group of blocks that lead back to themselves. */
function cycles(blocks: LooseBlock[], edges: LooseEdge[]): string[][] {
  const forward = new Set(order(blocks, edges).map(({ id }) => id));
  const behind = blocks.filter(({ id }) => !forward.has(id));
  const back = new Set(
    order(
      behind,
      edges.map(({ from, to }) => ({ from: to, to: from })),
    ).map(({ id }) => id),
  );
  const knotted = new Set(behind.flatMap(({ id }) => (back.has(id) ? [] : [id])));
  const next = new Map<string, string>();
  for (const { from, to } of edges)
    if (knotted.has(from) && knotted.has(to) && !next.has(from)) next.set(from, to);
  const found: string[][] = [];
  const seen = new Set<string>();
  for (const start of knotted) {
    const way: string[] = [];
    for (let id: string | undefined = start; id !== undefined && !seen.has(id); id = next.get(id)) {
      seen.add(id);
      way.push(id);
    }
    const last = next.get(way.at(-1) ?? '');
    const from = last === undefined ? -1 : way.indexOf(last);
    if (from >= 0) found.push(way.slice(from));
  }
  return found;
}
