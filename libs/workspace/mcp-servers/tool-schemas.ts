import { blockKinds } from '#libs/language/definition/blocks/registry';
import type { StartInput } from '#libs/language/definition/definition';
import type { Plan, PlanBlock, PlanGraph } from '#libs/language/definition/plan';
import { split } from '#libs/language/definition/expressions/templates';
import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';

/** The JSON Schema of each type of input. `json` allows any value. */
const inputSchemas: Record<StartInput['type'], JsonObject> = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  object: { type: 'object' },
  array: { type: 'array' },
  json: {},
  date: { type: 'string', description: 'An ISO 8601 date or date-time.' },
};

/**
 * The JSON Schema (2020-12) of the inputs of a start. It refuses what `checkInputs` refuses. A workflow that declares no inputs accepts
 * any input.
 */
export function buildInputSchema(inputs: Record<string, StartInput>): JsonObject {
  const entries = Object.entries(inputs);
  const required = entries
    .filter(([, one]) => one.required && one.default === undefined)
    .map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, one]) => [name, inputSchema(one)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: entries.length === 0,
  };
}

function inputSchema({ type, description, enum: options, ...input }: StartInput): JsonObject {
  const { min, max, minLength, maxLength } = input;
  const shortest = type === 'array' ? 'minItems' : 'minLength';
  const longest = type === 'array' ? 'maxItems' : 'maxLength';
  const [isNumber, isLong] = [type === 'number', type === 'string' || type === 'array'];
  return {
    ...inputSchemas[type],
    ...(description === undefined ? {} : { description }),
    ...(input.default === undefined ? {} : { default: input.default }),
    ...(options === undefined ? {} : { enum: options }),
    ...(isNumber && min !== undefined ? { minimum: min } : {}),
    ...(isNumber && max !== undefined ? { maximum: max } : {}),
    ...(isLong && minLength !== undefined ? { [shortest]: minLength } : {}),
    ...(isLong && maxLength !== undefined ? { [longest]: maxLength } : {}),
  };
}

/**
 * The JSON Schema of the result of a plan's Response blocks, with an object at its root. Null when a run may end without a Response
 * block, or when a Response block may return something other than an object.
 */
export function buildOutputSchema(plan: Plan): JsonObject | null {
  if (!endsInResponse(plan)) return null;
  const schemas = plan.blocks
    .filter(({ type }) => type === 'response')
    .map(({ params }) => schemaOf(params.data ?? null, plan));
  if (schemas.length === 0 || schemas.some(({ type }) => type !== 'object')) return null;
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return different.length === 1 && different[0] ? different[0] : { type: 'object', anyOf: different };
}

/** True when every path through the graph ends in a Response block: every port of the other blocks has an edge. */
function endsInResponse({ blocks, first }: PlanGraph): boolean {
  return (
    first.length > 0 &&
    blocks.every((block) => block.type === 'response' || portsOf(block).every((port) => leads(block, port)))
  );
}

function portsOf({ type, params }: PlanBlock): string[] {
  return blockKinds[type].ports?.({ params, cases: params.cases }) ?? ['out'];
}

function leads({ outgoing }: PlanBlock, port: string): boolean {
  return outgoing.some((edge) => edge.port === port);
}

/** The JSON Schema of a rendered template, as far as its type is certain. */
function schemaOf(template: Json, plan: Plan): JsonObject {
  if (typeof template === 'string') return textSchemaOf(template, plan);
  if (Array.isArray(template)) return { type: 'array' };
  if (!isObject(template)) return template === null ? {} : { type: typeof template };
  const members = Object.entries(template).map(([name, one]) => [name, schemaOf(one, plan)] as const);
  return { type: 'object', properties: Object.fromEntries(members), required: members.map(([name]) => name) };
}

/** A text that is a single expression renders to the value of the expression. Any other text renders to text. */
function textSchemaOf(template: string, plan: Plan): JsonObject {
  const pieces = split(template);
  const [only] = pieces;
  if (pieces.length > 1 || !only || 'text' in only) return { type: 'string' };
  const name = /^start\.([A-Za-z_]\w*)$/.exec(only.source)?.[1];
  const input = name !== undefined && Object.hasOwn(plan.inputs, name) ? plan.inputs[name] : undefined;
  // An optional input without a default may be null.
  const isGiven = input && (input.required === true || input.default !== undefined);
  return isGiven ? inputSchemas[input.type] : {};
}
