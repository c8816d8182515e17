import { approval, pure } from './support/definitions.ts';
import { block, line } from './support/graphs.ts';
import { OwnTemporal } from './support/own-temporal.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';

/** The embedded Temporal with an older copy of its file, as after a disk that lied or a restored backup. */
let temporal: OwnTemporal;
let stack: Stack;
beforeAll(async () => {
  temporal = await OwnTemporal.start();
  stack = await Stack.start({ TEMPORAL_ADDRESS: temporal.address });
});
afterAll(async () => {
  await stack.stop();
  await temporal.stop();
});

const answer = { input: { approved: true, note: 'n' }, async: true };

test('with an older file of Temporal every run ends, and none repeats an effect', async () => {
  const receiver = await Receiver.start((_, response) => void response.writeHead(200).end('{}'));
  const [asking, computing] = [await stack.givenDeployed(approval), await stack.givenDeployed(pure)];
  const calling = await stack.givenDeployed(
    line(
      block('call', 'http', { url: receiver.url('/'), method: 'POST' }),
      block('ask', 'human', { title: 'Go on?' }),
    ),
  );
  const before = await stack.givenPaused(asking);
  await temporal.copy();
  const computed = (await stack.execute(computing, { inputs: { amount: 1 } })).body;
  const after = await stack.givenPaused(asking);
  const called = await stack.givenPaused(calling);
  await Promise.all([stack.api.kill(), stack.worker.kill(), temporal.kill()]);
  await temporal.startFromCopy();
  await Promise.all([stack.startApi(), stack.startWorker()]);

  const detail = async (workflow: string, id: string) =>
    (await stack.get(`/api/workflows/${workflow}/executions/${id}`)).body;
  const ended = async (workflow: string, id: string) =>
    until(
      () => detail(workflow, id),
      ({ status }) => ['completed', 'failed', 'cancelled'].includes(status),
      20_000,
    );
  // Until Temporal knows the run again, an answer to its pause does not count.
  const client = (await stack.temporal()).workflow;
  await until(
    () =>
      client
        .getHandle(after.executionId)
        .describe()
        .then(
          () => detail(asking, after.executionId),
          () => null,
        ),
    (known) => known?.status === 'paused',
    20_000,
  );
  for (const { apiUrl } of [before, after]) expect((await stack.post(apiUrl, answer)).status).toBe(202);
  for (const { executionId } of [before, after])
    expect(await ended(asking, executionId)).toMatchObject({ status: 'completed', output: answer.input });
  expect(await detail(computing, computed.executionId)).toMatchObject({ output: computed.output });
  const refused = await stack.post(called.apiUrl, { input: {} });
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(refused.body.error).toMatch(/Temporal does not know this run/);
  expect(await ended(calling, called.executionId)).toMatchObject({
    status: 'failed',
    failure: { code: 'ENGINE_LOST' },
  });
  expect(receiver.received).toHaveLength(1);
  receiver.stop();
});
