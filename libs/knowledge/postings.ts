import { placeOf, segmentOf, segmentSize } from './segments.ts';

/** A chunk of a base. */
export interface Place {
  document: string;
  generation: number;
  index: number;
}

/** In which chunks of a segment a word is: a bit for each, 1 where it is, the first chunk at the highest bit. */
export interface Line {
  document: string;
  generation: number;
  segment: number;
  bits: Uint8Array;
}

interface Segment extends Omit<Line, 'bits'> {
  bits: Map<string, Uint8Array>;
  /** Of each chunk; 0 of those that have no word. */
  shares: Float64Array;
  /** The most of them. */
  most: number;
}

const steps = 1000;

/** Which chunks of a base have which words of a question, and how much of the question that is: every chunk without reading any. */
export class Postings {
  private readonly segments = new Map<string, Segment>();
  /** How many chunks have a share of so many thousandths. */
  private readonly counts = new Uint32Array(steps + 1);

  /** `weights` say what share of the question each word is; more than 1 together is 1. */
  constructor(lines: ReadonlyMap<string, Iterable<Line>>, weights: ReadonlyMap<string, number>) {
    for (const [word, of] of lines) for (const line of of) this.add(word, line, weights.get(word) ?? 0);
    for (const segment of this.segments.values()) this.count(segment);
  }

  has({ document, index }: Place, word: string): boolean {
    const bits = this.segments.get(keyOf(document, segmentOf(index)))?.bits.get(word);
    const place = placeOf(index);
    return (((bits?.[place >> 3] ?? 0) << (place & 7)) & 0x80) !== 0;
  }

  /** How much of the question a chunk has. */
  share({ document, index }: Place): number {
    return this.segments.get(keyOf(document, segmentOf(index)))?.shares[placeOf(index)] ?? 0;
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

  /** The chunks with at least the share; none that has no word. */
  *from(least: number): Generator<Place> {
    for (const { document, generation, segment, shares, most } of this.segments.values()) {
      if (most < least) continue;
      for (let place = 0; place < segmentSize; place++) {
        const share = shares[place] ?? 0;
        if (share > 0 && share >= least) yield { document, generation, index: segment * segmentSize + place };
      }
    }
  }

  private add(word: string, { document, generation, segment, bits }: Line, weight: number): void {
    const key = keyOf(document, segment);
    let of = this.segments.get(key);
    if (!of) {
      const shares = new Float64Array(segmentSize);
      of = { document, generation, segment, bits: new Map(), shares, most: 0 };
      this.segments.set(key, of);
    }
    of.bits.set(word, bits);
    const { shares } = of;
    for (let byte = 0; byte < bits.length; byte++)
      for (let left = bits[byte] ?? 0; left !== 0;) {
        const first = Math.clz32(left) - 24;
        const share = (shares[byte * 8 + first] ?? 0) + weight;
        shares[byte * 8 + first] = share > 1 ? 1 : share;
        left &= 0x7f >> first;
      }
  }

  private count(segment: Segment): void {
    const { shares } = segment;
    let { most } = segment;
    // By index: there are 100,000 of them, and an iterator takes four times as long.
    for (let place = 0; place < shares.length; place++) {
      const share = shares[place] ?? 0;
      if (share === 0) continue;
      if (share > most) most = share;
      this.counts[stepOf(share)] = (this.counts[stepOf(share)] ?? 0) + 1;
    }
    segment.most = most;
  }
}

/** The lines of a word, as `postingsOf` gives them: one after the other, each with its document, generation, segment and bits. */
export function* linesIn(bytes: Buffer): Generator<Line> {
  for (let at = 0; at < bytes.length;) {
    const begin = at + 20;
    const length = Math.ceil(bytes.readInt32BE(at + 16) / 8);
    yield {
      document: String(bytes.readBigInt64BE(at)),
      generation: bytes.readInt32BE(at + 8),
      segment: bytes.readInt32BE(at + 12),
      bits: bytes.subarray(begin, begin + length),
    };
    at = begin + length;
  }
}

/** Rounded down, so that who has a share is counted with all who have a lower one of the same step. */
function stepOf(share: number): number {
  return Math.min(steps, Math.floor(share * steps));
}

function keyOf(document: string, segment: number): string {
  return `${document} ${segment}`;
}
