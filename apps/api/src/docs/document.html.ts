import { Html, markup, type HtmlPart } from '../http/html.ts';
import { consolePlaces, contents, home } from './contents.ts';
import { style } from './docs-style.ts';
import { toPagePath, type MarkdownPage } from './markdown-page.ts';

/** A page with this many sections begins with a list of them. */
const sectionsListed = 3;

/** A page with its navigation. `pages` are all pages, in the order of the contents. */
export function renderDocument(page: MarkdownPage, pages: MarkdownPage[]): string {
  const body = new Html(
    page.html.replace('</h1>\n', `</h1>\n${consoleLink(page).text}${sectionList(page).text}`),
  );
  const at = pages.indexOf(page);
  const [before, after] = [pages[at - 1], pages[at + 1]];
  const next = markup`<nav class="next" aria-label="Before and after">
<span>${before && markup`← ${linkTo(before)}`}</span><span>${after && markup`${linkTo(after)} →`}</span></nav>`;
  return frame(page.title, markup`${body}${next}`, pageList(page, pages));
}

/** The page for an unknown path below `/docs`. */
export function absentPage(): string {
  const body = markup`<h1>There is no such page</h1><p><a href="/docs">All pages</a> are listed at the start.</p>`;
  return frame('No such page', body, false);
}

function frame(title: string, main: HtmlPart, list: HtmlPart): string {
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Holdfast</title><style>${new Html(style)}</style><script type="module" src="/docs/docs.js"></script></head>
<body><header><a href="/docs">Holdfast</a>${list && markup`<a href="#pages">All pages</a>`}
<a href="/docs/api">API reference</a><a href="/openapi.json">OpenAPI</a>
<form role="search" hidden><label>Search <input type="search" name="q" autocomplete="off" placeholder="Press /"></label>
<div class="found"><p role="status"></p><ul></ul></div></form></header>
<div class="sheet"><main>${main}</main>${list}</div></body></html>`.text;
}

/** The link into the console. The console finds the reader's workspace. */
function consoleLink({ name }: MarkdownPage): Html {
  const place = consolePlaces[name];
  if (place === undefined) return markup``;
  const address = `/console/?to=${encodeURIComponent(place)}`;
  return markup`<p class="console"><a href="${address}">Open in the console</a></p>\n`;
}

function sectionList({ sections }: MarkdownPage): Html {
  if (sections.length < sectionsListed) return markup``;
  const items = sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`);
  return markup`<nav class="here" aria-label="On this page"><ul>${items}</ul></nav>\n`;
}

function pageList(current: MarkdownPage, pages: MarkdownPage[]): Html {
  const byName = new Map(pages.map((page) => [page.name, page]));
  const groups = contents.map(({ title, pages: names }) => {
    const items = names.map((name) => {
      const page = byName.get(name);
      return (
        page && markup`<li${isInner(page) && markup` class="inner"`}>${linkTo(page, page === current)}</li>`
      );
    });
    return markup`<h2>${title}</h2><ul>${items}</ul>`;
  });
  return markup`<nav class="pages" id="pages" tabindex="-1" aria-label="All pages">${groups}</nav>`;
}

function isInner({ name }: MarkdownPage): boolean {
  return name.startsWith('blocks/');
}

function linkTo({ name, title }: MarkdownPage, current = false): Html {
  const address = name === home ? '/docs' : toPagePath(name);
  return markup`<a href="${address}"${current && markup` aria-current="page"`}>${title}</a>`;
}
