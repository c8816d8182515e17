import { Invalid } from '#libs/platform/errors/errors';
import { toSentQuery } from '#libs/platform/text/query-text';
import { cutText } from '#libs/platform/text/whole-text';

const filenameMax = 255;

/**
 * The source of a document that a worker fetches. The default name is the last part of the path, or else the host.
 * Throws `Invalid` for a URL that is not http or https, or that has a user name or password.
 */
export function sourceOfUrl(text: string, filename?: string): { url: string; filename: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw Invalid.field('url', 'must be an http or https URL without a user name', 'url');
  const last = url.pathname.split('/').findLast((part) => part !== '');
  const { origin, pathname, hash } = url;
  const source = origin + pathname + toSentQuery(text, url) + hash;
  return { url: source, filename: filename ?? cutText(last ?? url.hostname, filenameMax) };
}
