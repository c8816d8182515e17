import { screenText } from '#libs/platform/text/whole-text';
import { block, line, respond, type Block } from './support/graphs.ts';
import { Mailbox } from './support/mailbox.ts';
import { ModelServer } from './support/models.ts';
import { Receiver } from './support/receiver.ts';
import { type Answer, Stack, until } from './support/stack.ts';
import { Tables } from './support/tables.ts';
import { ToolServer } from './support/tools.ts';
import { isWhole, testInWhole, testMoreInWhole } from '#libs/platform/settings/support/whole';

/** Texts of others that no message of Temporal and no row can hold, in every place where such a text enters. */

const parts = ['a', 'é', '\u{1F44D}', '\ud83d', '\udc4d', '\0', '\r', '\n', '\u202e', '\ufeff', '\u2028'];
parts.push(
  '\uffff',
  '"',
  '\\',
  '|',
  '{{',
  '</script>',
  String.raw`\u0000`,
  '\u0301',
  '\u{1F468}\u200d\u{1F469}',
);
/** Lengths around the places where texts are cut. */
const lengths = [0, 1, 39, 99, 118, 119, 120, 200, 499, 600, 1499, 2000, 4096, 10_001];

/** The same numbers at each run, so that a failure can be repeated. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

/** Returns text `n`: a run of `a` up to about a place of a cut, and odd characters there. */
function oddText(n: number): string {
  const next = random(n + 1);
  const pick = <T>(list: T[]) => list[Math.floor(next() * list.length)] as T;
  const tail = Array.from({ length: 1 + Math.floor(next() * 12) }, () => pick(parts)).join('');
  return `${'a'.repeat(pick(lengths))}${tail}`;
}

const large = 10_000_000;
const textsOf = new Map<number, string>([[-1, `${'\u{1F44D}'.repeat(large / 4)}\ud83d`]]);
/** What the driver of the database, or the system, says when the database is away. */
const saidInOutages = [
  'Connection terminated by the peer',
  'Client has encountered a connection error and is not queryable',
  'timeout exceeded when trying to connect',
  'Cannot use a pool after calling end on the pool',
  'connect ECONNREFUSED 10.0.0.7:5432',
  'terminating connection due to administrator command',
];
saidInOutages.forEach((text, i) => textsOf.set(-2 - i, text));
const textFor = (n: number) => textsOf.get(n) ?? oddText(n);

let stack: Stack;
let receiver: Receiver;
let tools: ToolServer;
let models: ModelServer;
let mailbox: Mailbox;
const tables = new Tables(() => stack);
beforeAll(async () => {
  mailbox = await Mailbox.start();
  stack = await Stack.start({ SMTP_URL: mailbox.url, MAIL_FROM: 'Holdfast <holdfast@example.org>' });
  const value = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  await stack.call('PUT', `/api/v1/workspaces/${stack.home.id}/secrets/HOOK`, { value });
  receiver = await Receiver.start(({ path }, response) => {
    const [, way = '', n = '0'] = path.split('/');
    const text = textFor(Number(n));
    response.setHeader('x-odd', text.slice(0, 500).replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '\xff'));
    if (way === 'json') return void response.end(JSON.stringify({ [text.slice(0, 200)]: text }));
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.statusCode = way === 'failed' ? 500 : 200;
    response.end(text);
  });
  tools = await ToolServer.start((name, { n }) => {
    const text = textFor(Number(n));
    if (name === 'broken') throw new Error(text);
    return { content: [{ type: 'text', text }], isError: name === 'refused' };
  });
  models = await ModelServer.start(({ body }) => ({
    content: textFor(Number(body.messages.at(-1)?.content)),
  }));
});
afterAll(async () => {
  await stack.stop();
  await mailbox.stop();
  for (const server of [receiver, tools, models]) server.stop();
});

/** The text of the run's number, made in the sandbox: an input cannot hold one. */
const made = 'const text = String.fromCharCode(...input.units);';
const code = (id: string, body: string) =>
  block(id, 'function', { code: `${made} ${body}`, input: { units: '{{ start.units }}' } });
const call = (id: string, way: string) =>
  block(id, 'http', { url: `${receiver.url(`/${way}/`)}{{ string(start.n) }}` });
const tool = (id: string, name: string) =>
  block(id, 'mcp', { url: tools.url, tool: name, arguments: { n: '{{ start.n }}' } });
const model = (id: string, more: object) =>
  block(id, 'llm', {
    model: 'm',
    baseUrl: models.url,
    apiKey: '{{ secrets.HOOK }}',
    prompt: '{{ string(start.n) }}',
    ...more,
  });

