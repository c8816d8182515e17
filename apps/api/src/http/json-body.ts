import { screen } from '#libs/language/definition/checks/screen';
import { at } from '#libs/language/definition/shapes/shape';
import { exactParse, type ExactValue, unheldNumbers } from '#libs/platform/json/exact-json';
import { parseKeepingDigits, UnholdableNumber } from '#libs/platform/json/kept-digits';
import { holdsUnheldNumber } from '#libs/platform/json/number-text';
import { detailsMax } from '#libs/platform/errors/details';
import { scanOutline, repeatedName } from '#libs/platform/json/repeated-names';
import { type Detail, Invalid } from '#libs/platform/errors/errors';

const depthMax = 64;
/** The values in a body: members of objects and items of lists. To read more of them would keep other callers waiting. */
const valuesMax = 300_000;

/**
 * Parses a JSON body. Throws for text that does not parse, for too many values, and for values that nest too deep for the stack. Throws for
 * keys and characters that cannot be stored or would change a prototype. Throws for a repeated name in an object,
 * because only the last value would count. An empty body counts as none: clients send the content type on every
 * request. Numbers with digits that JavaScript would change are refused. With `exact` they keep them; with `asText`, whole ones become texts.
 */
export function parseJsonBody(bytes: Buffer, { exact = false, asText = false } = {}): unknown {
  if (bytes.length === 0) return undefined;
  const { depth, members, values } = scanOutline(bytes);
  if (depth > depthMax) throw Invalid.field('', `must not nest deeper than ${depthMax} levels`, 'too_deep');
  if (values > valuesMax) {
    const message = `must have at most ${valuesMax} members and items, not ${values}; send more in several calls, or as a text`;
    throw Invalid.field('', message, 'too_many');
  }
  return parsed(bytes, (text) => {
    const value = JSON.parse(text) as ExactValue;
    const { details, names } = screen(value, '');
    if (details.length > 0) throw new Invalid(details);
    if (names < members) requireNamesOnce(text);
    if (exact) return exactParse(text, value);
    if (!holdsUnheldNumber(text)) return value;
    if (asText) return parseHoldable(text);
    requireHeldNumbers(exactParse(text));
    return value;
  });
}

function parseHoldable(text: string): unknown {
  try {
    return parseKeepingDigits(text);
  } catch (error) {
    throw error instanceof UnholdableNumber ? Invalid.field('', error.message, 'digits') : error;
  }
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
  const details: Detail[] = [];
  const message =
    'It is a number that would lose digits: beyond 2^53, or too large or too small for a double. Send it as text.';
  for (const [steps] of unheldNumbers(value)) {
    if (details.length < detailsMax)
      details.push({ path: steps.reduce<string>(at, ''), code: 'digits', message });
    else {
      // The rest is not counted, because that would take as long again as reading the body.
      details.push({ path: '', code: 'too_many_faults', message: 'There are more faults.' });
      break;
    }
  }
  if (details.length > 0) throw new Invalid(details);
}

function requireNamesOnce(text: string): void {
  const path = repeatedName(text);
  if (path !== undefined) throw Invalid.field(path, 'is twice in one object', 'duplicate_key');
}
