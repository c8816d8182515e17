import { readFileSync } from 'node:fs';
import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Client } from '@temporalio/client';
import { ExecutionsModule } from '#libs/runs/executions/executions.module';
import { Recorder } from '#libs/runs/executions/record/recorder';
import { TemporalClientModule } from '#libs/platform/temporal-client/temporal-client.module';
import { PagesModule } from '#libs/platform/cursors/pages.module';
import { Settings } from '#libs/platform/settings/settings';
import { answersIt, begins, closed, resetBefore, showsPause } from './support/resets.ts';
import { describeWith, isHere } from '#libs/platform/binaries/support/needs';
import { Collector } from './support/collector.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
let temporal: Client;
let receiver: Receiver;
let collector: Collector | undefined;
const token = 'the token of the tests, which is long enough';
let answerOf = (path: string): string | null => path;
beforeAll(async () => {
  if (isHere('the collector of traces')) collector = await Collector.start();
  stack = await Stack.start({
    ROLES: 'api',
    METRICS_PORT: '0',
    WORKER_METRICS_PORT: '0',
    METRICS_TOKEN: token,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector?.url ?? '',
    OTEL_TRACES_SAMPLER_ARG: '0',
  });
  temporal = await stack.temporal();
  receiver = await Receiver.start(({ path }, response) => {
    const answer = answerOf(path);
    if (answer !== null) response.end(JSON.stringify({ answer }));
  });
});
beforeEach(() => {
  answerOf = (path) => path;
  receiver.received.length = 0;
});
afterAll(async () => {
  receiver.stop();
  await stack.stop();
  collector?.stop();
});

const call = (id: string) => ({
  id,
  type: 'http',
  params: { method: 'POST', url: receiver.url(`/${id}`), body: {}, idempotent: true },
});

/** A call, a person, and by the answer one of two calls. */
const review = () => ({
  blocks: [
    call('before'),
    {
      id: 'ask',
      type: 'human',
      params: {
        title: 'Go on?',
        form: [
          { name: 'ok', type: 'boolean', required: true },
          { name: 'note', type: 'text' },
        ],
      },
    },
    { id: 'which', type: 'condition', cases: [{ port: 'yes', when: 'ask.ok' }] },
    call('accepted'),
    call('refused'),
    {
      id: 'yes',
      type: 'response',
      params: { data: { said: '{{ accepted.data.answer }}', note: '{{ ask.note }}' } },
    },
    {
      id: 'no',
      type: 'response',
      params: { data: { said: '{{ refused.data.answer }}', note: '{{ ask.note }}' } },
    },
  ],
  edges: [
    { from: 'start', to: 'before' },
    { from: 'before', to: 'ask' },
    { from: 'ask', to: 'which' },
    { from: 'which', port: 'yes', to: 'accepted' },
    { from: 'which', port: 'else', to: 'refused' },
    { from: 'accepted', to: 'yes' },
    { from: 'refused', to: 'no' },
  ],
});

interface Line {
  blockId: string;
  status: string;
}

const calls = () => receiver.received.map(({ path }) => path);
const pathOf = (workflow: string, id: string) => `/api/workflows/${workflow}/executions/${id}`;
const log = (body: { blocks: Line[] }) => body.blocks.map(({ blockId, status }) => `${blockId} ${status}`);
const pauses = (workflow: string, id: string) => stack.get(`/api/resume/${workflow}/${id}`);

function reaches(
  path: string,
  satisfied: (body: { status: string; blocks: Line[]; output: unknown }) => boolean,
) {
  return until(
    () => stack.get(path),
    ({ body }) => satisfied(body),
  );
}

async function givenReview() {
  const workflow = await stack.givenDeployed(review());
  const { executionId, apiUrl, contextId } = await stack.givenPaused(workflow);
  return { workflow, executionId, apiUrl, contextId, path: pathOf(workflow, executionId) };
}

async function givenEnded(answer: object) {
  const run = await givenReview();
  await showsPause(temporal, run.executionId);
  const { body } = await stack.post(run.apiUrl, { input: answer });
  expect(body.status).toBe('completed');
  await closed(temporal, run.executionId);
  return run;
}

