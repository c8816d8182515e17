import type { EmbedderSettings } from '#libs/platform/settings/embedder';
import { type Chunk, chunkText } from '../chunking/chunk-text.ts';
import type { ParsedDocument } from '../parsing/parsed-document.ts';
import type { Embedder } from '../embedder/embedder.ts';
import { openEmbedder } from '../embedder/open-embedder.ts';
import { storedWords } from '../ranking/ranking.ts';
import type { Chunking } from '../bases/base.ts';
import { placeOf, segmentOf } from './segments.ts';

export interface CutRequest {
  parsed: Pick<ParsedDocument, 'text' | 'headings'>;
  chunking: Chunking;
  embedder: EmbedderSettings;
}

/** The chunks of a document, and in which of them each word is: a digit for each chunk of a segment, 1 where the word is. */
export interface CutDocument {
  chunks: Chunk[];
  words: { word: string; segment: number; bits: string }[];
}

/** Kept while the thread lives: to read the vocabulary takes longer than to cut a short text. Nothing is embedded here. */
let opened: Promise<Embedder> | null = null;

/** Runs in a thread: it counts the tokens of a long text for seconds. */
export default async function cut({ parsed, chunking, embedder }: CutRequest): Promise<CutDocument> {
  opened ??= openEmbedder(embedder);
  const counter = await opened.catch((error: unknown) => {
    opened = null;
    throw error;
  });
  const chunks = chunkText(parsed, chunking, (text) => counter.countTokens(text));
  return { chunks, words: wordsOf(chunks) };
}

/** In the order of the words: writers of one base then do not wait for each other in a ring. */
function wordsOf(chunks: readonly Chunk[]): CutDocument['words'] {
  const bySegment = new Map<number, Map<string, number[]>>();
  for (const { index, content, headingPath } of chunks) {
    const segment = segmentOf(index);
    const byWord = bySegment.get(segment) ?? new Map<string, number[]>();
    bySegment.set(segment, byWord);
    for (const word of storedWords([...headingPath, content].join('\n'))) {
      const known = byWord.get(word);
      if (known) known.push(placeOf(index));
      else byWord.set(word, [placeOf(index)]);
    }
  }
  const words = [...bySegment].flatMap(([segment, byWord]) =>
    [...byWord].map(([word, places]) => ({ word, segment, bits: bitsOf(places) })),
  );
  return words.toSorted((a, b) => (a.word < b.word ? -1 : 1));
}

/** As many digits as the last place needs. */
function bitsOf(places: readonly number[]): string {
  const bits = Array.from({ length: (places.at(-1) ?? 0) + 1 }, () => '0');
  for (const place of places) bits[place] = '1';
  return bits.join('');
}
