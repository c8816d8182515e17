import type { EmbedderSettings } from '#libs/platform/settings/embedder';
import { type Chunk, chunkText } from '../chunking/chunk-text.ts';
import type { ParsedDocument } from '../parsing/parsed-document.ts';
import type { Embedder } from '../embedder/embedder.ts';
import { openEmbedder } from '../embedder/open-embedder.ts';
import { storedWords } from '../ranking/ranking.ts';
import type { Chunking } from '../bases/base.ts';
import { toOffset, toSegment } from './segments.ts';

export interface CutRequest {
  parsed: Pick<ParsedDocument, 'text' | 'headings'>;
  chunking: Chunking;
  embedder: EmbedderSettings;
}

/** The chunks of a document, and their words. `bits` has a digit for each chunk of the segment: 1 when the chunk has the word, else 0. */
export interface CutDocument {
  chunks: Chunk[];
  words: { word: string; segment: number; bits: string }[];
}

/** Kept for the life of the thread, because reading the vocabulary takes longer than cutting a short text. It only counts tokens here. */
let opened: Promise<Embedder> | null = null;

/** Cuts a document into chunks. Runs in a thread, because counting the tokens of a long text takes seconds. */
export default async function cut({ parsed, chunking, embedder }: CutRequest): Promise<CutDocument> {
  opened ??= openEmbedder(embedder);
  const counter = await opened.catch((error: unknown) => {
    opened = null;
    throw error;
  });
  const chunks = chunkText(parsed, chunking, (text) => counter.countTokens(text));
  return { chunks, words: countWords(chunks) };
}

/** The words, sorted. All writers of a base lock the rows of words in this order, so they cannot deadlock. */
function countWords(chunks: readonly Chunk[]): CutDocument['words'] {
  const bySegment = new Map<number, Map<string, number[]>>();
  for (const { index, content, headingPath } of chunks) {
    const segment = toSegment(index);
    const byWord = bySegment.get(segment) ?? new Map<string, number[]>();
    bySegment.set(segment, byWord);
    for (const word of storedWords([...headingPath, content].join('\n'))) {
      const known = byWord.get(word);
      if (known) known.push(toOffset(index));
      else byWord.set(word, [toOffset(index)]);
    }
  }
  const words = [...bySegment].flatMap(([segment, byWord]) =>
    [...byWord].map(([word, places]) => ({ word, segment, bits: toBits(places) })),
  );
  return words.toSorted((a, b) => (a.word < b.word ? -1 : 1));
}

/** The bits up to the last place, as text. `places` must ascend. */
function toBits(places: readonly number[]): string {
  const bits = Array.from({ length: (places.at(-1) ?? 0) + 1 }, () => '0');
  for (const place of places) bits[place] = '1';
  return bits.join('');
}
