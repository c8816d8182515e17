import { type ExactObject, type ExactValue, isExactObject } from '#libs/platform/json/exact-json';
import { countCharacters } from '#libs/platform/text/characters';
import { Invalid, toUnknownField } from '#libs/platform/errors/errors';
import { parseJsonBody } from '../http/json-body.ts';

/**
 * The members of a body with rows. They are not copied into the class of a shape, because a body may have ten megabytes.
 * Throws `Invalid` for unknown members.
 */
export function readMembers(body: unknown, known: readonly string[]): ExactObject {
  if (!isExactObject(body)) throw Invalid.field('', 'must be an object', 'type');
  const unknown = Object.keys(body).filter((name) => name !== 'workspaceId' && !known.includes(name));
  if (unknown.length === 0) return body;
  throw new Invalid(unknown.map((path) => toUnknownField(path, known)));
}

/** The JSON value of a query parameter; undefined when the parameter is absent. Throws `Invalid` when it is not JSON. */
export function parseParameter(text: string | undefined, name: string): ExactValue | undefined {
  if (text === undefined) return undefined;
  try {
    return parseJsonBody(Buffer.from(text === '' ? ' ' : text), { exact: true }) as ExactValue;
  } catch (error) {
    const cause = error instanceof Invalid ? error.details?.[0] : undefined;
    const path = cause?.path ? `${name}.${cause.path}` : name;
    throw Invalid.field(path, cause?.message ?? 'is not well-formed JSON', cause?.code ?? 'json');
  }
}

/** An optional member that must be true or false. Throws `Invalid` for another value. */
export function readFlag(members: ExactObject, name: string): boolean | undefined {
  const value = members[name];
  if (value === undefined || typeof value === 'boolean') return value;
  throw Invalid.field(name, 'must be true or false', 'type');
}

/** An optional member that must be text of at most `max` characters. Throws `Invalid` for another value. */
export function readText(members: ExactObject, name: string, max = Infinity): string | undefined {
  const value = members[name];
  if (value !== undefined && typeof value !== 'string') throw Invalid.field(name, 'must be text', 'type');
  if (value === undefined || countCharacters(value) <= max) return value;
  throw Invalid.field(name, `must have at most ${max} characters`, 'length');
}

/** An optional member that must be a whole number from `min` to `max`. Throws `Invalid` for another value. */
export function readInteger(
  members: ExactObject,
  name: string,
  { min, max }: { min: number; max: number },
): number | undefined {
  const value = members[name];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw Invalid.field(name, `must be a whole number from ${min} to ${max}`, 'range');
}

/** An optional member that must be a list of texts. Throws `Invalid` for another value. */
export function readTexts(members: ExactObject, name: string): string[] | undefined {
  const value = members[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw Invalid.field(name, 'must be a list of texts', 'type');
}

/** A required member. Throws `Invalid` when it is absent or null. */
export function required(members: ExactObject, name: string): ExactValue {
  const value = members[name];
  if (value === undefined || value === null) throw Invalid.field(name, 'is required', 'required');
  return value;
}
