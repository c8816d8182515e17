import { approval } from './support/definitions.ts';
import { Stack, until } from './support/stack.ts';

/** Messages of an operator who mistyped, in the Temporal UI or CLI. */
let stack: Stack;
beforeAll(async () => {
  stack = await Stack.shared();
});
afterAll(() => stack.stop());

const wrong: [string, ...unknown[]][] = [
  ['an empty object', {}],
  ['text', 'yes'],
  ['nothing at all'],
  ['null', null],
  ['a context that there is not', { contextId: 'ctx_none', answers: { approved: true } }],
  ['a context that is a number', { contextId: 7, answers: { approved: true } }],
  ['answers that are text', { contextId: 'ctx_none', answers: 'yes' }],
  ['text that Postgres cannot hold', { contextId: 'ctx_\u0000', answers: { approved: true } }],
];

test('a run is answered as always after signals and updates of every wrong shape', async () => {
  const workflow = await stack.givenDeployed(approval);
  const { executionId, apiUrl } = await stack.givenPaused(workflow);
  const run = await stack.runOf(executionId);
  for (const [, ...args] of wrong) {
    await run.signal('resumeSignal', ...args);
    await run.signal('child', ...args);
  }
  const refusals = await Promise.allSettled(
    wrong.map(([, ...args]) => run.executeUpdate('resume', { args: args as [unknown] })),
  );
  expect(refusals.map(({ status }) => status)).toEqual(wrong.map(() => 'rejected'));
  expect((await stack.post(apiUrl, { input: { approved: true, note: 'n' }, async: true })).status).toBe(202);
  const { body } = await until(
    () => stack.get(`/api/workflows/${workflow}/executions/${executionId}`),
    (answer) => answer.body.status === 'completed',
  );
  expect(body.output).toEqual({ approved: true, note: 'n' });
  const queue = (await stack.get(`/api/resume/${workflow}/${executionId}`)).body.queue;
  expect(queue).toMatchObject([{ status: 'completed', actor: { kind: 'key' } }]);
});
