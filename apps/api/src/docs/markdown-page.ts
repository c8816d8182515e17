import { posix } from 'node:path';
import MarkdownIt from 'markdown-it';
import { markup, type Html } from '../http/html.ts';
import { highlighted } from './highlight.ts';

/** A page from its Markdown, without the frame around it. */
export interface MarkdownPage {
  name: string;
  /** Its one heading of the first level. */
  title: string;
  /** Its headings of the second level, for the list at the top. */
  sections: { id: string; title: string }[];
  html: string;
}

interface Env {
  name: string;
}

const inlineText = /[`*_]|\[|\]\([^()[\]]*\)/g;

/** The path of a page of `apps/docs/pages`, or of a picture beside them. */
export function toPagePath(name: string): string {
  return `/docs/${name}`;
}

/** The fragment of a heading, after `#`. Code hosts make the same fragment, so a link works there too. */
export function toSlug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** The target of a page's link on the site. Pages and pictures have other paths there than in the repository. */
export function resolveLink(name: string, link: string): string {
  if (/^([a-z]+:|\/|#)/.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  const place = posix.join('pages', posix.dirname(name), path);
  const target = place.replace(/^pages\//, '').replace(/\.md$/, '');
  return toPagePath(target) + (anchor === undefined ? '' : `#${anchor}`);
}

/** Renders one page. HTML in the Markdown becomes text. */
export function renderPage(name: string, source: string): MarkdownPage {
  const env: Env = { name };
  const tokens = markdown.parse(source, env);
  const headings = tokens.flatMap((token, i) =>
    token.type === 'heading_open' ? [{ tag: token.tag, title: plain(tokens[i + 1]?.content ?? '') }] : [],
  );
  const sections = headings.filter(({ tag }) => tag === 'h2');
  return {
    name,
    title: headings.find(({ tag }) => tag === 'h1')?.title ?? name,
    sections: sections.map(({ title }) => ({ id: toSlug(title), title })),
    html: markdown.renderer.render(tokens, markdown.options, env),
  };
}

const markdown = new MarkdownIt({ html: false });
const { rules } = markdown.renderer;

rules.heading_open = (tokens, i) => {
  const { tag } = tokens[i] ?? { tag: 'h2' };
  const title = plain(tokens[i + 1]?.content ?? '');
  return tag === 'h1' ? '<h1>' : `<${tag} id="${toSlug(title)}">`;
};
rules.heading_close = (tokens, i) => {
  const { tag } = tokens[i] ?? { tag: 'h2' };
  if (tag === 'h1') return '</h1>\n';
  const title = plain(tokens[i - 1]?.content ?? '');
  const anchor = markup` <a class="anchor" href="#${toSlug(title)}" aria-label="Link to ${title}">#</a>`;
  return `${anchor.text}</${tag}>\n`;
};
rules.table_open = () => '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>';
rules.table_close = () => '</table></div>';
rules.fence = (tokens, i) => {
  const { content = '', info = '' } = tokens[i] ?? {};
  const [language = '', ...reason] = info.split(' ');
  const isOutput = language === 'text' && tokens[i - 1]?.info === 'sh';
  const code = codeBox(highlighted(content, language), isOutput);
  if (reason.length === 0) return code.text;
  return markup`<figure>${code}<figcaption>No test runs this: ${reason.join(' ')}.</figcaption></figure>`
    .text;
};
rules.link_open = (tokens, i, options, env: Env, self) => {
  tokens[i]?.attrSet('href', resolveLink(env.name, tokens[i]?.attrGet('href') ?? ''));
  return self.renderToken(tokens, i, options);
};
const image = rules.image;
rules.image = (tokens, i, options, env: Env, self) => {
  const address = resolveLink(env.name, tokens[i]?.attrGet('src') ?? '');
  tokens[i]?.attrSet('src', address);
  const tag = image?.(tokens, i, options, env, self) ?? '';
  // A drawing keeps its size on a phone, where it scrolls. Smaller, nobody could read its words.
  return address.endsWith('.svg')
    ? `<span class="wide" tabindex="0" role="group" aria-label="Drawing">${tag}</span>`
    : tag;
};

function codeBox(content: Html | string, isOutput: boolean): Html {
  const [label, kind] = isOutput ? ['Output', 'wide output'] : ['Code', 'wide'];
  return markup`<pre class="${kind}" tabindex="0" role="group" aria-label="${label}"><code>${content}</code></pre>`;
}

/** A heading without markup. */
function plain(inline: string): string {
  return inline.replaceAll(inlineText, '');
}
