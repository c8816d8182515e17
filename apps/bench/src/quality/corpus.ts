import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { checkout } from '#apps/local/src/paths';
import { type Chunk, chunkText } from '#libs/knowledge/chunking/chunk-text';
import { parseHere } from '#libs/knowledge/parsing/parse-here';
import type { ParsedDocument } from '#libs/knowledge/parsing/parsed-document';
import type { Embedder } from '#libs/knowledge/embedder/embedder';

/** A file of the corpus: documentation that `npm ci` installs, in the version of the lock file, under its own licence. */
export interface CorpusFile extends ParsedDocument {
  file: string;
  chunks: Chunk[];
}

/** A chunk of any file, with the vectors of its windows. */
export interface CorpusPassage extends Chunk {
  file: string;
  vectors: Float32Array[];
}

/** The defaults of a knowledge base. */
const chunking = { maxSize: 1024, minSize: 100, overlap: 200 };

/** Reads the files that the questions are about, and cuts them as a knowledge base does. */
export async function readCorpus(files: string[], embedder: Embedder): Promise<CorpusFile[]> {
  const sources: CorpusFile[] = [];
  for (const file of files) {
    const path = join(checkout(), 'node_modules', file);
    if (!existsSync(path)) throw new Error(`${file} of the corpus is not installed.`);
    const parsed = await parseHere({ path, filename: basename(file) });
    const chunks = chunkText(parsed, chunking, (text) => embedder.countTokens(text));
    sources.push({ ...parsed, file, chunks });
  }
  return sources;
}

/** Embeds every window of the corpus. */
export async function embedPassages(sources: CorpusFile[], embedder: Embedder): Promise<CorpusPassage[]> {
  const passages = sources.flatMap(({ file, chunks }) => chunks.map((chunk) => ({ ...chunk, file })));
  const windows = passages.map((passage) => embedder.windows(passage));
  const vectors = await embedder.embedDocuments(windows.flat());
  let next = 0;
  return passages.map((passage, at) => {
    const count = windows[at]?.length ?? 0;
    next += count;
    return { ...passage, vectors: vectors.slice(next - count, next) };
  });
}

/** The name and version of each package of the corpus. */
export async function listPackages(files: string[]): Promise<string[]> {
  const names = new Set(files.map((file) => file.split('/', file.startsWith('@') ? 2 : 1).join('/')));
  return Promise.all(
    [...names].map(async (name) => {
      const manifest = join(checkout(), 'node_modules', name, 'package.json');
      const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
      return `${name} ${version}`;
    }),
  );
}
