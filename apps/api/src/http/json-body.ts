import { screen } from '#libs/definition/screen';
import { Invalid } from '#libs/faults/faults';

const depthMax = 64;

/**
 * A JSON body as handlers may have it. Refused are what does not parse, what nests so deep that walking it would
 * overflow a stack, and what cannot be stored or would reach a prototype. An empty body is no body: clients send the
 * content type on every request.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (deeperThan(bytes, depthMax)) throw Invalid.field('', `is nested deeper than ${depthMax}`, 'too_deep');
  const value = parsed(bytes);
  const { details } = screen(value, '');
  if (details.length > 0) throw new Invalid(details);
  return value;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    const detail = { path: '', message: 'is not well-formed JSON in UTF-8', code: 'json' };
    throw new Invalid([detail], 'The body is not well-formed JSON.', 'INVALID_JSON');
  }
}

/** Counts brackets outside of strings: the parser itself would take a million levels and leave the trouble to us. */
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