/** The blocks one after the other, also after a failure of each. */
function onward(...blocks: Block[]) {
  const { edges, ...graph } = line(...blocks);
  const failing = blocks
    .slice(0, -1)
    .map(({ id }, i) => ({ from: id, port: 'error', to: blocks[i + 1]?.id }));
  const units = { type: 'json', default: [] };
  const start = { inputs: { n: { type: 'number' }, units, text: { type: 'string', default: '' } } };
  return { start, ...graph, edges: [...edges, ...failing] };
}

const expected = {
  thrown: 'CODE_THREW',
  failed: 'HTTP_500',
  refused: 'MCP_TOOL_FAILED',
  broken: 'MCP_ERROR',
};
const everyWay = (...more: Block[]) =>
  onward(
    ...more,
    code('thrown', 'throw new Error(text)'),
    code('odd', 'const error = new Error("x"); error.name = text; error.stack = text; throw error'),
    code('printed', 'console.log(text); return { [text]: text }'),
    call('taken', 'taken'),
    call('members', 'json'),
    call('failed', 'failed'),
    tool('refused', 'refused'),
    tool('broken', 'broken'),
    tool('told', 'told'),
    model('said', {}),
    model('unfit', {
      responseSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
    }),
    respond({
      ...Object.fromEntries(Object.keys(expected).map((id) => [id, `{{ ${id}.error.code }}`])),
      printed: '{{ printed }}',
    }),
  );

const awayBlocks = ['marked', 'row', 'upset', 'hook'];
/** The same, and more blocks that fail with the text of the run's number. */
async function soundsAway() {
  const table = await tables.given([{ name: 'number', type: 'number' }]);
  const failed = `${receiver.url('/failed/')}{{ string(start.n) }}`;
  const marks = `{ code: 'ECONNRESET', errno: -104, driverError: { code: '57P01' } }`;
  return everyWay(
    code('marked', `throw Object.assign(new Error(text), ${marks})`),
    block('row', 'table', {
      operation: 'insert',
      table: table.split('/').at(-1),
      data: '{{ {start.text: 1} }}',
    }),
    model('upset', { baseUrl: failed }),
    block('hook', 'webhook', { url: failed, event: 'e', secret: '{{ secrets.HOOK }}' }),
  );
}

/** Ends the worker once the API carries out code by itself: its first code goes to a worker, while the sandbox is tested. */
async function withoutWorker(): Promise<void> {
  await stack.worker.kill('SIGTERM');
  const workflow = await stack.givenDeployed(line(block('f', 'function', { code: 'return 2' })));
  await until(
    () => stack.execute(workflow, {}, { prefer: 'wait=1' }),
    ({ status }) => status === 200,
  );
}

const settled = async ({ body }: Answer) => (await stack.get(`/api/jobs/${body.jobId}?wait=60`)).body;
const unitsOf = (text: string) => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));

testMoreInWhole('hostile texts of others end no run, no worker and no queue', async () => {
  const workflow = await stack.givenDeployed(everyWay());
  // Eleven texts of others in each run.
  const runs = isWhole ? 46 : 8;
  for (let from = 0; from < runs; from += 4) {
    const numbers = [0, 1, 2, 3].map((i) => from + i).filter((n) => n < runs);
    const jobs = numbers.map((n) =>
      stack.execute(workflow, { inputs: { n, units: unitsOf(oddText(n)) }, async: true }),
    );
    const ended = await Promise.all((await Promise.all(jobs)).map(settled));
    ended.forEach((job, i) => {
      const text = screenText(oddText(numbers[i] ?? 0));
      expect(job).toMatchObject({ status: 'completed', output: { ...expected, printed: { [text]: text } } });
    });
  }
});

testInWhole('a text of ten megabytes in each answer of others ends no run', async () => {
  const workflow = await stack.givenDeployed(everyWay());
  const job = await settled(await stack.execute(workflow, { inputs: { n: -1 }, async: true }));
  expect(job).toMatchObject({ status: 'completed', output: { failed: 'HTTP_500', broken: 'MCP_ERROR' } });
});

