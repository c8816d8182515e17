import type { PlanBlock } from '#libs/definition/plan';

import type { Frame } from './state.ts';

/** The path of a visit: the block's id, and behind `@` the passes that it lies in. Unique in the run. */
export const pathIn = (frame: string, id: string) => (frame ? `${id}@${frame}` : id);

/** The key of a pass of a container that stands in a frame. */
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

/** Takes one incoming edge of each target, once: the start's edges. */
export function open(frame: Frame, targets: number[]): void {
  for (const target of targets) arrive(frame, target, true);
}

/**
 * Settles every edge that leaves a block: those of the port are taken, all others dead. A block whose last edge dies
 * without one taken is dead too, and so on. Gives the indexes of the blocks that died, in order.
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

/** Whether an edge leaves the block by the port. */
export function hasPort(block: PlanBlock, port: string): boolean {
  return block.outgoing.some((edge) => edge.port === port);
}

/** Gives true when the target has died of this edge. */
function arrive(frame: Frame, target: number, taken: boolean): boolean {
  const before = frame.left[target];
  // Here the block is known that leads astray; where the target were to begin, none would be to blame.
  if (before === undefined) throw new Error(`an edge leads to ${target}, where there is no block`);
  const left = before - 1;
  frame.left[target] = left;
  if (taken) frame.taken[target] = true;
  if (left > 0) return false;
  if (!frame.taken[target]) return true;
  insert(frame.ready, target);
  return false;
}

function insert(sorted: number[], item: number): void {
  let at = sorted.length;
  while (at > 0 && (sorted[at - 1] ?? 0) > item) at--;
  sorted.splice(at, 0, item);
}
