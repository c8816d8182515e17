import { submit } from './support/people.ts';
import { type Answer, Stack, until } from './support/stack.ts';
import { isWhole, testMoreInWhole } from '#libs/platform/settings/support/whole';

const branches = 50;

/** A question for each branch, all open at once. The output names the accepted answer of each. */
const many = {
  blocks: [
    {
      id: 'each',
      type: 'parallel',
      params: { count: branches, concurrency: 50, collect: '{{ ask.by }}' },
      body: {
        blocks: [
          {
            id: 'ask',
            type: 'human',
            params: { title: 'Who?', form: [{ name: 'by', type: 'string', required: true }] },
          },
        ],
        edges: [{ from: 'start', to: 'ask' }],
      },
    },
    { id: 'done', type: 'response', params: { data: '{{ each.results }}' } },
  ],
  edges: [
    { from: 'start', to: 'each' },
    { from: 'each', to: 'done' },
  ],
};

interface Point {
  contextId: string;
  executionId: string;
  apiUrl: string;
  uiUrl: string;
}

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start({ RATE_API_PER_MINUTE: '100000', RATE_ASYNC_PER_MINUTE: '100000' });
});
afterAll(() => stack.stop());

async function givenPauses(workflow: string, runs: number): Promise<Point[]> {
  const started = await Promise.all(
    Array.from({ length: runs }, () => stack.execute(workflow, { async: true })),
  );
  const all = await Promise.all(
    started.map(async ({ body: { executionId } }) => {
      const { body } = await until(
        () => stack.get(`/api/resume/${workflow}/${executionId}`),
        (answer) => answer.body.totalPauseCount === branches,
      );
      return body.pausePoints.map(
        ({ contextId, resumeLinks }: { contextId: string; resumeLinks: Point }) => ({
          contextId,
          executionId,
          apiUrl: new URL(resumeLinks.apiUrl).pathname,
          uiUrl: resumeLinks.uiUrl,
        }),
      );
    }),
  );
  return all.flat();
}

const ways = ['first', 'second', 'link', 'signal'] as const;

/** Asks again whenever the line was cut, as a client does that wants to know. */
const persist = (ask: () => Promise<Answer>) =>
  until(
    () => ask().catch(() => null),
    (answer) => answer !== null,
  );

/**
 * Sends an answer by each way at the same instant, and returns the response of each caller. A signal has no response.
 */
async function race(point: Point): Promise<(Answer | null)[]> {
  const handle = await stack.runOf(point.executionId);
  const tell = {
    first: () => persist(() => stack.post(point.apiUrl, { input: { by: 'first' }, async: true })),
    second: () => persist(() => stack.post(point.apiUrl, { input: { by: 'second' }, async: true })),
    link: () => persist(() => submit(stack, point.uiUrl, { by: 'link' })),
    signal: () =>
      handle.signal('resumeSignal', { contextId: point.contextId, input: { by: 'signal' } }).then(() => null),
  };
  return Promise.all(ways.map((way) => tell[way]()));
}

async function raceAll(points: Point[], onSettled = () => {}, atOnce = 25): Promise<(Answer | null)[][]> {
  const told: (Answer | null)[][] = [];
  for (let i = 0; i < points.length; i += atOnce)
    told.push(
      ...(await Promise.all(points.slice(i, i + atOnce).map((point) => race(point).finally(onSettled)))),
    );
  return told;
}

/** By context: who the rows say was heard. Every pause has exactly one answer that counts. */
async function heard(workflow: string, points: Point[]): Promise<Map<string, string>> {
  const heardBy = new Map<string, string>();
  for (const executionId of new Set(points.map((point) => point.executionId))) {
    const { body: run } = await until(
      () => stack.get(`/api/workflows/${workflow}/executions/${executionId}`),
      (answer) => ['completed', 'failed'].includes(answer.body.status),
    );
    expect(run.status).toBe('completed');
    const { body } = await stack.get(`/api/resume/${workflow}/${executionId}`);
    const counted = body.queue.filter(({ status }: { status: string }) => status === 'completed');
    expect(counted).toHaveLength(branches);
    for (const { contextId, resumeInput } of counted) heardBy.set(contextId, resumeInput.by);
    const said = counted.map((entry: { resumeInput: { by: string } }) => entry.resumeInput.by);
    expect(run.output.toSorted()).toEqual(said.toSorted());
  }
  return heardBy;
}

describe('pauses that four callers answer at once', () => {
  testMoreInWhole(
    'pauses that four callers answer at once have one answer each, and everyone else is told whose answer counts',
    async () => {
      const workflow = await stack.givenDeployed(many);
      const runs = isWhole ? 4 : 1;
      const points = await givenPauses(workflow, runs);
      expect(points).toHaveLength(runs * branches);
      const told = await raceAll(points);
      const heardBy = await heard(workflow, points);
      const wins = { first: 0, second: 0, link: 0, signal: 0 };
      points.forEach(({ contextId }, i) => {
        const winner = heardBy.get(contextId) as (typeof ways)[number];
        wins[winner]++;
        ways.forEach((way, w) => {
          const answer = told[i]?.[w];
          if (way === 'signal') return;
          expect([way, winner, answer?.status]).toEqual([way, winner, accepted(way, winner)]);
          if (way !== winner && way !== 'link') expect(answer?.body.error).toContain('already. By ');
        });
      });
      // It is a race only when more than one way can win.
      expect(Object.values(wins).filter((count) => count > 0).length).toBeGreaterThan(1);
    },
  );

  testMoreInWhole(
    'pauses that four callers answer at once lose no answer, and no answer is applied twice, while API and worker are killed',
    async () => {
      const workflow = await stack.givenDeployed(many);
      const points = await givenPauses(workflow, isWhole ? 3 : 1);
      let settled = 0;
      const racing = raceAll(points, () => settled++);
      for (const after of isWhole ? [30, 90] : [15]) {
        await until(
          async () => settled,
          (count) => count >= after,
        );
        await Promise.all([stack.api.kill(), stack.worker.kill()]);
        await Promise.all([stack.startApi(), stack.startWorker()]);
      }
      const told = await racing;
      const heardBy = await heard(workflow, points);
      expect(heardBy.size).toBe(points.length);
      points.forEach(({ contextId }, i) => {
        ways.forEach((way, w) => {
          const status = told[i]?.[w]?.status;
          if (way !== 'signal' && (status === 202 || (way === 'link' && status === 200)))
            expect(heardBy.get(contextId)).toBe(way);
        });
      });
    },
  );
});

const accepted = (way: string, winner: string) => (way !== winner ? 409 : way === 'link' ? 200 : 202);
