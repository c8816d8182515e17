import { countCharacters } from '#libs/platform/text/characters';
import { isRef, type Json, type JsonObject } from '#libs/platform/json/json';

/** Reports one fault: where, by what rule, and a sentence. */
export type Report = (path: string, code: string, message: string) => void;

/**
 * The form of a value. `check` reports every error of a value as its author writes it, and `schema` is its JSON Schema.
 * T is the type of the value once its templates are rendered.
 */
export interface Shape<T = unknown> {
  schema: JsonObject;
  check(value: unknown, path: string, report: Report): void;
  /** Checks the value after its templates were rendered. Absent when `check` holds there too. */
  checkRendered?(value: unknown, path: string, report: Report): void;
  /** Never there: it carries the type. */
  readonly valueType?: T;
}

/** The type of the values that a shape lets through. */
export type ValueOf<S> = S extends Shape<infer T> ? T : never;

type Members = Record<string, Shape>;
type ObjectOf<R extends Members, O extends Members> = { [K in keyof R]: ValueOf<R[K]> } & {
  [K in keyof O]?: ValueOf<O[K]>;
};

/** Reports every error of a value whose templates were rendered. */
export function checkRendered(shape: Shape, value: unknown, path: string, report: Report): void {
  if (shape.checkRendered) shape.checkRendered(value, path, report);
  else shape.check(value, path, report);
}

/** One form for the value as its author writes it, and another for what its templates come to. */
export function rendered<T>(written: Shape, afterwards: Shape<T>): Shape<T> {
  return {
    schema: written.schema,
    check: written.check,
    checkRendered: (value, path, report) => checkRendered(afterwards, value, path, report),
  };
}

/** The shape, whose templates may also come to null: that counts as absent. */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return {
    ...shape,
    checkRendered: (value, path, report) => value === null || checkRendered(shape, value, path, report),
  };
}

/** The path of a member: after a dot for plain names, in brackets for the rest. */
export function at(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  if (!/^[A-Za-z_][\w-]*$/.test(step)) return `${path}[${JSON.stringify(step)}]`;
  return path ? `${path}.${step}` : step;
}

/**
 * Text within lengths. `says` completes "must be …" for the pattern. Lengths and pattern are those of the written text:
 * what a template in it comes to is any text.
 */
export function text(bounds: { min?: number; max: number; pattern?: RegExp; says?: string }): Shape<string> {
  const { min = 0, max, pattern, says = 'text' } = bounds;
  return {
    schema: {
      type: 'string',
      maxLength: max,
      ...(min ? { minLength: min } : {}),
      ...(pattern ? { pattern: pattern.source } : {}),
    },
    check(value, path, report) {
      if (typeof value !== 'string') return reportType(path, says, value, report);
      if (countCharacters(value) < min)
        report(path, 'too_short', `It must have at least ${min} character(s).`);
      else if (countCharacters(value) > max)
        report(path, 'too_long', `It must have at most ${max} characters.`);
      else if (pattern && !pattern.test(value)) report(path, 'pattern', `It must be ${says}.`);
    },
    checkRendered(value, path, report) {
      if (typeof value !== 'string') reportType(path, 'text', value, report);
    },
  };
}

/** A rendered text that is not empty. */
export function filledText({ max = Infinity }: { max?: number } = {}): Shape<string> {
  return {
    schema: { type: 'string', minLength: 1 },
    check(value, path, report) {
      if (typeof value !== 'string') reportType(path, 'text', value, report);
      else if (value === '') report(path, 'too_short', 'It must not be empty.');
      else if (countCharacters(value) > max)
        report(path, 'too_long', `It must have at most ${max} characters.`);
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
}): Shape<number> {
  const what = fraction ? 'number' : 'whole number';
  return {
    schema: { type: fraction ? 'number' : 'integer', minimum: min, maximum: max },
    check(value, path, report) {
      if (typeof value !== 'number') return reportType(path, `a ${what}`, value, report);
      if (value < min || value > max || !(fraction || Number.isInteger(value)))
        report(path, 'range', `It must be a ${what} from ${min} to ${max}.`);
    },
  };
}

/** Any finite number. */
export const anyNumber = number({ min: -Number.MAX_VALUE, max: Number.MAX_VALUE, fraction: true });

export const boolean: Shape<boolean> = {
  schema: { type: 'boolean' },
  check(value, path, report) {
    if (typeof value !== 'boolean') reportType(path, 'true or false', value, report);
  },
};

/** Any JSON value. */
export const json: Shape<Json> = { schema: {}, check: () => {} };

/** One of a few texts. */
export function choice<const T extends string>(options: readonly T[]): Shape<T> {
  return {
    schema: { enum: [...options] },
    check(value, path, report) {
      if (!options.some((option) => option === value))
        report(path, 'choice', `It must be one of ${options.join(', ')}.`);
    },
  };
}

/** A list whose members all have one shape. */
export function list<T>(item: Shape<T>, { min = 0, max }: { min?: number; max: number }): Shape<T[]> {
  const checkMembers = (value: unknown, path: string, report: Report, check: Shape['check']): void => {
    if (!Array.isArray(value)) return reportType(path, 'a list', value, report);
    if (value.length < min) report(path, 'too_few', `It must have at least ${min} member(s).`);
    if (value.length > max)
      report(path, 'too_many', `It must have at most ${max} members, not ${value.length}.`);
    value.forEach((member: unknown, i) => check(member, at(path, i), report));
  };
  return {
    schema: { type: 'array', items: item.schema, maxItems: max, ...(min ? { minItems: min } : {}) },
    check: (value, path, report) => checkMembers(value, path, report, item.check),
    checkRendered: (value, path, report) =>
      checkMembers(value, path, report, (...member) => checkRendered(item, ...member)),
  };
}

/** An object with these members and no others. Without optional members O is R, which adds nothing to the type. */
export function object<R extends Members, O extends Members = R>(
  required: R,
  optional?: O,
): Shape<ObjectOf<R, O>> {
  const members = new Map(Object.entries<Shape>({ ...required, ...optional }));
  const checkMembers = (value: unknown, path: string, report: Report, check: typeof checkRendered): void => {
    if (!isObject(value)) return reportType(path, 'an object', value, report);
    for (const name of Object.keys(required))
      if (!Object.hasOwn(value, name)) report(at(path, name), 'required', 'It is required.');
    for (const [name, member] of Object.entries(value)) {
      const shape = members.get(name);
      if (shape) check(shape, member, at(path, name), report);
      else
        report(
          at(path, name),
          'unknown_key',
          `It is not known here. Known: ${[...members.keys()].join(', ')}.`,
        );
    }
  };
  const properties = [...members].map(([name, shape]): [string, Json] => [name, shape.schema]);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: Object.keys(required),
      additionalProperties: false,
    },
    check: (value, path, report) =>
      checkMembers(value, path, report, (shape, ...member) => shape.check(...member)),
    checkRendered: (value, path, report) => checkMembers(value, path, report, checkRendered),
  };
}

