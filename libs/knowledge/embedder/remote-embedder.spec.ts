import { EmbeddingRefused } from './embedding-refused.ts';
import { openEmbedder } from './open-embedder.ts';
import type { RemoteEmbedderSettings } from '#libs/platform/settings/embedder';
import { EmbeddingServer } from './support/embedding-server.ts';

let server: EmbeddingServer;
beforeEach(async () => (server = await EmbeddingServer.start()));
afterEach(() => server.stop());

const embedderOf = (settings: Partial<RemoteEmbedderSettings> = {}) =>
  openEmbedder({
    kind: 'openai-compatible',
    baseUrl: server.baseUrl,
    model: 'some-model',
    dimension: 8,
    egressAllow: [server.host],
    ...settings,
  });
const lengthIn = ([first = 0, second = 1]: Float32Array) => Math.round(first / second);

describe('an embedder by an OpenAI-compatible server', () => {
  test('an embedder by an OpenAI-compatible server sends the key and the model, and gives the vectors in the order of the texts, of length 1', async () => {
    const embedder = await embedderOf({ apiKey: 'the-key' });
    const vectors = await embedder.embedDocuments(['a', 'bb', 'ccc']);
    expect(vectors.map(lengthIn)).toEqual([1, 2, 3]);
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
    expect(server.calls).toMatchObject([
      {
        path: '/v1/embeddings',
        authorization: 'Bearer the-key',
        body: { model: 'some-model', input: ['a', 'bb', 'ccc'] },
      },
    ]);
    await embedder.close();
  });

  test('an embedder by an OpenAI-compatible server sends many texts in batches and keeps their order', async () => {
    const embedder = await embedderOf({ passagePrefix: 'passage: ', queryPrefix: 'query: ' });
    const texts = Array.from({ length: 300 }, (_, n) => 'x'.repeat(n + 1));
    const vectors = await embedder.embedDocuments(texts);
    expect(vectors.map(lengthIn)).toEqual(texts.map((text) => text.length + 'passage: '.length));
    expect(server.calls.length).toBeGreaterThan(4);
    expect(Math.max(...server.calls.map(({ body }) => body.input.length))).toBeLessThanOrEqual(64);
    await embedder.embedQuery('why?');
    expect(server.calls.at(-1)?.body.input).toEqual(['query: why?']);
    await embedder.close();
  });

  test('an embedder by an OpenAI-compatible server sends no empty text, which servers refuse', async () => {
    const embedder = await embedderOf();
    await expect(embedder.embedDocuments(['', 'a'])).resolves.toHaveLength(2);
    expect(server.calls[0]?.body.input.every((text) => text.trim() !== '')).toBe(true);
    await embedder.close();
  });

  test('an embedder by an OpenAI-compatible server calls again after 429 and 5xx, and not before Retry-After is over', async () => {
    server.replies.push(
      { status: 429, headers: { 'retry-after': '1' }, body: {} },
      { status: 503, body: {} },
    );
    const embedder = await embedderOf();
    await expect(embedder.embedDocuments(['a'])).resolves.toHaveLength(1);
    expect(server.calls).toHaveLength(3);
    const [first, second] = server.calls;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
    await embedder.close();
  });

  test.each([
    ['a wrong key', { status: 401, body: { error: 'no such key' } }, /answered 401: .*no such key/],
    [
      'a used-up quota',
      { status: 429, body: { error: { code: 'insufficient_quota' } } },
      /insufficient_quota/,
    ],
    [
      'another dimension',
      { body: { data: [{ index: 0, embedding: [1, 2] }] } },
      /dimension 2; 8 is configured/,
    ],
    ['too few vectors', { body: { data: [] } }, /0 vectors for 1 texts/],
    [
      'a vector without a direction',
      { body: { data: [{ embedding: [0, 0, 0, 0, 0, 0, 0, 0] }] } },
      /direction/,
    ],
    ['no JSON', { body: '<html>' }, /no JSON: <html>/],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: {} }, /answered 302/],
  ])(
    'an embedder by an OpenAI-compatible server is refused once and for all by %s',
    async (_, reply, message) => {
      server.replies.push(reply);
      const embedder = await embedderOf();
      const refused = await embedder.embedDocuments(['a']).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(EmbeddingRefused);
      expect(refused).toMatchObject({ passing: false, message: expect.stringMatching(message) });
      expect(server.calls).toHaveLength(1);
      await embedder.close();
    },
  );

  test('an embedder by an OpenAI-compatible server is called at a private address only where the operator allows it', async () => {
    const embedder = await embedderOf({ egressAllow: [] });
    await expect(embedder.embedQuery('a')).rejects.toThrow(/is not called/);
    expect(server.calls).toEqual([]);
    await embedder.close();
  });

  test('an embedder by an OpenAI-compatible server stops waiting when it is aborted', async () => {
    server.replies.push({ status: 429, headers: { 'retry-after': '30' }, body: {} });
    const embedder = await embedderOf();
    await expect(embedder.embedDocuments(['a'], AbortSignal.timeout(100))).rejects.toThrow(/abort/);
    await embedder.close();
  });

  test('an embedder by an OpenAI-compatible server takes a chunk whole while the model can read it, and in windows when not', async () => {
    const content = Array.from({ length: 100 }, (_, n) => `This is sentence ${n}.`).join(' ');
    const [wide, narrow] = [await embedderOf(), await embedderOf({ textTokensMax: 100 })];
    expect(wide.windows({ content, headingPath: ['Title'] })).toEqual([`Title\n${content}`]);
    expect(narrow.windows({ content, headingPath: ['Title'] }).length).toBeGreaterThan(4);
  });
});
