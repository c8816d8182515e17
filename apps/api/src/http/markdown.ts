import MarkdownIt, { type StateCore, type Token } from 'markdown-it';
import { parseLink, anchor, leadsTo } from './anchor.ts';
import { Html, markup } from './html.ts';

/**
 * A longer text is shown without rendering, so that one message cannot block the process (50,000 characters take 0.1
 * s).
 */
const charsMax = 50_000;

/**
 * Renders the Markdown that a question needs: paragraphs, line breaks, headings, lists, code, emphasis and links.
 * Everything else stays text, also HTML and a message of more than 50,000 characters.
 */
export function markdown(text: string): Html {
  if (text.length > charsMax) return markup`<p class="text" dir="auto">${text}</p>`;
  return new Html(reader.render(text));
}

const reader = new MarkdownIt('zero', { breaks: true, linkify: true });
reader.enable(['heading', 'list', 'fence', 'newline', 'escape', 'backticks', 'emphasis', 'link', 'linkify']);
reader.linkify
  .set({ fuzzyLink: false, fuzzyEmail: false })
  .add('ftp:', null)
  .add('mailto:', null)
  .add('//', null);
// The library's pattern takes quadratic time in the number of open brackets.
reader.linkify.add('http:', { validate: (text, from) => bareAddressFrom(text, from).length });
// The library must not change URLs: the URL that `parseLink` checks is the one in the page.
reader.normalizeLink = (text) => text;
reader.normalizeLinkText = (text) => text;
reader.validateLink = (text) => parseLink(text) !== undefined;

/**
 * Allows `**` within a word, because not every script has spaces. Does not allow `*` there, which is also a sign of
 * arithmetic.
 */
reader.inline.State = class extends reader.inline.State {
  override scanDelims(start: number, canSplitWord: boolean) {
    const scanned = super.scanDelims(start, false);
    if (!canSplitWord || scanned.length < 2) return scanned;
    const [before = ' ', after = ' '] = [this.src[start - 1], this.src[start + scanned.length]];
    return { ...scanned, can_open: /\S/.test(after), can_close: /\S/.test(before) };
  }
};

/** The markup of every kind of token that a page may contain. */
reader.renderer.rules = {
  text: (tokens, i) => markup`${toContent(tokens, i)}`.text,
  softbreak: () => '<br>',
  hardbreak: () => '<br>',
  code_inline: (tokens, i) => markup`<code>${toContent(tokens, i)}</code>`.text,
  em_open: () => '<em>',
  em_close: () => '</em>',
  strong_open: () => '<strong>',
  strong_close: () => '</strong>',
  link: (tokens, i) => toContent(tokens, i),
  paragraph_open: () => '<p dir="auto">',
  paragraph_close: () => '</p>',
  // All headings get one level, because the author does not know the headings around the message.
  heading_open: () => '<h2 dir="auto">',
  heading_close: () => '</h2>',
  bullet_list_open: () => '<ul>',
  bullet_list_close: () => '</ul>',
  ordered_list_open: (tokens, i) => {
    const start = tokens[i]?.attrGet('start') ?? undefined;
    return markup`<ol${start !== undefined && markup` start="${start}"`}>`.text;
  },
  ordered_list_close: () => '</ol>',
  list_item_open: () => '<li dir="auto">',
  list_item_close: () => '</li>',
  fence: (tokens, i) =>
    markup`<pre class="wide" dir="ltr" tabindex="0" role="group" aria-label="Code"><code>${toContent(tokens, i).replace(/\n$/, '')}</code></pre>`
      .text,
};

reader.core.ruler.push('links', (state) => {
  for (const token of state.tokens) token.children = token.children && linked(token.children, state);
});

/** Replaces the tokens of each link by one token with its markup. The parser never nests links. */
function linked(tokens: Token[], state: StateCore): Token[] {
  const out: Token[] = [];
  let inside: Token[] | null = null;
  for (const token of tokens) {
    if (token.type === 'link_open') inside = [token];
    else if (token.type === 'link_close' && inside) {
      const link = new state.Token('link', 'a', 0);
      link.content = renderLink(inside).text;
      out.push(link);
      inside = null;
    } else (inside ?? out).push(token);
  }
  return out;
}

/** Renders a link and shows its host, unless the text of the link is its URL. */
function renderLink([start, ...inside]: Token[]): Html {
  const address = start?.attrGet('href') ?? '';
  const url = parseLink(address);
  if (url && start?.info === 'auto') return anchor(url, markup`<bdi>${address}</bdi>`);
  const words = new Html(reader.renderer.render(inside, reader.options, {}));
  // The parser accepts an empty URL without calling `validateLink`.
  if (!url) return markup`[${words}]()`;
  const shown = inside
    .map(({ content }) => content)
    .join('')
    .trim();
  const where = shown !== address && markup` <span class="host">(${leadsTo(url)})</span>`;
  return markup`${anchor(url, shown === '' ? leadsTo(url) : words)}${where}`;
}

/** The rest of a bare URL after `http:` or `https:`, without the punctuation that ends the sentence. */
function bareAddressFrom(text: string, from: number): string {
  const bare = /\/\/[^\s<>"`()[\]*]*[^\s<>"`()[\]*.,;:!?']/y;
  bare.lastIndex = from;
  return bare.exec(text)?.[0] ?? '';
}

function toContent(tokens: Token[], i: number): string {
  return tokens[i]?.content ?? '';
}
