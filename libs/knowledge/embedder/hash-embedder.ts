import type { Embeddable, Embedder } from './embedder.ts';

const dimension = 384;

/** Computes vectors from hashes of words, for unit tests only. They are fast and the same on every machine, but have no meaning. */
export class HashEmbedder implements Embedder {
  readonly model = 'hash-384';
  readonly dimension = dimension;

  countTokens(text: string): number {
    return splitWords(text).length;
  }

  windows({ content, headingPath }: Embeddable): string[] {
    return [[...headingPath, content].join('\n')];
  }

  async embedDocuments(texts: string[], signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    return texts.map(computeVector);
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    signal?.throwIfAborted();
    return computeVector(text);
  }

  async close(): Promise<void> {}
}

function computeVector(text: string): Float32Array {
  const vector = new Float32Array(dimension);
  for (const word of splitWords(text.toLowerCase())) {
    const hash = computeHash(word);
    const place = hash % dimension;
    vector[place] = (vector[place] ?? 0) + (hash & 0x10000 ? 1 : -1);
  }
  const length = Math.hypot(...vector);
  // A text without words gets a fixed vector, because a vector of length 0 has no cosine.
  if (length === 0) vector[0] = 1;
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** The FNV-1a hash of a word. */
function computeHash(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}
