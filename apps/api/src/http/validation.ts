import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { Invalid, type Detail } from '#libs/faults/faults';

/** Checks bodies and queries against their shapes. Refuses unknown fields and reports every fault at once. */
export const validation = new ValidationPipe({
  whitelist: true,
  forbidNonWhitelisted: true,
  transform: true,
  stopAtFirstError: true,
  validationError: { target: false, value: false },
  exceptionFactory: (errors) => new Invalid(errors.flatMap((error) => detailsOf(error, ''))),
});

const codes: Record<string, string> = {
  isDefined: 'required',
  whitelistValidation: 'unknown_field',
  isIn: 'enum',
  isLength: 'length',
  matches: 'pattern',
  min: 'range',
  max: 'range',
};

function detailsOf({ property, constraints = {}, children = [] }: ValidationError, base: string): Detail[] {
  const path = base ? `${base}.${property}` : property;
  const own = Object.entries(constraints).map(([rule, message]) => ({
    path,
    message: rule === 'whitelistValidation' ? 'is not a field of this request' : message,
    code: codes[rule] ?? 'type',
  }));
  return [...own, ...children.flatMap((child) => detailsOf(child, path))];
}
