import type { ServerResponse } from 'node:http';
import { givenMember } from './support/people.ts';
import { Receiver } from './support/receiver.ts';
import { type Answer, Stack, until } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
let receiver: Receiver;
let home: string;
/** The calls that wait for an answer, now and at most. */
let open = 0;
let mostOpen = 0;
/** How a call is answered. */
let answer: (response: ServerResponse) => void;
const atOnce = (response: ServerResponse) => void response.end('{}');

beforeAll(async () => {
  // Of its own, because it kills processes.
  stack = await Stack.start();
  home = `/api/v1/workspaces/${stack.home.id}`;
  receiver = await Receiver.start((_, response) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.on('close', () => (open -= 1));
    answer(response);
  });
});
afterAll(async () => {
  receiver.stop();
  await stack.stop();
});
beforeEach(() => {
  answer = atOnce;
  mostOpen = 0;
  receiver.received.length = 0;
});

const setLimits = (hostLimits: object[], headers?: Record<string, string>) =>
  stack.call('PATCH', home, { hostLimits }, headers);

/** Sets the limit of the receiver, once the processes can know it. */
async function givenLimit(limit: object): Promise<void> {
  const { status, body } = await setLimits([{ host: '127.0.0.1', ...limit }]);
  if (status !== 200) throw new Error(JSON.stringify(body));
}

const givenCaller = (path: string, timeout = 60) =>
  stack.givenDeployed({
    blocks: [{ id: 'call', type: 'http', params: { url: receiver.url(path) }, timeout }],
    edges: [{ from: 'start', to: 'call' }],
  });

const start = async (workflow: string): Promise<string> =>
  (await stack.execute(workflow, { inputs: {}, async: true })).body.executionId;

const startAll = (workflow: string, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => start(workflow)));

const read = (workflow: string, executionId: string) =>
  stack.get(`/api/workflows/${workflow}/executions/${executionId}`);

const completed = (workflow: string, executionId: string) =>
  until(
    () => read(workflow, executionId),
    ({ body }) => body.status === 'completed',
  );

const waits = ({ body }: Answer) => body.waitsFor !== undefined;

const paths = () => receiver.received.map(({ path }) => path);

/** Waits until the receiver has so many calls. */
const called = (count: number) =>
  until(
    () => Promise.resolve(paths()),
    (seen) => seen.length === count,
  );

/** Keeps the answer to the next call until the returned function is called. Later calls are answered at once. */
function keepFirst(): () => void {
  let end: () => void = () => undefined;
  answer = (response) => {
    end = () => response.end('{}');
    answer = atOnce;
  };
  return () => end();
}

