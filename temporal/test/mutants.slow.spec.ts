import type { Client } from '@temporalio/client';
import { Receiver } from '#apps/api/test/support/receiver';
import { describeRun, Stack, until } from '#apps/api/test/support/stack';
import { weigh } from '#apps/api/test/support/weights';
import { validate } from '#libs/language/definition/checks/validate';
import { mutants } from '#libs/language/engine/support/mutate';
import { fc, seed } from '#libs/platform/text/support/random';

const count = 40;

let stack: Stack;
let receiver: Receiver;
let temporal: Client;
beforeAll(async () => {
  receiver = await Receiver.start((_, response) => {
    response.statusCode = receiver.received.length % 4 === 0 ? 400 : 200;
    response.end('{"ok":true}');
  });
  stack = await Stack.start({ LLM_BASE_URL: receiver.url('/v1'), HISTORY_EVENTS_MAX: '60' });
  temporal = await stack.temporal();
});
afterAll(async () => {
  receiver?.stop();
  await stack?.stop();
});

/** Definitions that are valid after changes, with URLs that answer and pauses that expire soon. */
function sample(): object[] {
  const all = fc.sample(mutants, 700);
  const sound = all.filter(({ definition }) => validate(definition).faults.length === 0);
  const texts = sound.map(({ definition }) =>
    JSON.stringify(definition)
      .replaceAll('https://a.test', receiver.url('/'))
      .replaceAll('"expiresAfter":60', '"expiresAfter":1'),
  );
  return [...new Set(texts)].slice(0, count).map((text) => JSON.parse(text));
}

async function begin(definition: object, index: number) {
  const workflowId = await stack.givenDeployed(definition);
  const { body } = await stack.execute(workflowId, { inputs: { n: index % 6 }, async: true });
  return {
    definition,
    path: `/api/workflows/${workflowId}/executions/${body.executionId}`,
    id: body.executionId,
  };
}
type Begun = Awaited<ReturnType<typeof begin>>;

const over = (status: string) => ['completed', 'failed', 'cancelled'].includes(status);

/** The outcome of a run. A run that waits for people or for a day is cancelled after a while, and must end then. */
async function ended({ path }: Begun): Promise<{ status: string; failure: { code: string } | null }> {
  const look = async () => (await stack.get(path)).body;
  const first = await until(look, ({ status }) => over(status), 8_000).catch(() => null);
  if (first) return first;
  await stack.post(`${path}/cancel`);
  return until(look, ({ status }) => over(status));
}

test(`${count} definitions that were changed at random run to an end without a failed workflow task`, async () => {
  const definitions = sample();
  expect(definitions).toHaveLength(count);
  const begun: Begun[] = [];
  for (const [index, definition] of definitions.entries()) begun.push(await begin(definition, index));
  const ends = await Promise.all(begun.map(ended));
  const statuses = new Set(ends.map(({ status }) => status));
  expect([...statuses]).toEqual(expect.arrayContaining(['completed', 'failed']));
  const wrong = await Promise.all(
    begun.map(async ({ definition, id }, index) => {
      await until(
        () => describeRun(temporal, id),
        ({ status }) => status.name !== 'RUNNING',
      );
      const { failedTasks } = await weigh(temporal, id);
      const code = ends[index]?.failure?.code ?? '';
      return failedTasks.length > 0 || code.startsWith('ENGINE_')
        ? [{ seed, code, failedTasks, definition }]
        : [];
    }),
  );
  expect(wrong.flat()).toEqual([]);
});
