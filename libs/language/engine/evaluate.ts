import { costMax, Meter } from '#libs/language/definition/expressions/cost';
import { durationMs, momentMs, yearMs } from '#libs/language/definition/durations';
import {
  evaluate,
  ExpressionError,
  render,
  renderParams,
} from '#libs/language/definition/expressions/expressions';
import { isOfType, isSendable } from '#libs/language/definition/types';
import { holdsRef, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';

import { cutText } from '#libs/platform/text/whole-text';
import type { Failure, Scope } from './effects.ts';
import { parseAsking } from './asking.ts';
import { evaluateForContainer } from './passes.ts';
import { BadValue } from './asking.ts';
import { ValueTooLarge } from './scope.ts';

/**
 * Renders a pure block: the parameters of a plan's block (or of an EvaluateEffect), over a scope without stored
 * values. Returns, by type: condition `{ port }`; variables the new values by name; response `{ data, status,
 * headers, raw }`; human `{ title, message, fields, form, metadata?, asking?, agentMayAnswer?, expiresAfterMs }`; wait `{ durationMs
 * }` or `{ untilMs }`; workflow `{ workflowId, inputs }`; queries of containers as `evaluateForContainer` says.
 * Throws an error that `evaluationFailure` turns into the block's failure.
 */
export function evaluateBlock(
  type: string,
  params: JsonObject,
  scope: Scope,
  meter = new Meter(costMax),
): JsonObject {
  switch (type) {
    case 'condition':
      return { port: portOf(params, scope, meter) };
    case 'variables':
      return variablesOf(params, scope, meter);
    case 'response':
      return responseOf(params, scope, meter);
    case 'human':
      return humanOf(renderParams(params, scope, meter));
    case 'wait':
      return waitOf(objectOf(render(params, scope, meter)));
    case 'workflow':
      return objectOf(render(params, scope, meter));
    case 'loop':
    case 'parallel':
    case 'while':
    case 'until':
    case 'batch':
    case 'collect':
    case 'results':
      return evaluateForContainer(type, params, scope, meter);
    default:
      throw new Error(`a block of type ${type} is not pure`);
  }
}

/**
 * Packs a rendered block: `pack` is called for each value that a run may hold as a reference, and for no value that
 * the run has to read.
 */
export function packRendered(type: string, rendered: JsonObject, pack: (value: Json) => Json): JsonObject {
  const { data = null, fields } = rendered;
  switch (type) {
    case 'variables':
      return packMembers(rendered, pack);
    case 'response':
      return { ...rendered, data: pack(data) };
    case 'human':
      return {
        ...rendered,
        fields: listOf(fields).map((field) => ({
          ...objectOf(field),
          value: pack(objectOf(field).value ?? null),
        })),
      };
    case 'workflow':
      return { ...rendered, inputs: pack(objectOf(rendered.inputs)) };
    case 'batch':
      return { items: listOf(rendered.items).map(pack) };
    case 'loop':
    case 'parallel':
    case 'collect':
    case 'results':
      return packMembers(rendered, pack);
    default:
      return rendered;
  }
}

function packMembers(members: JsonObject, pack: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, pack(value)]));
}

/** The failure of the block when the block caused the error; undefined when the error is a bug of ours. */
export function evaluationFailure(error: unknown): Failure | undefined {
  if (error instanceof ExpressionError || error instanceof BadValue || error instanceof ValueTooLarge)
    return { code: error.code, message: error.message };
  return undefined;
}

/** A plain path that leads to nothing is no error here: a missing value counts as false. */
function portOf(params: JsonObject, scope: Scope, meter: Meter): string {
  for (const item of listOf(params.cases)) {
    const { port = null, when = null } = objectOf(item);
    const holds = evaluate(textOf(when), scope, meter);
    if (holds === true) return textOf(port);
    if (holds !== false && holds !== null)
      throw new BadValue(`The condition "${textOf(when)}" gave ${kindOf(holds)} instead of true or false.`);
  }
  return 'else';
}

function variablesOf(params: JsonObject, scope: Scope, meter: Meter): JsonObject {
  const types = objectOf(params.types);
  const values = objectOf(render(params.set ?? {}, scope, meter));
  for (const [name, value] of Object.entries(values)) {
    const type = textOf(types[name] ?? 'json');
    if (value !== null && !isOfType(value, type))
      throw new BadValue(`The variable "${name}" holds ${type}, so it cannot be set to ${kindOf(value)}.`);
  }
  return values;
}

function responseOf(params: JsonObject, scope: Scope, meter: Meter): JsonObject {
  const { data = null, status = 200, headers = {} } = objectOf(render(params, scope, meter));
  const entries = Object.entries(objectOf(headers)).filter(([, value]) => value !== null);
  return {
    data,
    status: statusOf(status),
    headers: Object.fromEntries(entries.map(([name, value]) => [name, headerOf(name, value)])),
    raw: params.raw === true,
  };
}

function statusOf(value: Json): number {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    throw new BadValue(`The status of a response is a whole number from 200 to 599, not ${show(value)}.`);
  return status;
}

function headerOf(name: string, value: Json): string {
  if (typeof value === 'object' || !isSendable(`${value}`))
    throw new BadValue(`The header "${name}" must be one line of visible ASCII or Latin-1 characters.`);
  return `${value}`;
}

function humanOf(params: JsonObject): JsonObject {
  const { title = '', message = '', fields = [], form = [], metadata, expiresAfter, agentMayAnswer } = params;
  const asking = parseAsking(params);
  // A default becomes an answer that nobody checks: with the marker of a stored value in it, its author could name
  // any payload.
  if (holdsRef(form)) throw new BadValue('A form cannot hold an object with the member $payload.');
  const displayFields = listOf(fields).map((field) => {
    const { label = '', value = null, format } = objectOf(field);
    return { label: asText(label), value, ...(format === undefined ? {} : { format: asText(format) }) };
  });
  return {
    title: asText(title),
    message: asText(message),
    fields: displayFields,
    form,
    ...(metadata === undefined ? {} : { metadata }),
    ...(asking ? { asking: asking as unknown as JsonObject } : {}),
    ...(agentMayAnswer === true ? { agentMayAnswer } : {}),
    expiresAfterMs: expiresAfter === undefined ? null : lengthOf(expiresAfter, 'expiresAfter'),
  };
}

function waitOf({ duration, until = null }: JsonObject): JsonObject {
  if (duration !== undefined) return { durationMs: lengthOf(duration, 'duration') };
  const untilMs = momentMs(until);
  if (untilMs === undefined)
    throw new BadValue(`A wait ends at an ISO date or date-time, not at ${show(until)}.`);
  return { untilMs };
}

function lengthOf(value: Json, name: string): number {
  const ms = durationMs(value);
  if (ms === undefined || ms > yearMs)
    throw new BadValue(`${name} is an ISO-8601 duration or seconds, at most a year, not ${show(value)}.`);
  return ms;
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : '';
}

function asText(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function show(value: Json): string {
  const text = JSON.stringify(value);
  return cutText(text, 80, '…');
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  return value === null ? 'null' : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}
