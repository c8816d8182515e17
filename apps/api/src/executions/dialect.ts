import { isObject, type JsonObject } from '#libs/definition/values';
import { Invalid } from '#libs/faults/faults';

/** Names beside the inputs that steer the call; never inputs themselves when the inputs stand at top level. */
const controls = ['async', 'stream', 'selectedOutputs'];

/** The headers that steer an execution. */
export type CallHeaders = Partial<
  Record<'prefer' | 'accept' | 'x-execution-mode' | 'x-response-mode' | 'idempotency-key', string>
>;

/** What a caller asked for, whichever of the three published dialects it speaks. */
export interface Call {
  inputs: JsonObject;
  mode: 'sync' | 'async';
  /** The longest that the caller would wait for a result, in milliseconds; null when it does not say. */
  waitMs: number | null;
  /** The caller waits for events instead of a result. */
  streams: boolean;
  /** The caller wants the response of the workflow without the envelope. */
  raw: boolean;
}

/**
 * `{ inputs }`, else `{ input }`, else the top level without the control names. The two wrappers are wrappers only when
 * they hold an object: a workflow may have a field named `input`. Both at once and different is refused.
 */
export function readCall(given: unknown, headers: CallHeaders): Call {
  const body = given ?? {};
  if (!isObject(body)) throw Invalid.field('', 'must be a JSON object', 'type');
  const prefer = readPrefer(headers.prefer);
  const asked = [flag(body, 'async'), prefer.async, headers['x-execution-mode']?.toLowerCase() === 'async'];
  const mode = asked.includes(true) ? 'async' : 'sync';
  const events = flag(body, 'stream') && (headers.accept ?? '').includes('text/event-stream');
  return {
    inputs: inputsOf(body),
    mode,
    waitMs: prefer.waitMs,
    streams: events && mode === 'sync',
    raw: headers['x-response-mode']?.toLowerCase() === 'raw',
  };
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
function readPrefer(header: string | undefined): { async: boolean; waitMs: number | null } {
  const preferences = (header ?? '').split(/[,;]/).map((part) => part.trim().toLowerCase());
  const wait = preferences.map((part) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(part)?.[1]).find(Boolean);
  return { async: preferences.includes('respond-async'), waitMs: wait ? Number(wait) * 1000 : null };
}
