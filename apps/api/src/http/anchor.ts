import { markup, type Html, type HtmlPart } from './html.ts';

const schemes = ['http:', 'https:', 'mailto:'];

/** The URL, if a link may lead to it: absolute, http, https or mailto, and without user info, which can imitate a host. */
export function parseLink(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return schemes.includes(url.protocol) && !url.username && !url.password ? url : undefined;
}

/** A link that opens in a new tab, so that a half-filled form stays. */
export function anchor(url: URL, text: HtmlPart): Html {
  const beside = url.protocol !== 'mailto:' && markup` target="_blank"`;
  return markup`<a href="${url.href}" rel="noopener noreferrer"${beside}>${text}${beside && markup`<span class="unseen"> (opens in a new tab)</span>`}</a>`;
}

/** The host or mail address behind a link. A host in another script appears in its ASCII form. */
export function leadsTo(url: URL): string {
  return url.protocol === 'mailto:' ? url.pathname : url.host;
}
