import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { getMetadataStorage, validate, type ValidationError, type ValidatorOptions } from 'class-validator';
import { Invalid, type Detail, toUnknownField } from '#libs/platform/errors/errors';
import { isObject } from '#libs/platform/json/json';
import { type FieldRules, fieldRules } from './fields.ts';

/**
 * Checks a body or a query against a shape, and returns an instance with its members. Refuses unknown fields and reports every fault at
 * once. A member without a shape of its own is not looked into, because it may be large.
 */
export async function readShape<T extends object>(shape: InputClass<T>, value: unknown): Promise<T> {
  const members = value ?? {};
  if (!isObject(members)) throw Invalid.field('', 'must be an object', 'type');
  const instance = toInstance(shape, members);
  const errors = await validate(instance, checks);
  if (errors.length > 0) throw new Invalid(errors.flatMap((error) => toDetails(error, '', shape)));
  return instance;
}

/** Reads the arguments of handlers that have a shape. Throws for a query with a NUL, which the parser of JSON refuses in a body. */
export const validation: PipeTransform = {
  transform: async (value: unknown, { metatype, type, data = '' }: ArgumentMetadata) => {
    if (type === 'query') requireNoNul(isObject(value) ? value : { [data]: value });
    return isShape(metatype) ? readShape(metatype, value) : value;
  },
};

function requireNoNul(query: object): void {
  const hasNul = (value: unknown) =>
    [value].flat().some((one) => typeof one === 'string' && one.includes('\0'));
  for (const [name, value] of Object.entries(query))
    if (hasNul(value)) throw Invalid.field(name, 'must not hold a NUL character', 'null_byte');
}

const checks: ValidatorOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  stopAtFirstError: true,
  validationError: { target: false, value: false },
};

type InputClass<T extends object = object> = new () => T;

/** The types of arguments that Nest gives as they are. */
const plain: unknown[] = [String, Boolean, Number, Array, Object];

function isShape(metatype: unknown): metatype is InputClass {
  return typeof metatype === 'function' && !plain.includes(metatype);
}

/** Makes an instance of a shape, and of the shapes of its fields. Reads fields that arrive as text. `base` is the path to it. */
function toInstance<T extends object>(shape: InputClass<T>, members: object, base = ''): T {
  const instance = new shape();
  for (const [name, member] of Object.entries(members)) {
    const path = base + name;
    // Such a member would hide what every object has, its class too.
    if (name in Object.prototype) throw new Invalid([toUnknownField(path, listFields(shape))]);
    Object.assign(instance, { [name]: toField(fieldRules(instance, name), path, member) });
  }
  return instance;
}

function toField({ parse, shape, max = Infinity }: FieldRules, path: string, member: unknown): unknown {
  const nested = shape?.();
  if (!nested) return parse ? parse(member) : member;
  const one = (item: unknown, at: string) => (isObject(item) ? toInstance(nested, item, `${at}.`) : item);
  if (!Array.isArray(member)) return one(member, path);
  if (member.length > max) throw Invalid.field(path, `must have at most ${max} items`, 'too_many');
  return member.map((item, i) => one(item, `${path}.${i}`));
}

/** Nest's numbers for the decorators `@Body` and `@Query` in the arguments of a handler. */
const checkedInputs: Record<string, string> = { '3': 'body', '4': 'query' };

/**
 * Throws when a handler takes a whole body or query without a class at run time, such as a union or `unknown`. The pipe
 * would let anything through. `RawBody` is for a body that the handler checks itself.
 */
export function refuseUncheckedInput(controller: string, prototype: object, method: string): void {
  const handlerArguments: Record<string, { index: number; data?: unknown }> =
    Reflect.getMetadata(ROUTE_ARGS_METADATA, prototype.constructor, method) ?? {};
  const types: unknown[] = Reflect.getMetadata('design:paramtypes', prototype, method) ?? [];
  for (const [key, { index, data }] of Object.entries(handlerArguments)) {
    const input = checkedInputs[key.split(':')[0] ?? ''];
    const type = types[index];
    if (!input || data !== undefined) continue;
    if (type === undefined || type === Object || type === Array)
      throw new Error(`${controller}.${method} takes a ${input} without a class that says what it holds.`);
  }
}

/** Refuses a change without any of the fields. */
export function requireChange<T extends object>(changes: T, fields: (keyof T & string)[]): void {
  if (fields.some((field) => changes[field] !== undefined)) return;
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(fields);
  throw Invalid.field('', `must name what is to change: ${list}`, 'required');
}

const codes: Record<string, string> = {
  isDefined: 'required',
  isIn: 'enum',
  isLength: 'length',
  matches: 'pattern',
  min: 'range',
  max: 'range',
};

/** The names of the fields of a shape, in the order of its class. */
function listFields(shape: InputClass): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}

function toDetails(
  { property, constraints = {}, children = [] }: ValidationError,
  base: string,
  shape: InputClass,
): Detail[] {
  const path = base ? `${base}.${property}` : property;
  const own = Object.entries(constraints).map(([rule, message]) =>
    rule === 'whitelistValidation'
      ? toUnknownField(path, listFields(shape))
      : { path, message, code: codes[rule] ?? 'type' },
  );
  // The children of a list are its items, which have the shape of the list.
  const inner = fieldRules(new shape(), property).shape?.() ?? shape;
  return [...own, ...children.flatMap((child) => toDetails(child, path, inner))];
}
