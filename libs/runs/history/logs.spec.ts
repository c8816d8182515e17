import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { fc } from '#libs/platform/text/support/random';
import type pg from 'pg';
import { toPostgresError } from '#libs/platform/database/support/postgres-error';
import { Database } from '#libs/platform/database/database';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { fillWorkspace } from '#libs/platform/database/support/tenants';
import { BlockLog } from '#libs/runs/executions/read/block-log';
import { Execution, executionStatuses, VisitRow } from '#libs/runs/executions/execution.entity';
import { Payloads } from '#libs/runs/executions/record/payloads';
import { type CursorPosition } from '#libs/platform/cursors/cursor';
import { PagesModule } from '#libs/platform/cursors/pages.module';
import { picked, type ListPosition } from './entries.sql.ts';
import { countOfDurations, isOfDurations, levels, type LogFilters, FilterValues } from './filters.ts';
import { type LogEntry, Logs } from './logs.ts';
import { search } from './search.ts';

@Module({
  imports: [DatabaseModule, PagesModule, TypeOrmModule.forFeature([Execution, VisitRow])],
  providers: [Logs, BlockLog, Payloads],
})
class LogsAlone {}

const [ours, theirs] = ['ws_a', 'ws_b'];
const minute = 60_000;
const begin = Date.parse('2026-03-01T00:00:00Z');

let given: GivenStore;
let owner: pg.Client;
let logs: Logs;

beforeAll(async () => {
  given = await givenStore(LogsAlone);
  ({ owner } = given);
  for (const workspace of [ours, theirs]) await fillWorkspace(owner, workspace);
  await owner.query('delete from executions');
  for (const table of [writeWorkflows, writeExecutions, writeUsage, writeVisits, writeStored])
    await owner.query(table);
  logs = given.app.get(Logs);
});
afterAll(() => given.stop());

/** Only the first workspace has workflows, so no folder matches in the second. */
const writeWorkflows = `
insert into workflows (id, workspace_id, name, definition, definition_hash, folder)
values ('wf_0', 'ws_a', 'zero', '{}', 'hash', 'sales/eu'), ('wf_1', 'ws_a', 'one', '{}', 'hash', 'sales'),
  ('wf_2', 'ws_a', 'two', '{}', 'hash', 'sales-old')`;

/** A hundred executions in each workspace, some of them at equal times. `oracle` repeats the rules. */
const writeExecutions = `
insert into executions (id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, inputs, status,
  output, created_at, started_at, completed_at, failure)
select 'exec_' || w || lpad(n::text, 3, '0'), w, 'wf_' || n % 3, 'workflow', 1, 'hash', 'sync',
  case when n % 4 = 0 then 'workflow' else 'api' end, '{}', '{}',
  (array['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'])[n % 6 + 1], to_json(n),
  timestamptz '2026-03-01T00:00:00Z' + make_interval(mins => n / 2),
  case when n % 6 > 0 then timestamptz '2026-03-01T00:00:00Z' + make_interval(mins => n / 2, secs => 1) end,
  case when n % 6 > 2 then timestamptz '2026-03-01T00:00:00Z' + make_interval(mins => n / 2, secs => 1 + n) end,
  case when n % 6 = 4 then json_build_object('code', 'REFUSED', 'message', 'It said "No" at 100%.') end
from unnest(array['ws_a', 'ws_b']) w, generate_series(0, 99) n`;

const writeUsage = `
insert into usage_entries (workspace_id, execution_id, actor, cost)
select workspace_id, id, 'key', right(id, 3)::int * 0.25 from executions where status = 'completed'`;

const writeVisits = `
insert into visits (execution_id, path, workspace_id, seq, block_id, name, type, status, started_at, output)
select id, 'ask', workspace_id, 1, 'ask', 'Ask', 'llm', 'completed', created_at, json_build_object('model', 'model ' || right(id, 1))
from executions`;

