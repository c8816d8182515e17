import { Invalid } from '#libs/platform/errors/errors';
import { DefinitionWork } from './definition-work.ts';

const work = new DefinitionWork();
afterAll(() => work.onModuleDestroy());

/** The turns of the event loop that pass while the work is done. There are none when this thread does it. */
async function turnsDuring(done: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await done.catch(() => undefined).finally(() => (isDone = true));
  return turns;
}

const blocks = Array.from({ length: 3000 }, (_, n) => ({
  id: `b${n}`,
  type: 'condition',
  params: { branches: [{ port: 'a', when: `start.a == ${n}` }] },
}));
/** A file of another product with one expression of so many terms. */
const fileOf = (terms: number) => ({
  name: 'sums',
  nodes: [
    {
      id: '1',
      name: 'Set',
      type: 'n8n-nodes-base.set',
      typeVersion: 3,
      position: [0, 0],
      parameters: {
        assignments: {
          assignments: [
            { id: 'a', name: 'a', type: 'string', value: `={{ ${'$json.a + '.repeat(terms)}1 }}` },
          ],
        },
      },
    },
  ],
  connections: {},
});

test('a large definition is checked in a thread, and a small one here', async () => {
  const large = work.runJob('ws_a', 'validate', { blocks, edges: [] });
  expect(await turnsDuring(large)).toBeGreaterThan(0);
  expect((await large).faults[0]).toMatchObject({ code: 'too_many' });
  expect(await turnsDuring(work.runJob('ws_a', 'validate', { blocks: [], edges: [] }))).toBe(0);
});

test('a large file is read and converted in a thread, and refused in words when it is too much', async () => {
  const file = fileOf(240_000);
  expect(await turnsDuring(work.runJob('ws_a', 'workflowsNamedIn', 'n8n', file))).toBeGreaterThan(0);
  const refused = work.runJob('ws_a', 'convertFile', 'n8n', file, { workflows: new Map() });
  expect(await turnsDuring(refused)).toBeGreaterThan(0);
  await expect(refused).rejects.toThrow(Invalid);
  await expect(refused).rejects.toThrow('too many terms');
});