/** A run whose call is never answered, and a run that waits for a person. */
async function givenCallingAndPaused() {
  answerOf = (path) => (path === '/accepted' ? null : path);
  const calling = await givenReview();
  await stack.post(calling.apiUrl, { input: { ok: true }, async: true });
  await until(
    async () => calls(),
    (paths) => paths.includes('/accepted'),
  );
  return { calling, paused: await givenReview() };
}

describe('operator of Temporal', () => {
  test('an operator of Temporal cancels a run in a call and a run at a pause, and the rows follow', async () => {
    const { calling, paused } = await givenCallingAndPaused();
    for (const { executionId } of [calling, paused]) await (await stack.runOf(executionId)).cancel();
    for (const { path } of [calling, paused]) {
      const { body } = await reaches(path, ({ status }) => status === 'cancelled');
      expect(body.failure).toMatchObject({ code: 'CANCELLED' });
      expect(log(body).filter((line) => /running|paused/.test(line))).toEqual([]);
    }
    expect((await pauses(paused.workflow, paused.executionId)).body.pausePoints).toMatchObject([
      { resumeStatus: 'cancelled' },
    ]);
  });

  test('an operator of Temporal terminates a run in a call and a run at a pause, and the rows fail with a code', async () => {
    const { calling, paused } = await givenCallingAndPaused();
    for (const { executionId } of [calling, paused]) await (await stack.runOf(executionId)).terminate();
    for (const { path } of [calling, paused]) {
      const { body } = await reaches(path, ({ status }) => status === 'failed');
      expect(body.failure).toMatchObject({ code: 'ENGINE_TERMINATED' });
    }
    expect((await stack.post(paused.apiUrl, { input: { ok: true } })).status).toBe(409);
  });

  test('an operator of Temporal answers a pause by signal, and changes nothing with an answer that does not fit the form', async () => {
    const { workflow, executionId, contextId, path } = await givenReview();
    const handle = await stack.runOf(executionId);
    await handle.signal('resumeSignal', { contextId, answers: { ok: 'perhaps' } });
    await handle.signal('resumeSignal', { contextId: 'ctx_none', answers: { ok: true } });
    await handle.signal('resumeSignal', { contextId, answers: { ok: false, note: 'by hand' } });
    const { body } = await reaches(path, ({ status }) => status === 'completed');
    expect(body.output).toEqual({ said: '/refused', note: 'by hand' });
    expect((await pauses(workflow, executionId)).body.queue).toMatchObject([
      { status: 'completed', actor: { kind: 'operator' }, resumeInput: { ok: false, note: 'by hand' } },
    ]);
  });
});

