import { ask, line, respond } from './support/graphs.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.shared();
});
afterAll(() => stack.stop());

const start = {
  title: 'Invoice {{ start.number }}',
  inputs: { number: { type: 'number', required: true } },
};
const read = async (path: string) => (await stack.call('GET', path)).body;

test('an execution has the title of its workflow in its log, in lists, in the inbox and in Temporal', async () => {
  const workflow = await stack.givenDeployed({ start, ...line(ask('ask')) });
  const { executionId } = await stack.givenPaused(workflow, { number: 4711 });
  const title = 'Invoice 4711';
  expect(await read(`/api/workflows/${workflow}/executions/${executionId}`)).toMatchObject({ title });
  expect((await read(`/api/v1/logs?workflowIds=${workflow}`)).data).toMatchObject([{ title }]);
  const inbox = await read('/api/v1/inbox');
  expect(inbox.data.find((one: { executionId: string }) => one.executionId === executionId)).toMatchObject({
    executionTitle: title,
  });
  const run = await stack.runOf(executionId);
  expect(await (await run.describe()).staticSummary()).toContain(title);
});

test('a search of logs finds executions by id, title and inputs', async () => {
  const workflow = await stack.givenDeployed({ start, ...line(respond('x')) });
  const ids: string[] = [];
  for (const number of [1001, 1002])
    ids.push(
      (await stack.execute(workflow, { inputs: { number, colour: `hue-${number}` } })).body.executionId,
    );
  const find = async (text: string) =>
    (await read(`/api/v1/logs?workflowIds=${workflow}&search=${text}`)).data.map(
      (log: { executionId: string }) => log.executionId,
    );
  expect(await find('invoice%201002')).toEqual([ids[1]]);
  expect(await find('HUE-1001')).toEqual([ids[0]]);
  expect(await find(ids[0] ?? '')).toEqual([ids[0]]);
});

test('a fork has a title of its own inputs, and an execution without a title is a line of its inputs', async () => {
  const workflow = await stack.givenDeployed({ start, ...line(respond('x')) });
  const { body } = await stack.execute(workflow, { inputs: { number: 1 } });
  const path = `/api/workflows/${workflow}/executions`;
  const fork = await stack.call('POST', `${path}/${body.executionId}/fork`, { inputs: { number: 2 } });
  const made = fork.body.data.execution.executionId;
  expect(
    (
      await until(
        () => read(`${path}/${made}`),
        ({ title }) => title !== null,
      )
    ).title,
  ).toBe('Invoice 2');
  const plain = await stack.givenDeployed(line(respond('x')));
  const other = await stack.execute(plain, { inputs: { n: 5, who: 'Ann' } });
  expect((await read(`/api/workflows/${plain}/executions/${other.body.executionId}`)).title).toBe(
    'n: 5, who: Ann',
  );
});
