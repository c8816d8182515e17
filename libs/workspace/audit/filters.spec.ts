import { Database } from '#libs/platform/database/database';
import { pageOfEntries } from './audit.ts';
import { givenLog, type GivenLog } from './support/log.ts';

let log: GivenLog;
let busy: string;

/** The time of entry 0. Entry n is n minutes later, so the entries cover 208 days. */
const begin = Date.parse('2026-01-01T00:00:00Z');
const count = 300_000;
const day = (n: number) => new Date(begin + n * 86_400_000);

beforeAll(async () => {
  log = await givenLog();
  busy = await log.givenWorkspace();
  await log.tamper(
    `insert into audit_entries (workspace_id, seq, hash, body, created_at)
     select '${busy}', n, '', json_build_object('id', 'aud_' || n, 'seq', n,
       'createdAt', to_char(timestamp '2026-01-01' + make_interval(mins => n), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'action', 'answer.given', 'resourceType', 'answer', 'resourceId', 'a' || n,
       'actor', json_build_object('id', 'key_' || n % 10), 'filler', repeat('x', 300)), timestamptz '2026-01-01T00:00:00Z' + make_interval(mins => n)
     from generate_series(2, ${count}) n`,
    'analyze audit_entries',
  );
});
afterAll(() => log?.stop());

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The number of entries that a page reads, with those that its filter removes. */
async function readBy(filters: object): Promise<{ types: string[]; entries: number }> {
  const { text, values } = pageOfEntries(busy, filters, null, 51);
  const [row] = await log.given.app
    .get(Database)
    .statement<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      busy,
      `explain (analyze, format json) ${text}`,
      values,
      'shaped by a caller',
    );
  if (!row) throw new Error('There is no plan.');
  const nodes = nodesOf(row['QUERY PLAN'][0].Plan).filter(
    (node) => node['Relation Name'] === 'audit_entries',
  );
  const entries = nodes.map(
    (node) => node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
  );
  return { types: nodes.map((node) => node['Node Type']), entries: Math.max(...entries) };
}

test.each([
  ['nothing', {}],
  ['an action that there is not', { action: 'workflow.created' }],
  ['a type that there is not', { resourceType: 'workflow' }],
  ['a type that all have', { resourceType: 'answer' }],
  ['one resource', { resourceId: 'a7' }],
  ['one actor', { actorId: 'key_3' }],
  ['an old day', { from: day(3), to: day(4) }],
  ['an old month', { from: day(3), to: day(33) }],
  ['a time before all entries', { to: day(-1) }],
  ['a time after all entries', { from: day(400) }],
  ['the first half', { to: day(100) }],
  ['a type and an old month', { resourceType: 'answer', from: day(3), to: day(33) }],
  ['a type that there is not and an old month', { resourceType: 'workflow', from: day(3), to: day(33) }],
])('a page of 300,000 entries by %s reads no more than it must', async (_, filters) => {
  const { types, entries } = await readBy(filters);
  expect(types).not.toContain('Seq Scan');
  expect(entries).toBeLessThan(1000);
});

test('entries by date come the newest first, by pages, none twice', async () => {
  const filters = { from: day(3), to: new Date(day(3).getTime() + 19 * 60_000) };
  const found = await log.all(busy, filters);
  expect(found.map(({ entry }) => entry.id)).toEqual(
    Array.from({ length: 20 }, (__, n) => `aud_${3 * 1440 + 19 - n}`),
  );
});
