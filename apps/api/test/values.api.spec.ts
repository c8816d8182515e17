import { createHash } from 'node:crypto';
import { ask, block, box, line, respond } from './support/graphs.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';
import { describeMoreInWhole, isWhole } from '#libs/platform/settings/support/whole';

const secret = 'canary-51d2-never-to-be-seen';
let receiver: Receiver;
/** True while the receiver fails at `/flip`, where it says back all that it was told. */
let isDown = false;
beforeAll(async () => {
  receiver = await Receiver.start(({ path, headers, body }, response) =>
    response
      .writeHead(path.includes('bad') || (isDown && path.includes('flip')) ? 500 : 200)
      .end(path.includes('flip') ? JSON.stringify({ isDown, headers, body }) : '{"ok":1}'),
  );
});
afterAll(() => receiver.stop());

const start = { inputs: { text: { type: 'string', default: 'x' } } };

const calling = (id: string, path = id) =>
  block(
    id,
    'http',
    {
      url: receiver.url(`/${path}`),
      method: 'POST',
      headers: { authorization: 'Bearer {{ secrets.TOKEN }}' },
      body: { text: '{{ start.text }}' },
    },
    { retry: { maxAttempts: 1 } },
  );

const shapes = {
  'a line': () => line(calling('a'), calling('bad')),
  'a parallel': () => line(box('fan', 'parallel', { count: 3 }, calling('a')), calling('bad')),
  'a call that is tried again': () =>
    line(calling('a'), { ...calling('bad'), retry: { maxAttempts: 2, initialDelay: 0 } } as never),
  'a condition, a wait and a pause': () => ({
    blocks: [
      { id: 'check', type: 'condition', cases: [{ port: 'long', when: 'size(start.text) > 3' }] },
      block('rest', 'wait', { duration: 0 }),
      ask('asked'),
    ],
    edges: [
      { from: 'start', to: 'check' },
      { from: 'check', to: 'rest', port: 'else' },
      { from: 'rest', to: 'asked' },
    ],
  }),
};

// oxlint-disable-next-line typescript/no-explicit-any
type Visit = { path: string } & Record<'sent' | 'output' | 'failure', any>;

