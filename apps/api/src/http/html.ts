import { createHash } from 'node:crypto';
import { cutText } from '#libs/platform/text/whole-text';
import { style } from './page-style.ts';

/** Markup that is safe to send. Other text enters only through `markup`, which escapes it. */
export class Html {
  constructor(readonly text: string) {}
}

export type HtmlPart = Html | string | number | false | undefined | readonly HtmlPart[];

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Escapes every part that is not markup, for text and for quoted attributes. Leaves out false and undefined. It is not
 * named `html`, because the formatter would re-indent the markup and change the hash of the style.
 */
export function markup(texts: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  return new Html(texts.map((text, i) => text + (i < parts.length ? renderPart(parts[i]) : '')).join(''));
}

function renderPart(part: HtmlPart): string {
  if (part === false || part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map((one) => renderPart(one)).join('');
  return String(part).replaceAll(/[&<>"']/g, (char) => entities[char] ?? '');
}

/** Headers that allow no script and no framing, and send no referrer, because the URL contains the token. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    `default-src 'none'`,
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

const tabChars = 80;
const longTitle = 120;

export interface PageFrame {
  /** Text before the title in the browser's tab. */
  prefix?: string;
  /** Shown above the heading. */
  top?: HtmlPart;
  /** Shown at the foot of the page. */
  foot?: HtmlPart;
}

/** A whole page. `title` is both its title and its one heading. */
export function page(title: string, body: HtmlPart, { prefix = '', top, foot }: PageFrame = {}): string {
  const name = cutText(title, tabChars, '…');
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${prefix}${name}</title><style>${new Html(style)}</style></head>
<body><main>${top}<h1 dir="auto"${title.length > longTitle && markup` class="long"`}>${title}</h1>
${body}</main>${foot !== undefined && markup`<footer>${foot}</footer>`}</body></html>`.text;
}
