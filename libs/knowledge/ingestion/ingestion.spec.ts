import { quickAgain, slowDeletion } from '#libs/platform/database/support/slow-deletion';
import { KnowledgeDocuments } from '../bases/documents.ts';
import { computeDigest } from '#libs/platform/files/files';
import { Ingestion, type ProcessingKey, Superseded } from './ingestion.ts';
import { OrphanedKnowledge } from '../bases/orphans.ts';
import { dimension, givenKnowledge, type GivenKnowledge, ours } from '../support/store.ts';

let given: GivenKnowledge;
let ingestion: Ingestion;
let documents: KnowledgeDocuments;
beforeAll(async () => {
  given = await givenKnowledge();
  ingestion = given.app.get(Ingestion);
  documents = given.app.get(KnowledgeDocuments);
});
afterAll(() => given.stop());

let made = 0;
async function givenProcessing() {
  const base = await given.bases.create(ours, { name: `base ${made++}` });
  const content = Buffer.from(`text ${made}`);
  const file = {
    content,
    filename: 'a.txt',
    mimeType: 'text/plain',
    size: content.length,
    sha256: computeDigest(content),
  };
  const place = { workspaceId: ours, baseId: base.id };
  const { added } = await documents.add(place, [{ source: { file } }], 'usr_a');
  const documentId = added[0]?.document.id ?? '';
  const key: ProcessingKey = { workspaceId: ours, documentId, revision: 1 };
  return { place: { ...place, documentId }, key };
}

const chunk = (index: number, content: string) => ({
  index,
  start: index * 10,
  end: index * 10 + content.length,
  content,
  tokenCount: 2,
  headingPath: [],
});
const cut = {
  chunks: [chunk(0, 'red bees'), chunk(1, 'red ants')],
  words: [
    { word: 'ants', segment: 0, bits: '01' },
    { word: 'bees', segment: 0, bits: '1' },
    { word: 'red', segment: 0, bits: '11' },
  ],
};
const parsed = { mediaType: 'text/plain', confidence: 1, warnings: [] };
const vector = Float32Array.from({ length: dimension }, (_, i) => (i === 0 ? 1 : 0));
const about = { dimension, cost: 0 };

async function processed(key: ProcessingKey): Promise<void> {
  const processing = await ingestion.beginProcessing(key);
  await ingestion.keepChunks(processing, cut, parsed);
  const both = [0, 1].map((n) => ({ n, vectors: [vector] }));
  await ingestion.keepVectors(processing, { done: 0, total: 2 }, both, about);
  await ingestion.showProgress(key, 20);
}

const countsOf = async () => {
  const { rows } = await given.owner.query(
    'select word, chunks::int from knowledge_words where chunks > 0 order by word',
  );
  return rows.map(({ word, chunks }) => `${word} ${chunks}`);
};

test('an ingestion counts the attempts that did not end normally, until an attempt makes progress', async () => {
  const { key } = await givenProcessing();
  for (const expected of [1, 2, 3]) expect((await ingestion.beginProcessing(key)).tries).toBe(expected);
  await ingestion.endedInOrder(key);
  const processing = await ingestion.beginProcessing(key);
  expect(processing.tries).toBe(3);
  await ingestion.keepChunks(processing, cut, parsed);
  await ingestion.keepVectors(processing, { done: 0, total: 2 }, [{ n: 0, vectors: [vector] }], about);
  expect((await ingestion.beginProcessing(key)).tries).toBe(1);
});

test('an ingestion repeats any step without a second chunk, vector or count', async () => {
  const { key, place } = await givenProcessing();
  const processing = await ingestion.beginProcessing(key);
  await ingestion.keepChunks(processing, cut, parsed);
  await ingestion.keepVectors(processing, { done: 0, total: 2 }, [{ n: 0, vectors: [vector] }], about);
  const before = await countsOf();
  await ingestion.keepChunks(processing, cut, parsed);
  expect([await countsOf(), await ingestion.progress(key)]).toEqual([before, { done: 0, total: 2 }]);
  await expect(
    ingestion.keepVectors(processing, { done: 1, total: 2 }, [{ n: 1, vectors: [vector] }], about),
  ).rejects.toThrow('elsewhere');
  await processed(key);
  expect((await documents.get(place)).document).toMatchObject({
    status: 'completed',
    chunkCount: 2,
    tokenCount: 4,
  });
  await expect(ingestion.showProgress(key, 20)).rejects.toBeInstanceOf(Superseded);
});

