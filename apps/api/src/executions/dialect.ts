import { isObject, type JsonObject } from '#libs/definition/values';
import { Invalid } from '#libs/faults/faults';

/** Names beside the inputs that steer the call; never inputs themselves when the inputs stand at top level. */
const controls = ['async', 'stream', 'selectedOutputs'];

/** What a caller asked for, whichever of the three published dialects it speaks. */
export interface Call {
  inputs: JsonObject;
  async: boolean;
  stream: boolean;
}

/**
 * `{ inputs }`, else `{ input }`, else the top level without the control names. The two wrappers are wrappers only when
 * they hold an object: a workflow may have a field named `input`. Both at once and different is refused.
 */
export function readCall(body: unknown): Call {
  if (body === undefined || body === null) return { inputs: {}, async: false, stream: false };
  if (!isObject(body)) throw Invalid.field('', 'must be a JSON object', 'type');
  return { inputs: inputsOf(body), async: flag(body, 'async'), stream: flag(body, 'stream') };
}

function inputsOf(body: JsonObject): JsonObject {
  const { inputs, input } = body;
  if (isObject(inputs) && isObject(input) && JSON.stringify(inputs) !== JSON.stringify(input)) {
    throw Invalid.field('input', 'differs from inputs: send one of the two', 'conflict');
  }
  if (isObject(inputs)) return inputs;
  if (isObject(input)) return input;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !controls.includes(name)));
}

function flag(body: JsonObject, name: string): boolean {
  const value = body[name] ?? false;
  if (typeof value !== 'boolean') throw Invalid.field(name, 'must be true or false', 'type');
  return value;
}

/** RFC 7240: `respond-async` and `wait=<seconds>` among the preferences; others are ignored. */
export function readPrefer(header: string | undefined): { async: boolean; waitS: number | null } {
  const preferences = (header ?? '').split(/[,;]/).map((part) => part.trim().toLowerCase());
  const wait = preferences.map((part) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(part)?.[1]).find(Boolean);
  return { async: preferences.includes('respond-async'), waitS: wait ? Number(wait) : null };
}
