import type pg from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { Database } from './database.ts';
import { DatabaseModule } from './database.module.ts';
import { appRole, systemRole } from './policies.ts';
import { migrationProcedures } from './schema-files.ts';
import { exempt, listGrants, tenancyFaults, type TenantTable, tenantTables } from './support/catalogue.ts';
import { type GivenStore, givenStore } from './support/store.ts';
import { fillWorkspace } from './support/tenants.ts';
import { sqlState } from './violations.ts';

const [ours, theirs] = ['ws_a', 'ws_b'];
const denied = '42501';

let home: GivenStore;
let owner: pg.Client;
let database: Database;
let tables: TenantTable[];

beforeAll(async () => {
  home = await givenStore(DatabaseModule, { DATABASE_POOL_MAX: '2' });
  ({ owner } = home);
  for (const workspace of [ours, theirs]) await fillWorkspace(owner, workspace);
  tables = await tenantTables(owner);
  database = home.app.get(Database);
});
afterAll(() => home.stop());

/** Runs a statement in our workspace for each tenant table, rolls it back, and returns its outcome. */
async function inEach(statement: (about: TenantTable) => string): Promise<Record<string, number | string>> {
  const found: Record<string, number | string> = {};
  for (const about of tables)
    found[about.table] = await attempt((tx) => tx.query(`${statement(about)} returning 1`));
  return found;
}

/** Tables whose rows no role may delete. */
const kept = { audit_entries: denied, audit_heads: denied, former_members: denied };

const takenBack = new Error('taken back');

async function attempt(work: (tx: EntityManager) => Promise<unknown>): Promise<number | string> {
  let rows = 0;
  try {
    await database.within(ours, async (tx) => {
      const answer = await work(tx);
      // The driver returns the rows of a select and of an insert, and for other statements the rows and their count.
      rows = Array.isArray(answer) ? Number(answer[1] ?? answer.length) : 0;
      throw takenBack;
    });
  } catch (error) {
    if (error !== takenBack) return sqlState(error) ?? String(error);
  }
  return rows;
}

const all = <T>(value: T): Record<string, T> => Object.fromEntries(tables.map(({ table }) => [table, value]));

async function countOf(table: string, column: string, workspace: string): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    `select count(*)::int as n from ${table} where ${column} = $1`,
    [workspace],
  );
  return rows[0]?.n ?? 0;
}

