import type { Json, JsonObject } from '#libs/platform/json/json';

/** Reports one fault: where, by what rule, and a sentence. */
export type Report = (path: string, code: string, message: string) => void;

/** The form of a value: `check` reports every error of a value, and `schema` is its JSON Schema. */
export interface Shape {
  schema: JsonObject;
  check(value: unknown, path: string, report: Report): void;
}

type Members = Record<string, Shape>;

/** The path of a member: after a dot for plain names, in brackets for the rest. */
export function at(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  if (!/^[A-Za-z_][\w-]*$/.test(step)) return `${path}[${JSON.stringify(step)}]`;
  return path ? `${path}.${step}` : step;
}

/** Text within lengths. `says` completes "must be …" for the pattern. */
export function text(bounds: { min?: number; max: number; pattern?: RegExp; says?: string }): Shape {
  const { min = 0, max, pattern, says = 'text' } = bounds;
  return {
    schema: {
      type: 'string',
      maxLength: max,
      ...(min ? { minLength: min } : {}),
      ...(pattern ? { pattern: pattern.source } : {}),
    },
    check(value, path, report) {
      if (typeof value !== 'string') return report(path, 'type', `It must be ${says}, not ${nameOf(value)}.`);
      if (value.length < min) report(path, 'too_short', `It must have at least ${min} character(s).`);
      else if (value.length > max) report(path, 'too_long', `It must have at most ${max} characters.`);
      else if (pattern && !pattern.test(value)) report(path, 'pattern', `It must be ${says}.`);
    },
  };
}

/** A number within bounds; whole unless `fraction`. */
export function number({
  min,
  max,
  fraction = false,
}: {
  min: number;
  max: number;
  fraction?: boolean;
}): Shape {
  const what = fraction ? 'number' : 'whole number';
  return {
    schema: { type: fraction ? 'number' : 'integer', minimum: min, maximum: max },
    check(value, path, report) {
      if (typeof value !== 'number')
        return report(path, 'type', `It must be a ${what}, not ${nameOf(value)}.`);
      if (value < min || value > max || !(fraction || Number.isInteger(value)))
        report(path, 'range', `It must be a ${what} from ${min} to ${max}.`);
    },
  };
}

/** Any finite number. */
export const anyNumber: Shape = number({ min: -Number.MAX_VALUE, max: Number.MAX_VALUE, fraction: true });

export const boolean: Shape = {
  schema: { type: 'boolean' },
  check(value, path, report) {
    if (typeof value !== 'boolean') report(path, 'type', `It must be true or false, not ${nameOf(value)}.`);
  },
};

/** Any JSON value. */
export const json: Shape = { schema: {}, check: () => {} };

/** One of a few texts. */
export function choice(options: readonly string[]): Shape {
  return {
    schema: { enum: [...options] },
    check(value, path, report) {
      if (typeof value !== 'string' || !options.includes(value))
        report(path, 'choice', `It must be one of ${options.join(', ')}.`);
    },
  };
}

/** A list whose members all have one shape. */
export function list(item: Shape, { min = 0, max }: { min?: number; max: number }): Shape {
  return {
    schema: { type: 'array', items: item.schema, maxItems: max, ...(min ? { minItems: min } : {}) },
    check(value, path, report) {
      if (!Array.isArray(value)) return report(path, 'type', `It must be a list, not ${nameOf(value)}.`);
      if (value.length < min) report(path, 'too_few', `It must have at least ${min} member(s).`);
      if (value.length > max)
        report(path, 'too_many', `It must have at most ${max} members, not ${value.length}.`);
      value.forEach((member: unknown, i) => item.check(member, at(path, i), report));
    },
  };
}

