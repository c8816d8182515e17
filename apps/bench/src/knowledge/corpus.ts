import { readdirSync, readFileSync } from 'node:fs';
import type { Embedder } from '#libs/knowledge/embedder/embedder';
import { indexedWords, rarity, score } from '#libs/knowledge/ranking/ranking';

/** A chunk of the large base. */
export interface Made {
  words: string[];
  vector: Float32Array;
}

export interface Corpus {
  chunks: Made[];
  /** Texts whose vectors are close to those of some chunks. */
  queries: string[];
}

const topics = 300;
/** The distance of a chunk from its topic: the cosine of the two is about 0.8. */
const spread = 0.75;

/**
 * Makes chunks around sentences of the documentation: a vector close to that of the sentence, and its words among
 * others.
 */
export async function buildCorpus(embedder: Embedder, count: number): Promise<Corpus> {
  const next = random(7);
  const sentences = sentencesOf().slice(0, topics);
  const centres = await embedder.embedDocuments(sentences);
  const words = sentences.map(indexedWords);
  const vocabulary = [...new Set(words.flat())];
  const chunks = Array.from({ length: count }, (): Made => {
    const topic = Math.floor(next() * sentences.length);
    const own = (words[topic] ?? []).filter(() => next() < 0.4);
    const others = Array.from(
      { length: 12 },
      () => vocabulary[Math.floor(next() ** 2 * vocabulary.length)] ?? '',
    );
    return {
      words: [...new Set([...own, ...others])],
      vector: near(centres[topic] ?? new Float32Array(), next),
    };
  });
  return { chunks, queries: sentences };
}

/** The best scores, after scoring every chunk. */
export function best({ chunks }: Corpus, query: Float32Array, words: string[], count: number): number[] {
  const having = new Map<string, number>(words.map((word) => [word, 0]));
  for (const chunk of chunks)
    for (const word of chunk.words) if (having.has(word)) having.set(word, (having.get(word) ?? 0) + 1);
  const idf = (word: string) => rarity(chunks.length, having.get(word) ?? 0);
  const scores = Float64Array.from(chunks, (chunk) => {
    let cosine = 0;
    for (let i = 0; i < query.length; i++) cosine += (query[i] ?? 0) * (chunk.vector[i] ?? 0);
    return score(cosine, words, (word) => chunk.words.includes(word), idf, chunk.words.length);
  });
  return [...scores.toSorted().subarray(-count)].toReversed();
}

function near(centre: Float32Array, next: () => number): Float32Array {
  const noise = Float32Array.from(centre, () => next() + next() + next() - 1.5);
  const length = Math.hypot(...noise) / spread;
  const vector = centre.map((value, i) => value + (noise[i] ?? 0) / length);
  const whole = Math.hypot(...vector);
  return vector.map((value) => value / whole);
}

function sentencesOf(): string[] {
  return readdirSync('apps/docs/pages')
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => readFileSync(`apps/docs/pages/${name}`, 'utf8').split('\n'))
    .filter((line) => /^[A-Z][^|`]{60,}/.test(line))
    .map((line) => line.slice(0, 200));
}

/** Numbers that look random and are the same in every run. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
