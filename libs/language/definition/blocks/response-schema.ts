import type { JsonObject } from '#libs/platform/json/json';
import { repeated } from '../expressions/atoms.ts';
import * as shape from '../shapes/shape.ts';
import { at, isObject, isTemplate, type Report, ruled, type Shape } from '../shapes/shape.ts';

const numeric = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const lengths = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
const charsMax = 32_768;
const depthMax = 16;

const keywords: Record<string, (value: unknown, path: string, report: Report) => void> = {
  type: (value, path, report) => {
    const given: unknown[] = Array.isArray(value) ? value : [value];
    const known = given.every((one) => typeof one === 'string' && types.includes(one));
    if (!known || given.length === 0 || new Set(given).size < given.length)
      report(path, 'choice', `It must be one of ${types.join(', ')}, or a list of them.`);
  },
  title: shape.text({ max: 2000 }).check,
  description: shape.text({ max: 8192 }).check,
  format: shape.text({ max: 64 }).check,
  enum: distinct(shape.list(shape.json, { min: 1, max: 500 })),
  const: () => {},
  required: distinct(shape.list(shape.text({ min: 1, max: 128 }), { max: 200 })),
  multipleOf: shape.number({ min: 1e-9, max: Number.MAX_VALUE, fraction: true }).check,
};
for (const name of numeric) keywords[name] = shape.anyNumber.check;
for (const name of lengths) keywords[name] = shape.number({ min: 0, max: 1_000_000 }).check;

const anySchema: Shape<JsonObject> = {
  schema: { type: 'object' },
  check: (value, path, report) => checkSchema(value, path, report, 0),
};

/**
 * The shape of the JSON Schema for a model's answer: a part of 2020-12, without references. Whatever can make a
 * check endless is refused: references can repeat without bound, and patterns run on an engine that backtracks.
 */
export const responseSchema = ruled(anySchema, (value, path, report) => {
  if (JSON.stringify(value).length > charsMax)
    report(path, 'too_long', `It must have at most ${charsMax} characters of JSON.`);
  noTemplates(value, path, report);
});

function checkSchema(value: unknown, path: string, report: Report, depth: number): void {
  if (!isObject(value)) return report(path, 'type', 'It must be a JSON Schema, an object.');
  if (depth > depthMax) return report(path, 'too_deep', `It is nested deeper than ${depthMax} schemas.`);
  for (const [name, member] of Object.entries(value)) {
    const where = at(path, name);
    if (name === 'properties') checkProperties(member, where, report, depth);
    else if (name === 'items') checkSchema(member, where, report, depth + 1);
    else if (name === 'additionalProperties' && typeof member !== 'boolean')
      checkSchema(member, where, report, depth + 1);
    else if (name === 'anyOf' || name === 'oneOf' || name === 'allOf')
      shape
        .list(
          { schema: {}, check: (one, place, say) => checkSchema(one, place, say, depth + 1) },
          { min: 1, max: 50 },
        )
        .check(member, where, report);
    else if (name !== 'additionalProperties') checkKeyword(name, member, where, report);
  }
}

function distinct<T>(list: Shape<T[]>): Shape['check'] {
  return ruled(list, (all, path, report) => {
    for (const i of repeated(all.map((one) => JSON.stringify(one))))
      report(at(path, i), 'duplicate_member', 'It is there already.');
  }).check;
}

function checkProperties(value: unknown, path: string, report: Report, depth: number): void {
  if (!isObject(value)) return report(path, 'type', 'It must be an object of schemas.');
  for (const [name, member] of Object.entries(value)) checkSchema(member, at(path, name), report, depth + 1);
}

function checkKeyword(name: string, value: unknown, path: string, report: Report): void {
  const check = Object.hasOwn(keywords, name) ? keywords[name] : undefined;
  if (check) return check(value, path, report);
  const known = [...Object.keys(keywords), 'properties', 'items', 'additionalProperties'].join(', ');
  report(path, 'unsupported', `"${name}" is no keyword here. Known: ${known}, anyOf, oneOf, allOf.`);
}

/** Reports templates: the schema is sent, and answers are checked against it, as it is written. */
function noTemplates(value: unknown, path: string, report: Report): void {
  if (isTemplate(value)) report(path, 'no_template', 'A schema is no template: it cannot hold {{.');
  else if (Array.isArray(value)) value.forEach((one: unknown, i) => noTemplates(one, at(path, i), report));
  else if (isObject(value))
    for (const [name, one] of Object.entries(value)) noTemplates(one, at(path, name), report);
}