/** In each workspace one output is a stored value. */
const writeStored = `
with big as (
  update executions set output = ('{"$payload":"pay_of_' || id || '","bytes":5000,"preview":"{"}')::json where id like '%057'
  returning id, workspace_id
)
insert into payloads (id, workspace_id, execution_id, body, bytes)
select 'pay_of_' || id, workspace_id, id, '{"note":"a \\"Needle\\" of Ünits"}', 40 from big`;

interface Wanted {
  id: string;
  n: number;
  workspaceId: string;
}

const everything: Wanted[] = [ours, theirs].flatMap((workspaceId) =>
  Array.from({ length: 100 }, (_, n) => ({
    n,
    workspaceId,
    id: `exec_${workspaceId}${String(n).padStart(3, '0')}`,
  })),
);

const folderNames = ['sales/eu', 'sales', 'sales-old'];

/** The searchable text of an execution, in lower case. */
function textOf(n: number): string {
  const failed = n % 6 === 4 ? ' REFUSED It said "No" at 100%.' : '';
  return `${n === 57 ? 'a "Needle" of Ünits' : n}${failed}`.toLowerCase();
}

/** True when the filters let an execution through, by the plain meaning of their names. */
function passes({ n, id, workspaceId }: Wanted, filters: LogFilters): boolean {
  const status = executionStatuses[n % 6] ?? 'queued';
  const createdAt = begin + Math.floor(n / 2) * minute;
  const duration = n % 6 > 2 ? n * 1000 : null;
  const cost = status === 'completed' ? n * 0.25 : null;
  const within = (value: number | null, low: number | undefined, high: number | undefined) =>
    (low === undefined && high === undefined) ||
    (value !== null && value >= (low ?? -Infinity) && value <= (high ?? Infinity));
  const isIn = (folder: string) => workspaceId === ours && `${folderNames[n % 3]}/`.startsWith(`${folder}/`);
  return (
    (filters.folders?.some(isIn) ?? true) &&
    (filters.search === undefined || textOf(n).includes(filters.search.toLowerCase())) &&
    (filters.workflowIds?.includes(`wf_${n % 3}`) ?? true) &&
    (filters.triggers?.includes(n % 4 === 0 ? 'workflow' : 'api') ?? true) &&
    (filters.statuses?.includes(status) ?? true) &&
    (filters.level === undefined || (filters.level === 'error') === (status === 'failed')) &&
    within(createdAt, filters.from?.getTime(), filters.to?.getTime()) &&
    (filters.executionId ?? id) === id &&
    within(duration, filters.minDurationMs, filters.maxDurationMs) &&
    within(cost, filters.minCost, filters.maxCost) &&
    (filters.model ?? `model ${n % 10}`) === `model ${n % 10}`
  );
}

function oracle(workspaces: string[], filters: LogFilters, order: 'asc' | 'desc'): string[] {
  const found = everything.filter((one) => workspaces.includes(one.workspaceId) && passes(one, filters));
  const key = ({ n, id }: Wanted) => `${String(Math.floor(n / 2)).padStart(3, '0')} ${id}`;
  const sorted = found.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  return (order === 'asc' ? sorted : sorted.toReversed()).map(({ id }) => id);
}

/** The entries of all pages. */
async function listed(
  workspaces: string[],
  filters: LogFilters,
  { order, limit }: { order: 'asc' | 'desc'; limit: number },
): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await logs.list(workspaces, { ...filters, order, limit, cursor });
    entries.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return entries;
}

const idsOf = (entries: LogEntry[]) => entries.map(({ executionId }) => executionId);

/** The oldest two in a hundred took a minute, and the others a second. */
const writeSlow = `
insert into executions (id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, inputs, status,
  created_at, started_at, completed_at)
select 'exec_slow' || n, 'ws_slow', 'wf_slow', 'slow', 1, 'hash', 'sync', 'api', '{}', '{}', 'completed', at, at,
  at + case when n <= 400 then interval '1 minute' else interval '1 second' end
from generate_series(1, 20000) n, lateral (select timestamptz '2026-03-01T00:00:00Z' + make_interval(secs => n)) t (at)`;

