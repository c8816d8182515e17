import { canonicalJson } from '#libs/platform/json/canonical';
import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';
import { at, type Report, type Shape } from '../shapes/shape.ts';

/** A check compares at most so many values with a schema: branches in branches would multiply. */
const stepsMax = 100_000;

/** The shape of data that follows the schema of a model's answer, for a person who gives it. The worker checks what models return. */
export const following = (schema: JsonObject): Shape<Json> => ({
  schema: {},
  check(value, path, report) {
    const check = new DataCheck(report);
    check.check(value as Json, schema, path);
    if (check.steps > stepsMax)
      report(path, 'too_large', 'It is too large to be checked against its schema.');
  },
});

class DataCheck {
  steps = 0;

  constructor(private report: Report) {}

  check(value: Json, schema: JsonObject, path: string): void {
    if (++this.steps > stepsMax) return;
    const { type, anyOf, oneOf, allOf } = schema;
    const types = type === undefined ? [] : [type].flat();
    if (types.length > 0 && !types.some((one) => isOfType(value, one)))
      return this.report(path, 'type', `It must be ${types.join(' or ')}.`);
    if (Array.isArray(schema['enum']) && !schema['enum'].some((one) => areEqual(one, value)))
      this.report(path, 'choice', `It must be one of ${JSON.stringify(schema['enum'])}.`);
    if (schema['const'] !== undefined && !areEqual(schema['const'], value))
      this.report(path, 'choice', `It must be ${JSON.stringify(schema['const'])}.`);
    if (typeof value === 'number') this.checkNumber(value, schema, path);
    const size = sizeOf(value);
    if (size) this.checkBounds(size.count, schema, { path, ...size });
    if (Array.isArray(value) && isObject(schema['items']))
      for (const [i, item] of value.entries()) this.check(item, schema['items'], at(path, i));
    if (isObject(value)) this.checkMembers(value, schema, path);
    for (const one of listOf(allOf)) this.check(value, one, path);
    if (anyOf !== undefined && this.countFitting(value, listOf(anyOf), path) === 0)
      this.report(path, 'any_of', 'It fits none of the schemas in anyOf.');
    if (oneOf !== undefined && this.countFitting(value, listOf(oneOf), path) !== 1)
      this.report(path, 'one_of', 'It must fit exactly one of the schemas in oneOf.');
  }

  private checkNumber(value: number, schema: JsonObject, path: string): void {
    const { exclusiveMinimum: above, exclusiveMaximum: below, multipleOf: step } = schema;
    this.checkBounds(value, schema, { path, min: 'minimum', max: 'maximum', unit: '' });
    if (typeof above === 'number' && value <= above) this.report(path, 'range', `It must be above ${above}.`);
    if (typeof below === 'number' && value >= below) this.report(path, 'range', `It must be below ${below}.`);
    if (typeof step === 'number' && Math.abs(value / step - Math.round(value / step)) > 1e-9)
      this.report(path, 'range', `It must be a multiple of ${step}.`);
  }

  private checkBounds(
    count: number,
    schema: JsonObject,
    { path, min, max, unit }: { path: string; min: string; max: string; unit: string },
  ): void {
    const [least, most] = [schema[min], schema[max]];
    if (typeof least === 'number' && count < least)
      this.report(path, 'range', `It must be at least ${least}${unit}.`);
    if (typeof most === 'number' && count > most)
      this.report(path, 'range', `It must be at most ${most}${unit}.`);
  }

  private checkMembers(value: JsonObject, schema: JsonObject, path: string): void {
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const { required, additionalProperties: others } = schema;
    for (const name of Array.isArray(required) ? required.map(String) : [])
      if (!Object.hasOwn(value, name)) this.report(at(path, name), 'required', 'It is required.');
    for (const [name, member] of Object.entries(value)) {
      const own = Object.hasOwn(properties, name) ? properties[name] : others;
      if (isObject(own)) this.check(member, own, at(path, name));
      else if (own === false) this.report(at(path, name), 'unknown_key', 'The schema has no such member.');
    }
  }

  private countFitting(value: Json, schemas: JsonObject[], path: string): number {
    const { report } = this;
    let fitting = 0;
    for (const schema of schemas) {
      let faults = 0;
      this.report = () => void faults++;
      this.check(value, schema, path);
      if (faults === 0) fitting++;
    }
    this.report = report;
    return fitting;
  }
}

const listOf = (schemas: Json | undefined): JsonObject[] =>
  Array.isArray(schemas) ? schemas.filter(isObject) : [];

const areEqual = (a: Json, b: Json): boolean => canonicalJson(a) === canonicalJson(b);

function isOfType(value: Json, type: Json): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

/** What the bounds on a size count, and the keywords of the bounds. */
function sizeOf(value: Json): { count: number; min: string; max: string; unit: string } | null {
  if (typeof value === 'string')
    return { count: [...value].length, min: 'minLength', max: 'maxLength', unit: ' characters' };
  if (Array.isArray(value)) return { count: value.length, min: 'minItems', max: 'maxItems', unit: ' items' };
  if (!isObject(value)) return null;
  return { count: Object.keys(value).length, min: 'minProperties', max: 'maxProperties', unit: ' members' };
}
