import { compile } from '#libs/language/definition/compile';
import type { Block } from '#libs/language/definition/blocks/registry';
import type { Definition } from '#libs/language/definition/definition';
import { validate } from '#libs/language/definition/checks/validate';

import { parseEdges, givenRun, http, respond } from './support/given.ts';
import { Run } from './run.ts';
import type { RunState } from './state.ts';

const day = 86_400_000;

const approve = (onExpiry: 'fail' | 'continue' = 'fail'): Block => ({
  id: 'approve',
  type: 'human',
  params: {
    title: 'Ok?',
    form: [
      { name: 'ok', type: 'boolean', default: false },
      { name: 'why', type: 'text' },
    ],
    expiresAfter: 60,
    onExpiry,
  },
});

const wait = (params: { duration: string | number } | { until: string }): Block => ({
  id: 'w',
  type: 'wait',
  params,
});

const invoice: Definition = {
  start: { inputs: { amount: { type: 'number', required: true }, url: { type: 'string' } } },
  variables: { attempts: { type: 'number', initial: 0 } },
  blocks: [
    {
      id: 'fetch',
      type: 'http',
      params: { method: 'GET', url: '{{ start.url }}' },
      retry: { maxAttempts: 3 },
    },
    {
      id: 'check',
      type: 'condition',
      cases: [{ port: 'large', when: 'start.amount > 1000.0 && fetch.data.ok' }],
    },
    {
      id: 'approve',
      type: 'human',
      params: {
        title: 'Approve {{ start.amount }}?',
        form: [{ name: 'approved', type: 'boolean', required: true }],
        expiresAfter: 'P3D',
      },
    },
    { id: 'done', type: 'response', params: { data: { approved: '{{ approve.approved }}' } } },
  ],
  edges: parseEdges('start fetch', 'fetch check', 'check approve large', 'check done else', 'approve done'),
};

const givenInvoice = (amount: number): Run =>
  Run.start(compile(invoice), { inputs: { amount, url: 'https://x.test' }, run: {}, nowMs: 0 });

test('the sample of the language page is valid', () => {
  expect(validate(invoice).faults).toEqual([]);
});

test('the sample pauses for a large amount, is answered, and responds', () => {
  const run = givenInvoice(2000);
  expect(run.takeReady(1)).toEqual([
    {
      kind: 'activity',
      visit: { path: 'fetch', blockId: 'fetch' },
      type: 'http',
      name: 'fetch',
      params: { method: 'GET', url: '{{ start.url }}' },
      scope: { start: { url: 'https://x.test' } },
      timeoutMs: 30_000,
      retry: { maxAttempts: 3, initialDelayMs: 1000, backoff: 2 },
    },
  ]);
  expect(run.succeed('fetch', { status: 200, headers: {}, data: { ok: true } }, 2, 2)).toBe(true);
  expect(run.takeReady(3)).toEqual([
    {
      kind: 'pause',
      openedAtMs: 3,
      visit: { path: 'approve', blockId: 'approve' },
      scopes: {},
      name: 'approve',
      title: 'Approve 2000?',
      message: '',
      fields: [],
      form: [{ name: 'approved', type: 'boolean', label: 'approved', required: true }],
      expiresAtMs: 3 + 3 * day,
    },
  ]);
  expect([run.quiet, run.waitingForPeople, run.done]).toEqual([true, true, false]);
  expect(run.resume('approve', { approved: true }, 4)).toBe(true);
  expect(run.waitingForPeople).toBe(false);
  expect(run.takeReady(5)).toEqual([]);
  expect(run.outcome()).toEqual({
    status: 'completed',
    output: { approved: true },
    response: { status: 200, headers: {}, raw: false },
  });
});

