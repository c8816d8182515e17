import { effectKindOf, isEffectType } from '#libs/language/definition/blocks/registry';
import type { PlanBlock, PlanGraph } from '#libs/language/definition/plan';

/** An operator needs no more names to see where a line leads. */
const namesMax = 8;
const more = '…';

/**
 * The names of the effects on one queue that follow each other from a block, as far as the order is certain; then `…` when more may
 * follow. It is only the block itself when nothing can follow.
 */
export function namesInLine(plan: PlanGraph, blockId: string): string[] {
  const place = find(plan, blockId, false);
  if (!place) return [];
  const { graph, block, inside } = place;
  const names = [block.name];
  const queue = queueOf(block);
  for (let at: PlanBlock | undefined = block; at;) {
    const targets: Set<number> = new Set(
      at.outgoing.flatMap(({ port, to }) => (port === 'error' ? [] : [to])),
    );
    // A container's next pass may begin with another effect.
    if (targets.size === 0) return inside ? [...names, more] : names;
    if (targets.size > 1 || names.length === namesMax) return [...names, more];
    const next: PlanBlock | undefined = graph.blocks[[...targets][0] ?? -1];
    if (!next || !goesOn(next, queue)) break;
    if (isEffectType(next.type)) names.push(next.name);
    at = next;
  }
  return names;
}

/** True for a block that a line on the queue can pass: an effect of this queue, or a block without an effect. */
function goesOn({ type, body }: PlanBlock, queue: string): boolean {
  if (isEffectType(type)) return effectKindOf(type).queue === queue;
  return body === undefined && ['condition', 'variables', 'response'].includes(type);
}

function queueOf({ type }: PlanBlock): string {
  return isEffectType(type) ? effectKindOf(type).queue : '';
}

function find(
  graph: PlanGraph,
  blockId: string,
  inside: boolean,
): { graph: PlanGraph; block: PlanBlock; inside: boolean } | null {
  for (const block of graph.blocks) {
    if (block.id === blockId) return { graph, block, inside };
    const place = block.body && find(block.body, blockId, true);
    if (place) return place;
  }
  return null;
}
