import { markup, type Html } from './html.ts';
import { inline } from './markdown-inline.ts';

const depthMax = 6;
const fenceStart = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}#{1,6}[ \t]+(.*)$/;
const bullet = /^ {0,3}(?:([-*+])|(\d{1,9})[.)])[ \t]+(?=\S)/;

/**
 * Markdown as far as a question needs it: paragraphs, line breaks, headings, lists, code, emphasis and links. All else,
 * HTML first of all, is text. Every line is read once for each level of lists, of which there are six.
 */
export function markdown(text: string): Html {
  return markup`${blocksOf(text.replaceAll(/\r\n?/g, '\n').split('\n'), 0)}`;
}

function blocksOf(lines: string[], depth: number): Html[] {
  const blocks: Html[] = [];
  let paragraph: string[] = [];
  const close = () => {
    if (paragraph.length > 0) blocks.push(markup`<p dir="auto">${inline(paragraph.join('\n'))}</p>`);
    paragraph = [];
  };
  for (let i = 0; i < lines.length;) {
    const taken = blockAt(lines, i, depth);
    if (taken) {
      close();
      blocks.push(taken.html);
      i = taken.next;
      continue;
    }
    const line = lines[i] ?? '';
    if (line.trim() === '') close();
    else paragraph.push(line.trim());
    i += 1;
  }
  close();
  return blocks;
}

interface Taken {
  html: Html;
  /** The line after it. */
  next: number;
}

function blockAt(lines: string[], from: number, depth: number): Taken | undefined {
  const line = lines[from] ?? '';
  const fence = fenceStart.exec(line)?.[1];
  if (fence) return codeAt(lines, from, fence);
  const title = heading.exec(line)?.[1];
  // One level for all: whoever wrote it does not know which headings stand around it.
  if (title) return { html: markup`<h2 dir="auto">${inline(title.trim())}</h2>`, next: from + 1 };
  return depth < depthMax && bullet.test(line) ? listAt(lines, from, depth) : undefined;
}

/** Code up to its fence, or to the end when there is none. */
function codeAt(lines: string[], from: number, fence: string): Taken {
  let last = from + 1;
  for (; last < lines.length; last++) if (lines[last]?.trim().startsWith(fence)) break;
  const code = lines.slice(from + 1, last).join('\n');
  const html = markup`<pre class="wide" dir="ltr" tabindex="0" role="group" aria-label="Code"><code>${code}</code></pre>`;
  return { html, next: last + 1 };
}

/** Items of one kind, each with the lines that are indented below it. */
function listAt(lines: string[], from: number, depth: number): Taken {
  const number = bullet.exec(lines[from] ?? '')?.[2];
  const items: Html[] = [];
  let i = from;
  while (i < lines.length) {
    const start = bullet.exec(lines[i] ?? '');
    if (!start || (start[2] === undefined) !== (number === undefined)) break;
    const item = itemAt(lines, i, start[0].length);
    items.push(markup`<li dir="auto">${blocksOf(item.lines, depth + 1)}</li>`);
    i = item.next;
  }
  const html =
    number === undefined
      ? markup`<ul>${items}</ul>`
      : markup`<ol${Number(number) !== 1 && markup` start="${Number(number)}"`}>${items}</ol>`;
  return { html, next: i };
}

function itemAt(lines: string[], from: number, indent: number): { lines: string[]; next: number } {
  const item = [(lines[from] ?? '').slice(indent)];
  let next = from + 1;
  for (; next < lines.length; next++) {
    const line = lines[next] ?? '';
    const blank = line.trim() === '';
    const goesOn = blank ? /^ {2}/.test(lines[next + 1] ?? '') : /^ {2}/.test(line) || isLazy(lines, next);
    if (!goesOn) break;
    item.push(line.slice(Math.min(indent, line.length - line.trimStart().length)));
  }
  // Blank lines between two items do not end the list.
  let following = next;
  while (lines[following]?.trim() === '') following += 1;
  return { lines: item, next: bullet.test(lines[following] ?? '') ? following : next };
}

/** A line that is not indented but goes on with the sentence of the item above it. */
function isLazy(lines: string[], i: number): boolean {
  const [before = '', line = ''] = [lines[i - 1], lines[i]];
  return before.trim() !== '' && !bullet.test(line) && !fenceStart.test(line) && !heading.test(line);
}
