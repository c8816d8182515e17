import { isObject, type JsonObject } from '#libs/platform/json/json';
import { Invalid } from '#libs/platform/errors/errors';
import type { StartCall } from '#libs/runs/executions/accept/start-execution';

/** Members of the body that control the call. When the inputs are at the top level, these are not inputs. */
const controls = ['async', 'stream', 'selectedOutputs', 'callbackUrl'];

/** The headers that control an execute call. */
export type CallHeaders = Partial<
  Record<
    | 'prefer'
    | 'accept'
    | 'x-execution-mode'
    | 'x-response-mode'
    | 'x-include-trace-spans'
    | 'idempotency-key',
    string
  >
>;

/** The query of an execute call. Others of its parameters mean nothing. */
export interface CallQuery {
  body?: unknown;
}

/** An execute call from its body and headers. Published clients write the body in three ways. */
export interface ExecuteCall extends StartCall {
  /** The longest time that the caller wants to wait for a result, in milliseconds; null when it does not say. */
  waitMs: number | null;
  /** True when the caller wants events instead of a result. */
  streams: boolean;
  /** True when the caller wants the workflow's response without the envelope. */
  raw: boolean;
  /** True when the caller wants the block log beside the result. */
  wantsSpans: boolean;
}

/**
 * Takes the inputs from `inputs`, else from `input`, else from the top level without the control members. The first two
 * count only when they are objects, because a workflow may have an input named `input`. Throws when both are present
 * and differ. With `?body=inputs` the whole body is the inputs, because a sender with a form of its own may use any name; then headers alone
 * control the call.
 */
export function readCall(rawBody: unknown, headers: CallHeaders, query: CallQuery): ExecuteCall {
  const given = rawBody ?? {};
  if (!isObject(given)) throw Invalid.field('', 'must be a JSON object', 'type');
  if (query.body !== undefined && query.body !== 'inputs')
    throw Invalid.field('body', 'must be inputs, or be left out', 'option');
  const isWhole = query.body === 'inputs';
  const body = isWhole ? {} : given;
  const prefer = readPrefer(headers.prefer);
  const asyncFlags = [
    flag(body, 'async'),
    prefer.async,
    headers['x-execution-mode']?.toLowerCase() === 'async',
  ];
  const mode = asyncFlags.includes(true) ? 'async' : 'sync';
  const events = flag(body, 'stream') && (headers.accept ?? '').includes('text/event-stream');
  return {
    inputs: isWhole ? given : parseInputs(body),
    trigger: 'api',
    mode,
    waitMs: prefer.waitMs,
    streams: events && mode === 'sync',
    raw: headers['x-response-mode']?.toLowerCase() === 'raw',
    wantsSpans: headers['x-include-trace-spans']?.toLowerCase() === 'true',
    activeMsMax: null,
    ...parseCallbackUrl(body),
  };
}

function parseInputs(body: JsonObject): JsonObject {
  const { inputs, input } = body;
  if (isObject(inputs) && isObject(input) && JSON.stringify(inputs) !== JSON.stringify(input)) {
    throw Invalid.field('input', 'must not differ from inputs: send one of the two', 'conflict');
  }
  if (isObject(inputs)) return inputs;
  if (isObject(input)) return input;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !controls.includes(name)));
}

const callbackUrlMax = 2000;

function parseCallbackUrl({ callbackUrl = null }: JsonObject): Pick<ExecuteCall, 'callbackUrl'> {
  if (callbackUrl === null) return {};
  if (typeof callbackUrl !== 'string' || callbackUrl.length > callbackUrlMax)
    throw Invalid.field('callbackUrl', `must be a URL of at most ${callbackUrlMax} characters`, 'type');
  return { callbackUrl };
}

function flag(body: JsonObject, name: string): boolean {
  const value = body[name] ?? false;
  if (typeof value !== 'boolean') throw Invalid.field(name, 'must be true or false', 'type');
  return value;
}

/** Reads `respond-async` and `wait=<seconds>` of RFC 7240; ignores other preferences. */
function readPrefer(header: string | undefined): { async: boolean; waitMs: number | null } {
  const preferences = (header ?? '').split(/[,;]/).map((part) => part.trim().toLowerCase());
  const wait = preferences.map((part) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(part)?.[1]).find(Boolean);
  return { async: preferences.includes('respond-async'), waitMs: wait ? Number(wait) * 1000 : null };
}
