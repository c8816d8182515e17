import { randomBytes } from 'node:crypto';
import { approval, waiting } from './support/definitions.ts';
import { Program } from './support/processes.ts';
import { describeRun, Stack, until } from './support/stack.ts';

const deploymentName = `holdfast-${randomBytes(4).toString('hex')}`;
const build = (buildId: string) => ({ DEPLOYMENT_NAME: deploymentName, BUILD_ID: buildId });

let stack: Stack;
const younger: Program[] = [];
/** The address of the API of the newer build. */
let url = '';
beforeAll(async () => {
  stack = await Stack.start(build('A'));
});
afterAll(async () => {
  await Promise.all(younger.map((program) => program.kill('SIGTERM')));
  await stack.stop();
});

/**
 * Does the work of `temporal worker deployment set-current-version`, once Temporal has seen a worker of the version.
 */
async function makeCurrent(buildId: string): Promise<void> {
  const { connection } = await stack.temporal();
  const set = () =>
    connection.workflowService
      .setWorkerDeploymentCurrentVersion({ namespace: 'default', deploymentName, buildId })
      .then(
        () => 'set',
        (error: Error) => error.message,
      );
  await until(set, (answer) => answer === 'set');
}

/** The version that Temporal keeps a run on; known when its first task is done, a moment after the row is committed. */
async function versionOf(executionId: string): Promise<string | null | undefined> {
  const client = await stack.temporal();
  const ask = async () => {
    const { raw } = await describeRun(client, executionId);
    return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
  };
  return until(ask, (version) => Boolean(version));
}

/** The builds that worked on a run, task by task. */
async function buildsOf(executionId: string): Promise<unknown[]> {
  const history = await (await stack.runOf(executionId)).fetchHistory();
  return (history.events ?? []).flatMap((event) => {
    const done = event.workflowTaskCompletedEventAttributes;
    return done ? [done.deploymentVersion?.buildId] : [];
  });
}

describe('rolling upgrade', () => {
  test('a rolling upgrade keeps a paused run on its version, starts new runs on the new one, and makes nothing current by itself', async () => {
    const [asking, passing] = [await stack.givenDeployed(approval), await stack.givenDeployed(waiting)];
    // No version is current yet: accepted executions wait, also with a worker beside the API.
    const early = await stack.execute(passing, { inputs: { amount: 1 } }, { prefer: 'wait=1' });
    expect(early).toMatchObject({ status: 202 });
    expect(await buildsOf(early.body.executionId)).toEqual([]);
    await makeCurrent('A');
    expect((await stack.get(`/api/jobs/${early.body.jobId}?wait=60`)).body.status).toBe('completed');
    const { executionId, apiUrl } = await stack.givenPaused(asking, { amount: 7 });
    expect(await versionOf(executionId)).toBe('A');

    const env = { ...stack.env, ...build('B'), PORT: '0', WORKER_HEALTH_PORT: '0' };
    const api = Program.launch('apps/api/src/main.js', env);
    const worker = Program.launch('apps/worker/src/main.js', env);
    younger.push(api, worker);
    const [listening] = await Promise.all([
      api.logged('the API is listening'),
      worker.logged('the worker is running'),
    ]);
    url = String(listening.url).replace('[::1]', 'localhost');
    const before = await stack.execute(passing, { inputs: { amount: 2 } });
    expect(await versionOf(before.body.executionId)).toBe('A');
    await makeCurrent('B');

    // Temporal's task queues learn of it within a moment. After that the old API starts runs on the new version too.
    const startedBy = (base: string) =>
      until(
        async () => {
          const inputs = { amount: 3 };
          const { body } = await stack.post(`${base}/api/workflows/${passing}/execute`, { inputs });
          return { body, version: await versionOf(body.executionId) };
        },
        ({ version }) => version === 'B',
      );
    const started = await startedBy(url);
    expect(started.body).toMatchObject({ status: 'completed', output: { amount: 3 } });
    expect((await startedBy(stack.url)).body.status).toBe('completed');

    const answered = await stack.post(url + apiUrl, { input: { approved: true } });
    expect(answered.body).toMatchObject({ status: 'completed', output: { approved: true } });
    expect(new Set(await buildsOf(executionId))).toEqual(new Set(['A']));
    expect(new Set(await buildsOf(started.body.executionId))).toEqual(new Set(['B']));
  });

  test('a rolling upgrade moves a paused run to the current build on demand, and the old build can go', async () => {
    const asking = await stack.givenDeployed(approval);
    await makeCurrent('A');
    const pausedOnA = async () => {
      const paused = await stack.givenPaused(asking, { amount: 7 });
      return { ...paused, version: await versionOf(paused.executionId) };
    };
    const { executionId, apiUrl } = await until(pausedOnA, ({ version }) => version === 'A');
    const before = (await stack.get(`/api/workflows/${asking}/executions/${executionId}`)).body;
    await makeCurrent('B');
    const run = await stack.runOf(executionId);
    // Its task queue hears of the new build a moment later; until then it finds none to go to.
    const told = async () => {
      await run.signal('upgrade');
      return versionOf(executionId);
    };
    await until(told, (version) => version === 'B');
    expect((await stack.get(`/api/workflows/${asking}/executions/${executionId}`)).body).toEqual(before);

    await Promise.all([stack.api.kill('SIGTERM'), stack.worker.kill('SIGTERM')]);
    const answered = await stack.post(url + apiUrl, { input: { approved: true } });
    expect(answered.body).toMatchObject({ status: 'completed', output: { approved: true } });
    expect(new Set(await buildsOf(executionId))).toEqual(new Set(['B']));
  });
});
