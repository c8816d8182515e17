import type { Json, JsonObject } from '#libs/platform/json/json';

import type { PauseScopes } from './effects.ts';
import { ownMember } from './scope.ts';
import type { Container, RunState } from './state.ts';

/**
 * The value of a name in a frame, looked up from the innermost pass outwards. Blocks that were skipped, or have not
 * run, read as null.
 */
export function nameIn(now: RunState, frame: string, name: string): Json {
  switch (name) {
    case 'start':
      return now.inputs;
    case 'vars':
      return now.vars;
    case 'run':
      return now.run;
    case 'loop':
      return passIn(now, frame, 'loop');
    case 'branch':
      return passIn(now, frame, 'parallel');
    default:
      return outputIn(now, frame, name);
  }
}

function outputIn(now: RunState, key: string, name: string): Json {
  for (let at = now.frames[key]; at;) {
    const output = ownMember(at.outputs, name);
    if (output !== undefined) return output;
    const container = at.pass && now.containers[at.pass.container];
    if (!container) break;
    if (container.entry.blockId === name) return buildPass(container, at.pass);
    at = now.frames[container.frame];
  }
  return null;
}

function passIn(now: RunState, key: string, type: string): Json {
  for (const { container, ...pass } of passesAround(now, key))
    if (container.entry.type === type) return buildPass(container, pass);
  return null;
}

/** The passes around a frame, the innermost first. */
function* passesAround(
  now: RunState,
  key: string,
): Iterable<{ container: Container; index: number; item: Json }> {
  for (let at = now.frames[key]; at?.pass;) {
    const container = now.containers[at.pass.container];
    if (!container) return;
    yield { ...at.pass, container };
    at = now.frames[container.frame];
  }
}

/** The innermost branch and the innermost iteration of a frame. */
export function buildScopes(now: RunState, key: string): PauseScopes {
  const scopes: PauseScopes = {};
  for (const { container, index } of passesAround(now, key)) {
    const { blockId, type } = container.entry;
    if (type === 'loop') scopes.loopScope ??= { loopId: blockId, iteration: index };
    else
      scopes.parallelScope ??= { parallelId: blockId, branchIndex: index, branchTotal: container.total ?? 0 };
  }
  return scopes;
}

/** The value that expressions read as `loop` or `branch`. Before a pass has begun it has no item. */
export function buildPass(
  { items }: Container,
  pass: { index: number; item?: Json } | undefined,
): JsonObject {
  return { index: pass?.index ?? 0, item: pass?.item ?? null, items };
}
