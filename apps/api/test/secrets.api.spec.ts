import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import pg from 'pg';
import { Receiver } from './support/receiver.ts';
import { Stack } from './support/stack.ts';

const canary = 'canary-7f3a9c-never-to-be-seen';
let stack: Stack;
let echo: Receiver;
beforeAll(async () => {
  // Of its own, because it reads every row of the database.
  stack = await Stack.start({ ROLES: 'api' });
  // The worst of servers: it says back all that it was told.
  echo = await Receiver.start(({ headers, body }, response) => {
    response.statusCode = body.includes('fail') ? 400 : 200;
    response.end(JSON.stringify({ headers, body }));
  });
  await stack.call('PUT', `/api/v1/workspaces/${stack.home.id}/secrets/TOKEN`, { value: canary });
});
afterAll(async () => {
  echo.stop();
  await stack.stop();
});

const calling = (mode: string) => ({
  blocks: [
    {
      id: 'call',
      type: 'http',
      params: {
        method: 'POST',
        url: `${echo.url()}?token={{ secrets.TOKEN }}`,
        headers: { authorization: 'Bearer {{ secrets.TOKEN }}' },
        body: { mode, token: '{{ secrets.TOKEN }}' },
      },
    },
    {
      id: 'code',
      type: 'function',
      params: { code: 'throw new Error("got " + input.t)', input: { t: '{{ secrets.TOKEN }}' } },
    },
  ],
  edges: [
    { from: 'start', to: 'call' },
    { from: 'call', to: 'code' },
  ],
});

/** Every row of every table as text, read as the owner. */
async function everyRow(): Promise<string> {
  const client = new pg.Client({ connectionString: stack.env.DATABASE_URL });
  await client.connect();
  try {
    const { rows: tables } = await client.query(
      `select tablename from pg_tables where schemaname = 'public'`,
    );
    const contents: string[] = [];
    for (const { tablename } of tables) {
      contents.push(JSON.stringify((await client.query(`select * from ${tablename}`)).rows));
    }
    return contents.join('\n');
  } finally {
    await client.end();
  }
}

describe('missing secret', () => {
  test.each([
    ['http', 'call', { method: 'POST', headers: { authorization: 'Bearer {{ secrets.NOPE }}' } }],
    ['webhook', 'tell', { event: 'order.paid', secret: '{{ secrets.NOPE }}' }],
  ])('a missing secret fails the %s block that reads it, and nothing is sent', async (type, id, params) => {
    const before = echo.received.length;
    const workflow = await stack.givenDeployed({
      blocks: [{ id, type, params: { url: echo.url(), ...params } }],
      edges: [{ from: 'start', to: id }],
    });
    const { body } = await stack.execute(workflow);
    expect(body.failure).toMatchObject({
      code: 'SECRET_NOT_FOUND',
      message: 'There is no secret "NOPE"; nothing was sent.',
      blockId: id,
    });
    expect(echo.received).toHaveLength(before);
  });
});

describe('secret', () => {
  test('a secret reaches only the called server: no answer, row, history or log line', async () => {
    const seen: string[] = [];
    for (const mode of ['work', 'fail']) {
      const workflow = await stack.givenDeployed(calling(mode));
      const { body } = await stack.execute(workflow);
      expect(body.status).toBe('failed');
      const detail = await stack.get(`/api/workflows/${workflow}/executions/${body.executionId}`);
      const history = await (await stack.temporal()).workflow.getHandle(body.executionId).fetchHistory();
      seen.push(JSON.stringify(body), JSON.stringify(detail.body), JSON.stringify(historyToJSON(history)));
      seen.push(Buffer.from(JSON.stringify(history)).toString('latin1'));
    }
    expect(echo.received).toHaveLength(2);
    expect(echo.received[0]?.headers.authorization).toBe(`Bearer ${canary}`);
    expect(echo.received[0]?.body).toContain(canary);
    seen.push(await everyRow(), stack.api.lines.join('\n'), stack.worker.lines.join('\n'));
    const encoded = Buffer.from(canary).toString('base64').slice(0, 30);
    expect(seen.filter((text) => text.includes(canary) || text.includes(encoded))).toEqual([]);
  });

  test('a secret is not in clear in any row or log line, and neither is an API key', async () => {
    const everything = [await everyRow(), stack.api.lines.join('\n'), stack.worker.lines.join('\n')].join(
      '\n',
    );
    expect([stack.home.key, stack.personalKey].filter((key) => everything.includes(key))).toEqual([]);
  });

  test('a secret is refused by deploy outside of effect blocks', async () => {
    const id = await stack.givenWorkflow({
      blocks: [{ id: 'end', type: 'response', params: { data: '{{ secrets.TOKEN }}' } }],
      edges: [{ from: 'start', to: 'end' }],
    });
    expect(await stack.post(`/api/v1/workflows/${id}/deploy`)).toMatchObject({
      status: 400,
      body: { details: [{ blockId: 'end' }] },
    });
  });
});
