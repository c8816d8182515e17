import type { PlanBlock } from '#libs/language/definition/plan';

import type { Frame } from './state.ts';

/** The path of a visit: the block's id, and behind `@` the passes that the visit is in. Unique in the run. */
export const pathIn = (frame: string, id: string) => (frame ? `${id}@${frame}` : id);

/** The key of one pass of a container that is in the given frame. */
export const passKey = (frame: string, id: string, index: number) =>
  frame ? `${frame}/${id}[${index}]` : `${id}[${index}]`;

/** A frame in which nothing has happened. */
export function newFrame(blocks: PlanBlock[]): Frame {
  return {
    left: blocks.map(({ incoming }) => incoming.length),
    taken: blocks.map(() => false),
    ready: [],
    outputs: {},
    ends: [],
    busy: 0,
  };
}

/** Settles one incoming edge of each target as taken, once: the edges of the start. */
export function open(frame: Frame, targets: number[]): void {
  for (const target of targets) arrive(frame, target, true);
}

/**
 * Settles every edge that leaves a block: those of the port as taken, all others as not taken. A block whose last
 * incoming edge settles with none taken is skipped, and so are its edges in turn. Returns the indexes of the
 * skipped blocks, in order.
 */
export function leave(frame: Frame, blocks: PlanBlock[], index: number, port: string): number[] {
  const dead: number[] = [];
  const outgoing = blocks[index]?.outgoing ?? [];
  for (const edge of outgoing) if (arrive(frame, edge.to, edge.port === port)) dead.push(edge.to);
  for (let i = 0; i < dead.length; i++) {
    for (const edge of blocks[dead[i] ?? -1]?.outgoing ?? [])
      if (arrive(frame, edge.to, false)) dead.push(edge.to);
  }
  return dead.toSorted((a, b) => a - b);
}

/** True when an edge leaves the block by the port. */
export function hasPort(block: PlanBlock, port: string): boolean {
  return block.outgoing.some((edge) => edge.port === port);
}

/** Settles one incoming edge. Returns true when the target is skipped because of it. */
function arrive(frame: Frame, target: number, taken: boolean): boolean {
  const before = frame.left[target];
  // The error is thrown here because the source block is known here; later no block could be named as its cause.
  if (before === undefined) throw new Error(`an edge leads to block ${target}, which does not exist`);
  const remaining = before - 1;
  frame.left[target] = remaining;
  if (taken) frame.taken[target] = true;
  if (remaining > 0) return false;
  if (!frame.taken[target]) return true;
  insert(frame.ready, target);
  return false;
}

function insert(sorted: number[], item: number): void {
  let at = sorted.length;
  while (at > 0 && (sorted[at - 1] ?? 0) > item) at--;
  sorted.splice(at, 0, item);
}
