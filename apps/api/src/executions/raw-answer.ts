import { readString, writeJson } from '#libs/platform/json/unread-json';
import type { Json } from '#libs/platform/json/json';
import { HttpAnswer } from '../http/answer.ts';

/** The answer of a Response block alone. */
export interface RawAnswer {
  status?: number;
  headers?: Record<string, string>;
  output: Json;
}

/**
 * The headers that a workflow may set: those that describe its body, and `X-…` of its own. Any other could break the
 * connection, speak for the service, or act on the origin of the console, in a browser or a proxy.
 */
const allowed =
  /^(content-(type|disposition|language)|cache-control|expires|etag|last-modified|retry-after|vary|x-(?!accel|sendfile|request-id|ratelimit|frame|content|xss|dns|permitted|ua|robots|powered|forwarded|real|original|rewrite|http).+)$/i;

/** Returns the status, the headers and the body of the Response block, without the envelope. */
export function toRawAnswer({ status = 200, headers = {}, output: given }: RawAnswer): HttpAnswer<Buffer> {
  const output = readString(given);
  const own = Object.entries(headers).filter(([name]) => allowed.test(name));
  const [, type = 'application/json'] = own.findLast(([name]) => /^content-type$/i.test(name)) ?? [];
  // A text with a JSON type is JSON, so it is encoded.
  const isText = typeof output === 'string' && !/^application\/([\w.+-]+\+)?json\b/i.test(type);
  // Node writes the headers before a text in the text's encoding, which is wrong for them. Before bytes it does not.
  const body = Buffer.from(isText ? output : writeJson(output ?? null));
  const policy = { 'Content-Security-Policy': "sandbox; default-src 'none'" };
  return new HttpAnswer(body, { status, headers: { ...Object.fromEntries(own), ...policy } });
}
