import MarkdownIt from 'markdown-it';

/** A part of a text: a tag with parts inside, or plain text. Pages make elements of it, never markup. */
export interface ProsePart {
  tag: 'p' | 'h3' | 'ul' | 'ol' | 'li' | 'pre' | 'code' | 'em' | 'strong' | 'a' | 'br' | 'text';
  text?: string;
  href?: string;
  parts: ProsePart[];
}

const charsMax = 50_000;
const tags: Record<string, ProsePart['tag']> = {
  paragraph_open: 'p',
  heading_open: 'h3',
  bullet_list_open: 'ul',
  ordered_list_open: 'ol',
  list_item_open: 'li',
  em_open: 'em',
  strong_open: 'strong',
  link_open: 'a',
};

// The answer page reads the same part of Markdown.
const reader = new MarkdownIt('zero', { breaks: true });
reader.enable(['heading', 'list', 'fence', 'newline', 'escape', 'backticks', 'emphasis', 'link']);
reader.normalizeLink = (address) => address;
reader.validateLink = (address) => isAddress(address);

export function readMarkdown(text: string): ProsePart[] {
  if (text.length > charsMax) return [{ tag: 'p', parts: [{ tag: 'text', text, parts: [] }] }];
  return toParts(reader.parse(text, {}));
}

export function isAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:', 'mailto:'].includes(new URL(text).protocol);
}

type Token = ReturnType<MarkdownIt['parse']>[number];

function toParts(tokens: Token[]): ProsePart[] {
  const root: ProsePart = { tag: 'p', parts: [] };
  const open = [root];
  for (const token of tokens) {
    const around = open.at(-1) ?? root;
    const tag = tags[token.type];
    if (tag) {
      const href = token.attrGet('href');
      const part: ProsePart = { tag, parts: [], ...(href === null ? {} : { href }) };
      // A tight list has paragraphs that are not to be seen.
      if (token.hidden) open.push(around);
      else {
        around.parts.push(part);
        open.push(part);
      }
    } else if (token.nesting === -1) open.pop();
    else if (token.type === 'inline') around.parts.push(...toParts(token.children ?? []));
    // The parser leaves empty texts beside marks.
    else if (token.type !== 'text' || token.content !== '') around.parts.push(toLeaf(token));
  }
  return root.parts;
}

function toLeaf({ type, content }: Token): ProsePart {
  if (type === 'softbreak' || type === 'hardbreak') return { tag: 'br', parts: [] };
  if (type === 'fence') return { tag: 'pre', text: content.replace(/\n$/, ''), parts: [] };
  if (type === 'code_inline') return { tag: 'code', text: content, parts: [] };
  return { tag: 'text', text: content, parts: [] };
}
