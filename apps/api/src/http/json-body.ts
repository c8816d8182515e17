import { screen } from '#libs/language/definition/checks/screen';
import { at } from '#libs/language/definition/shapes/shape';
import { exactParse, type ExactValue, unheldNumbers } from '#libs/platform/json/exact-json';
import { mayLoseDigits } from '#libs/platform/json/number-text';
import { Details } from '#libs/platform/errors/details';
import { outlineOf, repeatedName } from '#libs/platform/json/repeated-names';
import { Invalid } from '#libs/platform/errors/errors';

const depthMax = 64;

/**
 * Parses a JSON body. Throws for text that does not parse, and for values that nest too deep for the stack. Throws for
 * keys and characters that cannot be stored or would change a prototype. Throws for a repeated name in an object,
 * because only the last value would count. An empty body counts as none: clients send the content type on every
 * request. With `exact`, numbers keep digits that JavaScript would change; without, such numbers are refused.
 */
export function parseJsonBody(bytes: Buffer, { exact = false } = {}): unknown {
  if (bytes.length === 0) return undefined;
  const { depth, members } = outlineOf(bytes);
  if (depth > depthMax) throw Invalid.field('', `must not nest deeper than ${depthMax} levels`, 'too_deep');
  return parsed(bytes, (text) => {
    const value: unknown = JSON.parse(text);
    const { details, names } = screen(value, '');
    if (details.length > 0) throw new Invalid(details);
    if (names < members) requireNamesOnce(text);
    if (!mayLoseDigits(text)) return value;
    const read = exactParse(text);
    if (exact) return read;
    requireHeldNumbers(read);
    return value;
  });
}

function parsed(bytes: Buffer, parse: (text: string) => unknown): unknown {
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof Invalid) throw error;
    const detail = { path: '', message: 'is not well-formed JSON in UTF-8', code: 'json' };
    throw new Invalid([detail], 'The body is not well-formed JSON.', 'INVALID_JSON');
  }
}

/** A rounded number would be another number, so its sender must choose: a smaller number, or text. */
function requireHeldNumbers(value: ExactValue): void {
  const details = new Details();
  const message =
    'It is a number that would lose digits: beyond 2^53, or too large or too small for a double. Send it as text.';
  for (const [steps] of unheldNumbers(value))
    details.add(() => ({ path: steps.reduce<string>(at, ''), code: 'digits', message }));
  if (details.all.length > 0) throw new Invalid(details.all);
}

function requireNamesOnce(text: string): void {
  const path = repeatedName(text);
  if (path !== undefined) throw Invalid.field(path, 'is twice in one object', 'duplicate_key');
}
