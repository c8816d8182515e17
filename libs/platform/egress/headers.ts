import { findHeaderFault } from '#libs/platform/text/header-faults';
import { cutText } from '#libs/platform/text/whole-text';
import { EgressRefused } from './egress-errors.ts';

/** The only headers that another origin gets after a redirect: any other may hold a secret, whatever its name. */
const forAnyone = /^(accept|accept-encoding|accept-language|content-type|user-agent)$/;

const namePattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/;
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/;
const bytesMax = 64 * 1024;

/**
 * The headers to send: in lower case, and with an `accept-encoding` that we can decode. Throws for headers of the message frame, for
 * names that are not tokens, for values with control characters, and above 64 KiB in all.
 */
export function outgoing(given: Record<string, string> = {}): Record<string, string> {
  const headers: Record<string, string> = {
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': 'holdfast',
  };
  let bytes = 0;
  for (const [name, value] of Object.entries(given)) {
    bytes += name.length + value.length;
    if (!namePattern.test(name))
      throw new EgressRefused(`"${cutText(name, 64)}" is no header name.`, 'INVALID_VALUE');
    if (!valuePattern.test(value))
      throw new EgressRefused(`The header ${name} holds a character that cannot be sent.`, 'INVALID_VALUE');
    const fault = findHeaderFault(name, value);
    if (fault !== undefined) throw new EgressRefused(fault, 'INVALID_VALUE');
    headers[name.toLowerCase()] = value.trim();
  }
  if (bytes > bytesMax)
    throw new EgressRefused(`The headers are longer than ${bytesMax} bytes.`, 'INVALID_VALUE');
  return headers;
}

/** The headers that a redirect to another origin keeps. */
export function forOtherOrigin(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => forAnyone.test(name)));
}

/** The headers that remain when a redirect made the request a GET without body (fetch standard, HTTP-redirect fetch). */
export function withoutBody(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')));
}

/**
 * One string for each name; repeated headers are joined by a comma. A header called `__proto__` is left out. A `location` may have
 * letters beyond ASCII: their bytes are encoded, which is right in UTF-8 and keeps any other charset.
 */
export function incoming(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).filter(
    ([name, value]) => name !== '__proto__' && value !== undefined,
  );
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const text = Array.isArray(value) ? value.join(', ') : `${value}`;
      return [name, name === 'location' ? text.replaceAll(/[\x80-\xff]/g, encodeByte) : text];
    }),
  );
}

const encodeByte = (byte: string) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * Returns the wait that `Retry-After` asks for, in milliseconds. A date is compared with the server's own clock, which its
 * answer shows, because our clock may differ. A header that is neither whole seconds nor a date of HTTP counts as absent.
 */
export function retryAfterMs(headers: Record<string, string>, msMax: number): number | undefined {
  const value = headers['retry-after']?.trim() ?? '';
  const nowMs = Date.parse(headers['date'] ?? '') || Date.now();
  const dateMs = /^[A-Z][a-z]+,? .*\d\d:\d\d/.test(value) ? Date.parse(value) - nowMs : NaN;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : dateMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), msMax);
}
