/** The paths to which a sign-in leads: pages of the console, and requests for consent. */
const ownPaths = /^\/(console(\/|$)|oauth\/consent\/[\w-]+$)/;

/** White space, control characters and backslashes, which browsers drop or read as another character. */
const misread = /[\s\\\p{Cc}\p{Cf}]/u;

/** A path with empty or dotted parts, or with an encoded slash, backslash, dot or control character. */
const tricky = /\/\/|(^|\/)\.{1,2}(\/|$)|%(2f|5c|2e|0|1|7f|25)/i;

const lengthMax = 1000;

/**
 * The path and the query of a page to which a browser may be led after a sign-in; null for every other address. Judges the path that
 * it returns, as the browser resolves it. The server and the console both ask here.
 */
export function toReturnAddress(requested: string, origin: string): string | null {
  if (requested.length > lengthMax || misread.test(requested) || !URL.canParse(requested, origin))
    return null;
  // The path as it was sent, because the parser removes dots.
  if (tricky.test(/^[^?#]*/.exec(requested)?.[0] ?? '')) return null;
  const { origin: found, pathname, search } = new URL(requested, origin);
  if (!requested.startsWith('/') || found !== new URL(origin).origin) return null;
  return ownPaths.test(pathname) && !pathname.includes('//') ? pathname + search : null;
}
