import { segmentSize } from './segments.ts';

/** A chunk of a base. */
export interface Place {
  document: string;
  generation: number;
  index: number;
}

/** In which chunks of a segment a word is: a digit for each, 1 where it is. */
export interface Line {
  document: string;
  generation: number;
  segment: number;
  bits: string;
}

interface Segment extends Omit<Line, 'bits'> {
  bits: Map<string, string>;
  /** Of each chunk, as far as there are words. */
  shares: number[];
}

const steps = 1000;

/** Which chunks of a base have which words of a question, and how much of the question that is: every chunk without reading any. */
export class Postings {
  private readonly segments = new Map<string, Segment>();
  /** How many chunks have a share of so many thousandths. */
  private readonly counts = new Uint32Array(steps + 1);

  /** `weights` say what share of the question each word is; more than 1 together is 1. */
  constructor(lines: ReadonlyMap<string, readonly Line[]>, weights: ReadonlyMap<string, number>) {
    for (const [word, of] of lines) for (const line of of) this.add(word, line, weights.get(word) ?? 0);
    for (const { shares } of this.segments.values())
      for (const share of shares)
        if (share > 0) this.counts[stepOf(share)] = (this.counts[stepOf(share)] ?? 0) + 1;
  }

  has({ document, index }: Place, word: string): boolean {
    const segment = this.segments.get(keyOf(document, Math.floor(index / segmentSize)));
    return segment?.bits.get(word)?.charAt(index % segmentSize) === '1';
  }

  /** How much of the question a chunk has. */
  share({ document, index }: Place): number {
    return (
      this.segments.get(keyOf(document, Math.floor(index / segmentSize)))?.shares[index % segmentSize] ?? 0
    );
  }

  /** The least share that not more than `most` chunks have. */
  shareOf(most: number): number {
    let sum = 0;
    for (let step = steps; step > 0; step--) {
      sum += this.counts[step] ?? 0;
      if (sum > most) return (step + 1) / steps;
    }
    return 0;
  }

  /** How many chunks have the share, or somewhat more. */
  countFrom(least: number): number {
    let sum = 0;
    for (let step = stepOf(Math.max(0, least)); step <= steps; step++) sum += this.counts[step] ?? 0;
    return sum;
  }

  /** The chunks with at least the share; none that has no word. */
  *from(least: number): Generator<Place> {
    for (const { document, generation, segment, shares } of this.segments.values())
      for (const [place, share] of shares.entries())
        if (share > 0 && share >= least) yield { document, generation, index: segment * segmentSize + place };
  }

  private add(word: string, { document, generation, segment, bits }: Line, weight: number): void {
    const key = keyOf(document, segment);
    let of = this.segments.get(key);
    if (!of) {
      of = { document, generation, segment, bits: new Map(), shares: [] };
      this.segments.set(key, of);
    }
    of.bits.set(word, bits);
    while (of.shares.length < bits.length) of.shares.push(0);
    for (let at = bits.indexOf('1'); at !== -1; at = bits.indexOf('1', at + 1))
      of.shares[at] = Math.min(1, (of.shares[at] ?? 0) + weight);
  }
}

/** The lines of a word, as `postingsOf` gives them. */
export function linesIn(text: string): Line[] {
  return text.split(',').map((line) => {
    const [document = '', generation, segment, bits = ''] = line.split(' ');
    return { document, generation: Number(generation), segment: Number(segment), bits };
  });
}

/** Rounded down, so that who has a share is counted with all who have a lower one of the same step. */
function stepOf(share: number): number {
  return Math.min(steps, Math.floor(share * steps));
}

function keyOf(document: string, segment: number): string {
  return `${document} ${segment}`;
}
