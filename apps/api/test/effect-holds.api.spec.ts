import type { ServerResponse } from 'node:http';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Receiver } from './support/receiver.ts';
import { type Answer, Stack, until } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

/** The limit of active time of a run. */
const activeS = 6;

let stack: Stack;
let receiver: Receiver;
let base: string;
/** The next call is answered when this has come. */
let mayAnswer = Promise.resolve();

beforeAll(async () => {
  // Of its own, because it kills processes and has a short limit of active time.
  stack = await Stack.start({ EGRESS_ALLOW: '127.0.0.1,localhost', ASYNC_TIMEOUT_S: String(activeS) });
  base = `/api/v1/workspaces/${stack.home.id}/holds`;
  receiver = await Receiver.start(({ path }, response: ServerResponse) => {
    const status = Number(/^\/redirect-(\d+)$/.exec(path)?.[1]);
    if (status) {
      response.writeHead(status, { location: atOther('/target') }).end();
      return;
    }
    void mayAnswer.then(() => response.end('{}'));
    mayAnswer = Promise.resolve();
  });
});
afterAll(async () => {
  receiver.stop();
  await stack.stop();
});
afterEach(async () => {
  for (const { id } of (await stack.get(base)).body.data) await stack.post(`${base}/${id}/release`);
  await noHolds();
  receiver.received.length = 0;
});

const noHolds = () =>
  until(
    () => stack.get(base),
    ({ body }) => body.data.length === 0,
  );

/** An address at the receiver by another name. */
const atOther = (path: string) => receiver.url(path).replace('127.0.0.1', 'localhost');

const call = (id: string, path: string, host = '127.0.0.1') => ({
  id,
  type: 'http',
  params: { url: receiver.url(path).replace('127.0.0.1', host) },
});

/** A chain of blocks from the start. */
const chain = (...blocks: { id: string }[]) => ({
  blocks,
  edges: blocks.map(({ id }, n) => ({ from: blocks[n - 1]?.id ?? 'start', to: id })),
});

const ask = {
  id: 'ask',
  type: 'human',
  params: { title: 'Go on?', form: [{ name: 'ok', type: 'boolean' }] },
};

async function givenHold(more: object): Promise<string> {
  const { status, body } = await stack.post(base, { reason: 'The mill is being moved.', ...more });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.data.id;
}

const release = (hold: string, rate: object = {}) => stack.post(`${base}/${hold}/release`, rate);

const start = async (workflow: string): Promise<string> =>
  (await stack.execute(workflow, { inputs: {} }, { 'x-execution-mode': 'async' })).body.executionId;

const read = (workflow: string, executionId: string) =>
  stack.get(`/api/workflows/${workflow}/executions/${executionId}`);

const untilRead = (workflow: string, executionId: string, is: (answer: Answer) => boolean) =>
  until(() => read(workflow, executionId), is);

/** The log of blocks is written beside the stop of a call, and may show it a moment later. */
const isShown = ({ body }: Answer) =>
  body.blocks.some(({ status }: { status: string }) => status === 'waiting');
const isHeld = (answer: Answer) => answer.body.held !== undefined && isShown(answer);
const isCompleted = ({ body }: Answer) => body.status === 'completed';

const paths = () => receiver.received.map(({ path }) => path);