/** The executions that one statement picks, oldest first. */
function idsBy(filters: LogFilters, place: ListPosition): Promise<{ id: string }[]> {
  const values = new FilterValues();
  const text = `select e.id from (${picked(filters, place, values)}) e order by e.created_at, e.id`;
  return given.app.get(Database).statement(place.workspaceIds, text, values.all, 'shaped by a caller');
}

/** The indexes and tables that a statement reads, with the settings of the list. */
async function scansOf(text: string, values: FilterValues): Promise<string[]> {
  const explained = await given.app
    .get(Database)
    .statement<{ 'QUERY PLAN': string }>(['ws_slow'], `explain ${text}`, values.all, 'shaped by a caller');
  return explained
    .flatMap(({ 'QUERY PLAN': line }) => / Scan .*?(?:using|on) (\w+)/.exec(line)?.[1] ?? [])
    .filter((name) => name !== 'unnest');
}

const writeMany = `
insert into executions (id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, inputs, output, created_at)
select 'exec_many' || 2000 + n, 'ws_many', 'wf_many', 'many', 1, 'hash', 'sync', 'api', '{}', '{}',
  to_json(case when n % 100 = 0 then 'needle' else 'hay' end), timestamptz '2026-03-01T00:00:00Z' + make_interval(mins => n)
from generate_series(0, 1199) n`;

const moment = fc.integer({ min: -1, max: 51 }).map((n) => new Date(begin + n * minute));
const filterNames = [
  'workflowIds',
  'folders',
  'search',
  'triggers',
  'statuses',
  'level',
  'from',
  'to',
  'executionId',
  'minDurationMs',
  'maxDurationMs',
  'minCost',
  'maxCost',
  'model',
] as const;
const filterValues = {
  workflowIds: fc.subarray(['wf_0', 'wf_1', 'wf_9']),
  folders: fc.subarray(['sales', 'sales/eu', 'sales-', 'sale', 'none']),
  search: fc.constantFrom('7', 'said "no"', 'refused', 'NEEDLE" of ü', '%', '.*', '_'),
  triggers: fc.subarray(['api', 'workflow', 'none']),
  statuses: fc.subarray([...executionStatuses]),
  level: fc.constantFrom(...levels),
  from: moment,
  to: moment,
  executionId: fc.constantFrom(...everything.map(({ id }) => id)),
  minDurationMs: fc.integer({ min: 0, max: 100 }).map((n) => n * 1000),
  maxDurationMs: fc.integer({ min: 0, max: 100 }).map((n) => n * 1000),
  minCost: fc.integer({ min: 0, max: 100 }).map((n) => n / 4),
  maxCost: fc.integer({ min: 0, max: 100 }).map((n) => n / 4),
  model: fc.constantFrom('model 3', 'model 7', 'none'),
};
const allFilters = fc.record(filterValues);
/** At most three filters at once, because more let nothing through. */
const someFilters = fc
  .tuple(allFilters, fc.subarray([...filterNames], { maxLength: 3 }))
  .map(([all, names]): LogFilters => Object.fromEntries(names.map((name) => [name, all[name]])));