/** An object with these members and no others. */
export function object(required: Members, optional: Members = {}): Shape {
  const members = new Map(Object.entries({ ...required, ...optional }));
  const properties = [...members].map(([name, shape]): [string, Json] => [name, shape.schema]);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: Object.keys(required),
      additionalProperties: false,
    },
    check(value, path, report) {
      if (!isObject(value)) return report(path, 'type', `It must be an object, not ${nameOf(value)}.`);
      for (const name of Object.keys(required))
        if (!Object.hasOwn(value, name)) report(at(path, name), 'required', 'It is required.');
      for (const [name, member] of Object.entries(value)) {
        const shape = members.get(name);
        if (shape) shape.check(member, at(path, name), report);
        else
          report(
            at(path, name),
            'unknown_key',
            `It is not known here. Known: ${[...members.keys()].join(', ')}.`,
          );
      }
    },
  };
}

/** An object with free names, each of one shape, and values of one shape. */
export function record(name: Shape, member: Shape, { min = 0, max }: { min?: number; max: number }): Shape {
  return {
    schema: {
      type: 'object',
      propertyNames: name.schema,
      additionalProperties: member.schema,
      maxProperties: max,
      ...(min ? { minProperties: min } : {}),
    },
    check(value, path, report) {
      if (!isObject(value)) return report(path, 'type', `It must be an object, not ${nameOf(value)}.`);
      const entries = Object.entries(value);
      if (entries.length < min) report(path, 'too_few', `It must have at least ${min} member(s).`);
      if (entries.length > max) report(path, 'too_many', `It must have at most ${max} members.`);
      for (const [key, inner] of entries) {
        name.check(key, at(path, key), (where, code, message) => report(where, code, `Its name: ${message}`));
        member.check(inner, at(path, key), report);
      }
    },
  };
}

/** One of several shapes, chosen by a test of the value; `says` completes "must be …" when none fits. */
export function either(says: string, ...options: [fits: (value: unknown) => boolean, shape: Shape][]): Shape {
  return {
    schema: { anyOf: options.map(([, shape]) => shape.schema) },
    check(value, path, report) {
      const option = options.find(([fits]) => fits(value));
      if (option) option[1].check(value, path, report);
      else report(path, 'type', `It must be ${says}, not ${nameOf(value)}.`);
    },
  };
}

/** One of several objects, chosen by the text of one member. */
export function variant(tag: string, options: Members): Shape {
  const known = new Map(Object.entries(options));
  return {
    schema: { oneOf: [...known.values()].map(({ schema }) => schema) },
    check(value, path, report) {
      if (!isObject(value)) return report(path, 'type', `It must be an object, not ${nameOf(value)}.`);
      const name = Object.hasOwn(value, tag) ? value[tag] : undefined;
      const shape = typeof name === 'string' ? known.get(name) : undefined;
      if (shape) shape.check(value, path, report);
      else report(at(path, tag), `unknown_${tag}`, `It must be one of ${[...known.keys()].join(', ')}.`);
    },
  };
}

/** A shape with a further rule, which runs only when the shape alone reports no fault. */
export function ruled<T>(shape: Shape, rule: (value: T, path: string, report: Report) => void): Shape {
  return {
    schema: shape.schema,
    check(value, path, report) {
      let sound = true;
      shape.check(value, path, (where, code, message) => {
        sound = false;
        report(where, code, message);
      });
      // The shape has just checked that the value is a T.
      if (sound) rule(value as T, path, report);
    },
  };
}

/** A shape that may contain itself; its schema is written once, under `$defs`. */
export function named(name: string, make: () => Shape): Shape {
  let made: Shape | undefined;
  const shape = () => (made ??= make());
  return {
    schema: { $ref: `#/$defs/${name}` },
    check: (value, path, report) => shape().check(value, path, report),
  };
}

/** A string with an expression in it: its value is known only when the block runs. */
export function isTemplate(value: unknown): value is string {
  return typeof value === 'string' && value.includes('{{');
}

/** The shape, or a template for it. */
export function templated(says: string, shape: Shape): Shape {
  const template: Shape = { schema: { type: 'string', pattern: '\\{\\{' }, check: () => {} };
  return either(says, [isTemplate, template], [() => true, shape]);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}
