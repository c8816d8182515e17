import pg from 'pg';
import { untilSessions } from '#libs/platform/database/support/sessions';
import { block, type Block, box, line, respond } from './support/graphs.ts';
import { Knowledge } from './support/knowledge.ts';
import { Stack, until } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
let owner: pg.Client;
beforeAll(async () => {
  // Of its own, because it kills the worker.
  stack = await Stack.start();
  owner = new pg.Client({ connectionString: stack.env['DATABASE_URL'] });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await stack?.stop();
});

const knowledge = new Knowledge(() => stack);
const find = (params: object) => block('find', 'knowledge', { operation: 'search', ...params });
const add = (params: object) => block('add', 'knowledge', { operation: 'add', ...params });

async function run(inputs: object, ...blocks: Block[]) {
  const workflow = await stack.givenDeployed(line(...blocks));
  return (await stack.execute(workflow, { inputs })).body;
}

test('a workflow finds chunks with their documents and positions', async () => {
  const { base } = await knowledge.givenText('pumps.txt', 'The pump P-100 moves water.');
  const { output } = await run(
    { what: 'P-100' },
    find({ knowledgeBases: [base], query: 'What does {{ start.what }} do?', topK: 2 }),
    respond({
      place: '{{ find.results[0].documentName }}',
      says: '{{ find.results[0].content }}',
      of: '{{ find.totalResults }}',
    }),
  );
  expect(output).toEqual({ place: 'pumps.txt', says: 'The pump P-100 moves water.', of: 1 });
});

test('a workflow adds documents, in a loop too, and each once', async () => {
  const base = await knowledge.givenBase({ name: 'Notes' });
  const { status, output } = await run(
    {},
    box(
      'each',
      'loop',
      { count: 3 },
      add({
        knowledgeBase: 'notes',
        text: 'Note {{ loop.index }} is about bees.',
        filename: 'n{{ loop.index }}.txt',
      }),
    ),
    block('more', 'knowledge', {
      operation: 'add',
      knowledgeBase: base,
      text: 'Note 0 is about bees.',
      filename: 'n0.txt',
    }),
    respond({ id: '{{ more.document.id }}', known: '{{ more.duplicate }}' }),
  );
  expect([status, output.known]).toEqual(['completed', true]);
  const found = await until(
    () => knowledge.search([base], 'bees'),
    ({ body }) => body.data.totalResults === 3,
  );
  expect(found.body.data.results.map((one: { documentId: string }) => one.documentId)).toContain(output.id);
});

testInWhole(
  'a worker that dies while it adds a document leaves one, when another has taken over',
  async () => {
    const base = await knowledge.givenBase();
    const workflow = await stack.givenDeployed(
      line(
        add({ knowledgeBase: base, text: 'Once.', filename: '{{ start.name }}' }),
        respond('{{ add.document.filename }}'),
      ),
    );
    // While somebody holds the base, no document of it can be committed.
    await owner.query('begin');
    await owner.query('select 1 from knowledge_bases where id = $1 for update', [base]);
    const { jobId } = (await stack.execute(workflow, { inputs: { name: 'before.txt' }, async: true })).body;
    await untilSessions(owner);
    await stack.worker.kill();
    await owner.query('commit');
    await stack.startWorker();
    const done = await until(
      () => stack.get(`/api/jobs/${jobId}?wait=5`),
      ({ body }) => body.status === 'completed',
    );
    expect(done.body.output).toBe('before.txt');
    const { documents } = (
      await stack.get(`/api/v1/knowledge/${base}/documents?workspaceId=${stack.home.id}`)
    ).body.data;
    expect(documents.map(({ filename }: { filename: string }) => filename)).toEqual(['before.txt']);
  },
);

test.each([
  ['a base that is not there', find({ knowledgeBases: ['none'], query: 'x' }), 'KNOWLEDGE_BASE_NOT_FOUND'],
  ['a query that renders to nothing', find({ knowledgeBases: ['kb'], query: '{{ "" }}' }), 'INVALID_VALUE'],
  [
    'a filter by a tag that is not there',
    find({ knowledgeBases: ['kb'], query: 'x', tagFilters: [{ tagName: 't', value: 1 }] }),
    'KNOWLEDGE_REFUSED',
  ],
  [
    'text and URL',
    add({ knowledgeBase: 'kb', text: 'a', url: 'https://a.test', filename: 'a' }),
    'INVALID_VALUE',
  ],
  ['a URL that is none', add({ knowledgeBase: 'kb', url: 'ftp://a.test' }), 'KNOWLEDGE_REFUSED'],
])('a block with %s fails with a code', async (_, one, code) => {
  const existing = await stack.get('/api/v1/knowledge');
  if (!existing.body.data.knowledgeBases.some(({ name }: { name: string }) => name === 'kb'))
    await knowledge.givenBase({ name: 'kb' });
  const { status, failure } = await run({}, one);
  expect([status, failure.code]).toEqual(['failed', code]);
});
