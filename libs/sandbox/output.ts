import type { Json } from '#libs/definition/values';
import { SandboxError } from './sandbox-error.ts';

/** Twice the depth that the API takes, so that code may wrap what it was given. V8 stringifies up to some 7,000. */
const depthMax = 128;

/** The guest's result, believed only as far as it parses. Own keys named `__proto__` are left out. */
export function outputOf(text: string, logs: string[]): Json {
  if (depthOf(text) > depthMax) {
    throw new SandboxError('CODE_OUTPUT_INVALID', `The result is nested deeper than ${depthMax} levels.`, {
      logs,
    });
  }
  // Escapes can spell the key too; such a text is rare enough to walk in either case.
  const suspicious = text.includes('__proto__') || /\\u00(5f|70|72|6f|74)/i.test(text);
  return suspicious ? JSON.parse(text, withoutProto) : JSON.parse(text);
}

function withoutProto(_key: string, value: unknown): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')) {
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== '__proto__'));
  }
  return value;
}

/** Brackets outside of strings, counted without building anything: a parse of depth 1,000,000 succeeds and then hurts. */
function depthOf(text: string): number {
  let [depth, deepest, quoted] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x22) quoted = !quoted;
    else if (char === 0x5c) at += 1;
    else if (!quoted && (char === 0x7b || char === 0x5b)) deepest = Math.max(deepest, ++depth);
    else if (!quoted && (char === 0x7d || char === 0x5d)) depth -= 1;
  }
  return deepest;
}
