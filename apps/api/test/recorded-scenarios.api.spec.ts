import { runScenarios } from '#libs/runs/scenario/run-scenarios';
import type { ScenarioFile } from '#libs/runs/scenario/scenario';
import { ask, block, box, line, respond } from './support/graphs.ts';
import { givenMember, type Member } from './support/people.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
let receiver: Receiver;
let ann: Member;
let bob: Member;
beforeAll(async () => {
  receiver = await Receiver.start(({ path }, response) =>
    response.writeHead(path === '/fails' ? 500 : 200).end(`{"token":"${canary}","path":"${path}"}`),
  );
  stack = await Stack.shared();
  ann = await givenMember(stack, stack.at('ann'));
  bob = await givenMember(stack, stack.at('bob'));
  await stack.call('PUT', `/api/v1/workspaces/${stack.home.id}/secrets/TOKEN`, { value: canary });
});
afterAll(async () => {
  await stack.stop();
  receiver.stop();
});

const canary = 'canary-of-a-secret';

const calling = (id: string, path: string, more: object = {}) =>
  block(
    id,
    'http',
    { url: receiver.url(`/${path}`), method: 'POST', headers: { token: '{{ secrets.TOKEN }}' } },
    { retry: { maxAttempts: 1 }, ...more },
  );

const addressOf = (workflow: string, id: string) => `/api/workflows/${workflow}/executions/${id}/scenario`;

async function recordScenario(workflow: string, id: string) {
  const { status, body } = await stack.get(addressOf(workflow, id));
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data as { scenario: ScenarioFile; differences: string[] };
}

async function play({ scenario }: { scenario: ScenarioFile }) {
  const [result] = await runScenarios(scenario);
  return result;
}

test('a scenario from a run with a loop, a failed call and two approvals plays the run again, and has no secret', async () => {
  const approvals = { required: 2, assignees: [stack.at('Ann'), bob.id] };
  const form = [{ name: 'approved', type: 'boolean', required: true }];
  const definition = {
    blocks: [
      box(
        'each',
        'loop',
        { forEach: '{{ start.paths }}', collect: '{{ call.data.path }}' },
        calling('call', '{{ each.item }}'),
      ),
      calling('risky', 'fails'),
      block('approve', 'human', { title: 'Well?', form, approvals }),
      respond({
        paths: '{{ each.results }}',
        code: '{{ risky.error.code }}',
        said: '{{ approve.approved }}',
      }),
    ],
    edges: [
      { from: 'start', to: 'each' },
      { from: 'each', to: 'risky' },
      { from: 'risky', port: 'error', to: 'approve' },
      { from: 'approve', to: 'done' },
    ],
    start: { inputs: { paths: { type: 'array' } } },
  };
  const workflow = await stack.givenDeployed(definition);
  const { apiUrl, executionId } = await stack.givenPaused(workflow, { paths: ['a', 'b'] });
  const paused = await recordScenario(workflow, executionId);
  expect(await play(paused)).toMatchObject({ passed: true, status: 'paused' });
  for (const { headers } of [ann, bob]) await stack.post(apiUrl, { input: { approved: true } }, headers);
  const recorded = await recordScenario(workflow, executionId);
  expect(recorded.differences).toEqual([]);
  expect(JSON.stringify(recorded)).not.toContain(canary);
  expect(recorded.scenario.scenarios).toMatchObject([
    {
      secrets: { TOKEN: 'the secret TOKEN' },
      effects: {
        'call@each[0]': { output: { data: { path: '/a' } } },
        risky: { fail: { code: 'HTTP_500' } },
      },
      people: [
        { block: 'approve', as: stack.at('ann'), answers: { approved: true } },
        { block: 'approve', as: bob.id },
      ],
      expect: { status: 'completed', output: { paths: ['/a', '/b'], code: 'HTTP_500', said: true } },
    },
  ]);
  expect(await play(recorded)).toMatchObject({ passed: true, status: 'completed' });
});

test('a scenario from a run plays the answer of a person whose address Postgres lowers otherwise than JavaScript', async () => {
  const asked = stack.at('ΣΊΣΥΦΟΣ');
  const form = [{ name: 'approved', type: 'boolean', required: true }];
  const params = { title: 'Well?', form, approvals: { assignees: [asked] } };
  const workflow = await stack.givenDeployed(line(block('approve', 'human', params), respond('done')));
  const { apiUrl, executionId } = await stack.givenPaused(workflow);
  const { headers } = await givenMember(stack, asked);
  await stack.post(apiUrl, { input: { approved: true } }, headers);
  const { scenario, differences } = await recordScenario(workflow, executionId);
  expect([scenario.scenarios, differences]).toMatchObject([[{ people: [{ as: asked }] }], []]);
});