describe('a hold of effects', () => {
  test('a hold of effects stops a run at its next call, takes the answer of a person meanwhile, and lets it go on', async () => {
    const workflow = await stack.givenDeployed(chain(ask, call('send', '/after-answer')));
    const { executionId, apiUrl } = await stack.givenPaused(workflow);
    const hold = await givenHold({ workflowId: workflow, stops: 'effects' });
    const answered = await stack.post(apiUrl, { input: { ok: true }, async: true });
    expect(answered.status).toBeLessThan(300);
    const { body } = await untilRead(workflow, executionId, isHeld);
    expect(body).toMatchObject({
      status: 'running',
      held: { workflowId: workflow, reason: 'The mill is being moved.', actor: { kind: 'key' } },
      blocks: [
        { blockId: 'ask', status: 'completed' },
        { blockId: 'send', status: 'waiting', endedAt: null },
      ],
    });
    expect((await stack.get(`/api/jobs/${executionId.replace('exec_', 'job_')}`)).body).toHaveProperty(
      'held',
    );
    const queued = await start(workflow);
    expect((await read(workflow, queued)).body).toMatchObject({
      status: 'queued',
      held: { workflowId: workflow },
    });
    const log = (await stack.get(`/api/v1/logs?workflowIds=${workflow}`)).body.data;
    expect(log).toMatchObject([
      { executionId: queued, held: true },
      { executionId, held: true },
    ]);
    expect((await stack.get(`${base}/${hold}`)).body.data).toMatchObject({ stops: 'effects', waiting: 2 });
    expect(paths()).toEqual([]);
    await release(hold);
    const done = await untilRead(workflow, executionId, isCompleted);
    expect(done.body).not.toHaveProperty('held');
    expect(paths()).toEqual(['/after-answer']);
    await noHolds();
  });

  test('a hold of effects lets a call that is under way end, and the next one is not made', async () => {
    const workflow = await stack.givenDeployed(chain(call('first', '/1'), call('second', '/2')));
    const other = await stack.givenDeployed(chain(call('free', '/free')));
    let answer = () => {};
    mayAnswer = new Promise((resolve) => (answer = resolve));
    const executionId = await start(workflow);
    await until(
      () => Promise.resolve(paths()),
      (seen) => seen.includes('/1'),
    );
    const hold = await givenHold({ workflowId: workflow, stops: 'effects' });
    answer();
    const { body } = await untilRead(workflow, executionId, isHeld);
    expect(body.blocks).toMatchObject([
      { blockId: 'first', status: 'completed' },
      { blockId: 'second', status: 'waiting' },
    ]);
    const freely = await start(other);
    await untilRead(other, freely, isCompleted);
    expect(paths()).toEqual(['/1', '/free']);
    await release(hold);
    await untilRead(workflow, executionId, isCompleted);
    expect(paths()).toEqual(['/1', '/free', '/2']);
  });

  test('a hold of effects costs a run no active time, however long it lasts', async () => {
    const held = await stack.givenDeployed(chain(ask, call('send', '/late')));
    const { executionId, apiUrl } = await stack.givenPaused(held);
    const hold = await givenHold({ workflowId: held, stops: 'effects' });
    await stack.post(apiUrl, { input: { ok: true }, async: true });
    await untilRead(held, executionId, isHeld);
    // A wait that is longer than the limit of active time comes to its end meanwhile.
    const rest = { id: 'rest', type: 'wait', params: { duration: activeS + 1 } };
    const clock = await stack.givenDeployed(chain(rest));
    await untilRead(clock, await start(clock), isCompleted);
    expect((await read(held, executionId)).body).toMatchObject({ status: 'running' });
    await release(hold);
    await untilRead(held, executionId, isCompleted);
  });

  test('a hold of effects of the workspace starts no child, until it is released', async () => {
    const child = await stack.givenDeployed(chain(call('work', '/child')));
    const sub = { id: 'sub', type: 'workflow', params: { workflowId: child } };
    const parent = await stack.givenDeployed(chain(ask, sub));
    const { executionId, apiUrl } = await stack.givenPaused(parent);
    const hold = await givenHold({ stops: 'effects' });
    await stack.post(apiUrl, { input: { ok: true }, async: true });
    const { body } = await untilRead(parent, executionId, isHeld);
    expect(body).toMatchObject({
      held: { workflowId: null },
      blocks: [{}, { blockId: 'sub', status: 'waiting' }],
    });
    expect((await stack.get(`/api/v1/logs?workflowIds=${child}`)).body.data).toEqual([]);
    await release(hold);
    await untilRead(parent, executionId, isCompleted);
    expect(paths()).toEqual(['/child']);
  });

  test('a hold of effects lets a stopped run be cancelled, which then calls nothing', async () => {
    const workflow = await stack.givenDeployed(chain(ask, call('send', '/cancelled')));
    const { executionId, apiUrl } = await stack.givenPaused(workflow);
    const hold = await givenHold({ workflowId: workflow, stops: 'effects' });
    await stack.post(apiUrl, { input: { ok: true }, async: true });
    await untilRead(workflow, executionId, isHeld);
    // Readers who meet the cancel: what an answer says is of one moment.
    const readUntilCancelled = async () => {
      const seen: Answer[] = [];
      await untilRead(workflow, executionId, (answer) => {
        seen.push(answer);
        return answer.body.status === 'cancelled';
      });
      return seen;
    };
    const readers = Array.from({ length: 8 }, readUntilCancelled);
    await stack.post(`/api/workflows/${workflow}/executions/${executionId}/cancel`);
    for (const { body } of (await Promise.all(readers)).flat())
      expect([body.status, 'held' in body]).toEqual([body.status, body.status === 'running']);
    expect((await stack.get(`${base}/${hold}`)).body.data).toMatchObject({ waiting: 0 });
    await release(hold);
    await noHolds();
    expect(paths()).toEqual([]);
  });

  test('a hold of effects that is released at a rate lets runs go on in the order in which they stopped', async () => {
    const workflow = await stack.givenDeployed({
      ...chain(ask, call('send', '/{{ start.n }}')),
      start: { inputs: { n: { type: 'number' } } },
    });
    const apiUrls: string[] = [];
    for (let n = 0; n < 4; n++) {
      const paused = (await stack.execute(workflow, { inputs: { n } })).body.paused;
      apiUrls.push(paused.pausePoints[0].resumeLinks.apiUrl);
    }
    const hold = await givenHold({ workflowId: workflow, stops: 'effects' });
    for (const [n, url] of apiUrls.entries()) {
      await stack.post(new URL(url).pathname, { input: { ok: true }, async: true });
      await until(
        () => stack.get(`${base}/${hold}`),
        ({ body }) => body.data.waiting === n + 1,
      );
    }
    // A turn of such a release lets one go.
    await release(hold, { perSecond: 0.5 });
    await until(
      () => Promise.resolve(paths()),
      (seen) => seen.length > 0,
    );
    expect(paths()).toEqual(['/0']);
    await release(hold);
    await until(
      () => Promise.resolve(paths()),
      (seen) => seen.length === 4,
    );
    expect(paths().toSorted()).toEqual(apiUrls.map((_, n) => `/${n}`));
    await noHolds();
  });

  testInWhole(
    'a hold of effects survives the kill of every process, and each stopped run makes its call once',
    async () => {
      // A call whose result a killed worker did not record is sent again, with the same key.
      const put = (id: string) => ({
        id,
        type: 'http',
        params: { url: receiver.url(`/${id}`), method: 'PUT' },
      });
      const workflow = await stack.givenDeployed(chain(ask, put('once'), put('then')));
      const runs = await Promise.all(Array.from({ length: 6 }, () => stack.givenPaused(workflow)));
      const hold = await givenHold({ workflowId: workflow, stops: 'effects' });
      const answer = ({ apiUrl }: { apiUrl: string }) =>
        stack.post(apiUrl, { input: { ok: true }, async: true });
      await Promise.all(runs.slice(0, 3).map(answer));
      await Promise.all([stack.api.kill(), stack.worker.kill()]);
      await Promise.all([stack.startApi(), stack.startWorker()]);
      await Promise.all(runs.slice(3).map(answer));
      await until(
        () => stack.get(`${base}/${hold}`),
        ({ body }) => body.data.waiting === 6,
      );
      expect(paths()).toEqual([]);
      await release(hold, { perSecond: 5 });
      await until(
        () => stack.get(`${base}/${hold}`),
        ({ status, body }) => status === 404 || body.data.waiting < 6,
      );
      await stack.worker.kill();
      await stack.startWorker();
      for (const { executionId } of runs) await untilRead(workflow, executionId, isCompleted);
      const keysOf = (path: string) =>
        new Set(receiver.received.filter((one) => one.path === path).map(({ key }) => key));
      expect([keysOf('/once').size, keysOf('/then').size]).toEqual([runs.length, runs.length]);
      await noHolds();
    },
  );
});

