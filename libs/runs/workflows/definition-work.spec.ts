import { DefinitionWork } from './definition-work.ts';

const work = new DefinitionWork();
afterAll(() => work.onModuleDestroy());

/** Returns how many jobs went to threads while this one was done. */
async function countThreadJobs(done: () => Promise<unknown>): Promise<number> {
  const before = work.threadJobs;
  await done().catch(() => undefined);
  return work.threadJobs - before;
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
    { id: '0', name: 'In', type: 'n8n-nodes-base.webhook', typeVersion: 2, position: [0, 0], parameters: {} },
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
  connections: { In: { main: [[{ node: 'Set', type: 'main', index: 0 }]] } },
});

test('a large definition is checked in a thread, and a small one here', async () => {
  const check = async (count: number) =>
    work.runJob('ws_a', 'validate', { blocks: blocks.slice(0, count), edges: [] });
  expect(await countThreadJobs(async () => check(3000))).toBe(1);
  expect((await check(3000)).faults[0]).toMatchObject({ code: 'too_many' });
  expect(await countThreadJobs(async () => check(0))).toBe(0);
});

test('a large file is read and converted in a thread, and refused in words when it is too much', async () => {
  const file = fileOf(240_000);
  const read = async () => work.runJob('ws_a', 'workflowsNamedIn', 'n8n', file);
  const convert = async () => work.runJob('ws_a', 'convertFile', 'n8n', file, { workflows: new Map() });
  expect(await countThreadJobs(read)).toBe(1);
  expect(await countThreadJobs(convert)).toBe(1);
  expect((await convert()).report.blocks).toMatchObject([
    { name: 'In' },
    { name: 'Set', outcome: 'refused', note: expect.stringContaining('it is nested too deeply') },
  ]);
});
