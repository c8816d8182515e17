import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { migrate } from '#libs/platform/database/migrate';
import { overAllRows } from '#libs/platform/database/policies';
import { sqlState } from '#libs/platform/database/violations';

const adminUrl = process.env['HOLDFAST_TEST_DATABASE_URL'] ?? '';
const suffix = randomBytes(4).toString('hex');
const password = randomBytes(12).toString('hex');
/** Roles belong to all databases of a server, so the test has some of its own; the two of the policies are there already. */
const own = ['holdfast_owner', 'holdfast_service', 'temporal_visibility', 'temporal'];
const statements = readFileSync(new URL('roles.sql', import.meta.url), 'utf8')
  .replaceAll(/:'\w+_password'/g, `'${password}'`)
  .replaceAll(/\b(holdfast_owner|holdfast_service|temporal_visibility|temporal)\b/g, `$1_${suffix}`)
  .replaceAll(/database holdfast\b/g, `database holdfast_${suffix}`)
  .replaceAll(/--.*/g, '')
  .split(';')
  .map((statement) => statement.trim())
  .filter((statement) => statement !== '' && !/^create role holdfast_(app|system) /.test(statement));

let admin: pg.Client;

function urlOf(user: string, database: string): string {
  const url = new URL(adminUrl);
  [url.username, url.password, url.pathname] = [`${user}_${suffix}`, password, `/${database}_${suffix}`];
  return url.href;
}

/** The result of the statement for the user: its rows, or the state of its refusal. */
async function attempt(user: string, database: string, sql: string, role?: string): Promise<unknown> {
  const options = role ? `-c role=${role}` : undefined;
  const client = new pg.Client({ connectionString: urlOf(user, database), options });
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } catch (error) {
    return sqlState(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const denied = '42501';

/** The statements that roles.sh runs in a database after roles.sql. */
async function asSuperuserIn(database: string, sql: string): Promise<void> {
  const client = new pg.Client({
    connectionString: Object.assign(new URL(adminUrl), { pathname: `/${database}_${suffix}` }).href,
  });
  await client.connect();
  await client.query(sql);
  await client.end();
}

beforeAll(async () => {
  admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  for (const statement of statements) await admin.query(statement);
  await asSuperuserIn('holdfast', 'create extension vector');
  await migrate(urlOf('holdfast_owner', 'holdfast'));
});
afterAll(async () => {
  for (const name of ['holdfast', 'temporal', 'temporal_visibility'])
    await admin.query(`drop database if exists ${name}_${suffix} with (force)`);
  for (const role of own.filter((name) => name !== 'temporal_visibility'))
    await admin.query(`drop role if exists ${role}_${suffix}`);
  await admin.end();
});

describe('the users of roles.sql', () => {
  test('the users of roles.sql have no power over the server', async () => {
    const { rows } = await admin.query(
      `select rolname from pg_roles where rolname like $1 and (rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication)`,
      [`%${suffix}`],
    );
    expect(rows).toEqual([]);
  });

  test('the users of roles.sql migrate as the owner of the schema, also a second time', async () => {
    expect(await migrate(urlOf('holdfast_owner', 'holdfast'))).toEqual([]);
    expect(await attempt('holdfast_owner', 'holdfast', 'select 1 as one', 'holdfast_system')).toEqual([
      { one: 1 },
    ]);
  });

  test('the users of roles.sql migrate rows of all workspaces, and are bound by the policies behind it', async () => {
    const asOwner = (sql: string) => attempt('holdfast_owner', 'holdfast', sql);
    await asOwner(`insert into workspaces (id, name) values ('ws_1', 'one')`);
    const row = `insert into plans (workspace_id, hash, plan) values ('ws_1', 'hash', '{}')`;
    expect(await asOwner(row)).toBe(denied);
    await asOwner(overAllRows(['plans'], row));
    await asOwner(overAllRows(['plans'], 'create table seen as select hash from plans'));
    expect(await asOwner('select hash from seen')).toEqual([{ hash: 'hash' }]);
    expect(await asOwner('select hash from plans')).toBe(denied);
  });

  test('the users of roles.sql serve callers in the roles that the policies bind, and have nothing beside them', async () => {
    const asService = (sql: string, role?: string) => attempt('holdfast_service', 'holdfast', sql, role);
    expect(await asService('select id from workspaces', 'holdfast_system')).toEqual([{ id: 'ws_1' }]);
    expect(
      await asService(`select set_config('holdfast.reach', 'ws_1', false)`, 'holdfast_app'),
    ).toHaveLength(1);
    expect([
      await asService('select 1 from workspaces'),
      await asService('select 1 from migrations'),
      await asService('create table mine (id int)'),
      await asService('drop table secrets'),
      await asService('alter table secrets disable row level security'),
      await asService('select 1 from secrets', 'holdfast_system'),
      await asService('select 1', `holdfast_owner_${suffix}`),
    ]).toEqual(Array(7).fill(denied));
  });

  test('the users of roles.sql keep Temporal and Holdfast out of each other', async () => {
    expect(await attempt('temporal', 'temporal', 'create table mine (id int)')).toEqual([]);
    expect(await attempt('temporal', 'temporal_visibility', 'create table mine (id int)')).toEqual([]);
    expect([
      await attempt('temporal', 'holdfast', 'select 1'),
      await attempt('holdfast_service', 'temporal', 'select 1'),
      await attempt('holdfast_owner', 'temporal_visibility', 'select 1'),
    ]).toEqual([denied, denied, denied]);
  });
});
