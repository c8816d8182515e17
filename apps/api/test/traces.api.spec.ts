import { randomBytes } from 'node:crypto';
import { describeWith } from '#libs/platform/binaries/support/needs';
import { Collector, type ReceivedSpan } from './support/collector.ts';
import { ask, block, box, line as straight, respond } from './support/graphs.ts';
import { Line } from './support/line.ts';
import type { Program } from './support/processes.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';

const describe = describeWith('the collector of traces');

let stack: Stack;
let line: Line;
let receiver: Receiver;
let collector: Collector;
beforeAll(async () => {
  collector = await Collector.start();
  line = await Line.to(process.env.HOLDFAST_TEST_TEMPORAL ?? '');
  stack = await Stack.start({
    TEMPORAL_ADDRESS: line.address,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: '0',
  });
  receiver = await Receiver.start(({ path, body }, response) => {
    response.statusCode = path === '/broken' ? 500 : 200;
    response.end(JSON.stringify({ got: body }));
  });
});
beforeEach(() => void (receiver.received.length = 0));
afterAll(async () => {
  receiver.stop();
  await stack.stop();
  line.stop();
  collector.stop();
});

const post = (id: string) => block(id, 'http', { method: 'POST', url: receiver.url(`/${id}`), body: {} });

/** A caller that follows a trace of its own. */
function caller() {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } };
}

const spansIn = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
const named = (spans: ReceivedSpan[], name: string) => spans.filter((span) => span.name === name);

/** The spans of the trace as soon as each name and each parent is there. Only the parent of the first span is its caller's. */
function spansWith(traceId: string, ...names: string[]) {
  return until(
    async () => spansIn(traceId),
    (spans) => names.every((name) => named(spans, name).length > 0) && countStrangers(spans) <= 1,
  );
}

/** Counts the parents that have not been received. A span may come before its parent. */
function countStrangers(spans: ReceivedSpan[]): number {
  const known = new Set(spans.map(({ spanId }) => spanId));
  return new Set(spans.map(({ parentSpanId }) => parentSpanId).filter((id) => !known.has(id))).size;
}

/** Each span of the trace and its parent. */
function treeOf(spans: ReceivedSpan[]): string[] {
  const parentOf = ({ parentSpanId }: ReceivedSpan) =>
    spans.find(({ spanId }) => spanId === parentSpanId)?.name ?? parentSpanId;
  return spans.map((span) => `${span.name} < ${parentOf(span)}`).toSorted();
}

const request = 'POST /api/workflows/:workflowId/execute';
const calledWith = () => receiver.received.map(({ headers }) => headers.traceparent);

/** A run that waits for a person, which a caller with a trace has started. */
async function givenAsked(...after: { id: string }[]) {
  const starter = caller();
  const workflow = await stack.givenDeployed(straight(ask('sure'), ...after, respond('done')));
  const { body } = await stack.execute(workflow, {}, starter.headers);
  expect(body.status).toBe('paused');
  const apiUrl = new URL(body.paused.pausePoints[0].resumeLinks.apiUrl).pathname;
  return { starter, executionId: body.executionId, apiUrl };
}

describe('trace of a run that waited for a person', () => {
  test('the trace of a run that waited for a person goes on after the answer, in the blocks and in their calls', async () => {
    const { starter, executionId, apiUrl } = await givenAsked(post('told'));
    await stack.runOf(executionId);
    const person = caller();
    const { body } = await stack.post(apiUrl, { input: { ok: true } }, person.headers);
    expect(body.status).toBe('completed');
    // The API sends the span of the pause, and the worker those behind it.
    const spans = await spansWith(starter.traceId, 'call POST', 'block human', 'block response', request);
    expect(treeOf(spans)).toEqual([
      `${request} < ${starter.spanId}`,
      `accept < ${request}`,
      'block http < start',
      `block human < ${request}`,
      'block response < start',
      'call POST < block http',
      `start < ${request}`,
    ]);
    const [called] = named(spans, 'call POST');
    expect(calledWith()).toEqual([`00-${starter.traceId}-${called?.spanId}-01`]);
    await spansWith(person.traceId, 'POST /api/resume/:workflowId/:executionId/:contextId');
    expect(spansIn(person.traceId)).toHaveLength(1);
  });

  test('the trace of a run that waited for a person goes on when the API applies the answer, and the span of the answer is linked to it', async () => {
    const { starter, apiUrl } = await givenAsked();
    const person = caller();
    const { body } = await stack.post(apiUrl, { input: { ok: true } }, person.headers);
    expect(body.status).toBe('completed');
    await spansWith(starter.traceId, 'block human', 'block response');
    const [answer, ...others] = await spansWith(
      person.traceId,
      'POST /api/resume/:workflowId/:executionId/:contextId',
    );
    expect(others).toEqual([]);
    expect(JSON.stringify(answer)).toContain(starter.traceId);
  });

  test('the trace of a run that waited for a person keeps its own id when an answer hands the run over to Temporal', async () => {
    await stack.worker.kill();
    const { starter, apiUrl } = await givenAsked(post('told'));
    const person = caller();
    const answered = await stack.post(apiUrl, { input: { ok: true }, async: true }, person.headers);
    expect(answered.status).toBe(202);
    await stack.startWorker();
    await spansWith(starter.traceId, 'call POST', 'block response');
    expect(spansIn(person.traceId).map(({ name }) => name)).toEqual([
      'POST /api/resume/:workflowId/:executionId/:contextId',
    ]);
  });
});

