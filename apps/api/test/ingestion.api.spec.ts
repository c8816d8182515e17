import { createServer, type Server } from 'node:http';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { untilSessions } from '#libs/platform/database/support/sessions';
import { EmbeddingServer } from '#libs/knowledge/embedder/support/embedding-server';
import { Knowledge } from './support/knowledge.ts';
import { Stack, until } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

const price = 1000;
let stack: Stack;
let owner: pg.Client;
let embeddings: EmbeddingServer;
/** For the temporary files of the product. */
const folder = mkdtempSync(join(tmpdir(), 'holdfast-test-'));
beforeAll(async () => {
  embeddings = await EmbeddingServer.start(8);
  stack = await Stack.start({
    EMBEDDER: 'openai-compatible',
    EMBEDDING_BASE_URL: embeddings.baseUrl,
    EMBEDDING_MODEL: 'tiny',
    EMBEDDING_DIMENSION: '8',
    EGRESS_ALLOW: '127.0.0.1',
    KNOWLEDGE_SLOTS: '8',
    TMPDIR: folder,
    PRICE_PER_MILLION_EMBEDDED_TOKENS: String(price),
  });
  owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
  await owner.query(pausing);
});
afterAll(async () => {
  await owner?.end();
  await stack?.stop();
  await embeddings?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const knowledge = new Knowledge(() => stack);
const path = '/api/v1/knowledge';

/**
 * Two writes of a worker wait here while the test holds lock 42: marked chunks, and the switch of a document with this
 * name.
 */
const pausing = `
create function pause_chunk() returns trigger language plpgsql as $$
begin if new.content like '%stop at its chunks%' then perform pg_advisory_xact_lock_shared(42); end if; return new; end $$;
create trigger pause_chunk before insert on chunks for each row execute function pause_chunk();
create function pause_switch() returns trigger language plpgsql as $$
begin if new.status = 'completed' and new.filename = 'switch.txt' then perform pg_advisory_xact_lock_shared(42); end if; return new; end $$;
create trigger pause_switch before update on documents for each row execute function pause_switch();`;

/** A server whose answer to a document waits until it is released, and how often it was asked. */
async function givenSlowServer() {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const asked = { times: 0 };
  const server: Server = createServer((_, response) => {
    asked.times += 1;
    void released.then(() =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end('Fetched in the end.'),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/fetch.txt`,
    asked,
    release,
    server,
  };
}

/** Embeddings wait until they are released, of texts that `which` names; counts how often any did. */
function holdEmbeddings(which: (text: string) => boolean = () => true) {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const held = { times: 0 };
  embeddings.before = async (input) => {
    if (!input.some(which)) return;
    held.times += 1;
    await released;
  };
  return { held, release };
}

/** The rows of a base: for each document its chunks, its chunks with vectors, and its generations. */
async function rowsOf(base: string) {
  const { rows } = await owner.query(
    `select d.filename, d.status, d.chunk_count::int as chunks, d.tries::int as tries,
       (select count(*)::int from chunks c where c.base_no = d.base_no and c.document_no = d.no) as rows,
       (select count(distinct v.n)::int from vectors.chunk_vectors v where v.base_no = d.base_no and v.document_no = d.no) as embedded,
       (select count(distinct c.generation)::int from chunks c where c.base_no = d.base_no and c.document_no = d.no) as generations
     from documents d join knowledge_bases b on b.no = d.base_no where b.id = $1 order by d.filename`,
    [base],
  );
  return rows;
}

test('a worker that is killed in each step leaves every document for the next, which shows it once and whole', async () => {
  const { url, asked, release: releaseFetch, server } = await givenSlowServer();
  const { held, release: releaseEmbedding } = holdEmbeddings((one) =>
    one.includes('stop when it is embedded'),
  );
  const base = await knowledge.givenBase({ chunkingConfig: { maxSize: 100, minSize: 1, overlap: 0 } });
  const text = (what: string) =>
    Array.from({ length: 40 }, (_, i) => `Sentence ${i} of those that ${what}.`).join(' ');
  await owner.query('select pg_advisory_lock(42)');
  await stack.post(`${path}/${base}/documents`, { url });
  await stack.post(`${path}/${base}/documents`, { filename: 'chunks.txt', text: text('stop at its chunks') });
  await stack.post(`${path}/${base}/documents`, {
    filename: 'embed.txt',
    text: text('stop when it is embedded'),
  });
  await stack.post(`${path}/${base}/documents`, { filename: 'switch.txt', text: text('stop at the end') });
  await until(
    async () => [asked.times, held.times],
    (times) => !times.includes(0),
  );
  await untilSessions(owner, `wait_event = 'advisory'`, 2);
  expect((await knowledge.search([base], 'sentence')).body.data.totalResults).toBe(0);
  await stack.worker.kill();
  releaseFetch();
  releaseEmbedding();
  await owner.query('select pg_advisory_unlock(42)');
  // The switch was sent already, commit included: whether it has come through is open, and half of it never does.
  const early = (await knowledge.search([base], 'sentence', { topK: 100 })).body.data.results;
  expect(early.filter((one: { documentName: string }) => one.documentName !== 'switch.txt')).toEqual([]);
  await stack.startWorker();
  const names = ['chunks.txt', 'embed.txt', 'fetch.txt', 'switch.txt'];
  const rows = await until(
    () => rowsOf(base),
    (all) => all.every(({ status }) => status === 'completed'),
  );
  server.close();
  expect(rows.map(({ filename }) => filename)).toEqual(names);
  for (const { chunks, rows: there, embedded, generations, tries } of rows)
    expect([there, embedded, generations, tries]).toEqual([chunks, chunks, 1, 0]);
  expect((await knowledge.search([base], 'sentence', { topK: 100 })).body.data.totalResults).toBe(
    rows.reduce((sum, { chunks }) => sum + chunks, 0),
  );
  await until(
    async () => readdirSync(folder),
    (left) => left.length === 0,
  );
});

testInWhole(
  'a document that has broken off its processing five times has failed with a reason, shows nothing, and can be tried again',
  async () => {
    const { held, release } = holdEmbeddings();
    const base = await knowledge.givenBase();
    const added = await stack.post(`${path}/${base}/documents`, {
      filename: 'poison.txt',
      text: 'Bitter text.',
    });
    await until(
      async () => held.times,
      (times) => times > 0,
    );
    await stack.worker.kill();
    const { rowCount } = await owner.query(
      `update documents set tries = 5 where filename = 'poison.txt' and tries = 1`,
    );
    expect(rowCount).toBe(1);
    release();
    embeddings.before = async () => {};
    await stack.startWorker();
    const one = `${path}/${base}/documents/${added.body.data.document.id}`;
    const failed = await stack.get(`${one}?wait=60`);
    expect(failed.body.data.document).toMatchObject({
      processingStatus: 'failed',
      processingErrorCode: 'PROCESSING_CRASHED',
      processingError: expect.stringContaining('5 times'),
      chunkCount: 0,
    });
    expect((await knowledge.search([base], 'bitter')).body.data.totalResults).toBe(0);
    expect((await stack.post(`${one}/retry`)).status).toBe(202);
    expect((await stack.get(`${one}?wait=60`)).body.data.document.processingStatus).toBe('completed');
    expect((await knowledge.search([base], 'bitter')).body.data.totalResults).toBe(1);
  },
);

test('a document that is deleted while it is processed is gone, and leaves nothing behind', async () => {
  const { held, release } = holdEmbeddings();
  const base = await knowledge.givenBase();
  const added = await stack.post(`${path}/${base}/documents`, { filename: 'a.txt', text: 'Gone soon.' });
  await until(
    async () => held.times,
    (times) => times > 0,
  );
  const one = `${path}/${base}/documents/${added.body.data.document.id}`;
  expect((await stack.call('DELETE', one)).status).toBe(200);
  release();
  await until(
    async () => {
      const { rows } = await owner.query(`
        select (select count(*) from chunks where content like 'Gone%')::int + (select count(*) from files f where f.filename = 'a.txt')::int
          + (select count(*) from knowledge_words where word = 'gone' and chunks > 0)::int
          + (select count(*) from knowledge_orphans)::int as left_over`);
      return rows[0].left_over;
    },
    (left) => left === 0,
  );
  expect((await stack.get(one)).status).toBe(404);
  embeddings.before = async () => {};
});

test('an embedding service that refuses fails the document with its reason, and a service that is away is asked again', async () => {
  const base = await knowledge.givenBase();
  embeddings.replies.push({ status: 400, body: { error: { message: 'The input is not allowed.' } } });
  const refused = await stack.post(`${path}/${base}/documents?wait=60`, {
    filename: 'a.txt',
    text: 'Refused.',
  });
  expect(refused.body.data.document).toMatchObject({
    processingStatus: 'failed',
    processingErrorCode: 'EMBEDDING_REFUSED',
  });
  embeddings.replies.push(
    { status: 503, headers: { 'retry-after': '0' } },
    { status: 503, headers: { 'retry-after': '0' } },
  );
  const later = await stack.post(`${path}/${base}/documents?wait=60`, {
    filename: 'b.txt',
    text: 'Taken later.',
  });
  expect(later.body.data.document.processingStatus).toBe('completed');
  embeddings.replies.push({ status: 400, body: { error: { message: 'no' } } });
  expect((await knowledge.search([base], 'a query of its own')).status).toBe(503);
});

test('the cost of a hosted embedding model is in the usage of the workspace, under its actor', async () => {
  const base = await knowledge.givenBase();
  const mine = { 'x-api-key': stack.personalKey };
  const document = { filename: 'mine.txt', text: 'A text of my own.' };
  const added = await stack.post(`${path}/${base}/documents?wait=60`, document, mine);
  expect(added.body.data.document.processingStatus).toBe('completed');
  const { rows } = await owner.query(
    `select u.kind, case when k.id is not null then 'key' when p.id is not null then 'user' else u.actor end as actor,
       bool_and(u.cost > 0) as cost, count(*)::int as entries
     from usage_entries u left join api_keys k on k.id = u.actor left join users p on p.id = u.actor group by 1, 2 order by 2`,
  );
  expect(rows).toEqual([
    { kind: 'embedding', actor: 'key', cost: true, entries: expect.any(Number) },
    { kind: 'embedding', actor: 'user', cost: true, entries: 1 },
  ]);
  expect(rows[0].entries).toBeGreaterThan(5);
  const usage = await stack.get('/api/users/me/usage-limits', { 'x-api-key': stack.personalKey });
  expect(JSON.stringify(usage.body)).toContain('currentPeriodCost');
});
