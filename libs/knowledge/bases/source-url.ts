import { Invalid } from '#libs/platform/errors/errors';

const filenameMax = 255;

/** A document that a worker is to fetch. Without a name it is called by the last part of its path, or by its host. */
export function sourceOfUrl(text: string, filename?: string): { url: string; filename: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw Invalid.field('url', 'must be an http or https URL without a user name', 'url');
  const last = url.pathname.split('/').findLast((part) => part !== '');
  return { url: url.href, filename: filename ?? (last ?? url.hostname).slice(0, filenameMax) };
}