test('a scenario from a failed run has its failure, and what an operator decided before', async () => {
  const workflow = await stack.givenDeployed(
    line(calling('risky', 'fails', { onFailure: 'pause' }), respond('never')),
  );
  const { apiUrl, executionId } = await stack.givenPaused(workflow);
  await stack.post(apiUrl, { input: { action: 'retry' } });
  const again = await until(
    () => stack.get(`/api/resume/${workflow}/${executionId}`).then(({ body }) => body),
    ({ pausePoints = [] }) => pausePoints.length === 2 && pausePoints[1].resumeStatus === 'paused',
  );
  await stack.post(again.pausePoints[1].resumeLinks.apiUrl, { input: { action: 'fail' } });
  await until(
    () => stack.get(`/api/workflows/${workflow}/executions/${executionId}`),
    ({ body }) => body.status === 'failed',
  );
  const recorded = await recordScenario(workflow, executionId);
  expect(recorded.scenario.scenarios).toMatchObject([
    {
      people: [
        { block: 'risky', answers: { action: 'retry' } },
        { block: 'risky', answers: { action: 'fail' } },
      ],
      expect: { status: 'failed', failure: { code: 'HTTP_500', blockId: 'risky' } },
    },
  ]);
  expect(recorded.differences).toEqual([]);
  expect(await play(recorded)).toMatchObject({ passed: true, status: 'failed' });
});

test('a scenario leaves out an output that is another one each time, and says so', async () => {
  const workflow = await stack.givenDeployed(line(respond('{{ run.id }}')));
  const { body } = await stack.execute(workflow);
  const recorded = await recordScenario(workflow, body.executionId);
  expect(recorded.differences).toEqual([expect.stringMatching(/^output: expected "exec_/)]);
  expect(recorded.scenario.scenarios[0]?.expect).toEqual({ status: 'completed', path: ['done'] });
});

test.each([
  [
    'cancelled',
    async () => {
      const workflow = await stack.givenDeployed(line(ask('may')));
      const { executionId } = await stack.givenPaused(workflow);
      await stack.post(`/api/workflows/${workflow}/executions/${executionId}/cancel`);
      await until(
        () => stack.get(`/api/workflows/${workflow}/executions/${executionId}`),
        ({ body }) => body.status === 'cancelled',
      );
      return { workflow, executionId };
    },
    /is cancelled/,
  ],
  [
    'larger than a scenario may be',
    async () => {
      const rows = Array.from({ length: 3 }, () => 'x'.repeat(900_000));
      const workflow = await stack.givenDeployed({
        start: { inputs: { rows: { type: 'array' } } },
        ...line(respond('done')),
      });
      const { body } = await stack.execute(workflow, { inputs: { rows } });
      return { workflow, executionId: body.executionId };
    },
    /larger than 2097152 bytes/,
  ],
] as const)('no scenario is made from a run that is %s', async (_, given, error) => {
  const { workflow, executionId } = await given();
  expect(await stack.get(addressOf(workflow, executionId))).toMatchObject({
    status: 409,
    body: { code: 'NOT_RECORDED', error: expect.stringMatching(error) },
  });
});

test('a scenario has no headers that differ each time, unless the workflow reads one', async () => {
  const own = await stack.givenDeployed(line(calling('call', 'ok')));
  const plain = await recordScenario(own, (await stack.execute(own)).body.executionId);
  expect(plain.differences).toEqual([]);
  expect(JSON.stringify(plain.scenario.scenarios)).not.toMatch(/"date"|"connection"/);
  expect(await play(plain)).toMatchObject({ passed: true });
  const reading = await stack.givenDeployed(line(calling('call', 'ok'), respond('{{ call.headers.date }}')));
  const dated = await recordScenario(reading, (await stack.execute(reading)).body.executionId);
  expect(dated.scenario.scenarios[0]?.expect.output).toMatch(/GMT$/);
  expect(await play(dated)).toMatchObject({ passed: true });
});

test('no scenario is made from a run of another workflow or workspace', async () => {
  const workflow = await stack.givenDeployed(line(respond('done')));
  const other = await stack.givenDeployed(line(respond('done')));
  const { body } = await stack.execute(workflow);
  expect((await stack.get(addressOf(other, body.executionId))).status).toBe(404);
  const theirs = await stack.givenWorkspace();
  const headers = { 'x-api-key': theirs.key };
  expect((await stack.get(addressOf(workflow, body.executionId), headers)).status).toBe(404);
});