describe('reset', () => {
  test('a reset continues a finished run under its id, and repeats nothing from before the reset point', async () => {
    const { workflow, executionId, path } = await givenEnded({ ok: true, note: 'kept' });
    expect(calls()).toEqual(['/before', '/accepted']);
    answerOf = () => 'another answer';
    await resetBefore(temporal, executionId, begins('accepted'));
    const { body } = await reaches(path, ({ output }) => JSON.stringify(output).includes('another'));
    expect(body).toMatchObject({
      status: 'completed',
      failure: null,
      output: { said: 'another answer', note: 'kept' },
    });
    expect(calls()).toEqual(['/before', '/accepted', '/accepted']);
    expect(new Set(receiver.received.slice(1).map(({ key }) => key))).toEqual(
      new Set([`${executionId}/accepted`]),
    );
    expect(log(body)).toEqual([
      'before completed',
      'ask completed',
      'which completed',
      'refused skipped',
      'no skipped',
      'accepted completed',
      'yes completed',
    ]);
    expect((await pauses(workflow, executionId)).body).toMatchObject({
      status: 'fully_resumed',
      queue: [{ status: 'completed' }],
    });
  });

  test('a reset is visible while its first call runs: the run is open again and its log is unchanged', async () => {
    const { executionId, path } = await givenEnded({ ok: true });
    answerOf = () => null;
    await resetBefore(temporal, executionId, begins('accepted'));
    const { body } = await reaches(path, (execution) => log(execution).includes('accepted running'));
    expect(body).toMatchObject({ status: 'running', output: null, failure: null });
    expect(log(body).join()).not.toContain('yes');
    await (await stack.runOf(executionId)).cancel();
    expect((await reaches(path, ({ status }) => status === 'cancelled')).body.failure.code).toBe('CANCELLED');
  });

  test('a reset to before a pause asks again at the same link, and leaves no block of the former way', async () => {
    const { workflow, executionId, apiUrl, path } = await givenEnded({ ok: true, note: 'first' });
    await resetBefore(temporal, executionId, begins('before'), { withAnswers: false });
    const { body } = await reaches(path, ({ status }) => status === 'paused');
    expect(log(body)).toEqual(['before completed', 'ask paused']);
    expect(calls()).toEqual(['/before', '/accepted', '/before']);
    expect((await pauses(workflow, executionId)).body).toMatchObject({
      status: 'paused',
      totalPauseCount: 1,
      pausePoints: [{ resumeStatus: 'paused' }],
    });
    const answered = await stack.post(apiUrl, { input: { ok: false, note: 'second' } });
    expect(answered.body).toMatchObject({
      status: 'completed',
      output: { said: '/refused', note: 'second' },
    });
    const ended = (await stack.get(path)).body;
    expect(log(ended).filter((line) => line.endsWith('completed'))).toEqual(
      ['before', 'ask', 'which', 'refused', 'no'].map((id) => `${id} completed`),
    );
    expect((await pauses(workflow, executionId)).body.queue).toMatchObject([
      { status: 'failed', resumeInput: { note: 'first' } },
      { status: 'completed', resumeInput: { note: 'second' } },
    ]);
  });

  test.each([
    ['keeps it when Temporal gives it to the run again', true, ['completed']],
    ['opens the pause when it does not', false, ['failed', 'completed']],
  ])('a reset to before an answer %s', async (_, withAnswers, statuses) => {
    const { workflow, executionId, apiUrl, path } = await givenEnded({ ok: true, note: 'first' });
    const runId = await resetBefore(temporal, executionId, answersIt, { withAnswers });
    if (!withAnswers) {
      await temporal.workflow.getHandle(executionId, runId).signal('resumeSignal', { contextId: 'ctx_none' });
      // Only an operator's signal wakes the run before it is answered.
      await (
        await stack.runOf(executionId)
      ).signal('resumeSignal', {
        contextId: (await pauses(workflow, executionId)).body.pausePoints[0].contextId,
        answers: { ok: true, note: 'second' },
      });
    }
    await until(
      async () => calls(),
      (paths) => paths.length === 3,
    );
    await closed(temporal, executionId);
    const { body } = await reaches(path, ({ status }) => status === 'completed');
    expect(body.output).toEqual({ said: '/accepted', note: withAnswers ? 'first' : 'second' });
    expect(calls()).toEqual(['/before', '/accepted', '/accepted']);
    const { queue } = (await pauses(workflow, executionId)).body;
    expect(queue.map(({ status }: Line) => status)).toEqual(statuses);
    expect((await stack.post(apiUrl, { input: { ok: true } })).status).toBe(409);
  });

  test('a reset reopens a cancelled run, and does not cancel it again', async () => {
    const { workflow, executionId, apiUrl, path } = await givenReview();
    await stack.post(`${path}/cancel`);
    await reaches(path, ({ status }) => status === 'cancelled');
    await closed(temporal, executionId);
    await resetBefore(temporal, executionId, begins('before'));
    await reaches(path, ({ status }) => status === 'paused');
    const { body } = await stack.post(apiUrl, { input: { ok: true } });
    expect(body.status).toBe('completed');
    expect((await stack.get(path)).body).toMatchObject({ status: 'completed', failure: null });
    expect((await pauses(workflow, executionId)).body.status).toBe('fully_resumed');
  });

  test('a reset ignores records of the replaced run, also late and repeated ones', async () => {
    const { executionId, path } = await givenEnded({ ok: true });
    const former = (await (await stack.runOf(executionId)).describe()).runId;
    answerOf = () => 'anew';
    const current = await resetBefore(temporal, executionId, begins('accepted'));
    await reaches(path, ({ output }) => JSON.stringify(output).includes('anew'));
    const ended = (await stack.get(path)).body;
    const app = await NestFactory.createApplicationContext(inProcess(), {
      logger: false,
      abortOnError: false,
    });
    const late = { status: 'failed' as const, output: null, failure: { code: 'LATE', message: 'too late' } };
    const visit = {
      path: 'late',
      seq: 99,
      blockId: 'late',
      name: 'late',
      type: 'http' as const,
      attempts: 1,
    };
    const times = { atMs: Date.now(), startedAtMs: Date.now(), endedAtMs: Date.now() };
    const told = { calls: [], opened: [], claimed: [], expired: [], closed: [] };
    for (const runId of [former, former, 'a run that never was']) {
      await app.get(Recorder).recordRun({
        workspaceId: stack.home.id,
        executionId,
        temporal: { runId, number: 0 },
        status: 'failed',
        outcome: late,
        visits: [
          {
            ...visit,
            status: 'failed',
            startedAtMs: 0,
            endedAtMs: 0,
            output: null,
            failure: late.failure,
          },
        ],
        ...times,
        ...told,
      });
    }
    // The current run's own record, come again after its end, changes no outcome either.
    const again = {
      temporal: { runId: current, number: 0 },
      status: 'failed' as const,
      outcome: late,
      visits: [],
    };
    await app
      .get(Recorder)
      .recordRun({ workspaceId: stack.home.id, executionId, ...again, ...times, ...told });
    expect((await stack.get(path)).body).toEqual(ended);
    await app.close();
  });
});