describe('a hold of a host', () => {
  test('a hold of a host stops calls to it from all workflows, and no other call and no start', async () => {
    const one = await stack.givenDeployed(chain(call('free', '/free'), call('held', '/held', 'localhost')));
    const other = await stack.givenDeployed(chain(call('held', '/also', 'LOCALHOST')));
    const free = await stack.givenDeployed(chain(call('free', '/other')));
    const hold = await givenHold({ host: 'LocalHost' });
    expect((await stack.get(`${base}/${hold}`)).body.data).toMatchObject({
      host: 'localhost',
      stops: 'effects',
      workflowId: null,
    });
    const ids = [await start(one), await start(other)] as const;
    const held = await untilRead(one, ids[0], isHeld);
    expect(held.body).toMatchObject({
      status: 'running',
      held: { host: 'localhost', workflowId: null },
      blocks: [
        { blockId: 'free', status: 'completed' },
        { blockId: 'held', status: 'waiting' },
      ],
    });
    await untilRead(other, ids[1], isHeld);
    await untilRead(free, await start(free), isCompleted);
    expect(paths().toSorted()).toEqual(['/free', '/other']);
    await release(hold);
    await untilRead(one, ids[0], isCompleted);
    await untilRead(other, ids[1], isCompleted);
    expect(paths().toSorted()).toEqual(['/also', '/free', '/held', '/other']);
  });

  test('a hold of a host stops a redirect to it, and the call is made anew at the release', async () => {
    const workflow = await stack.givenDeployed(chain(call('moved', '/redirect-307')));
    const hold = await givenHold({ host: 'localhost' });
    const executionId = await start(workflow);
    const held = await untilRead(workflow, executionId, isHeld);
    expect(held.body).toMatchObject({
      status: 'running',
      held: { host: 'localhost' },
      blocks: [{ blockId: 'moved', status: 'waiting' }],
    });
    // A run that moves to Temporal makes the call anew, and counts as waiting when it is redirected again.
    await until(
      async () => (await stack.get(`${base}/${hold}`)).body.data.waiting,
      (waiting) => waiting === 1,
    );
    expect(new Set(paths())).toEqual(new Set(['/redirect-307']));
    await release(hold);
    await untilRead(workflow, executionId, isCompleted);
    expect(paths().slice(-2)).toEqual(['/redirect-307', '/target']);
    expect(paths().filter((path) => path === '/target')).toHaveLength(1);
  });

  test('a hold of a host fails a call that must not be repeated at its redirect to it, and nothing waits', async () => {
    const sent = call('sent', '/redirect-303');
    const post = { ...sent, params: { ...sent.params, method: 'POST' } };
    const workflow = await stack.givenDeployed(chain(post));
    const hold = await givenHold({ host: 'localhost' });
    const executionId = await start(workflow);
    const { body } = await untilRead(workflow, executionId, (answer) => answer.body.status === 'failed');
    expect(body.failure).toMatchObject({ code: 'REDIRECT_HELD', message: expect.stringContaining('mill') });
    expect(body).not.toHaveProperty('held');
    expect(paths()).toEqual(['/redirect-303']);
    expect((await stack.get(`${base}/${hold}`)).body.data).toMatchObject({ waiting: 0 });
  });

  test('a limit of a host holds for redirects to it, also when the first host has one', async () => {
    const limits = (...hosts: string[]) =>
      stack.call('PATCH', `/api/v1/workspaces/${stack.home.id}`, {
        hostLimits: hosts.map((host) => ({ host, concurrency: 1 })),
      });
    await limits('localhost', '127.0.0.1');
    const workflow = await stack.givenDeployed(chain(call('moved', '/redirect-302')));
    let answer = () => {};
    mayAnswer = new Promise((resolve) => (answer = resolve));
    const first = await start(workflow);
    const targets = () => paths().filter((path) => path === '/target').length;
    await until(
      () => Promise.resolve(targets()),
      (count) => count === 1,
    );
    const others = await Promise.all([1, 2, 3].map(() => start(workflow)));
    for (const other of others) {
      const { body } = await untilRead(
        workflow,
        other,
        (it) => it.body.waitsFor?.host === 'localhost' && isShown(it),
      );
      expect(body).toMatchObject({ status: 'running', blocks: [{ status: 'waiting' }] });
    }
    expect(targets()).toBe(1);
    answer();
    for (const id of [first, ...others]) await untilRead(workflow, id, isCompleted);
    expect(targets()).toBe(4);
    await limits();
  });

  test.each([
    [{ host: 'https://api.example.com' }, 'host'],
    [{ host: 'api.example.com:8443' }, 'host'],
    [{ host: 'api example.com' }, 'host'],
    [{ host: 'api.example.com/v1' }, 'host'],
    [{ host: '' }, 'host'],
    [{ host: 'x'.repeat(254) }, 'host'],
    [{ host: 'api.example.com', workflowId: 'wf_none' }, 'host'],
    [{ host: 'api.example.com', stops: 'starts' }, 'stops'],
    [{ host: 'api.example.com', mode: 'refuse' }, 'mode'],
    [{ stops: 'all' }, 'stops'],
  ])('a hold %j is refused and holds nothing', async (body, path) => {
    const refused = await stack.post(base, { reason: 'x', ...body });
    expect([refused.status, refused.body.details]).toMatchObject([400, [{ path }]]);
    expect((await stack.get(base)).body.data).toEqual([]);
  });

  test('a hold of a host can not be changed so that it refuses', async () => {
    const hold = await givenHold({ host: 'api.example.com' });
    const refused = await stack.call('PATCH', `${base}/${hold}`, { mode: 'refuse' });
    expect([refused.status, refused.body.details]).toMatchObject([400, [{ path: 'mode' }]]);
  });
});