test('the sample skips the pause for a small amount, and skipped blocks read as null', () => {
  const run = givenInvoice(1);
  run.takeReady(1);
  run.succeed('fetch', { data: { ok: true } }, 2);
  run.takeReady(3);
  expect(run.outcome()).toMatchObject({ status: 'completed', output: { approved: null } });
  expect(run.takeLog()).toEqual([
    {
      path: 'fetch',
      seq: 1,
      blockId: 'fetch',
      name: 'fetch',
      type: 'http',
      status: 'completed',
      startedAtMs: 1,
      endedAtMs: 2,
      attempts: 1,
      output: { data: { ok: true } },
    },
    {
      path: 'check',
      seq: 2,
      blockId: 'check',
      name: 'check',
      type: 'condition',
      status: 'completed',
      startedAtMs: 3,
      endedAtMs: 3,
      attempts: 1,
      output: { port: 'else' },
      port: 'else',
      sent: { value: { start: { amount: 1 }, fetch: { data: { ok: true } } }, chars: 51 },
    },
    {
      path: 'approve',
      seq: 3,
      blockId: 'approve',
      name: 'approve',
      type: 'human',
      status: 'skipped',
      startedAtMs: 3,
      endedAtMs: 3,
      attempts: 0,
    },
    {
      path: 'done',
      seq: 4,
      blockId: 'done',
      name: 'done',
      type: 'response',
      status: 'completed',
      startedAtMs: 3,
      endedAtMs: 3,
      attempts: 1,
      output: { data: { approved: null }, status: 200, headers: {} },
    },
  ]);
});
describe('a failure', () => {
  test('a failure without an error edge fails the run and cancels open effects', () => {
    const run = givenRun([http('a'), http('b'), http('c')], {
      edges: parseEdges('start a', 'start b', 'a c'),
    });
    run.takeReady(0);
    run.takeLog();
    expect(run.fail('a', { code: 'HTTP_ERROR', message: 'It said 500.' }, 1, 3)).toBe(true);
    expect(run.outcome()).toEqual({
      status: 'failed',
      output: null,
      failure: { code: 'HTTP_ERROR', message: 'It said 500.', blockId: 'a', blockName: 'a' },
    });
    expect(run.takeCancelled()).toEqual([{ path: 'b', kind: 'activity' }]);
    expect(run.openEffects).toEqual([]);
    expect(run.takeReady(2)).toEqual([]);
    expect(run.takeLog()).toMatchObject([
      { path: 'a', status: 'failed', attempts: 3 },
      { path: 'b', status: 'cancelled', endedAtMs: 1 },
    ]);
    expect(run.succeed('b', {}, 3)).toBe(false);
  });

  test('a failure follows the error edge, and reads as { error } behind it', () => {
    const run = givenRun([http('a'), respond('bad', '{{ a.error.code }}'), respond('good', 'x')], {
      edges: parseEdges('start a', 'a bad error', 'a good'),
    });
    run.takeReady(0);
    run.fail('a', { code: 'HTTP_ERROR', message: 'It said 500.', details: { status: 500 } }, 1);
    run.takeReady(1);
    expect(run.outcome()).toMatchObject({ status: 'completed', output: 'HTTP_ERROR' });
    expect(run.takeLog()).toMatchObject([
      {
        path: 'a',
        status: 'failed',
        port: 'error',
        output: { error: { code: 'HTTP_ERROR', details: { status: 500 } } },
      },
      { path: 'good', status: 'skipped' },
      { path: 'bad', status: 'completed' },
    ]);
  });

  test('a failure in an expression names its block, and nothing else is launched', () => {
    const run = givenRun([http('a'), respond('b', '{{ start.gone + 1 }}')], {
      edges: parseEdges('start a', 'start b'),
    });
    expect(run.takeReady(0)).toEqual([]);
    expect(run.outcome()).toMatchObject({
      status: 'failed',
      failure: { code: 'EXPRESSION_FAILED', blockId: 'b' },
    });
    expect(run.openEffects).toEqual([]);
  });
});

describe('a failure of the engine', () => {
  test('a failure of the engine ends the run with its block', () => {
    const plan = compile({
      blocks: [{ id: 'a', type: 'wait', params: { duration: 1 } }],
      edges: parseEdges('start a'),
    });
    const broken = JSON.parse(JSON.stringify(plan).replace('"type":"wait"', '"type":"teleport"'));
    const run = Run.start(broken, { inputs: {}, run: {}, nowMs: 0 });
    expect(run.takeReady(1)).toEqual([]);
    expect(run.outcome()).toMatchObject({
      status: 'failed',
      failure: { code: 'ENGINE_FAULT', blockId: 'a' },
    });
    expect(run.takeLog()).toMatchObject([{ path: 'a', status: 'failed' }]);
  });

  test('a failure of the engine ends the run as ENGINE_FAULT when the caller reports it', () => {
    const run = givenRun([http('a')]);
    run.takeReady(0);
    expect(run.crash(new Error('no such thing'), 1)).toBe(true);
    expect(run.outcome()).toMatchObject({
      status: 'failed',
      failure: { code: 'ENGINE_FAULT', message: 'The engine failed: no such thing' },
    });
  });
});

