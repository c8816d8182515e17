import { describeWith, testWith } from '#libs/platform/binaries/support/needs';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalEmbedder } from './local-embedder.ts';
import { modelFiles } from './model.ts';
import { boundTo } from './open-embedder.ts';

const cosine = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
const some = 'A failed call is tried again after ten seconds.';
const other = 'The cathedral was finished in the thirteenth century.';
const describe = describeWith('the embedding model');
const test = testWith('the embedding model');

let embedder: LocalEmbedder;

beforeAll(async () => {
  embedder = await LocalEmbedder.open({ processes: 1 });
});
afterAll(() => embedder.close());

describe('the local embedder', () => {
  test('the local embedder finds the text that answers a question, in vectors of length 1', async () => {
    const [answer, noAnswer] = await embedder.embedDocuments([some, other]);
    const query = await embedder.embedQuery('How often does it retry?');
    if (!answer || !noAnswer) throw new Error('There are vectors missing.');
    expect(cosine(query, answer)).toBeGreaterThan(cosine(query, noAnswer) + 0.1);
    for (const vector of [answer, noAnswer, query]) {
      expect(vector).toHaveLength(384);
      expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    }
  });

  test('the local embedder gives a text the same vector to the last bit, with any texts beside it', async () => {
    const [alone] = await embedder.embedDocuments([some]);
    const [, among] = await embedder.embedDocuments([other, some, 'word '.repeat(600)]);
    expect(among).toEqual(alone);
  });

  test('the local embedder gives texts without words one vector that can be compared', async () => {
    const [none, spaces, controls] = await embedder.embedDocuments(['', ' \n ', '\u0000\u200b']);
    expect(cosine(none ?? new Float32Array(), spaces ?? new Float32Array())).toBeCloseTo(1, 6);
    expect(controls).toEqual(none);
  });

  test('the local embedder lets a query pass the documents that wait', async () => {
    const order: string[] = [];
    const many = embedder.embedDocuments(Array.from({ length: 6 }, (_, n) => `${some} ${n}`));
    await Promise.all([
      many.then(() => order.push('documents')),
      embedder.embedQuery('a query').then(() => order.push('query')),
    ]);
    expect(order).toEqual(['query', 'documents']);
  });

  test('the local embedder serves the workspaces whose texts wait in turn', async () => {
    const order: string[] = [];
    const embed = (workspaceId: string, text: string) =>
      embedder.embedDocuments([text], undefined, workspaceId).then(() => order.push(workspaceId));
    const loud = Array.from({ length: 6 }, (_, n) => embed('ws_loud', `${some} ${n}`));
    await Promise.all([...loud, embed('ws_quiet', other)]);
    expect(order.indexOf('ws_quiet')).toBeLessThan(3);
  });

  test('the local embedder ends when it is aborted, and embeds the next text', async () => {
    const abort = new AbortController();
    const many = embedder.embedDocuments(
      Array.from({ length: 1000 }, () => some),
      abort.signal,
    );
    abort.abort(new Error('enough'));
    await expect(many).rejects.toThrow('enough');
    await expect(embedder.embedDocuments([some])).resolves.toHaveLength(1);
  });

  test('the local embedder is bound to its weights and to the library that computes with them', async () => {
    await expect(boundTo({ kind: 'local' })).resolves.toEqual({
      model: 'bge-small-en-v1.5-int8-68807e3f-onnx-cpu',
      dimension: 384,
    });
    expect(embedder).toMatchObject(await boundTo({ kind: 'local' }));
  });

  test('the local embedder makes windows of whole sentences under the titles of the chunk', () => {
    const sentences = Array.from(
      { length: 30 },
      (_, n) => `Sentence ${n} says something about the number ${n}.`,
    );
    const windows = embedder.windows({
      content: sentences.join(' '),
      headingPath: ['Numbers', 'Large ones'],
    });
    expect(windows.length).toBeGreaterThan(1);
    for (const window of windows) {
      expect(window).toMatch(/^Numbers > Large ones\nSentence .*\.$/);
      expect(embedder.countTokens(window)).toBeLessThanOrEqual(140);
    }
    for (const sentence of sentences) expect(windows.some((window) => window.includes(sentence))).toBe(true);
    expect(embedder.windows({ content: ' ', headingPath: [] })).toEqual(['']);
  });
});

describe('a folder with the files of a model', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'holdfast-model-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('a folder with the files of a model names its weights in the model, and refuses each text with the reason when they cannot be loaded', async () => {
    symlinkSync((await modelFiles()).tokenizer, join(folder, 'tokenizer.json'));
    writeFileSync(join(folder, 'model.onnx'), 'no model');
    const broken = await LocalEmbedder.open({ folder });
    expect(broken.model).toMatch(/^bge-small-en-v1\.5-int8-[\da-f]{8}-onnx-cpu$/);
    expect(broken.model).not.toBe(embedder.model);
    await expect(broken.embedDocuments([some])).rejects.toThrow(/gives no vector: .*(protobuf|model)/i);
    await broken.close();
  });
});

test('a closed embedder refuses the waiting texts', async () => {
  const closing = await LocalEmbedder.open({ processes: 1 });
  const many = closing.embedDocuments([some, other, some]);
  await closing.close();
  await expect(many).rejects.toThrow(/closed/);
  await expect(closing.embedQuery('later')).rejects.toThrow(/closed/);
});