describe('trace of a run that Temporal was away for', () => {
  test('the trace of a run that Temporal was away for begins with its call, although the outbox starts it', async () => {
    await stack.api.kill();
    await stack.startApi({ ROLES: 'api' });
    const starter = caller();
    const workflow = await stack.givenDeployed(straight(post('late'), respond('done')));
    line.break();
    const { status } = await stack.execute(workflow, { async: true }, starter.headers);
    expect(status).toBe(202);
    await spansWith(starter.traceId, request);
    await stack.api.kill();
    line.mend();
    const spans = await spansWith(starter.traceId, 'call POST');
    expect(treeOf(spans)).toContain('block http < start');
    await stack.startApi();
  });
});

describe('a trace has its spans where they belong', () => {
  test('a block in a loop is in the span of the loop, and a child run is in the span of its block', async () => {
    const inner = await stack.givenDeployed(straight(post('inner'), respond('inner')));
    const graph = straight(
      box('each', 'loop', { count: 2 }, box('fan', 'parallel', { count: 1 }, post('looped'))),
      block('sub', 'workflow', { workflowId: inner }),
      respond('done'),
    );
    const starter = caller();
    const { body } = await stack.execute(await stack.givenDeployed(graph), {}, starter.headers);
    expect(body.status).toBe('completed');
    const spans = await until(
      async () => spansIn(starter.traceId),
      (found) =>
        named(found, request).length === 1 &&
        named(found, 'block response').length === 2 &&
        named(found, 'call POST').length === 3,
    );
    // A start is repeated when Temporal answers late. An API that is busy leaves the first block to Temporal, too.
    const once = treeOf(spans)
      .filter((span, i, tree) => !span.startsWith('start ') || tree[i - 1] !== span)
      .map((span) => (span === 'block loop < start' ? `block loop < ${request}` : span));
    expect(once).toEqual([
      `${request} < ${starter.spanId}`,
      `accept < ${request}`,
      'block http < block parallel',
      'block http < block parallel',
      'block http < block workflow',
      `block loop < ${request}`,
      'block parallel < block loop',
      'block parallel < block loop',
      'block response < block workflow',
      'block response < start',
      'block workflow < start',
      'call POST < block http',
      'call POST < block http',
      'call POST < block http',
      `start < ${request}`,
    ]);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  });

  test('a call has its status, counts as failed from 400 on, and has the trace state of its caller', async () => {
    const starter = caller();
    const graph = straight(post('fine'), post('broken'));
    const tracestate = 'vendor=1,other@one=a:b';
    await stack.execute(await stack.givenDeployed(graph), {}, { ...starter.headers, tracestate });
    const calls = await until(
      async () => named(spansIn(starter.traceId), 'call POST'),
      (found) => found.length === 2,
    );
    const said = calls.map(({ attributes, status }) => [
      attributes.find(({ key }) => key === 'http.response.status_code')?.value.intValue,
      attributes.find(({ key }) => key === 'error.type')?.value.stringValue,
      status.code,
    ]);
    expect(said).toEqual([
      ['200', undefined, 0],
      ['500', '500', 2],
    ]);
    expect(receiver.received.map(({ headers }) => headers.tracestate)).toEqual([tracestate, tracestate]);
  });
});

describe('line about a failed block', () => {
  const failing = straight(block('fails', 'http', { url: 'http://127.0.0.1:9/' }));
  const findLine = (program: Program, executionId: string) =>
    until(
      async () => program.failedAttempts('fails', executionId)[0],
      (found) => found !== undefined,
    );

  test('a line about a failed block has the ids of request, execution and trace', async () => {
    const starter = caller();
    const headers = { ...starter.headers, 'x-request-id': 'request-of-the-test' };
    const { body } = await stack.execute(await stack.givenDeployed(failing), {}, headers);
    const said = await findLine(stack.api, body.executionId);
    expect(said).toMatchObject({
      requestId: 'request-of-the-test',
      executionId: body.executionId,
      traceId: starter.traceId,
    });
  });

  test('a line about a failed block has the ids of request and execution also without traces, also after an answer of a person', async () => {
    const workflow = await stack.givenDeployed(straight(ask('sure'), ...failing.blocks));
    const headers = { 'x-request-id': 'request-before-a-pause' };
    const { body } = await stack.execute(workflow, {}, headers);
    await stack.runOf(body.executionId);
    await stack.post(new URL(body.paused.pausePoints[0].resumeLinks.apiUrl).pathname, {
      input: { ok: true },
    });
    const said = await findLine(stack.worker, body.executionId);
    expect(said).toMatchObject({
      requestId: 'request-before-a-pause',
      executionId: body.executionId,
    });
    expect(said).not.toHaveProperty('traceId');
  });
});
