import { screen } from '#libs/definition/screen';
import { exactParse, mayLoseDigits } from '#libs/exact-json/exact-json';
import { Invalid } from '#libs/faults/faults';

const depthMax = 64;

/**
 * Parses a JSON body. Refuses text that does not parse, values that nest so deep that walking them would overflow the
 * stack, and keys and characters that cannot be stored or would change a prototype. An empty body counts as none:
 * clients send the content type on every request. With `exact`, numbers that JavaScript would change keep their digits.
 */
export function parseJsonBody(bytes: Buffer, { exact = false } = {}): unknown {
  if (bytes.length === 0) return undefined;
  if (deeperThan(bytes, depthMax))
    throw Invalid.field('', `must not nest deeper than ${depthMax} levels`, 'too_deep');
  return parsed(bytes, (text) => {
    const value: unknown = JSON.parse(text);
    const { details } = screen(value, '');
    if (details.length > 0) throw new Invalid(details);
    return exact && mayLoseDigits(text) ? exactParse(text) : value;
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

/** Counts brackets outside of strings, before parsing: the parser itself would accept a million levels. */
function deeperThan(bytes: Buffer, most: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (quoted) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) quoted = false;
    } else if (byte === 0x22) quoted = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > most) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}