describe('a pause', () => {
  test('a pause fails with PAUSE_EXPIRED when nobody answers it', () => {
    const run = givenRun([approve()]);
    run.takeReady(0);
    expect(run.expire('approve', 60_000)).toBe(true);
    expect(run.outcome()).toMatchObject({
      status: 'failed',
      failure: { code: 'PAUSE_EXPIRED', blockId: 'approve' },
    });
    expect(run.takeLog()).toMatchObject([{ status: 'expired', endedAtMs: 60_000 }]);
  });

  test('a pause goes on by its expired port with the defaults when nobody answers it', () => {
    const run = givenRun([approve('continue'), respond('late', '{{ approve }}'), respond('timely', 'x')], {
      edges: parseEdges('start approve', 'approve late expired', 'approve timely'),
    });
    run.takeReady(0);
    run.expire('approve', 60_000);
    run.takeReady(60_000);
    expect(run.outcome()).toMatchObject({ status: 'completed', output: { ok: false, why: null } });
    expect(run.takeLog()).toMatchObject([
      { path: 'approve', status: 'expired', port: 'expired' },
      { path: 'timely', status: 'skipped' },
      { path: 'late' },
    ]);
  });

  test('a pause makes the run wait for people only when nothing else is under way', () => {
    const run = givenRun([approve(), http('a')], { edges: parseEdges('start approve', 'start a') });
    run.takeReady(0);
    expect(run.waitingForPeople).toBe(false);
    run.succeed('a', {}, 1);
    expect(run.waitingForPeople).toBe(true);
    expect(run.openEffects).toMatchObject([{ visit: { path: 'approve' }, kind: 'pause' }]);
  });

  test('a pause takes its answer once', () => {
    const run = givenRun([approve()]);
    run.takeReady(0);
    expect([
      run.succeed('approve', {}, 1),
      run.resume('approve', { ok: true, why: null }, 1),
      run.resume('approve', {}, 2),
      run.expire('approve', 3),
    ]).toEqual([false, true, false, false]);
    expect(run.outcome()).toMatchObject({ output: { ok: true, why: null } });
  });
});

describe('a wait', () => {
  test('a wait ends at its time, and its output has the time', () => {
    const run = givenRun([wait({ duration: 'PT10S' })]);
    expect(run.takeReady(5000)).toEqual([
      { kind: 'wait', visit: { path: 'w', blockId: 'w' }, name: 'w', untilMs: 15_000 },
    ]);
    expect([run.quiet, run.waitingForPeople]).toEqual([true, false]);
    run.succeed('w', null, 15_001);
    expect(run.outcome()).toMatchObject({ output: { waitedUntil: '1970-01-01T00:00:15.000Z' } });
  });

  test('until a past time ends at once', () => {
    const run = givenRun([wait({ until: '1970-01-01' })]);
    expect(run.takeReady(5)).toEqual([]);
    expect(run.outcome()).toMatchObject({ output: { waitedUntil: '1970-01-01T00:00:00.000Z' } });
  });

  test('a wait fails when it is longer than a year', () => {
    const run = givenRun([wait({ until: '{{ start.at }}' })], { inputs: { at: '2999-01-01' } });
    run.takeReady(0);
    expect(run.outcome()).toMatchObject({ status: 'failed', failure: { code: 'INVALID_VALUE' } });
  });
});

describe('the output of a run', () => {
  test('the output of a run is the output of the first response, although others follow', () => {
    const run = givenRun([respond('a', '1'), respond('b', '2')]);
    run.takeReady(0);
    expect(run.outcome()).toMatchObject({ output: '1' });
  });

  test('the output of a run is keyed by block when several ways end', () => {
    const run = givenRun([http('a'), http('b')], { edges: parseEdges('start a', 'start b') });
    run.takeReady(0);
    run.succeed('b', { x: 2 }, 1);
    run.succeed('a', { x: 1 }, 2);
    expect(run.outcome()).toEqual({ status: 'completed', output: { a: { x: 1 }, b: { x: 2 } } });
  });
});

