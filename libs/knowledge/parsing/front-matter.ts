import { cutText } from '#libs/platform/text/whole-text';
import { parse } from 'yaml';

/** The maximum length of a front matter. A longer one is text. */
const lengthMax = 65_536;

/** The mark of the first line with its format: which marks end it, which lines it begins with, and which may follow. */
const formats = [
  {
    opening: /^\uFEFF?(?:[^\S\n]*\n)*---[^\S\n]*\n/,
    closing: /^(?:---|\.\.\.)[^\S\n]*$/m,
    first: /^(?:#|[^\s#-][^\n]*?:(?:\s|$))/,
    line: /^(?:$|\s|#|- |[\]}]|[^\s#-][^\n]*?:(?:\s|$))/,
    title: /^title:([^\n]*(?:\n[^\S\n]+[^\n]*)*)/im,
  },
  {
    opening: /^\uFEFF?(?:[^\S\n]*\n)*\+\+\+[^\S\n]*\n/,
    closing: /^\+\+\+[^\S\n]*$/m,
    first: /^(?:#|\[|[\w."'-]+[^\S\n]*=)/,
    line: /^/,
    title: /^title[^\S\n]*=([^\n]*)/im,
  },
];

/**
 * Divides Markdown into the text of its page and the title of its front matter: lines of YAML or TOML at its beginning. A page that only begins
 * with a rule has none. Without a text below it, the front matter is the text.
 */
export function splitFrontMatter(text: string): { body: string; title?: string } | null {
  const head = cutText(text, lengthMax);
  for (const { opening, closing, first, line, title } of formats) {
    const start = opening.exec(head)?.[0].length;
    if (start === undefined) continue;
    const end = closing.exec(head.slice(start));
    if (!end) return null;
    const data = head.slice(start, start + end.index);
    const lines = data.trimEnd().split('\n');
    if (data !== '' && (!first.test(data) || !lines.every((one) => line.test(one)))) return null;
    const body = text.slice(start + end.index + end[0].length).replace(/^(?:[^\S\n]*\n)+/, '');
    return body.trim() === '' ? null : { body, title: readTitle(title.exec(data)?.[1]) };
  }
  return null;
}

/** The value of a title. One that is no scalar of YAML, such as `Pumps: a guide`, is a title as it is written. */
function readTitle(written = ''): string {
  try {
    const value: unknown = parse(written);
    return typeof value === 'string' ? value : written;
  } catch {
    return written;
  }
}
