import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsEmail,
  IsIn,
  IsInt,
  IsISO8601,
  IsNumber,
  IsObject,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { plusHint } from '#libs/platform/text/characters';

/** Options of every field: whether it may be missing, whether it may be null, and its description. */
interface FieldOptions {
  optional?: boolean;
  nullable?: boolean;
  description?: string;
  example?: unknown;
}

type OpenApiSchema = Record<string, unknown>;

/** How the member of a body becomes the value of a field. */
export interface FieldRules {
  /** Reads a value that may arrive as text. */
  parse?(value: unknown): unknown;
  /** The shape of the value, or of each item of a list. */
  shape?(): new () => object;
  /** The most items of a list. */
  max?: number;
}

const rulesKey = Symbol('field rules');

const nestedKey = Symbol('fields with a shape');

/** Appends to a list that a class and its subclasses have. */
function addToList(key: symbol, prototype: object, item: unknown): void {
  Reflect.defineMetadata(key, [...(Reflect.getMetadata(key, prototype) ?? []), item], prototype);
}

/** Returns the names of the fields that have a shape of their own. */
export function nestedFields(prototype: object): string[] {
  return (Reflect.getMetadata(nestedKey, prototype) as string[] | undefined) ?? [];
}

/** Returns the rules of a field, or none. */
export function fieldRules(instance: object, name: string): FieldRules {
  return (Reflect.getMetadata(rulesKey, instance, name) as FieldRules | undefined) ?? {};
}

const ruledBy =
  (rules: FieldRules): PropertyDecorator =>
  (prototype, name) => {
    Reflect.defineMetadata(rulesKey, rules, prototype, name);
    if (rules.shape) addToList(nestedKey, prototype, String(name));
  };
const parsedBy = (parse: (value: unknown) => unknown) => ruledBy({ parse });

/**
 * One decorator for each field. It checks the input and documents it, so that both always agree. Bounds belong to
 * bodies and queries; a view has none.
 */
function field(options: FieldOptions, schema: OpenApiSchema, checks: PropertyDecorator[]): PropertyDecorator {
  const { optional = false, nullable = false, description, example } = options;
  const presence = nullable
    ? [ValidateIf((_, value) => value !== null && !(optional && value === undefined))]
    : [optional ? notNullOptional() : IsDefined({ message: 'is required' })];
  return applyDecorators(
    ApiProperty(
      present({ ...schema, nullable: nullable || undefined, required: !optional, description, example }),
    ),
    ...presence,
    ...checks,
  );
}

