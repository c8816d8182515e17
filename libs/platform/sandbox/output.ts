import type { Json } from '#libs/platform/json/json';
import { SandboxError, unreadable } from './sandbox-error.ts';

/** The greatest depth of a result: twice the depth of inputs, so that code may wrap its input. V8 can stringify a depth of about 7,000. */
const depthMax = 128;

/** Parses the guest's result, which is not trusted. Own keys named `__proto__` are left out. Throws `SandboxError`. */
export function parseOutput(text: string, logs: string[]): Json {
  if (measureDepth(text) > depthMax) {
    throw new SandboxError('CODE_OUTPUT_INVALID', `The result is nested deeper than ${depthMax} levels.`, {
      logs,
    });
  }
  // JSON can also write the key with escapes. Texts with either form are rare, so all of them are checked in full.
  const suspicious = text.includes('__proto__') || /\\u00(5f|70|72|6f|74)/i.test(text);
  try {
    return suspicious ? JSON.parse(text, withoutProto) : JSON.parse(text);
  } catch {
    throw unreadable(logs);
  }
}

function withoutProto(_key: string, value: unknown): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')) {
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== '__proto__'));
  }
  return value;
}

/** The depth of a JSON text, before it is parsed. A value 1,000,000 levels deep can be parsed, but later code fails on it. */
function measureDepth(text: string): number {
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