describe('Logs.list', () => {
  test('Logs.list has every matching execution once and in order, for pages of any size', async () => {
    const order = fc.constantFrom('asc' as const, 'desc' as const);
    const reach = fc.subarray([ours, theirs], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(
        someFilters,
        order,
        fc.integer({ min: 1, max: 150 }),
        reach,
        async (filters, ...rest) => {
          const [way, limit, workspaces] = rest;
          const found = idsOf(await listed(workspaces, filters, { order: way, limit: Math.max(limit, 20) }));
          expect(found).toEqual(oracle(workspaces, filters, way));
        },
      ),
      { numRuns: 150 },
    );
  });

  test.each(['cost', 'duration'] as const)(
    'Logs.list gives the same list from the index of %s as from a walk along the list',
    async (by) => {
      const { minCost, maxCost, minDurationMs, maxDurationMs, statuses, workflowIds, from, to } =
        filterValues;
      const filters =
        by === 'cost'
          ? fc.record({ minCost, maxCost, statuses, workflowIds, from, to }, { requiredKeys: ['minCost'] })
          : fc.record({ minDurationMs, maxDurationMs, from, to }, { requiredKeys: ['minDurationMs'] });
      const order = fc.constantFrom('asc' as const, 'desc' as const);
      await fc.assert(
        fc.asyncProperty(filters, order, fc.integer({ min: 1, max: 30 }), async (those, way, limit) => {
          const after = { at: new Date(begin + 25 * minute).toISOString(), id: 'exec_ws_a050' };
          const place = { order: way, limit, after, workspaceIds: [ours, theirs] };
          const [found, walked] = await Promise.all([
            idsBy(those, { ...place, by }),
            idsBy(those, { ...place, by: undefined }),
          ]);
          expect(found).toEqual(walked);
        }),
        { numRuns: 60 },
      );
    },
  );

  test('Logs.list does not walk along newer executions to the old executions that took long', async () => {
    await fillWorkspace(owner, 'ws_slow');
    await owner.query(writeSlow);
    await owner.query('vacuum analyze executions');
    const filters = { minDurationMs: 50_000 };
    for (const order of ['asc', 'desc'] as const) {
      const values = new FilterValues();
      const source = picked(
        filters,
        { order, limit: 1, after: null, workspaceIds: ['ws_slow'], by: 'duration' },
        values,
      );
      expect(await scansOf(source, values)).toEqual(['executions_list_duration', 'executions_pkey']);
    }
    const values = new FilterValues();
    expect(await scansOf(countOfDurations(filters, ['ws_slow'], values), values)).toEqual([
      'executions_list_duration',
    ]);
    const { items } = await logs.list(['ws_slow'], { ...filters, order: 'desc', limit: 3 });
    expect(idsOf(items)).toEqual(['exec_slow400', 'exec_slow399', 'exec_slow398']);
  });

  test.each<[LogFilters, boolean]>([
    [{ minDurationMs: 1 }, true],
    [{ maxDurationMs: 1, from: new Date(), to: new Date() }, true],
    [{ minDurationMs: 0, level: undefined }, true],
    [{ minDurationMs: 1, statuses: ['failed'] }, false],
    [{ maxDurationMs: 1, search: 'text' }, false],
    [{ from: new Date() }, false],
  ])('Logs.list decides by the duration alone with %j: %j', (filters, alone) => {
    expect(isOfDurations(filters)).toBe(alone);
  });

  test.each([
    'workflowIds',
    'folders',
    'search',
    'triggers',
    'statuses',
    'level',
    'minDurationMs',
    'maxCost',
    'model',
  ] as const)('Logs.list is narrowed by %s alone', async (name) => {
    const filters: LogFilters = {
      workflowIds: ['wf_1'],
      folders: ['sales/eu'],
      search: 'No" at 100%',
      triggers: ['workflow'],
      statuses: ['failed', 'paused'],
      level: 'error' as const,
      minDurationMs: 50_000,
      maxCost: 10,
      model: 'model 3',
    };
    const found = idsOf(await listed([ours], { [name]: filters[name] }, { order: 'desc', limit: 7 }));
    expect(found).toEqual(oracle([ours], { [name]: filters[name] }, 'desc'));
    expect(found.length).toBeGreaterThan(5);
    expect(found.length).toBeLessThan(60);
  });

  test('Logs.list refuses a cursor of another filter, order or workspace', async () => {
    const query = { order: 'desc', limit: 5 } as const;
    const { nextCursor } = await logs.list([ours], query);
    const cursor = nextCursor ?? '';
    const others = [
      logs.list([theirs], { ...query, cursor }),
      logs.list([ours], { ...query, cursor, order: 'asc' }),
      logs.list([ours], { ...query, cursor, level: 'info' }),
    ];
    for (const other of others) await expect(other).rejects.toThrow('is not a cursor of this list');
  });

  test('Logs.list gets past its first executions although Postgres stops every statement that reads more than three', async () => {
    const database = given.app.get(Database);
    const looked: number[] = [];
    const statement: Database['statement'] = (workspaces, sql, values = [], shape) => {
      // The inner query's limit is the size of the batch, the only part that changes between two statements.
      const limit = Number(/limit \$(\d+)/.exec(sql)?.[1]);
      looked.push(Number(values[limit - 1]));
      if (Number(values[limit - 1]) > 3) throw toPostgresError('57014');
      return database.statement(workspaces, sql, values, shape);
    };
    const place = { workspaceIds: ['ws_a'], order: 'desc' as const, limit: 100, after: null };
    const { ids, last } = await search({ statement }, { search: 'needle' }, place, 0);
    expect(looked.slice(0, 4)).toEqual([20, 10, 5, 3]);
    expect([ids.length, last === null]).toEqual([0, false]);
  });

  test('Logs.list goes on where the time limit ended a search, and finds each execution once', async () => {
    await fillWorkspace(owner, 'ws_many');
    await owner.query(writeMany);
    const found: string[] = [];
    let [after, turns]: [CursorPosition | null, number] = [null, 0];
    do {
      const place = { order: 'asc' as const, limit: 100, after, workspaceIds: ['ws_many'] };
      const turn = await search(given.app.get(Database), { search: 'needle' }, place, 0);
      found.push(...turn.ids);
      expect(turn.cut).toBe(turn.last !== null);
      [after, turns] = [turn.last, turns + 1];
    } while (after);
    expect(turns).toBeGreaterThan(1);
    expect(found).toEqual(Array.from({ length: 12 }, (_, n) => `exec_many${2000 + 100 * n}`));
  });

  test('Logs.list is empty for a key that reaches no workspace', async () => {
    const none = { items: [], nextCursor: null, cut: false };
    expect(await logs.list([], { order: 'desc', limit: 5 })).toEqual(none);
  });
});