test('a pause whose title, notice and mail hold hostile texts is told to its people and answered by a signal', async () => {
  const [pause, form] = ['ask', [{ name: 'note', type: 'text' }]];
  const workflow = await stack.givenDeployed(
    onward(
      call('taken', 'taken'),
      block(pause, 'human', {
        title: '{{ taken.data }}',
        message: '{{ taken.data }}',
        form,
        notify: {
          webhook: { url: receiver.url('/notice/0'), secret: 'HOOK' },
          emails: ['eva@elsewhere.example'],
        },
      }),
      respond('{{ ask.note }}'),
    ),
  );
  for (const [i, n] of [3, 7, 11, 19, 23].entries()) {
    const { executionId, contextId } = await stack.givenPaused(workflow, { n });
    await until(
      async () => mailbox.to('eva@elsewhere.example').length,
      (count) => count === i + 1,
    );
    const run = await stack.runOf(executionId);
    const odd = oddText(n).slice(-20);
    // A text that no row can hold is refused, as in a call, and the pause stays open. Any other text ends the run.
    const notes = screenText(odd) === odd ? [odd] : [odd, 'good'];
    for (const note of notes) await run.signal('resumeSignal', { contextId, answers: { note } });
    const { body } = await until(
      () => stack.get(`/api/workflows/${workflow}/executions/${executionId}`),
      (answer) => answer.body.status !== 'paused' && answer.body.status !== 'running',
    );
    expect(body).toMatchObject({ status: 'completed', output: screenText(odd) === odd ? odd : 'good' });
  }
});

test('hostile names and contents of files, imports and answers are taken or refused, and never an error of ours', async () => {
  const base = (await stack.post('/api/v1/knowledge', { workspaceId: stack.home.id, name: 'Odd' })).body.data;
  const documents = `/api/v1/knowledge/${base.knowledgeBase.id}/documents?workspaceId=${stack.home.id}`;
  const columns = [{ name: 'v', type: 'string' }];
  const table = { workspaceId: stack.home.id, name: 'odd', schema: { columns } };
  const rows = `/api/v1/tables/${(await stack.post('/api/v1/tables', table)).body.data.table.id}/import`;
  for (let n = 0; n < 40; n++) {
    const text = oddText(n);
    const boundary = 'odd-odd-odd';
    const name = text.slice(-30).replaceAll(/["\r\n]/g, '');
    const upload = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}.txt"\r\n\r\n${text}\r\n--${boundary}--\r\n`;
    const node = {
      id: '1',
      name: text,
      type: 'n8n-nodes-base.set',
      typeVersion: 3.4,
      position: [0, 0],
      parameters: {},
    };
    const answers = await Promise.all([
      stack.post(documents, Buffer.from(upload), {
        'content-type': `multipart/form-data; boundary=${boundary}`,
      }),
      stack.post(
        `${rows}?workspaceId=${stack.home.id}`,
        Buffer.from(`v\n"${text.replaceAll('"', '""')}"\n`),
        {
          'content-type': 'text/csv',
        },
      ),
      stack.post('/api/v1/workflows/import?from=n8n', { name: 'x', nodes: [node], connections: {} }),
      stack.post('/api/v1/workflows', { name: text, definition: { blocks: [], edges: [] } }),
    ]);
    expect(answers.filter(({ status }) => status >= 500).map(({ body }) => body)).toEqual([]);
  }
  const states = () => stack.get(`${documents}&limit=100`);
  await until(states, ({ body }) =>
    body.data.documents.every(({ processingStatus }: { processingStatus: string }) =>
      ['completed', 'failed'].includes(processingStatus),
    ),
  );
});

test.each([
  ['in Temporal', 'api'],
  ['in the process that accepted it', 'api,worker'],
])(
  'a run %s takes no text of others for an outage of the database, and each block fails with it as with any other',
  async (_, ROLES) => {
    await stack.api.kill('SIGTERM');
    await stack.startApi({ ROLES });
    if (ROLES === 'api,worker') await withoutWorker();
    const workflow = await stack.givenDeployed(await soundsAway());
    for (const [i, text] of saidInOutages.entries()) {
      const inputs = { n: -2 - i, text, units: unitsOf(text) };
      const { status, output, executionId } = await settled(
        await stack.execute(workflow, { inputs, async: true }),
      );
      expect({ status, output }).toMatchObject({ status: 'completed', output: expected });
      const log = await stack.blockLog(workflow, executionId);
      const failed = log.filter(({ status: its }) => its === 'failed').map(({ blockId }) => blockId);
      expect(failed).toEqual([...awayBlocks, 'thrown', 'odd', 'failed', 'refused', 'broken', 'unfit']);
    }
    if (ROLES === 'api,worker') await stack.startWorker();
  },
);

test('no worker has failed over a hostile text, and none was started again', async () => {
  const said = [...stack.api.lines, ...stack.worker.lines];
  expect(
    said.filter((one) => /will start again|cannot run again| ended$|UNSTORABLE|is not in the log/.test(one)),
  ).toEqual([]);
  const workflow = await stack.givenDeployed(
    line(block('f', 'function', { code: 'return 2' }), respond('{{ f }}')),
  );
  expect((await stack.execute(workflow, {})).body.output).toBe(2);
});
