import { toOffset, toSegment, segmentSize } from '../ingestion/segments.ts';

/** A chunk of a base. */
export interface PostedChunk {
  document: string;
  generation: number;
  index: number;
}

/** A segment of a document. The shares of its chunks lie in `shares` from `begin` to `end`. Chunks after the last one with a word have none. */
interface Segment {
  number: number;
  document: number;
  generation: number;
  segment: number;
  begin: number;
  end: number;
}

/** The chunks of a segment that have a word, as bits from the byte `begin` on. The highest bit stands for the first chunk. */
interface PostingLine {
  of: Segment;
  begin: number;
}

/** The bytes of all lines of a word. `begins` has the `begin` of the line of each segment, or 0 for a segment without a line. */
interface Word {
  bytes: Buffer;
  begins: Int32Array;
}

const steps = 1000;
/** The byte offsets in the head of a line, as `postingsOf` writes it: document, generation, segment, number of bits. `bytes` is its length. */
const head = { document: 0, generation: 8, segment: 12, bits: 16, bytes: 20 };
/** A bound above the number of segments of any document. */
const segmentsMax = 1024;

/**
 * Knows which chunks of a base have which words of a question, and the share of the question that each chunk has. It reads no chunk.
 * All shares lie in a single array without gaps. In a base with many short documents most segments have a single chunk.
 */
export class Postings {
  private readonly segments: Segment[] = [];
  private readonly byKey = new Map<number, Segment>();
  private readonly words = new Map<string, Word>();
  /** The share of each chunk: 0 for a chunk without a word. It may exceed 1 when the weights together exceed 1. */
  private readonly shares: Float64Array;
  /** The number of chunks by their share in thousandths. Shares below one are not counted. */
  private readonly counts = new Uint32Array(steps + 1);

  /** `found` has the bytes of `postingsOf` for each word. `weights` has the share of the question for each word. `share` returns at most 1. */
  constructor(found: ReadonlyMap<string, Buffer>, weights: ReadonlyMap<string, number>) {
    const lines = new Map([...found].map(([word, bytes]) => [word, this.linesIn(bytes)]));
    let end = 0;
    for (const segment of this.segments) {
      segment.begin = end;
      segment.end += end;
      end = segment.end;
    }
    this.shares = new Float64Array(end);
    for (const [word, bytes] of found) {
      const begins = new Int32Array(this.segments.length);
      for (const line of lines.get(word) ?? []) {
        begins[line.of.number] = line.begin;
        this.add(bytes, line, weights.get(word) ?? 0);
      }
      this.words.set(word, { bytes, begins });
    }
    this.count();
  }

  has(place: PostedChunk, word: string): boolean {
    const [of, lines] = [this.segmentAt(place), this.words.get(word)];
    const begin = (of && lines?.begins[of.number]) ?? 0;
    const index = toOffset(place.index);
    if (!lines || begin === 0 || index >= bitsAt(lines.bytes, begin)) return false;
    return (((lines.bytes[begin + (index >> 3)] ?? 0) << (index & 7)) & 0x80) !== 0;
  }

  /** The share of the question that a chunk has, from 0 to 1. */
  share(place: PostedChunk): number {
    const of = this.segmentAt(place);
    if (!of) return 0;
    const at = of.begin + toOffset(place.index);
    return at < of.end ? Math.min(1, this.shares[at] ?? 0) : 0;
  }

  /** The lowest share, in thousandths, that at most `most` chunks reach. */
  computeShare(linesMax: number): number {
    let sum = 0;
    for (let step = steps; step > 0; step--) {
      sum += this.counts[step] ?? 0;
      if (sum > linesMax) return (step + 1) / steps;
    }
    return 0;
  }

  /** The chunks with at least this share. Leaves out chunks without a word. */
  from(least: number): PostedChunk[] {
    const found: PostedChunk[] = [];
    const { shares } = this;
    for (const { document, generation, segment, begin, end } of this.segments)
      for (let at = begin; at < end; at++) {
        const share = shares[at] ?? 0;
        if (share >= least && share > 0)
          found.push({ document: String(document), generation, index: segment * segmentSize + at - begin });
      }
    return found;
  }

  private segmentAt({ document, index }: PostedChunk): Segment | undefined {
    return this.byKey.get(toKey(Number(document), toSegment(index)));
  }

  /** Finds the lines in the bytes of a word. Also registers their segments. */
  private linesIn(bytes: Buffer): PostingLine[] {
    const lines: PostingLine[] = [];
    for (let at = 0; at < bytes.length;) {
      const bits = bytes.readInt32BE(at + head.bits);
      const of = this.parseSegment(bytes, at);
      of.end = Math.max(of.end, bits);
      const begin = at + head.bytes;
      lines.push({ of, begin });
      at = begin + Math.ceil(bits / 8);
    }
    return lines;
  }

  private parseSegment(bytes: Buffer, at: number): Segment {
    // Reads two halves, because a bigint would be an object for each line. The numbers of documents stay below 2^53.
    const document = bytes.readInt32BE(at + head.document) * 2 ** 32 + bytes.readUInt32BE(at + 4);
    const segment = bytes.readInt32BE(at + head.segment);
    const key = toKey(document, segment);
    const known = this.byKey.get(key);
    if (known) return known;
    const generation = bytes.readInt32BE(at + head.generation);
    const made = { number: this.segments.length, document, generation, segment, begin: 0, end: 0 };
    this.segments.push(made);
    this.byKey.set(key, made);
    return made;
  }

  private add(bytes: Buffer, { of, begin }: PostingLine, weight: number): void {
    const { shares } = this;
    const end = begin + Math.ceil(bitsAt(bytes, begin) / 8);
    for (let byte = begin; byte < end; byte++)
      for (let left = bytes[byte] ?? 0; left !== 0;) {
        const first = Math.clz32(left) - 24;
        const at = of.begin + (byte - begin) * 8 + first;
        shares[at] = (shares[at] ?? 0) + weight;
        left &= 0x7f >> first;
      }
  }

  private count(): void {
    const { shares, counts } = this;
    // Counts chunks without a word too. For 100,000 chunks, an unpredictable branch here would take three times as long.
    for (let at = 0; at < shares.length; at++) {
      const share = shares[at] ?? 0;
      // Rounds down, so a chunk counts together with all chunks in the same thousandth.
      const step = share >= 1 ? steps : (share * steps) | 0;
      counts[step] = (counts[step] ?? 0) + 1;
    }
  }
}

function bitsAt(bytes: Buffer, begin: number): number {
  return bytes.readInt32BE(begin - head.bytes + head.bits);
}

function toKey(document: number, segment: number): number {
  return document * segmentsMax + segment;
}