describe('a run that is ended from outside', () => {
  test('a run that is ended from outside cancels every open visit', () => {
    const run = givenRun([approve(), http('a'), respond('r', 'so far')], {
      edges: parseEdges('start approve', 'start a', 'start r'),
    });
    run.takeReady(0);
    run.takeLog();
    expect([run.cancel(5), run.cancel(6)]).toEqual([true, false]);
    expect(run.outcome()).toEqual({
      status: 'cancelled',
      output: 'so far',
      failure: { code: 'CANCELLED', message: 'The run was cancelled.' },
    });
    expect(run.takeCancelled()).toEqual([
      { path: 'approve', kind: 'pause' },
      { path: 'a', kind: 'activity' },
    ]);
    expect(run.takeLog()).toMatchObject([
      { path: 'approve', status: 'cancelled' },
      { path: 'a', status: 'cancelled' },
    ]);
  });

  test("a run that is ended from outside by the caller's own reason is a failure without a block", () => {
    const run = givenRun([http('a')]);
    run.takeReady(0);
    run.abort({ code: 'RUN_TIMEOUT', message: 'It took too long.' }, 9);
    expect(run.outcome()).toEqual({
      status: 'failed',
      output: null,
      failure: { code: 'RUN_TIMEOUT', message: 'It took too long.' },
    });
  });
});

describe('a state', () => {
  const plan = compile({ blocks: [approve(), http('a')], edges: parseEdges('start approve', 'start a') });

  test('a state holds the open effects, launched or not', () => {
    const run = Run.start(plan, { inputs: {}, run: {}, nowMs: 0 });
    const effects = run.takeReady(0);
    const next = Run.restore(plan, run.state);
    expect(next.openEffects).toEqual(effects);
    expect(next.takeReady(1)).toEqual([]);
    expect(next.resume('approve', { ok: true }, 2)).toBe(true);
    expect(run.openEffects).toHaveLength(2);
  });

  test('a state is refused when it is of another engine version', () => {
    const state: RunState = JSON.parse(
      JSON.stringify(Run.start(plan, { inputs: {}, run: {}, nowMs: 0 }).state).replace(
        '"engineVersion":1',
        '"engineVersion":2',
      ),
    );
    expect(() => Run.restore(plan, state)).toThrow(/engine 2/);
    expect(() =>
      Run.start(JSON.parse(JSON.stringify(plan).replace('"planVersion":1', '"planVersion":9')), {
        inputs: {},
        run: {},
        nowMs: 0,
      }),
    ).toThrow(/version 9/);
  });
});

test('names of Object.prototype are ordinary block ids', () => {
  const run = givenRun([http('toString'), respond('valueOf', '{{ toString.x }}')]);
  expect(run.succeed('hasOwnProperty', {}, 0)).toBe(false);
  run.takeReady(0);
  expect(run.succeed('toString', { x: 7 }, 1)).toBe(true);
  run.takeReady(1);
  expect(run.outcome()).toMatchObject({ output: 7 });
});

// `npm run bench -- steps` measures the time of one step, so that no test fails because the machine is busy.
test('500 pure blocks in a line run at once', () => {
  const blocks = Array.from({ length: 500 }, (_, i) =>
    respond(`b${i}`, { at: `{{ start.n + ${i}.5 }}`, before: i ? `{{ b${i - 1}.data.at }}` : 0 }),
  );
  const run = givenRun(blocks, { inputs: { n: 1 } });
  run.takeReady(0);
  expect(run.outcome()).toMatchObject({ status: 'completed', output: { at: 1.5, before: 0 } });
});

test('500 effects at once are launched and settled', () => {
  const blocks = Array.from({ length: 500 }, (_, i) => http(`b${i}`));
  const run = givenRun(blocks, { edges: blocks.map(({ id }) => ({ from: 'start', to: id })) });
  const effects = run.takeReady(0);
  expect(effects).toHaveLength(500);
  for (const { visit } of effects) run.succeed(visit.path, { x: 1 }, 1);
  expect(run.outcome()).toMatchObject({ status: 'completed' });
});

test('a slice ends when its evaluation budget is used up, long before Temporal would time out its task', () => {
  const costly = `{{ size(start.l.filter(x, start.l.exists(y, y == x + 1000))) }}`;
  const blocks = Array.from({ length: 50 }, (_, i) => respond(`b${i}`, { n: costly }));
  const run = givenRun(blocks, { inputs: { l: Array.from({ length: 80 }, (_, i) => i) } });
  const lengths: number[] = [];
  while (run.hasReady) {
    run.takeReady(0, 1000);
    lengths.push(run.takeLog().length);
  }
  expect(run.outcome()).toMatchObject({ status: 'completed', output: { n: 0 } });
  expect(lengths.length).toBeGreaterThan(1);
  expect(Math.max(...lengths)).toBeLessThan(30);
});