/** Leaves out undefined members, because Swagger would write them into the document. */
function present(options: OpenApiSchema): OpenApiSchema {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** Lets a field be left out. Null does not count as left out: it is refused as a wrong type. */
function notNullOptional(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}

export function Text(
  options: FieldOptions & {
    min?: number;
    max?: number;
    pattern?: RegExp;
    rule?: string;
    mayBeBlank?: boolean;
  } = {},
): PropertyDecorator {
  const { min = 0, max, pattern, rule, mayBeBlank = min === 0 } = options;
  const checks: PropertyDecorator[] = [IsString({ message: 'must be text' })];
  if (max !== undefined)
    checks.push(
      Length(min, max, {
        message: min > 0 ? `must have ${min} to ${max} characters` : `must have at most ${max} characters`,
      }),
    );
  if (!mayBeBlank) checks.push(Matches(/\S/, { message: 'must hold more than spaces' }));
  if (pattern) checks.push(Matches(pattern, { message: rule ?? 'has the wrong form' }));
  return field(
    options,
    {
      type: 'string',
      minLength: min || undefined,
      maxLength: max,
      pattern: pattern?.source ?? (mayBeBlank ? undefined : '\\S'),
    },
    checks,
  );
}

export function Email(options: FieldOptions = {}): PropertyDecorator {
  return field(options, { type: 'string', format: 'email', maxLength: 254 }, [
    IsEmail({}, { message: 'must be a mail address' }),
    Length(3, 254),
  ]);
}

export function Time(options: FieldOptions = {}): PropertyDecorator {
  return field(options, { type: 'string', format: 'date-time' }, [
    IsISO8601(
      { strict: true },
      { message: ({ value }) => `must be an ISO 8601 time${plusHint(String(value))}` },
    ),
  ]);
}

/** An integer. Set `query: true` when it arrives as text. */
export function Int(
  options: FieldOptions & { min?: number; max?: number; query?: boolean; default?: number } = {},
): PropertyDecorator {
  const { min, max, query = false } = options;
  const bounds = `${min === undefined ? '' : ` from ${min}`}${max === undefined ? '' : ` to ${max}`}`;
  const message = `must be a whole number${bounds}`;
  const parsed = query
    ? [parsedBy((value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value))]
    : [];
  const checks = [...parsed, IsInt({ message })];
  if (min !== undefined) checks.push(Min(min, { message }));
  if (max !== undefined) checks.push(Max(max, { message }));
  return field(options, { type: 'integer', minimum: min, maximum: max, default: options.default }, checks);
}

/** The bounds of the number of a version, because a column holds it in 32 bits. */
export const versionBounds = { min: 1, max: 2_147_483_647 } as const;

/** A number. With bounds it is checked. Set `query: true` when it arrives as text. */
export function Num(
  options: FieldOptions & { min?: number; max?: number; query?: boolean } = {},
): PropertyDecorator {
  const { min, max, query = false } = options;
  const isBound = min !== undefined && max !== undefined;
  const message = `must be a number from ${min} to ${max}`;
  const parsed = query
    ? [
        parsedBy((value) =>
          typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value,
        ),
      ]
    : [];
  const checks = isBound ? [IsNumber({}, { message }), Min(min, { message }), Max(max, { message })] : [];
  return field(options, { type: 'number', minimum: min, maximum: max }, [...parsed, ...checks]);
}

export function Bool(options: FieldOptions & { query?: boolean; default?: boolean } = {}): PropertyDecorator {
  const parsed = options.query
    ? [parsedBy((value) => (value === 'true' ? true : value === 'false' ? false : value))]
    : [];
  return field(options, { type: 'boolean', default: options.default }, [
    ...parsed,
    IsBoolean({ message: 'must be true or false' }),
  ]);
}

export function OneOf(
  values: readonly string[],
  options: FieldOptions & { default?: string } = {},
): PropertyDecorator {
  return field(options, { type: 'string', enum: [...values], default: options.default }, [
    IsIn([...values], { message: `must be one of ${values.join(', ')}` }),
  ]);
}

/** Any JSON object, unchecked. */
export function Obj(options: FieldOptions = {}): PropertyDecorator {
  return field(options, { type: 'object', additionalProperties: true }, [
    IsObject({ message: 'must be an object' }),
  ]);
}

/** A list of JSON objects, unchecked. */
export function Objects(options: FieldOptions = {}): PropertyDecorator {
  return field(options, { type: 'array', items: { type: 'object', additionalProperties: true } }, [
    IsArray({ message: 'must be a list' }),
    IsObject({ each: true, message: 'must hold objects only' }),
  ]);
}

/** Every JSON type except null. Without this list the document would describe an object. */
const json = [
  { type: 'object', additionalProperties: true },
  { type: 'array', items: {} },
  { type: 'string' },
  { type: 'number' },
  { type: 'boolean' },
];

/** Any JSON value. */
export function Anything(options: FieldOptions = {}): PropertyDecorator {
  return field({ ...options, nullable: true }, { type: 'object', anyOf: json }, []);
}

/** A nested shape. The wrapper is a function named `type`, because Swagger recognises a late class only by that name. */
export function One(shape: () => new () => object, options: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    field(options, { type: () => shape() }, [IsObject({ message: 'must be an object' }), ValidateNested()]),
    ruledBy({ shape }),
  );
}

export function ListOf(
  shape: () => new () => object,
  options: FieldOptions & { min?: number; max?: number } = {},
): PropertyDecorator {
  const { min = 0, max = 10_000 } = options;
  return applyDecorators(
    field(options, { type: () => shape(), isArray: true }, [
      IsArray({ message: 'must be a list' }),
      ArrayMinSize(min, { message: `must have at least ${min} item(s)` }),
      ValidateNested({ each: true }),
    ]),
    ruledBy({ shape, max }),
  );
}

export function Texts(options: FieldOptions = {}): PropertyDecorator {
  return field(options, { type: 'array', items: { type: 'string' } }, [
    IsArray({ message: 'must be a list' }),
    IsString({ each: true, message: 'must hold text only' }),
  ]);
}

const namesKey = Symbol('names of people and keys');

/** A field of a view that gets the name of a person or a key by the id in another field. */
export interface NameRule {
  /** The field with the id, or the object that gets a `name` beside its `id`. */
  from: string;
  to: string;
}

/** Returns the fields of a view that get names. */
export function nameRules(prototype: object): NameRule[] {
  return (Reflect.getMetadata(namesKey, prototype) as NameRule[] | undefined) ?? [];
}

const named =
  (from: string): PropertyDecorator =>
  (prototype, name) =>
    addToList(namesKey, prototype, { from, to: String(name) });

/** The name of the person or the key whose id another field of the view has. `AnswerNames` writes it. */
export function NameOf(from: string): PropertyDecorator {
  const description = `The name of the user or the key of \`${from}\`; null when none is kept.`;
  return applyDecorators(Text({ nullable: true, description }), named(from));
}

/** The person or the key that acts, as an object. `AnswerNames` writes its `name`. */
export function ActorField(description: string): PropertyDecorator {
  return (prototype, name) => {
    const full = `${description} \`name\` is the name of the user or the key; null when none is kept.`;
    applyDecorators(Obj({ description: full }), named(String(name)))(prototype, name);
  };
}
