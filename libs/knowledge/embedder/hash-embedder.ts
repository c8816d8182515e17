import type { Embeddable, Embedder } from './embedder.ts';

const dimension = 384;

/** Vectors of hashed words: the same on every machine, at once, and without any meaning. For unit tests alone. */
export class HashEmbedder implements Embedder {
  readonly model = 'hash-384';
  readonly dimension = dimension;

  countTokens(text: string): number {
    return wordsOf(text).length;
  }

  windows({ content, headingPath }: Embeddable): string[] {
    return [[...headingPath, content].join('\n')];
  }

  async embedDocuments(texts: string[], signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    return texts.map(vectorOf);
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    signal?.throwIfAborted();
    return vectorOf(text);
  }

  async close(): Promise<void> {}
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(dimension);
  for (const word of wordsOf(text.toLowerCase())) {
    const hash = hashOf(word);
    const place = hash % dimension;
    vector[place] = (vector[place] ?? 0) + (hash & 0x10000 ? 1 : -1);
  }
  const length = Math.hypot(...vector);
  // A text without words points somewhere too: a vector without a direction has no cosine.
  if (length === 0) vector[0] = 1;
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** FNV-1a. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}