describe('a limit of a host', () => {
  test('a limit of calls at once holds over all workflows and processes, and every call is made once', async () => {
    await givenLimit({ concurrency: 2 });
    answer = (response) => void setTimeout(() => response.end('{}'), 50);
    const [one, other] = [await givenCaller('/one'), await givenCaller('/other')];
    const ids = [await startAll(one, 8), await startAll(other, 8)] as const;
    for (const id of ids[0]) await completed(one, id);
    for (const id of ids[1]) await completed(other, id);
    expect(mostOpen).toBe(2);
    expect(paths().toSorted()).toEqual([...ids[0].map(() => '/one'), ...ids[1].map(() => '/other')]);
  });

  test('a call that waits for a host is shown with its place, needs no answer of its caller, and other calls go on', async () => {
    await givenLimit({ concurrency: 1 });
    const end = keepFirst();
    const workflow = await givenCaller('/shown');
    const first = await start(workflow);
    await called(1);
    const second = await start(workflow);
    // The log of blocks is written beside the wait, and may show it a moment later.
    const { body } = await until(
      () => read(workflow, second),
      (one) => waits(one) && one.body.blocks.length > 0,
    );
    expect(body).toMatchObject({
      status: 'running',
      waitsFor: { host: '127.0.0.1', place: 1, key: null },
      blocks: [{ blockId: 'call', status: 'waiting' }],
    });
    expect(body).not.toHaveProperty('held');
    const log = (await stack.get(`/api/v1/logs?workflowIds=${workflow}`)).body.data;
    expect(log).toMatchObject([{ executionId: second, waits: true }, { executionId: first }]);
    end();
    const done = await completed(workflow, second);
    expect(done.body).not.toHaveProperty('waitsFor');
    await completed(workflow, first);
  });

  test('a limit of a host gives its places to the workflows in turn', async () => {
    await givenLimit({ concurrency: 1 });
    const end = keepFirst();
    const [busy, quiet] = [await givenCaller('/busy'), await givenCaller('/quiet')];
    const ids = [await start(busy)];
    await called(1);
    for (let n = 0; n < 4; n++) {
      const id = await start(busy);
      await until(() => read(busy, id), waits);
      ids.push(id);
    }
    const last = await start(quiet);
    await until(() => read(quiet, last), waits);
    end();
    await completed(quiet, last);
    for (const id of ids) await completed(busy, id);
    expect(paths().indexOf('/quiet')).toBeLessThan(3);
  });

  test('a limit of calls a second lets no more begin in any second', async () => {
    await givenLimit({ perSecond: 3 });
    const times: number[] = [];
    answer = (response) => {
      times.push(performance.now());
      response.end('{}');
    };
    const workflow = await givenCaller('/rate');
    for (const id of await startAll(workflow, 9)) await completed(workflow, id);
    expect(times).toHaveLength(9);
    // A call takes some time from its beginning to its receiver.
    for (const [n, ms] of times.slice(3).entries()) expect(ms - (times[n] ?? 0)).toBeGreaterThan(700);
  });

  test('a limit of a host that is removed lets all go that wait', async () => {
    await givenLimit({ concurrency: 1 });
    const end = keepFirst();
    const workflow = await givenCaller('/freed');
    const ids = await startAll(workflow, 3);
    await until(
      async () => {
        const states = await Promise.all(ids.map((id) => read(workflow, id)));
        return states.filter(waits);
      },
      (waiting) => waiting.length === 2,
    );
    expect((await setLimits([])).body.data.hostLimits).toEqual([]);
    await called(3);
    end();
    for (const id of ids) await completed(workflow, id);
    // What it had let go takes no place of a new one.
    await givenLimit({ concurrency: 1 });
    await completed(workflow, await start(workflow));
  });

  test('a limit of a host gives the place of a cancelled run to the next one', async () => {
    await givenLimit({ concurrency: 1 });
    const end = keepFirst();
    const workflow = await givenCaller('/left');
    const first = await start(workflow);
    await called(1);
    const waiting = [];
    for (let n = 0; n < 3; n++) {
      const id = await start(workflow);
      await until(() => read(workflow, id), waits);
      waiting.push(id);
    }
    const [next = '', ...others] = waiting;
    expect((await stack.post(`/api/workflows/${workflow}/executions/${next}/cancel`)).status).toBe(202);
    await until(
      () => read(workflow, next),
      ({ body }) => body.status === 'cancelled',
    );
    end();
    for (const id of [first, ...others]) await completed(workflow, id);
    expect(paths()).toHaveLength(3);
  });

  testInWhole(
    'a limit of a host holds when all processes are killed, and no call that waits is lost',
    async () => {
      await givenLimit({ concurrency: 2 });
      answer = () => undefined;
      // A killed call is known to be lost after its time-out.
      const workflow = await givenCaller('/killed', 2);
      const ids = await startAll(workflow, 6);
      await until(
        () => Promise.resolve(open),
        (calls) => calls === 2,
      );
      await Promise.all([stack.api.kill(), stack.worker.kill()]);
      answer = (response) => void setTimeout(() => response.end('{}'), 50);
      await Promise.all([stack.startApi(), stack.startWorker()]);
      for (const id of ids) await completed(workflow, id);
      expect(mostOpen).toBe(2);
    },
  );

  test('a limit of a host is set by an admin alone, and is in the audit log', async () => {
    const editor = await givenMember(stack, stack.at('editor'));
    expect((await setLimits([{ host: 'a.test', concurrency: 1 }], editor.headers)).status).toBe(403);
    const { body } = await setLimits([{ host: 'A.Test', concurrency: 1, perSecond: 5 }]);
    expect(body.data.hostLimits).toEqual([{ host: 'a.test', concurrency: 1, perSecond: 5 }]);
    const [entry] = (await stack.get(`/api/v1/audit-logs?resourceId=${stack.home.id}`)).body.data;
    expect(entry).toMatchObject({ action: 'workspace.updated' });
  });

  test.each([
    [[{ host: 'https://a.test', concurrency: 1 }], 'hostLimits.0.host'],
    [[{ host: 'a.test:80', concurrency: 1 }], 'hostLimits.0.host'],
    [[{ host: 'a.test' }], 'hostLimits.0.concurrency'],
    [[{ host: 'a.test', concurrency: 0 }], 'hostLimits.0.concurrency'],
    [[{ host: 'a.test', perSecond: 0.5 }], 'hostLimits.0.perSecond'],
    [[{ host: 'a.test', perSecond: 1, burst: 5 }], 'hostLimits.0.burst'],
    [
      [
        { host: 'a.test', concurrency: 1 },
        { host: 'A.test', concurrency: 2 },
      ],
      'hostLimits.1.host',
    ],
    [Array.from({ length: 51 }, (_, n) => ({ host: `a${n}.test`, concurrency: 1 })), 'hostLimits'],
  ])('limits of hosts %j are refused and change nothing', async (hostLimits, path) => {
    const before = (await stack.get(home)).body.data.hostLimits;
    const refused = await setLimits(hostLimits);
    expect([refused.status, refused.body.details]).toMatchObject([400, [{ path }]]);
    expect((await stack.get(home)).body.data.hostLimits).toEqual(before);
  });
});
