import { createHash } from 'node:crypto';

/** Markup that is safe to send: what others said gets in through `markup` alone. */
export class Html {
  constructor(readonly text: string) {}
}

export type Part = Html | string | number | false | undefined | readonly Part[];

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Escapes every part that is not markup itself, for text and for quoted attributes. False and undefined are left out.
 * A tag named `html` would be re-indented by the formatter, but the hash of the style and text areas need each byte.
 */
export function markup(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(texts.map((text, i) => text + (i < parts.length ? textOf(parts[i]) : '')).join(''));
}

function textOf(part: Part): string {
  if (part === false || part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map((one) => textOf(one)).join('');
  return String(part).replaceAll(/[&<>"']/g, (char) => entities[char] ?? '');
}

const style = `
:root { color-scheme: light dark; --line: #767676; --soft: #f3f3f3; --bad: #b00020; --act: #0b57d0; --on: #fff }
@media (prefers-color-scheme: dark) { :root { --soft: #262626; --bad: #ff8a80; --act: #8ab4f8; --on: #111 } }
* { box-sizing: border-box }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 42rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.4rem; line-height: 1.25 }
dt, label, legend { font-weight: 600 }
dd { margin: 0 0 .75rem }
.text { white-space: pre-wrap }
.wide { overflow-x: auto; overflow-wrap: normal }
pre, td, th { padding: .4rem .6rem; background: var(--soft) }
table { border-collapse: collapse } td, th { border: 1px solid var(--line); text-align: start }
.field { margin: 0 0 1.25rem }
fieldset { border: 1px solid var(--line) } fieldset label { display: block; font-weight: 400 }
input:not([type=checkbox]), select, textarea { width: 100%; font: inherit; padding: .5rem; border: 1px solid var(--line) }
[aria-invalid] { border: 2px solid var(--bad) !important }
.bad, .bad a { color: var(--bad) }
button { font: inherit; padding: .6rem 1.4rem; border: 0; border-radius: .25rem; background: var(--act); color: var(--on) }
`;

/** No script, no frame around it, no word to others about its address, which holds the token. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    `default-src 'none'`,
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

/** A whole page. `title` is its name and its one heading. */
export function page(title: string, body: Part, { prefix = '' } = {}): string {
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${prefix}${title}</title><style>${new Html(style)}</style></head>
<body><main><h1 dir="auto">${title}</h1>
${body}</main></body></html>`.text;
}