describe('the catalogue', () => {
  test('the catalogue has no table without forced row-level security and a policy', async () => {
    expect(await tenancyFaults(owner)).toEqual([]);
  });

  test('the catalogue gives each exempt table a reason, and each exempt table exists', async () => {
    const { rows } = await owner.query(`select relname from pg_class where relname = any($1)`, [
      Object.keys(exempt),
    ]);
    expect(rows).toHaveLength(Object.keys(exempt).length);
    expect(Object.values(exempt).filter((reason) => reason.length < 10)).toEqual([]);
  });

  test.each([
    [
      'a policy is dropped',
      'drop policy tenant on secrets',
      'secrets is not bound to the workspaces of a transaction',
    ],
    [
      'the owner is let through',
      'alter table visits no force row level security',
      'visits does not force row-level security',
    ],
    [
      'row-level security is off',
      'alter table plans disable row level security',
      'plans does not force row-level security',
    ],
    [
      'a policy lets all rows through',
      `create policy wide on payloads to ${appRole} using (true)`,
      `payloads shows all of its rows to ${appRole}`,
    ],
    [
      'a policy holds for everyone',
      'create policy wide on payloads using (workspace_id is null)',
      'payloads has the policy wide for everyone',
    ],
    ['a table comes without a policy', 'create table new (workspace_id text)', 'new has no policy'],
    [
      'a policy leaves unsaid what may be written',
      `drop policy tenant on secrets; create policy tenant on secrets to ${appRole} using (workspace_id = any (holdfast_reach()))`,
      'secrets is not bound to the workspaces of a transaction',
    ],
    [
      'a view reads as its owner',
      'create view all_secrets as select * from secrets',
      'all_secrets is a view that reads as its owner',
    ],
    [
      'a function runs as its owner',
      'create function peek() returns int language sql security definer as $$ select 1 $$',
      'peek is a function that runs as its owner',
    ],
    ['a role skips the policies', `alter role ${appRole} bypassrls`, `${appRole} skips row-level security`],
    [
      'a part of a table is granted',
      `grant select on table_rows_3 to ${appRole}`,
      `table_rows_3 is a part of a table and is granted to ${appRole}`,
    ],
    [
      'an exempt table is granted',
      `grant select on migrations to ${appRole}`,
      `migrations is granted to ${appRole}`,
    ],
  ])('the catalogue has a fault when %s', async (_, change, fault) => {
    await owner.query('begin');
    try {
      await owner.query(change);
      expect(await tenancyFaults(owner)).toContain(fault);
    } finally {
      await owner.query('rollback');
    }
  });

  test('the catalogue has eleven tables without a workspace: property of payers and people, tokens, put-off items and repairs of workers, processes, ids of payload keys, and the check value of the secret', async () => {
    const { rows } = await owner.query<{ relname: string }>(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition
         order by relname`,
    );
    const keyed = new Set(tables.map(({ table }) => table));
    const rest = rows.map(({ relname }) => relname).filter((name) => !keyed.has(name) && !(name in exempt));
    // A bucket belongs to its payer, and a user to several workspaces. The app role reaches users only through memberships.
    expect(rest).toEqual([
      'deferrals',
      'identities',
      'installation',
      'oauth_records',
      'passkeys',
      'payload_keys',
      'processes',
      'rate_buckets',
      'repairs',
      'sessions',
      'users',
    ]);
  });
});

describe('Database.within', () => {
  test('every table has a row of each workspace for Database.within to keep apart', async () => {
    const cure =
      'Every table of workspaces needs an insert of one row in libs/platform/database/support/tenants.ts, else most tests here fail.';
    const lacking: string[] = [];
    for (const { table, column } of tables) {
      const counts = [await countOf(table, column, ours), await countOf(table, column, theirs)];
      if (counts.some((count) => count !== 1)) lacking.push(table);
    }
    expect({ cure, lacking }).toEqual({ cure, lacking: [] });
  });

  test('Database.within reads the rows of its workspace and no others', async () => {
    const seen: Record<string, unknown> = {};
    for (const { table, column } of tables) {
      seen[table] = await database.within(ours, (tx) => tx.query(`select ${column} as w from ${table}`));
    }
    expect(seen).toEqual(all([{ w: ours }]));
  });

  test('Database.within reads several workspaces when it is bound to several', async () => {
    const rows = await database.within([ours, theirs], (tx) =>
      tx.query('select id from workspaces order by id'),
    );
    expect(rows).toEqual([{ id: ours }, { id: theirs }]);
  });

  test('Database.within shows only the users who are members of its workspace', async () => {
    const rows = await database.within(ours, (tx) => tx.query('select id from users'));
    expect(rows).toEqual([{ id: `usr_${ours}` }]);
  });

  test('Database.within changes no row of another workspace', async () => {
    const named = ({ table, column }: { table: string; column: string }) =>
      `update ${table} set ${column} = ${column} where ${column} = '${theirs}'`;
    expect(await inEach(named)).toEqual({ ...all(0), audit_entries: denied });
    expect(await inEach(({ table, column }) => `update ${table} set ${column} = ${column}`)).toEqual({
      ...all(1),
      audit_entries: denied,
    });
  });

  test('Database.within moves no row of its own into another workspace', async () => {
    expect(await inEach(({ table, column }) => `update ${table} set ${column} = '${theirs}'`)).toEqual(
      all(denied),
    );
  });

  test('Database.within deletes no row of another workspace', async () => {
    expect(await inEach(({ table, column }) => `delete from ${table} where ${column} = '${theirs}'`)).toEqual(
      { ...all(0), ...kept },
    );
    expect(await inEach(({ table }) => `delete from ${table}`)).toEqual({ ...all(1), ...kept });
  });

  test('Database.within inserts no row into another workspace', async () => {
    const copy = ({ table, column, written }: TenantTable) => `
      insert into ${table} (${written}) overriding system value select ${written} from (
        select (jsonb_populate_record(null::${table}, to_jsonb(t) || '{"${column}": "${theirs}"}')).* from ${table} t) copy`;
    expect(await inEach(copy)).toEqual(all(denied));
  });

  test('Database.within raises when no workspace is bound, also on a line that was bound before', async () => {
    const source = home.app.get(DataSource);
    await database.within(ours, (tx) => tx.query('select 1'));
    const answers: Record<string, string | null> = {};
    for (const { table } of tables) {
      answers[table] = await source.query(`select 1 from ${table}`).then(() => 'answered', sqlState);
    }
    expect(answers).toEqual(all(denied));
    await expect(database.within([], (tx) => tx.query('select 1 from secrets'))).rejects.toThrow(
      'no workspace is bound',
    );
  });

  test('Database.within works as the role that the policies bind', async () => {
    const rows = await database.within(ours, (tx) => tx.query('select current_user as me'));
    expect(rows).toEqual([{ me: appRole }]);
  });
});

describe('Database.system', () => {
  test('Database.system has only the rights for work on all tenants at once', async () => {
    expect(await listGrants(owner, systemRole)).toEqual([
      'alert_rules: select, update',
      'api_keys: delete, insert, select, update',
      'audit_entries: delete, insert, select',
      'audit_heads: insert, select, update',
      'backfills: delete, select, update',
      'bulk_jobs: delete, select, update',
      'child_line: delete, select, update',
      'deferrals: delete, insert, select, update',
      'direct_runs: select, update',
      'documents: select, update',
      'endpoints: select, update',
      'event_deliveries: delete, insert, select, update',
      'events: delete, insert, select, update',
      'executions: delete, select, update',
      'flow_places: delete, insert, select, update',
      'flow_rules: select',
      'flow_starts: delete, insert, select, update',
      'flow_timers: delete, insert, select, update',
      'former_members: insert, select, update',
      'held_effects: delete, select, update',
      'holds: delete, insert, select, update',
      'host_calls: delete, select',
      'idempotency_keys: delete, select, update',
      'identities: delete, insert, select, update',
      'import_reports: delete, select, update',
      'inline_start_outbox: delete, insert, select, update',
      'installation: insert, select',
      'invitations: select, update',
      'knowledge_bases: select, update',
      'knowledge_orphans: select',
      'member_caps: select',
      'memberships: delete, insert, select, update',
      'notices: select, update',
      'oauth_records: delete, insert, select, update',
      'passkeys: delete, insert, select, update',
      'paused_executions: select, update',
      'payload_keys: insert, select, update',
      'processes: delete, insert, select, update',
      'rate_buckets: delete, insert, select, update',
      'repairs: insert, select, update',
      'resume_entries: select, update',
      'sessions: delete, insert, select, update',
      'storage_changes: delete, insert, select, update',
      'storage_totals: delete, insert, select, update',
      'table_column_orphans: select',
      'table_deletions: delete, select',
      'table_imports: delete, select, update',
      'table_index_builds: select',
      'table_orphans: select',
      'tables: select, update',
      'trigger_deliveries: delete, select, update',
      'triggers: select, update',
      'usage_entries: delete, select, update',
      'usage_members: select',
      'usage_totals: select',
      'users: delete, insert, select, update',
      'workspaces: delete, insert, select, update',
    ]);
  });

  test.each([
    'secrets',
    'data_keys',
    'workflows',
    'plans',
    'payloads',
    'visits',
    'pause_points',
    'migrations',
  ])('Database.system cannot read %s', async (table) => {
    const answer = database.system(`select 1 from ${table}`);
    expect(await answer.then(() => 'answered', sqlState)).toBe(denied);
  });

  test('Database.system sees the open runs of every workspace', async () => {
    expect(await database.system('select id from executions order by id')).toEqual([
      { id: `exec_${ours}` },
      { id: `exec_${theirs}` },
    ]);
  });

  test('Database.system sees nothing of a table that it was granted without a policy', async () => {
    await owner.query(`grant select on secrets to ${systemRole}`);
    expect(await database.system('select 1 from secrets')).toEqual([]);
    await owner.query(`${migrationProcedures()} call pg_temp.system_rows('secrets')`);
    expect(await database.system('select 1 from secrets')).toHaveLength(2);
  });
});