test('an export has every entry, except executions that are accepted after its begin', async () => {
  await owner.query(`
    insert into executions (id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, inputs, created_at)
    values ('exec_later', 'ws_a', 'wf_1', 'workflow', 1, 'hash', 'sync', 'api', '{}', '{}', now() + interval '1 hour')`);
  const found: string[] = [];
  for await (const page of logs.all([ours, theirs], { order: 'asc', level: 'info' }))
    found.push(...idsOf(page));
  await owner.query(`delete from executions where id = 'exec_later'`);
  expect(found).toEqual(oracle([ours, theirs], { level: 'info' }, 'asc'));
});

test('a full entry has its output, and at most a hundred blocks without their outputs', async () => {
  await owner.query(`
    insert into visits (execution_id, path, workspace_id, seq, block_id, name, type, status, started_at, output)
    select 'exec_ws_a003', 'pass ' || n, 'ws_a', 1 + n, 'pass', 'Pass', 'http', 'completed', now(), '1' from generate_series(1, 100) n`);
  const { items } = await logs.list([ours], { executionId: 'exec_ws_a003', order: 'desc', limit: 1 });
  const [full] = await logs.full([ours], items);
  expect(full).toMatchObject({ output: 3, cost: 0.75, blocksCut: true });
  expect(full?.blocks.map(({ path }) => path)).toEqual([
    'ask',
    ...Array.from({ length: 99 }, (_, n) => `pass ${n + 1}`),
  ]);
  expect(full?.blocks[0]).not.toHaveProperty('output');
});
