import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { masterKey, newDataKey } from '#libs/platform/crypto/crypto';
import { cloneTemplate } from '#libs/platform/database/template';

let database: { url: string; drop: () => Promise<void> };
let folder: string;
let file: string;
beforeEach(async () => {
  database = await cloneTemplate(process.env['HOLDFAST_TEST_DATABASE_URL'] ?? '');
  folder = mkdtempSync(join(tmpdir(), 'holdfast-keys-'));
  file = join(folder, 'first.json');
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

/** Runs the set-up as containers do, and gives all that it prints. */
function setUp(other: Record<string, string> = {}): Promise<{ failed: boolean; printed: string }> {
  return run('api/src/commands/setup.js', other);
}

function run(program: string, other: Record<string, string>): Promise<{ failed: boolean; printed: string }> {
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: process.env['HOLDFAST_TEST_TEMPORAL'],
    HOLDFAST_SECRET: 'x'.repeat(32),
    FIRST_KEYS_FILE: file,
    PORT: '0',
    WORKER_HEALTH_PORT: '0',
    ...other,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [`dist/apps/${program}`], { env }, (error, out, errors) =>
      resolve({ failed: error !== null, printed: out + errors }),
    );
  });
}

test('the set-up writes the first keys for its owner alone, prints none of them, and makes them only once', async () => {
  // A set-up that ended before its commit has left keys that do not exist.
  writeFileSync(file, 'of a set-up before');
  const first = await setUp();
  expect(first).toMatchObject({ failed: false, printed: expect.stringContaining(file) });
  const aside = readdirSync(folder).filter((name) => name.startsWith('first.json.'));
  expect(aside.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['of a set-up before']);
  const { keys } = JSON.parse(readFileSync(file, 'utf8'));
  expect(keys).toEqual({
    workspace: expect.stringMatching(/^sk-holdfast-w/),
    personal: expect.stringMatching(/^sk-holdfast-p/),
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const second = await setUp();
  expect(second.failed).toBe(false);
  expect(first.printed + second.printed).not.toContain('sk-holdfast');
  expect(JSON.parse(readFileSync(file, 'utf8')).keys).toEqual(keys);
});

test('the set-up makes no workspace whose keys it cannot hand over', async () => {
  file = join(folder, 'no-such-folder', 'first.json');
  expect((await setUp()).failed).toBe(true);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  expect((await client.query('select 1 from workspaces')).rows).toEqual([]);
  await client.end();
});

const other = { HOLDFAST_SECRET: 'y'.repeat(32) };
const queried = async <Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
};

test.each(['api/src/commands/setup.js', 'api/src/main.js', 'worker/src/main.js'])(
  '%s does not start with another secret than that of the set-up, and says what to do',
  async (program) => {
    await setUp();
    const [kept] = await queried<{ secret_check: string }>('select secret_check from installation');
    expect(Buffer.from(kept?.secret_check ?? '', 'base64url')).toHaveLength(32);
    const ended = await run(program, { ...other, LOG_LEVEL: 'error' });
    expect(ended.failed).toBe(true);
    const lines = ended.printed.trim().split('\n');
    expect(lines.at(-1)).toMatch(/^HOLDFAST_SECRET is not the secret of this database: .* Give the secret /);
    // No trace, and no change of the schema before.
    expect(lines.filter((line) => /^ +at |^schema:/.test(line))).toEqual([]);
    expect(await queried('select secret_check from installation')).toEqual([kept]);
  },
);

test('the set-up of an installation without a check value refuses a secret that does not open its keys', async () => {
  await setUp();
  await queried('delete from installation');
  const { key, wrapped } = newDataKey(masterKey('x'.repeat(32)), 'ws_given');
  await queried(`insert into workspaces (id, name) values ('ws_given', 'given')`);
  await queried(`insert into data_keys values ('ws_given', ${key.version}, '${wrapped}')`);
  expect((await setUp(other)).printed).toMatch(/is not the secret of this database/);
  expect(await queried('select 1 from installation')).toEqual([]);
  expect((await setUp()).failed).toBe(false);
  expect(await queried('select 1 from installation')).toHaveLength(1);
});

test('a database is refused by set-up, API and worker with another Temporal than that of its runs, until the set-up accepts it', async () => {
  // A namespace of its own has an id of its own, as that of another server.
  const elsewhere = { TEMPORAL_NAMESPACE: `test-${randomBytes(5).toString('hex')}`, LOG_LEVEL: 'error' };
  await setUp();
  const [former] = await queried<{ engine_id: string }>('select engine_id from installation');
  expect(former?.engine_id).toMatch(/^[\w-]{36}$/);
  const refused = await setUp(elsewhere);
  const engine = /TEMPORAL_NAMESPACE_ID=([\w-]{36})\.$/.exec(refused.printed.trim())?.[1] ?? '';
  expect(engine).not.toBe(former?.engine_id);
  for (const program of ['api/src/main.js', 'worker/src/main.js'])
    expect(await run(program, elsewhere)).toMatchObject({
      failed: true,
      printed: expect.stringMatching(/^The runs of this database are in another Temporal .*=[\w-]{36}\.$/m),
    });
  expect(await queried('select engine_id from installation')).toEqual([former]);

  expect(await setUp({ ...elsewhere, TEMPORAL_NAMESPACE_ID: engine })).toMatchObject({ failed: false });
  expect(await queried('select engine_id from installation')).toEqual([{ engine_id: engine }]);
  expect(await setUp()).toMatchObject({ failed: true });
});

test('a database that remembers no Temporal keeps that of its next set-up', async () => {
  await setUp();
  const kept = await queried('select engine_id from installation');
  await queried('update installation set engine_id = null');
  expect(await setUp()).toMatchObject({ failed: false });
  expect(await queried('select engine_id from installation')).toEqual(kept);
});

test('the set-up refuses a database of a newer release, and changes nothing', async () => {
  await queried(`insert into migrations (timestamp, name) values (1, 'Later1900000000001')`);
  const { failed, printed } = await setUp();
  expect(failed).toBe(true);
  expect(printed).toMatch(/^The database is of a newer release .*Later1900000000001\. Start that release/m);
  expect(await queried('select 1 from workspaces')).toEqual([]);
});

test('the set-up says in one sentence that Postgres refuses its login, or is not there', async () => {
  const at = (change: object) => setUp({ DATABASE_URL: Object.assign(new URL(database.url), change).href });
  const outcomes = await Promise.all([
    at({ password: 'wrong' }),
    at({ port: '1' }),
    at({ pathname: '/none' }),
  ]);
  expect(outcomes.map(({ failed }) => failed)).toEqual([true, true, true]);
  expect(outcomes.map(({ printed }) => printed.trim())).toEqual([
    expect.stringMatching(
      /^password authentication failed for user "\w+"\. Postgres refuses this login: [^\n]+$/,
    ),
    expect.stringMatching(/^connect ECONNREFUSED \S+\. The server does not answer there: [^\n]+$/),
    expect.stringMatching(/^database "none" does not exist\. Make this database first[^\n]+$/),
  ]);
});