/** An object with free names, each of one shape, and values of one shape. */
export function record<T>(
  name: Shape<string>,
  member: Shape<T>,
  { min = 0, max }: { min?: number; max: number },
): Shape<Record<string, T>> {
  return {
    schema: {
      type: 'object',
      propertyNames: name.schema,
      additionalProperties: member.schema,
      maxProperties: max,
      ...(min ? { minProperties: min } : {}),
    },
    check(value, path, report) {
      if (!isObject(value)) return reportType(path, 'an object', value, report);
      const entries = Object.entries(value);
      if (entries.length < min) report(path, 'too_few', `It must have at least ${min} member(s).`);
      if (entries.length > max) report(path, 'too_many', `It must have at most ${max} members.`);
      for (const [key, inner] of entries) {
        name.check(key, at(path, key), (where, code, message) => report(where, code, `Its name: ${message}`));
        member.check(inner, at(path, key), report);
      }
    },
    // The marker of a stored value is no member that anybody wrote.
    checkRendered(value, path, report) {
      if (!isObject(value) || isRef(value)) return reportType(path, 'an object', value, report);
      for (const [key, inner] of Object.entries(value)) checkRendered(member, inner, at(path, key), report);
    },
  };
}

/** One of several shapes, chosen by a test of the value; `says` completes "must be …" when none fits. */
export function either<S extends Shape[]>(
  says: string,
  ...options: { [N in keyof S]: [fits: (value: unknown) => boolean, shape: S[N]] }
): Shape<ValueOf<S[number]>> {
  const shapeOf = (value: unknown): Shape | undefined => options.find(([fits]) => fits(value))?.[1];
  return {
    schema: { anyOf: options.map(([, shape]) => shape.schema) },
    check(value, path, report) {
      const shape = shapeOf(value);
      if (shape) shape.check(value, path, report);
      else reportType(path, says, value, report);
    },
    checkRendered(value, path, report) {
      const shape = shapeOf(value);
      if (shape) checkRendered(shape, value, path, report);
      else reportType(path, says, value, report);
    },
  };
}

/** One of several objects, chosen by the text of one member. */
export function variant<M extends Members>(tag: string, options: M): Shape<ValueOf<M[keyof M]>> {
  const known = new Map(Object.entries<Shape>(options));
  const checkOption = (value: unknown, path: string, report: Report, check: typeof checkRendered): void => {
    if (!isObject(value)) return reportType(path, 'an object', value, report);
    const name = Object.hasOwn(value, tag) ? value[tag] : undefined;
    const shape = typeof name === 'string' ? known.get(name) : undefined;
    if (shape) check(shape, value, path, report);
    else report(at(path, tag), `unknown_${tag}`, `It must be one of ${[...known.keys()].join(', ')}.`);
  };
  return {
    schema: { oneOf: [...known.values()].map(({ schema }) => schema) },
    check: (value, path, report) =>
      checkOption(value, path, report, (shape, ...option) => shape.check(...option)),
    checkRendered: (value, path, report) => checkOption(value, path, report, checkRendered),
  };
}

/**
 * A shape with a further rule for the value as its author writes it. The rule runs only when the shape alone reports no
 * fault.
 */
export function ruled<T>(
  shape: Shape<T>,
  rule: (value: NoInfer<T>, path: string, report: Report) => void,
): Shape<T> {
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
    checkRendered: (value, path, report) => checkRendered(shape, value, path, report),
  };
}

/** A shape that may contain itself; its schema is written once, under `$defs`. */
export function named<T>(name: string, make: () => Shape<T>): Shape<T> {
  let made: Shape<T> | undefined;
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
export function templated<T>(says: string, shape: Shape<T>): Shape<T> {
  const template: Shape = { schema: { type: 'string', pattern: '\\{\\{' }, check: () => {} };
  return rendered(either(says, [isTemplate, template], [() => true, shape]), shape);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function reportType(path: string, says: string, value: unknown, report: Report): void {
  report(path, 'type', `It must be ${says}, not ${nameOf(value)}.`);
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}