describe('metrics', () => {
  const placeOf = ({ lines }: { lines: string[] }) => {
    const line = lines.find((one) => one.includes('metrics are served')) ?? '{}';
    return `http://${JSON.parse(line).address}/metrics`;
  };
  const bearer = { authorization: `Bearer ${token}` };
  const read = async (program: { lines: string[] }) =>
    (await fetch(placeOf(program), { headers: bearer })).text();
  /** The value of each series, by its name and labels. */
  const valuesOf = (text: string) =>
    Object.fromEntries(
      text
        .split('\n')
        .filter((one) => one !== '' && !one.startsWith('#'))
        .map((one) => [one.slice(0, one.lastIndexOf(' ')), Number(one.slice(one.lastIndexOf(' ')))]),
    );

  test('metrics are read only with the token, on a port of their own', async () => {
    expect((await fetch(`${stack.url}/metrics`, { headers: bearer })).status).toBe(404);
    for (const program of [stack.api, stack.worker]) {
      const place = placeOf(program);
      const statusOf = async (url: string, init = {}) => (await fetch(url, init)).status;
      expect(await statusOf(place)).toBe(401);
      expect(await statusOf(place, { headers: { authorization: `Bearer ${token}x` } })).toBe(401);
      expect(await statusOf(`${place}/x`, { headers: bearer })).toBe(404);
      expect(await statusOf(place, { headers: bearer, method: 'POST' })).toBe(405);
      expect(await statusOf(place, { headers: bearer })).toBe(200);
    }
  });

  test('metrics count calls, runs, blocks, queues and connections, and name no id', async () => {
    const { workflow } = await givenEnded({ ok: true });
    await stack.get(`/api/v1/workflows/${workflow}`);
    await stack.get(`/no/such/path/${workflow}`);
    const [api, worker] = [await read(stack.api), await read(stack.worker)];
    const both = [valuesOf(api), valuesOf(worker)];
    const sum = (name: string) => both.reduce((all, values) => all + (values[name] ?? 0), 0);
    const atLeastOne = [
      'holdfast_http_requests_total{method="GET",route="/api/v1/workflows/:workflowId",status="200"}',
      'holdfast_http_requests_total{method="GET",route="none",status="404"}',
      'holdfast_http_request_duration_seconds_count{method="GET",route="/api/v1/workflows/:workflowId"}',
      'holdfast_executions_accepted_total{mode="sync",trigger="api"}',
      'holdfast_executions_settled_total{status="paused"}',
      'holdfast_executions_settled_total{status="completed"}',
      'holdfast_blocks_total{type="http",status="completed"}',
      'holdfast_blocks_total{type="condition",status="completed"}',
      'holdfast_execution_duration_seconds_count{status="completed"}',
      'holdfast_block_duration_seconds_count{type="http"}',
      'holdfast_pool_max{pool="app"}',
      'nodejs_eventloop_lag_p99_seconds',
    ];
    expect(atLeastOne.filter((name) => !(sum(name) > 0))).toEqual([]);
    const names = both.flatMap((values) => Object.keys(values));
    const shown = [
      'holdfast_outbox_pending{kind="executions"}',
      'holdfast_outbox_pending{kind="events"}',
      'holdfast_outbox_oldest_age_seconds{kind="answers"}',
      `holdfast_queue_pending{queue="${stack.env.TASK_QUEUE}-io"}`,
      `holdfast_queue_oldest_age_seconds{queue="${stack.env.TASK_QUEUE}"}`,
      'holdfast_pool_waiting{pool="app"}',
      'holdfast_reconciler_repairs_total',
    ];
    expect(shown.filter((name) => !names.includes(name))).toEqual([]);
    const monitored = ['alerts.yaml', 'dashboard.json'].map((name) =>
      readFileSync(`apps/deploy/monitoring/${name}`, 'utf8'),
    );
    const asked = monitored.join().match(/\b(holdfast|nodejs|process)_\w+/g) ?? [];
    const served = (name: string) =>
      [api, worker].some((text) => text.includes(`# TYPE ${name.replace(/_(bucket|count)$/, '')} `));
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter((name) => !served(name))).toEqual([]);
    // The metrics of Temporal's SDK, in both processes.
    for (const text of [api, worker]) expect(text).toMatch(/^temporal_worker_task_slots_available{/m);
    expect(worker).toMatch(/^temporal_activity_execution_latency_seconds_bucket{activity_type="http"/m);
    expect(names.filter((name) => /[a-z]+_[0-9a-f]{32}/.test(name))).toEqual([]);
  });

  test('metrics count a row that the reconciler repairs', async () => {
    const repaired = async () => valuesOf(await read(stack.worker))['holdfast_reconciler_repairs_total'] ?? 0;
    const before = await repaired();
    const { path, executionId } = await givenReview();
    await (await stack.runOf(executionId)).terminate();
    await reaches(path, ({ status }) => status === 'failed');
    await until(repaired, (now) => now > before);
  });
});

describeWith('the collector of traces')('trace', () => {
  const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
  const spansOf = async (count: number) =>
    until(
      async () => collector!.spans.filter(({ traceId }) => traceId === caller.traceId),
      (spans) => spans.length >= count,
    );

  test('a trace goes from its caller through each block to the called server, and its ids are in the log', async () => {
    const workflow = await stack.givenDeployed({
      blocks: [
        { id: 'which', type: 'condition', cases: [{ port: 'yes', when: 'true' }] },
        call('first'),
        { id: 'fails', type: 'http', params: { url: 'http://127.0.0.1:9/' } },
      ],
      edges: [
        { from: 'start', to: 'which' },
        { from: 'which', port: 'yes', to: 'first' },
        { from: 'first', to: 'fails' },
      ],
    });
    const untraced = await stack.execute(workflow);
    expect(receiver.received[0]?.headers).not.toHaveProperty('traceparent');
    const traceparent = `00-${caller.traceId}-${caller.spanId}-01`;
    // A stranger's trace is nobody's: its spans would be among those below.
    await fetch(`${stack.url}/resume/${workflow}/exec_1/ctx_1`, { headers: { traceparent } });
    const { body } = await stack.execute(workflow, {}, { traceparent });

    const spans = await spansOf(8);
    const parentOf = ({ parentSpanId }: { parentSpanId: string }) =>
      spans.find(({ spanId }) => spanId === parentSpanId)?.name ?? parentSpanId;
    const request = 'POST /api/workflows/:workflowId/execute';
    expect(spans.map((span) => `${span.name} < ${parentOf(span)}`).toSorted()).toEqual(
      [
        `${request} < ${caller.spanId}`,
        `accept < ${request}`,
        `block condition < start`,
        `block http < start`,
        `block http < start`,
        `call GET < block http`,
        `call POST < block http`,
        `start < ${request}`,
      ].toSorted(),
    );
    const called = spans.find(({ name }) => name === 'call POST');
    expect(receiver.received[1]?.headers.traceparent).toBe(`00-${caller.traceId}-${called?.spanId}-01`);
    // Nobody asked for a trace of the first call, and none is sampled here.
    const mine = JSON.stringify(collector!.spans);
    expect(mine).toContain(body.executionId);
    expect(mine).not.toContain(untraced.body.executionId);
    const line = stack.worker.lines.find((one) => one.includes(caller.traceId));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ executionId: body.executionId });
  });
});

/** The rooms that write the rows, in this process. */
function inProcess() {
  @Global()
  @Module({ providers: [{ provide: Settings, useValue: new Settings(stack.env) }], exports: [Settings] })
  class Given {}
  @Module({ imports: [Given, TemporalClientModule, PagesModule, ExecutionsModule] })
  class Rooms {}
  return Rooms;
}
