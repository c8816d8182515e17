import { markup, type Html, type Part } from './html.ts';

const schemes = ['http:', 'https:', 'mailto:'];

/** The address that a link may lead to: web or mail, whole, and without a name that looks like another host. */
export function addressOf(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return schemes.includes(url.protocol) && !url.username && !url.password ? url : undefined;
}

/** A link that opens beside the page: what was typed into a form stays. */
export function anchor(url: URL, text: Part): Html {
  const beside = url.protocol !== 'mailto:' && markup` target="_blank"`;
  return markup`<a href="${url.href}" rel="noopener noreferrer"${beside}>${text}${beside && markup`<span class="unseen"> (opens in a new tab)</span>`}</a>`;
}

/** Where a link leads, for those who only see its text; a host in letters of another script is spelled out. */
export function leadsTo(url: URL): string {
  return url.protocol === 'mailto:' ? url.pathname : url.host;
}