test('an ingestion writes nothing for a document that was deleted or must be processed again', async () => {
  const gone = await givenProcessing();
  const processing = await ingestion.beginProcessing(gone.key);
  await documents.delete(gone.place);
  await expect(ingestion.keepChunks(processing, cut, parsed)).rejects.toBeInstanceOf(Superseded);
  await expect(ingestion.beginProcessing(gone.key)).rejects.toBeInstanceOf(Superseded);
  const anew = await givenProcessing();
  await processed(anew.key);
  await given.bases.update(ours, anew.place.baseId, { chunking: { maxSize: 500 } }, 'usr_b');
  await expect(ingestion.showProgress(anew.key, 20)).rejects.toBeInstanceOf(Superseded);
  expect((await documents.get(anew.place)).document).toMatchObject({
    status: 'pending',
    revision: 2,
    generation: 1,
  });
});

test('an ingestion leaves no line of a generation that was replaced, nor of a base that was deleted', async () => {
  const { key, place } = await givenProcessing();
  await processed(key);
  await given.bases.update(ours, place.baseId, { chunking: { maxSize: 400 } }, 'usr_b');
  await processed({ ...key, revision: 2 });
  const leftovers = given.app.get(OrphanedKnowledge);
  for (let gone = 1; gone > 0;) gone = await leftovers.removeOrphanedKnowledge();
  const lines = `select count(*)::int as n from chunks c join documents d on d.no = c.document_no and d.base_no = c.base_no where d.id = $1`;
  expect((await given.owner.query(lines, [key.documentId])).rows[0].n).toBe(2);
  for (const { id } of await given.bases.list(ours)) await given.bases.delete(ours, id);
  for (let gone = 1; gone > 0;) gone = await leftovers.removeOrphanedKnowledge();
  const tables = [
    'documents',
    'chunks',
    'chunk_words',
    'knowledge_words',
    'vectors.chunk_vectors',
    'files',
    'file_pieces',
  ];
  const counts = [];
  for (const table of tables)
    counts.push((await given.owner.query(`select count(*)::int as n from ${table}`)).rows[0].n);
  expect(counts).toEqual(tables.map(() => 0));
});

test('a leftover that cannot be removed at once is removed in parts or put off, and the others go on', async () => {
  const leftovers = given.app.get(OrphanedKnowledge);
  const [stuck, large, small] = [await givenProcessing(), await givenProcessing(), await givenProcessing()];
  for (const { key, place } of [stuck, large, small]) {
    await processed(key);
    await documents.delete(place);
  }
  const bases = await given.owner.query(`select no from knowledge_bases where id = any($1) order by no`, [
    [stuck, large].map(({ place }) => place.baseId),
  ]);
  const [first, second] = bases.rows.map(({ no }) => no);
  // For the stuck base, each statement that deletes words times out. For the large base, a statement that deletes two chunks times out.
  await given.owner.query(slowDeletion('chunk_words', 0, `base_no = ${first}`));
  await given.owner.query(slowDeletion('chunks', 1, `base_no = ${second}`));
  expect(await leftovers.removeOrphanedKnowledge()).toBe(2);
  const left = await given.owner.query('select base_no from knowledge_orphans');
  expect(left.rows).toEqual([{ base_no: first }]);
  const words = `select base_no, sum(chunks)::int as n from knowledge_words where base_no = any($1) group by 1 order by 1`;
  expect((await given.owner.query(words, [[first, second]])).rows).toEqual([
    { base_no: first, n: 4 },
    { base_no: second, n: 0 },
  ]);
  await given.owner.query(quickAgain('chunk_words'));
  expect(await leftovers.removeOrphanedKnowledge()).toBe(0);
  await given.owner.query(`update deferrals set due_at = now() - interval '1 second'`);
  expect(await leftovers.removeOrphanedKnowledge()).toBe(1);
  await given.owner.query(quickAgain('chunks'));
});
