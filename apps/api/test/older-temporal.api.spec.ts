import type { Browser } from 'playwright-core';
import { Visitors } from '../../console/test/support/visits.ts';
import { testWith } from '#libs/platform/binaries/support/needs';
import { startBrowser } from './support/browser.ts';
import { approval, pure } from './support/definitions.ts';
import { ask, block, box, line, respond } from './support/graphs.ts';
import { OwnTemporal } from './support/own-temporal.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';

/** The embedded Temporal with an older copy of its file, as after a disk that lied or a restored backup. */
let temporal: OwnTemporal;
let stack: Stack;
let receiver: Receiver;
let browser: Browser;
beforeAll(async () => {
  receiver = await Receiver.start(({ path }, response) => {
    if (path !== '/held') response.writeHead(200).end('{}');
  });
  temporal = await OwnTemporal.start();
  [stack, browser] = await Promise.all([Stack.start({ TEMPORAL_ADDRESS: temporal.address }), startBrowser()]);
});
afterAll(async () => {
  receiver.stop();
  await browser.close();
  await stack.stop();
  await temporal.stop();
});

const answer = { input: { approved: true, note: 'n' }, async: true };

testWith('a browser')(
  'every run goes on with an older file of Temporal, and none repeats an effect',
  async () => {
    const [asking, computing] = [await stack.givenDeployed(approval), await stack.givenDeployed(pure)];
    const calling = await stack.givenDeployed(
      line(
        block('call', 'http', { url: receiver.url('/'), method: 'POST' }),
        block('ask', 'human', { title: 'Go on?' }),
      ),
    );
    const two = box('both', 'parallel', { count: 2 }, ask('ask'));
    const compute = block('compute', 'function', { code: 'return { n: 1 }' });
    const [pureTwice, calledTwice] = [
      await stack.givenDeployed(line(compute, two)),
      await stack.givenDeployed(
        line(block('call', 'http', { url: receiver.url('/2'), method: 'POST' }), two),
      ),
    ];
    const inTurn = await stack.givenDeployed(
      line(ask('first'), ask('second'), respond({ first: '{{ first.ok }}', second: '{{ second.ok }}' })),
    );
    const before = await stack.givenPaused(asking);
    await temporal.copy();
    const computed = (await stack.execute(computing, { inputs: { amount: 1 } })).body;
    const after = await stack.givenPaused(asking);
    const called = await stack.givenPaused(calling);
    const computedTwice = (await stack.execute(pureTwice)).body;
    const links: string[] = computedTwice.paused.pausePoints.map(
      (point: { resumeLinks: { apiUrl: string } }) => new URL(point.resumeLinks.apiUrl).pathname,
    );
    expect(links).toHaveLength(2);
    const lost = await stack.givenPaused(calledTwice);
    const held = block('call', 'http', { url: receiver.url('/held'), method: 'POST' });
    const calls = await stack.givenDeployed(line(box('both', 'parallel', { count: 2 }, held)));
    const underWay = (await stack.execute(calls, { async: true })).body;
    await until(
      async () => receiver.received.filter(({ path }) => path === '/held').length,
      (count) => count === 2,
    );
    // The API applies the first answer by itself, and Temporal learns of it later.
    const answered = await stack.givenPaused(inTurn);
    const next = (await stack.post(answered.apiUrl, { input: { ok: true } })).body;
    await Promise.all([stack.api.kill(), stack.worker.kill(), temporal.kill()]);
    await temporal.startFromCopy();
    await Promise.all([stack.startApi(), stack.startWorker()]);

    const detail = async (workflow: string, id: string) =>
      (await stack.get(`/api/workflows/${workflow}/executions/${id}`)).body;
    const ended = async (workflow: string, id: string) =>
      until(
        () => detail(workflow, id),
        ({ status }) => ['completed', 'failed', 'cancelled'].includes(status),
      );
    // Until Temporal knows the run again, an answer to its pause does not count.
    const client = (await stack.temporal()).workflow;
    const known = (workflow: string, id: string) =>
      until(
        () =>
          client
            .getHandle(id)
            .describe()
            .then(
              () => detail(workflow, id),
              () => null,
            ),
        (found) => found?.status === 'paused',
      );
    await known(asking, after.executionId);
    await known(calling, called.executionId);
    for (const { apiUrl } of [before, after]) expect((await stack.post(apiUrl, answer)).status).toBe(202);
    expect((await stack.post(called.apiUrl, { input: {}, async: true })).status).toBe(202);
    for (const { executionId } of [before, after])
      expect(await ended(asking, executionId)).toMatchObject({ status: 'completed', output: answer.input });
    expect(await detail(computing, computed.executionId)).toMatchObject({ output: computed.output });
    // Its events have its whole state: it goes on behind its call.
    expect(await ended(calling, called.executionId)).toMatchObject({ status: 'completed' });
    await known(inTurn, answered.executionId);
    const { pathname } = new URL(next.paused.pausePoints.at(-1).resumeLinks.apiUrl);
    expect((await stack.post(pathname, { input: { ok: false } })).body).toMatchObject({
      status: 'completed',
      output: { first: true, second: false },
    });
    // It waits for two.
    await known(pureTwice, computedTwice.executionId);
    for (const link of links)
      expect((await stack.post(link, { input: { ok: true }, async: true })).status).toBe(202);
    expect(await ended(pureTwice, computedTwice.executionId)).toMatchObject({ status: 'completed' });
    await known(calledTwice, lost.executionId);
    const { pausePoints } = (await stack.get(`/api/resume/${calledTwice}/${lost.executionId}`)).body;
    for (const { resumeLinks } of pausePoints)
      expect(
        (await stack.post(new URL(resumeLinks.apiUrl).pathname, { input: { ok: true }, async: true })).status,
      ).toBe(202);
    expect(await ended(calledTwice, lost.executionId)).toMatchObject({ status: 'completed' });
    // Its calls were under way, and must not be repeated.
    expect(await ended(calls, underWay.executionId)).toMatchObject({
      status: 'failed',
      failure: { code: 'OUTCOME_UNKNOWN' },
    });
    const health = await until(
      () => stack.get('/health/ready'),
      ({ body }) => body.repairsRuns,
    );
    expect(health.body).toMatchObject({ status: 'up', repairsRuns: true });
    const visitors = await Visitors.signIn(stack, browser);
    const { page } = await visitors.open(`/w/${stack.home.id}/inbox`);
    await page.getByRole('alert').getByText('Workers repair them now.').waitFor();
    await page.getByRole('heading', { name: 'Runs that need an operator' }).waitFor();
    await page.getByText('may or may not have arrived').first().waitFor();
    const unresolved = await stack.get(`/api/v1/logs?failureCodes=ENGINE_LOST,OUTCOME_UNKNOWN`);
    expect(unresolved.body.data.map(({ executionId }: { executionId: string }) => executionId)).toEqual([
      underWay.executionId,
    ]);
    expect(receiver.received).toHaveLength(4);
  },
);