describe('what a hold stops', () => {
  test('what a hold stops can be changed: effects wait from then on, and go on when only starts are held', async () => {
    const workflow = await stack.givenDeployed(chain(ask, call('send', '/changed')));
    const { executionId, apiUrl } = await stack.givenPaused(workflow);
    const hold = await givenHold({ workflowId: workflow });
    const change = (stops: string) => stack.call('PATCH', `${base}/${hold}`, { stops });
    expect((await change('effects')).body.data).toMatchObject({ stops: 'effects', waiting: 0 });
    await stack.post(apiUrl, { input: { ok: true }, async: true });
    await untilRead(workflow, executionId, isHeld);
    const queued = await start(workflow);
    expect((await change('starts')).body.data).toMatchObject({ id: hold, stops: 'starts' });
    await untilRead(workflow, executionId, isCompleted);
    expect(paths()).toEqual(['/changed']);
    expect((await read(workflow, queued)).body).toMatchObject({ status: 'queued', held: {} });
    await stack.post(`/api/workflows/${workflow}/executions/${queued}/cancel`);
    const host = await givenHold({ host: 'api.example.com' });
    const refused = await stack.call('PATCH', `${base}/${host}`, { stops: 'starts' });
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'stops' }] } });
  });
});

describe('a hold of the installation', () => {
  /** Runs the operator's command, and returns its line. */
  const operate = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['dist/apps/api/src/commands/hold.js', ...args],
      { env: { ...process.env, ...stack.env } },
    );
    return JSON.parse(stdout);
  };

  test('a hold of the installation queues starts and stops effects of all workspaces, which cannot change it, until the operator releases it', async () => {
    const workflow = await stack.givenDeployed(chain(ask, call('send', '/upgrade')));
    const { executionId, apiUrl } = await stack.givenPaused(workflow);
    // The command of the operator works on the installation of its environment.
    expect(await operate('show')).toBeNull();
    const made = await operate('set', 'We upgrade.', '--effects');
    expect(made).toMatchObject({ reason: 'We upgrade.', stops: 'effects', waiting: 0 });
    await expect(operate('set', 'Again.')).rejects.toThrow(/It is held already/);
    await stack.post(apiUrl, { input: { ok: true }, async: true });
    const held = { workflowId: null, reason: 'We upgrade.', actor: { kind: 'operator' } };
    expect((await untilRead(workflow, executionId, isHeld)).body).toMatchObject({ held });
    const queued = await start(workflow);
    expect((await read(workflow, queued)).body).toMatchObject({ status: 'queued', held });
    const later = await stack.givenWorkspace();
    const headers = { 'x-api-key': later.key };
    const theirs = `/api/v1/workspaces/${later.id}/holds`;
    expect((await stack.get(theirs, headers)).body.data).toMatchObject([
      { id: made.id, workspaceId: later.id, byOperator: true, reason: 'We upgrade.', waiting: 0 },
    ]);
    expect((await stack.get(base)).body.data).toMatchObject([{ id: made.id, waiting: 2 }]);
    expect(await operate('show')).toMatchObject({ waiting: 2 });
    for (const [method, path, body] of [
      ['POST', `${base}/${made.id}/release`, {}],
      ['PATCH', `${base}/${made.id}`, { reason: 'Ours.' }],
    ] as const)
      expect(await stack.call(method, path, body)).toMatchObject({
        status: 403,
        body: { code: 'HELD_BY_OPERATOR', error: expect.stringContaining('We upgrade.') },
      });
    expect(paths()).toEqual([]);
    expect(await operate('release', '--per-second', '50')).toMatchObject({ perSecond: 50 });
    await untilRead(workflow, executionId, isCompleted);
    await untilRead(workflow, queued, ({ body }) => body.status === 'paused');
    await until(
      () => operate('show'),
      (one) => one === null,
    );
    await expect(operate('release')).rejects.toThrow(/is not held/);
    expect((await stack.get(base)).body.data).toEqual([]);
  });
});
