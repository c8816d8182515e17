import type { ParsedDocument } from '../parsing/parsed-document.ts';
import { splitAtoms, type Atom, type CountTokens } from './atoms.ts';
import { splitSections } from './sections.ts';
import { trimmed, type TextSpan } from './spans.ts';

/** A piece of a document: `text.slice(start, end) === content`. */
export interface Chunk {
  index: number;
  start: number;
  end: number;
  content: string;
  tokenCount: number;
  /** The titles above the chunk, from the highest down. They are no part of the content. */
  headingPath: string[];
}

export interface ChunkingConfig {
  /** The maximum number of tokens of a chunk, with the overlap. */
  maxSize: number;
  /** The minimum number of characters. A smaller piece joins its neighbour when `maxSize` allows it. */
  minSize: number;
  /** The maximum number of tokens that a chunk repeats from the chunk before it, as whole sentences. */
  overlap: number;
}

/**
 * Cuts a text into chunks, in the order of the text. It cuts at headings, else at blank lines, else between sentences. It cuts inside of a
 * sentence or a word only when the sentence or the word is too large for a chunk. At least one chunk contains each character that is not
 * white space.
 */
export function chunkText(
  { text, headings }: Pick<ParsedDocument, 'text' | 'headings'>,
  config: ChunkingConfig,
  countTokens: CountTokens,
): Chunk[] {
  const chunks: Chunk[] = [];
  for (const section of splitSections(text, headings, config.minSize)) {
    const atoms = splitAtoms(text, section, config.maxSize, countTokens);
    for (const { start, end } of new Packing(text, atoms, config, countTokens).spans()) {
      const content = text.slice(start, end);
      const { headingPath } = section;
      chunks.push({
        index: chunks.length,
        start,
        end,
        content,
        tokenCount: countTokens(content),
        headingPath,
      });
    }
  }
  return chunks;
}

/** The atoms of a chunk, from `from` and before `to`. The atoms before `fresh` are its overlap with the chunk before. */
interface Pack {
  from: number;
  fresh: number;
  to: number;
}

/** Puts the atoms of one section into chunks. */
class Packing {
  /** The number of tokens before each atom. Joined atoms may have a slightly different count, so each chunk is also counted as a whole. */
  private readonly before: number[] = [0];

  constructor(
    private readonly text: string,
    private readonly atoms: Atom[],
    private readonly config: ChunkingConfig,
    private readonly countTokens: CountTokens,
  ) {
    let sum = 0;
    for (const { tokens } of atoms) this.before.push((sum += tokens));
  }

  spans(): TextSpan[] {
    const packs: Pack[] = [];
    for (let fresh = 0; fresh < this.atoms.length; fresh = packs.at(-1)?.to ?? 0)
      packs.push(this.next(fresh));
    this.evenOut(packs);
    return packs.map((pack) => this.span(pack.from, pack.to));
  }

  private next(fresh: number): Pack {
    let from = this.overlapBefore(fresh);
    while (from < fresh && !this.fits(from, fresh + 1)) from++;
    let to = fresh + 1;
    while (to < this.atoms.length && this.sum(from, to + 1) <= this.config.maxSize) to++;
    while (to > fresh + 1 && !this.fits(from, to)) to--;
    return { from, fresh, to: to < this.atoms.length ? this.bestBreak(from, fresh, to) : to };
  }

  /** The first atom of the overlap before `fresh`. It begins a sentence, and the overlap has at most `overlap` tokens. */
  private overlapBefore(fresh: number): number {
    let from = fresh;
    while (from > 0 && this.sum(from - 1, fresh) <= this.config.overlap) from--;
    while (from < fresh && !this.atoms[from]?.whole) from++;
    return from;
  }

  /** The best place to end a full chunk: the last of the strongest breaks in its second half. */
  private bestBreak(from: number, fresh: number, to: number): number {
    let best = to;
    for (let end = to - 1; end > fresh && this.sum(from, end) * 2 >= this.config.maxSize; end--)
      if (this.strength(end) > this.strength(best)) best = end;
    return best;
  }

  private strength(end: number): number {
    return this.atoms[end - 1]?.strength ?? 0;
  }

  /** Enlarges a last chunk that is too small. It takes atoms from the chunk before it, or both become one chunk. */
  private evenOut(packs: Pack[]): void {
    const last = packs.at(-1);
    const before = packs.at(-2);
    if (!last || !before || !this.isSmall(last)) return;
    if (this.fits(before.from, last.to)) {
      before.to = last.to;
      packs.pop();
      return;
    }
    while (this.isSmall(last) && before.to - before.fresh > 1 && this.fits(last.fresh - 1, last.to)) {
      const given = { ...before, to: before.to - 1 };
      if (this.isSmall(given)) return;
      before.to = given.to;
      last.fresh--;
      last.from = Math.min(last.from, last.fresh);
    }
  }

  private isSmall({ from, to }: Pack): boolean {
    const { start, end } = this.span(from, to);
    return end - start < this.config.minSize;
  }

  private sum(from: number, to: number): number {
    return (this.before[to] ?? 0) - (this.before[from] ?? 0);
  }

  private fits(from: number, to: number): boolean {
    const { start, end } = this.span(from, to);
    return this.countTokens(this.text.slice(start, end)) <= this.config.maxSize;
  }

  private span(from: number, to: number): TextSpan {
    return trimmed(this.text, { start: this.atoms[from]?.start ?? 0, end: this.atoms[to - 1]?.end ?? 0 });
  }
}