// A process with the role worker carries runs out by itself; one with the role api leaves them to Temporal.
describeMoreInWhole.each(isWhole ? ['api,worker', 'api'] : ['api,worker'])(
  'in an API with the role %s',
  (ROLES) => {
    let stack: Stack;
    beforeAll(async () => {
      stack = await Stack.start({ ROLES });
      await stack.call('PUT', `/api/v1/workspaces/${stack.home.id}/secrets/TOKEN`, { value: secret });
    });
    afterAll(() => stack.stop());

    async function run(shape: keyof typeof shapes, inputs = {}) {
      const workflow = await stack.givenDeployed({ start, ...shapes[shape]() });
      const { body } = await stack.call('POST', `/api/workflows/${workflow}/execute`, { inputs });
      const path = `/api/workflows/${workflow}/executions/${body.executionId}`;
      const { body: end } = await until(
        () => stack.call('GET', path),
        ({ body: { status } }) => ['completed', 'failed', 'paused'].includes(status),
      );
      return { path, blocks: end.blocks as Visit[] };
    }

    test.each(['a line', 'a parallel', 'a call that is tried again'] as const)(
      'the visits of %s show what was sent, the failed call too, and no secret',
      async (shape) => {
        const { blocks } = await run(shape);
        const calls = blocks.filter(({ path }) => /^(a|bad)/.test(path));
        expect(calls.length).toBe(shape === 'a parallel' ? 4 : 2);
        for (const { sent } of calls)
          expect(sent).toMatchObject({
            value: { headers: { authorization: 'Bearer [secret]' }, body: { text: 'x' } },
            cut: false,
          });
        expect(JSON.stringify(blocks)).not.toContain(secret);
        expect(receiver.received.at(-1)?.headers.authorization).toBe(`Bearer ${secret}`);
      },
    );

    test('a condition shows what it has read, and a wait and a pause show their parameters', async () => {
      const { blocks } = await run('a condition, a wait and a pause');
      const sent = Object.fromEntries(blocks.map((visit) => [visit.path, visit.sent?.value]));
      expect(sent).toMatchObject({
        check: { start: { text: 'x' } },
        rest: { durationMs: 0 },
        asked: { title: 'asked' },
      });
    });

    test.each(['a line', 'a parallel', 'a call that is tried again'] as const)(
      'a large value of a call in %s is cut, and its whole is read by a reference without secrets',
      async (shape) => {
        const text = '語'.repeat(10_000);
        const { path, blocks } = await run(shape, { text });
        const visits = blocks.filter(({ path: visit }) => /^(a|bad)/.test(visit));
        expect(visits.length).toBe(shape === 'a parallel' ? 4 : 2);
        for (const { sent } of visits) {
          expect(sent).toMatchObject({ cut: true, whole: { bytes: expect.any(Number) } });
          expect(sent.chars).toBeGreaterThan(10_000);
          expect(sent.value).toHaveLength(4096);
          const whole = await stack.get(`${path}/values/${sent.whole.$payload}`);
          expect(whole).toMatchObject({
            status: 200,
            body: {
              data: {
                headers: { authorization: 'Bearer [secret]' },
                body: { text: text },
              },
            },
          });
        }
      },
    );

    const parts = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, '語'.repeat(1300)]));
    const reading = {
      id: 'check',
      type: 'condition',
      cases: [{ port: 'long', when: 'size(vars.a + vars.b + vars.c + vars.d) > 3' }],
    };
    const vars = {
      variables: Object.fromEntries(Object.keys(parts).map((name) => [name, { type: 'string' }])),
    };
    const templates = Object.fromEntries(Object.keys(parts).map((name) => [name, `{{ vars.${name} }}`]));

    test('a large value of a condition, a pause and a child is cut, and its whole is read by a reference', async () => {
      const child = await stack.givenDeployed({
        start: { inputs: Object.fromEntries(Object.keys(parts).map((name) => [name, { type: 'string' }])) },
        ...line(respond('{{ start.a }}')),
      });
      const message = Object.values(templates).join(' ');
      const workflow = await stack.givenDeployed({
        ...vars,
        blocks: [
          block('set', 'variables', { set: parts }),
          reading,
          block('child', 'workflow', { workflowId: child, inputs: templates }),
          block('asked', 'human', { title: 'Well?', message, form: [] }),
        ],
        edges: [
          { from: 'start', to: 'set' },
          { from: 'set', to: 'check' },
          { from: 'check', to: 'child', port: 'long' },
          { from: 'child', to: 'asked' },
        ],
      });
      const { body } = await stack.call('POST', `/api/workflows/${workflow}/execute`, {});
      const path = `/api/workflows/${workflow}/executions/${body.executionId}`;
      const { body: paused } = await until(
        () => stack.call('GET', path),
        ({ body: { status } }) => ['failed', 'paused'].includes(status),
      );
      const wholes: Record<string, unknown> = {};
      const visits = (paused.blocks as Visit[]).filter(({ path: visit }) => visit !== 'set');
      for (const visit of visits) {
        expect(visit.sent).toMatchObject({ cut: true, whole: { $payload: expect.stringMatching(/^sent_/) } });
        const { status, body: whole } = await stack.get(`${path}/values/${visit.sent.whole.$payload}`);
        expect(status).toBe(200);
        expect(JSON.stringify(whole.data).slice(0, 4096)).toBe(visit.sent.value);
        expect(JSON.stringify(whole.data)).toHaveLength(visit.sent.chars);
        expect(Buffer.byteLength(JSON.stringify(whole.data))).toBe(visit.sent.whole.bytes);
        wholes[visit.path] = whole.data;
      }
      expect(wholes).toMatchObject({
        check: { vars: parts },
        child: { workflowId: child, inputs: parts },
        asked: { title: 'Well?', message: Object.values(parts).join(' ') },
      });
      const { body: made } = await stack.call('POST', `/api/v1/workspaces/${stack.home.id}/keys`, {
        name: 'Reader of wholes',
        role: 'viewer',
      });
      const { whole } = visits[0]?.sent ?? {};
      const headers = { 'x-api-key': made.data.key };
      expect((await stack.call('GET', `${path}/values/${whole.$payload}`, undefined, headers)).status).toBe(
        404,
      );
    });

    test('a condition of a run that ended where it was accepted has its whole value too', async () => {
      const workflow = await stack.givenDeployed({
        ...vars,
        blocks: [block('set', 'variables', { set: parts }), reading],
        edges: [
          { from: 'start', to: 'set' },
          { from: 'set', to: 'check' },
        ],
      });
      const { body } = await stack.call('POST', `/api/workflows/${workflow}/execute`, {});
      const path = `/api/workflows/${workflow}/executions/${body.executionId}`;
      const { body: end } = await stack.get(path);
      const { whole } = end.blocks.find((visit: Visit) => visit.path === 'check').sent;
      expect((await stack.get(`${path}/values/${whole.$payload}`)).body.data).toEqual({ vars: parts });
    });

    test('a condition that has read a large value shows a reference to it', async () => {
      const text = 'x'.repeat(5000);
      const { path, blocks } = await run('a condition, a wait and a pause', { text });
      const { sent } = blocks.find((visit) => visit.path === 'check') ?? {};
      expect(sent).toMatchObject({ cut: false, whole: null, value: { start: { text: { bytes: 5002 } } } });
      const { body } = await stack.get(`${path}/values/${sent.value.start.text.$payload}`);
      expect(body.data).toBe(text);
    });

    test('a reader who may not write sees no values, and a workspace that wants none keeps none', async () => {
      const { path } = await run('a line');
      const keys = `/api/v1/workspaces/${stack.home.id}/keys`;
      const { body } = await stack.call('POST', keys, { name: 'Reader', role: 'viewer' });
      const headers = { 'x-api-key': body.data.key };
      const log = `/api/v1/logs/${path.split('/').at(-1)}`;
      const seen = (await stack.call('GET', path, undefined, headers)).body.blocks;
      const logged = (await stack.call('GET', log, undefined, headers)).body.data.executionData.blocks;
      for (const { sent } of [...seen, ...logged]) expect(sent).toBeNull();
      const large = await run('a line', { text: 'x'.repeat(5000) });
      const value = `${large.path}/values/${large.blocks[0]?.sent.whole.$payload}`;
      expect((await stack.get(value)).status).toBe(200);
      expect((await stack.call('GET', value, undefined, headers)).status).toBe(404);
      const own = (await stack.call('GET', log)).body.data.executionData.blocks;
      expect(own[0].sent.value.body).toEqual({ text: 'x' });
      const workspace = `/api/v1/workspaces/${stack.home.id}`;
      await stack.call('PATCH', workspace, { recordsValues: false });
      const { blocks } = await run('a line');
      expect(blocks.map(({ sent }) => sent)).toEqual(blocks.map(() => null));
      const kept = (await run('a line', { text: 'x'.repeat(5000) })).path;
      const id = `sent_${createHash('sha256')
        .update(`${kept.split('/').at(-1)} a`)
        .digest('hex')}`;
      expect((await stack.get(`${kept}/values/${id}`)).status).toBe(404);
      expect((await stack.call('PATCH', workspace, { recordsValues: true })).body.data.recordsValues).toBe(
        true,
      );
    });

    test('a retried run and its forks show the values of what ran last, without secrets, and a backtest changes none', async () => {
      const draft = { start, ...line(calling('a'), calling('flip'), respond('{{ flip.data.isDown }}')) };
      isDown = true;
      const workflow = await stack.givenDeployed(draft);
      const { body } = await stack.call('POST', `/api/workflows/${workflow}/execute`, {
        inputs: { text: 'one' },
      });
      const path = (id: string) => `/api/workflows/${workflow}/executions/${id}`;
      const visitsOf = async (id: string) => {
        const { body: end } = await until(
          () => stack.call('GET', path(id)),
          ({ body: { status } }) => ['completed', 'failed'].includes(status),
        );
        expect(JSON.stringify(end)).not.toContain(secret);
        return Object.fromEntries(
          (end.blocks as Visit[]).map(({ path: visit, sent, output, failure }) => [
            visit,
            { said: sent?.value.body?.text, wasDown: output?.data?.isDown, failure: failure?.code },
          ]),
        );
      };
      const kept = { said: 'one', wasDown: undefined, failure: undefined };
      expect(await visitsOf(body.executionId)).toMatchObject({
        a: kept,
        flip: { said: 'one', failure: 'HTTP_500' },
      });

      isDown = false;
      await stack.call('POST', `${path(body.executionId)}/retry`, {});
      const retried = { a: kept, flip: { said: 'one', wasDown: false, failure: undefined } };
      await until(
        async () => (await stack.call('GET', path(body.executionId))).body.status,
        (status) => status === 'completed',
      );
      expect(await visitsOf(body.executionId)).toMatchObject(retried);

      isDown = true;
      const fork = async (wish: object) => {
        const { body: made } = await stack.call('POST', `${path(body.executionId)}/fork`, wish);
        return visitsOf(made.data.execution.executionId);
      };
      expect(await fork({ inputs: { text: 'two' } })).toMatchObject({
        a: { said: 'two' },
        flip: { said: 'two', wasDown: undefined, failure: 'HTTP_500' },
      });
      isDown = false;
      // What is kept shows no values of its own, and what is given was not sent.
      expect(await fork({ from: 'flip', input: { body: { text: 'three' } } })).toMatchObject({
        a: { said: undefined },
        flip: { said: 'three', wasDown: false },
      });
      expect(await fork({ from: 'flip', output: { data: { isDown: 'maybe' } } })).toMatchObject({
        flip: { said: undefined, wasDown: 'maybe' },
      });

      const other = { ...draft, ...line(calling('a'), calling('flip'), respond('other')) };
      await stack.call('PATCH', `/api/v1/workflows/${workflow}`, { definition: other });
      const backtest = await stack.call('POST', `/api/v1/workflows/${workflow}/backtest`, {});
      const compared = backtest.body.data.runs.find(
        ({ executionId }: { executionId: string }) => executionId === body.executionId,
      );
      expect(compared).toMatchObject({ verdict: 'differs', was: { output: false }, is: { output: 'other' } });
      expect(JSON.stringify(backtest.body)).not.toContain(secret);
      expect(await visitsOf(body.executionId)).toMatchObject(retried);
    });

    describe('the requests of a backtest', () => {
      // oxlint-disable-next-line typescript/no-explicit-any
      type Shown = { path: string; members: any[]; more: number; hidden: string | null };
      let workflow: string;
      const send = (params: object) =>
        stack.call('PATCH', `/api/v1/workflows/${workflow}`, {
          definition: {
            start,
            ...line(Object.assign(calling('a'), { params: { ...written(), ...params } })),
          },
        });
      const written = () => (calling('a') as unknown as { params: object }).params;
      const requestsOf = async (headers = {}) => {
        const url = `/api/v1/workflows/${workflow}/backtest`;
        const { body } = await stack.call('POST', url, {}, headers);
        const [{ requests }] = body.data.runs;
        expect(JSON.stringify(requests)).not.toContain(secret);
        return requests as Shown[];
      };
      const given = async (text: string) => {
        workflow = await stack.givenDeployed({ start, ...line(calling('a')) });
        await stack.call('POST', `/api/workflows/${workflow}/execute`, { inputs: { text } });
      };

      test('a backtest shows the members of a request that differ, with what was and would be sent', async () => {
        await given('x');
        await send({
          url: receiver.url('/b?of={{ start.text }}'),
          body: { text: '{{ start.text }}', n: [1] },
        });
        expect(await requestsOf()).toEqual([
          {
            path: 'a',
            members: [
              {
                name: 'url',
                was: { value: receiver.url('/a'), chars: receiver.url('/a').length + 2, cut: false },
                is: expect.objectContaining({ value: receiver.url('/b?of=x') }),
              },
              { name: 'body.n', was: null, is: { value: [1], chars: 3, cut: false } },
            ],
            more: 0,
            hidden: null,
          },
        ]);
        // Other words for the same values are the same request.
        await send({ body: { text: '{{ start["text"] }}' } });
        expect(await requestsOf()).toEqual([]);
      });

      test('a secret never appears in the requests of a backtest, neither as a parameter nor within another value', async () => {
        await given(`told ${secret}`);
        await send({
          headers: { authorization: 'Basic {{ secrets.TOKEN.upperAscii() }}' },
          body: { text: '{{ secrets.TOKEN }}', [secret]: secret },
        });
        const [request] = await requestsOf();
        expect(request?.members).toMatchObject([
          {
            name: 'headers.authorization',
            was: { value: 'Bearer [secret]' },
            is: { value: 'Basic [secret]' },
          },
          { name: 'body.text', was: { value: 'told [secret]' }, is: { value: '[secret]' } },
          { name: 'body.[secret]', was: null, is: { value: '[secret]' } },
        ]);
      });

      test('large values and many members of the requests of a backtest are bounded', async () => {
        await given('語'.repeat(10_000));
        const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`m${n}`, '{{ start.text }}']));
        await send({ body: { text: 'short', ...many } });
        const [request] = await requestsOf();
        expect(request).toMatchObject({ hidden: null, more: 11 });
        expect(request?.members).toHaveLength(20);
        expect(request?.members[0]).toMatchObject({
          name: 'body.text',
          was: { chars: 10_002, cut: true },
          is: { value: 'short', cut: false },
        });
        for (const { was, is } of request?.members ?? [])
          expect(Math.max(was?.value.length ?? 0, is.value.length)).toBeLessThanOrEqual(4096);
      });

      test('who may not see values, and a workspace that keeps none, get the names of the members alone', async () => {
        await given('x');
        await send({ body: { text: 'y' } });
        const nameOnly = [{ name: 'body.text', was: null, is: null }];
        const keys = `/api/v1/workspaces/${stack.home.id}/keys`;
        const { body } = await stack.call('POST', keys, { name: 'Reader of requests', role: 'viewer' });
        expect(await requestsOf({ 'x-api-key': body.data.key })).toEqual([
          { path: 'a', members: nameOnly, more: 0, hidden: 'role' },
        ]);
        const workspace = `/api/v1/workspaces/${stack.home.id}`;
        await stack.call('PATCH', workspace, { recordsValues: false });
        const unrecorded = [{ path: 'a', members: nameOnly, more: 0, hidden: 'unrecorded' }];
        expect(await requestsOf()).toEqual(unrecorded);
        await stack.call('POST', `/api/workflows/${workflow}/execute`, {});
        await stack.call('PATCH', workspace, { recordsValues: true });
        expect(await requestsOf()).toEqual(unrecorded);
      });
    });

    test('the spans of a run name its visits, and have no values', async () => {
      const { path, blocks } = await run('a parallel', { text: 'a value to be seen' });
      const log = await stack.get(`/api/v1/logs/${path.split('/').at(-1)}`);
      const { traceSpans } = log.body.data.executionData;
      const all = JSON.stringify(traceSpans);
      for (const visit of blocks) expect(all).toContain(`"id":"${visit.path}"`);
      expect(all).not.toContain('a value to be seen');
    });
  },
);
