import { addressOf, anchor, leadsTo } from './anchor.ts';
import { Html, markup } from './html.ts';

/** A back-slashed sign, a run of back-ticks, marks of emphasis, the two ends of a link, a bare address, a line break. */
const marks =
  /\\[!-/:-@[-`{-~]|`+|\*{1,3}|_{1,3}|\[|\]\([^\s()<>"]{1,2000}\)|https?:\/\/[^\s<>"`()[\]*]+|\n/g;
const tags: Record<number, [string, string]> = {
  1: ['<em>', '</em>'],
  2: ['<strong>', '</strong>'],
  3: ['<em><strong>', '</strong></em>'],
};
/** Open marks at the same time: each closing mark looks through all of them. */
const openMax = 50;
const edge = /[\s\p{P}\p{S}]/u;

/** The running text of a paragraph. Reads from left to right once and never back. */
export function inline(text: string): Html {
  return new Inline(text).read();
}

class Inline {
  private readonly out: string[] = [];
  /** Marks that may find their other end, and where they stand in `out`. */
  private open: { mark: string; at: number; pos: number }[] = [];
  /** Bare addresses in `out`, and the text that they are inside of a link. */
  private readonly bare = new Map<number, string>();
  /** Where runs of back-ticks of each length stand, the next one last. */
  private readonly ticks = new Map<number, number[]>();

  constructor(private readonly text: string) {
    for (const { 0: run, index } of [...text.matchAll(/`+/g)].toReversed()) {
      const same = this.ticks.get(run.length);
      if (same) same.push(index);
      else this.ticks.set(run.length, [index]);
    }
  }

  read(): Html {
    let pos = 0;
    const reader = new RegExp(marks);
    for (let found = reader.exec(this.text); found; found = reader.exec(this.text)) {
      this.say(this.text.slice(pos, found.index));
      pos = this.take(found[0], found.index);
      reader.lastIndex = pos;
    }
    this.say(this.text.slice(pos));
    return new Html(this.out.join(''));
  }

  private say(text: string): void {
    if (text !== '') this.out.push(markup`${text}`.text);
  }

  /** Answers where to read on. */
  private take(mark: string, at: number): number {
    const after = at + mark.length;
    if (mark === '\n') this.out.push('<br>');
    else if (mark.startsWith('\\')) this.say(mark.slice(1));
    else if (mark.startsWith('`')) return this.code(mark, after);
    else if (mark.startsWith('h')) return this.address(mark, at);
    else if (mark === '[') this.push(mark, at);
    else if (mark.startsWith(']')) return this.link(mark, at);
    else this.emphasis(mark, at);
    return after;
  }

  private push(mark: string, pos: number): void {
    if (this.open.length === openMax) this.open.shift();
    this.open.push({ mark, at: this.out.length, pos });
    this.say(mark);
  }

  private code(run: string, from: number): number {
    const ends = this.ticks.get(run.length) ?? [];
    while ((ends.at(-1) ?? from) < from) ends.pop();
    const end = ends.at(-1);
    if (end === undefined) {
      this.say(run);
      return from;
    }
    const inside = this.text.slice(from, end).replaceAll('\n', ' ');
    const code = /^ .*\S.* $/.test(inside) ? inside.slice(1, -1) : inside;
    this.out.push(markup`<code>${code}</code>`.text);
    return end + run.length;
  }

  private address(found: string, at: number): number {
    let { length } = found;
    while (length > 0 && '.,;:!?\'"'.includes(found[length - 1] ?? '')) length -= 1;
    const text = found.slice(0, length);
    const url = /\w/.test(this.text[at - 1] ?? '') ? undefined : addressOf(text);
    if (url) {
      this.bare.set(this.out.length, markup`${text}`.text);
      this.out.push(anchor(url, markup`<bdi>${text}</bdi>`).text);
    } else this.say(text);
    return at + Math.max(length, 1);
  }

  /** What a text stands for must be seen: the address beside it, unless it is the address. */
  private link(mark: string, pos: number): number {
    const start = this.open.findLast((one) => one.mark === '[');
    const url = addressOf(mark.slice(2, -1));
    if (!start || !url) {
      this.say(']');
      return pos + 1;
    }
    this.open = this.open.filter((one) => one.at < start.at && one.mark !== '[');
    for (let i = start.at; i < this.out.length; i++) {
      this.out[i] = this.bare.get(i) ?? this.out[i] ?? '';
      this.bare.delete(i);
    }
    const words = new Html(this.out.splice(start.at).slice(1).join(''));
    const shown = this.text.slice(start.pos + 1, pos).trim();
    const where = shown !== mark.slice(2, -1) && markup` <span class="host">(${leadsTo(url)})</span>`;
    this.out.push(markup`${anchor(url, words.text.trim() === '' ? leadsTo(url) : words)}${where}`.text);
    return pos + mark.length;
  }

  /** `**` may stand within a word, because not every script has spaces; the others may not: names hold `_`, sums hold `*`. */
  private emphasis(mark: string, pos: number): void {
    const [before, after] = [this.text[pos - 1] ?? ' ', this.text[pos + mark.length] ?? ' '];
    const inWord = mark.startsWith('**');
    const closes = !/\s/.test(before) && (inWord || edge.test(after));
    const start = closes ? this.open.findLast((one) => one.mark === mark) : undefined;
    const [first, last] = tags[mark.length] ?? ['', ''];
    if (start && start.pos + mark.length < pos) {
      this.open = this.open.filter((one) => one.at < start.at);
      this.out[start.at] = first;
      this.out.push(last);
    } else if (!/\s/.test(after) && (inWord || edge.test(before))) this.push(mark, pos);
    else this.say(mark);
  }
}
