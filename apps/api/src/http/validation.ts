import { ValidationPipe } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { ValidationError } from 'class-validator';
import { Invalid, type Detail } from '#libs/platform/errors/errors';

/** Checks bodies and queries against their shapes. Refuses unknown fields and reports every fault at once. */
export const validation = new ValidationPipe({
  whitelist: true,
  forbidNonWhitelisted: true,
  transform: true,
  stopAtFirstError: true,
  validationError: { target: false, value: false },
  exceptionFactory: (errors) => new Invalid(errors.flatMap((error) => detailsOf(error, ''))),
});

/** The numbers of Nest for the decorators `@Body` and `@Query` among the arguments of a handler. */
const checkedInputs: Record<string, string> = { '3': 'body', '4': 'query' };

/**
 * Throws when a handler takes a whole body or query whose class is not known while the program runs, as with a union or
 * `unknown`: the pipe would let anything through. `RawBody` takes one that the handler checks by itself.
 */
export function refuseUncheckedInput(controller: string, prototype: object, method: string): void {
  const given: Record<string, { index: number; data?: unknown }> =
    Reflect.getMetadata(ROUTE_ARGS_METADATA, prototype.constructor, method) ?? {};
  const types: unknown[] = Reflect.getMetadata('design:paramtypes', prototype, method) ?? [];
  for (const [key, { index, data }] of Object.entries(given)) {
    const input = checkedInputs[key.split(':')[0] ?? ''];
    const type = types[index];
    if (!input || data !== undefined) continue;
    if (type === undefined || type === Object || type === Array)
      throw new Error(`${controller}.${method} takes a ${input} without a class that says what it holds.`);
  }
}

/** Refuses a change that changes nothing: at least one of the fields must be there. */
export function requireChange<T extends object>(changes: T, fields: (keyof T & string)[]): void {
  if (fields.some((field) => changes[field] !== undefined)) return;
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(fields);
  throw Invalid.field('', `must name what is to change: ${list}`, 'required');
}

const codes: Record<string, string> = {
  isDefined: 'required',
  whitelistValidation: 'unknown_field',
  isIn: 'enum',
  isLength: 'length',
  matches: 'pattern',
  min: 'range',
  max: 'range',
};

/** Nest says this of a body that is a list, text or a number, and names the body as if it were a field. */
const notAnObject = 'Validation failed (object is expected)';

function detailsOf({ property, constraints = {}, children = [] }: ValidationError, base: string): Detail[] {
  if (base === '' && constraints['isObject'] === notAnObject)
    return [{ path: '', message: 'must be an object', code: 'type' }];
  const path = base ? `${base}.${property}` : property;
  const own = Object.entries(constraints).map(([rule, message]) => ({
    path,
    message: rule === 'whitelistValidation' ? 'is not a field of this request' : message,
    code: codes[rule] ?? 'type',
  }));
  return [...own, ...children.flatMap((child) => detailsOf(child, path))];
}
