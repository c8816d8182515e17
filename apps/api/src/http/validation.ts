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
  whitelistValidation: 'unknown_field',
  isIn: 'enum',
  isLength: 'length',
  matches: 'pattern',
  min: 'range',
  max: 'range',
};

/** Nest's message for a body that is a list, text or a number. It names the body like a field. */
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
