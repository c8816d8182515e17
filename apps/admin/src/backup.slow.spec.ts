import { randomBytes } from 'node:crypto';
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { approval } from '#apps/api/test/support/definitions';
import { block, line } from '#apps/api/test/support/graphs';
import { Receiver } from '#apps/api/test/support/receiver';
import { until } from '#apps/api/test/support/stack';
import { readRun } from '#apps/local/src/data-folder';
import { readKept } from '#apps/local/src/kept-settings';
import { removePostgres } from '#apps/local/src/postgres';
import { migrate } from '#libs/platform/database/migrate';
import { CannotStart } from '#libs/platform/settings/cannot-start';
import { BucketFolder } from './backup/bucket.ts';
import { signedManifest } from './backup/manifest.ts';
import { toRootKey } from './backup/seal.ts';
import { describeWith } from '#libs/platform/binaries/support/needs';
import { BucketServer } from './support/bucket-server.ts';
import { firstWorkspace } from '#libs/workspace/auth/first-workspace';
import { keepSecretCheck } from '#libs/workspace/auth/secret-check';

/** A whole installation as `npm start` runs it, whose data is copied, thrown away and brought back. */
const home = mkdtempSync(join(tmpdir(), 'holdfast-backup-'));
const folder = (name: string) => join(home, name);
const passphrase = 'correct horse battery staple';
const remembered = existsSync('.data-folder') ? readFileSync('.data-folder', 'utf8') : null;
let running: ChildProcess | undefined;
let url = '';
let key = '';
let workspaceId = '';
let receiver: Receiver;
/** The calls that wait for their answer. */
const held: ServerResponse[] = [];

interface Ended {
  code: number | null;
  said: string;
}

const children: ChildProcess[] = [];

function launch(program: string, args: string[], env: Record<string, string>, before: string[] = []) {
  const { DATABASE_URL: _, TEMPORAL_ADDRESS: __, HOLDFAST_SECRET: ___, ...others } = process.env;
  const [command = '', ...rest] = [...before, process.execPath, `dist/apps/${program}`, ...args];
  const child = spawn(command, rest, {
    env: { ...others, BACKUP_PASSPHRASE: passphrase, EMBEDDER: 'hash', RECONCILE_EVERY_MS: '1000', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said.text += chunk.toString()));
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code) => resolve({ code, said: said.text })),
  );
  return { child, said, ended };
}

const admin = (args: string[], data = 'data', env: Record<string, string> = {}) =>
  launch('admin/src/main.js', args, { HOLDFAST_DATA: folder(data), ...env });

const ports = [
  'PORT',
  'WORKER_HEALTH_PORT',
  'HOLDFAST_POSTGRES_PORT',
  'HOLDFAST_TEMPORAL_PORT',
  'HOLDFAST_TEMPORAL_UI_PORT',
];

async function start(data = 'data'): Promise<string> {
  const env = { HOLDFAST_DATA: folder(data), ...Object.fromEntries(ports.map((name) => [name, '0'])) };
  const { child, said, ended } = launch('local/src/start.js', [], { ...env, EGRESS_ALLOW: '127.0.0.1' });
  running = child;
  const isOver = (text: string) => text.includes('Console ') || child.exitCode !== null;
  await until(async () => said.text, isOver, 90_000);
  if (child.exitCode !== null) throw new Error((await ended).said);
  url = readRun(folder(data))?.urls.api ?? '';
  return said.text;
}

async function stop(): Promise<void> {
  const child = running;
  if (!child || child.exitCode !== null) return;
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
}

// oxlint-disable-next-line typescript/no-explicit-any -- read member by member
async function call(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

async function givenDeployed(definition: object, name: string): Promise<string> {
  const { body } = await call('POST', '/api/v1/workflows', { name, definition });
  await call('POST', `/api/v1/workflows/${body.data.id}/deploy`);
  return body.data.id;
}

async function givenPaused(workflow: string): Promise<{ id: string; path: string }> {
  const { body } = await call('POST', `/api/workflows/${workflow}/execute`, { inputs: {} });
  return { id: body.executionId, path: new URL(body.paused.pausePoints[0].resumeLinks.apiUrl).pathname };
}

const statusOf = async (workflow: string, id: string) =>
  (await call('GET', `/api/workflows/${workflow}/executions/${id}`)).body;

beforeAll(async () => {
  receiver = await Receiver.start((call, response) =>
    call.path === '/held' ? held.push(response) : response.end('{}'),
  );
  const said = await start();
  key = /^Key +(\S+)/m.exec(said)?.[1] ?? '';
  workspaceId = /^Workspace +(\S+)/m.exec(said)?.[1] ?? '';
});
afterAll(async () => {
  await stop();
  for (const child of children) child.kill('SIGKILL');
  receiver.stop();
  for (const name of readdirSync(home)) removePostgres(join(home, name, 'postgres'));
  rmSync(home, { recursive: true, force: true });
  if (remembered === null) rmSync('.data-folder', { force: true });
  else writeFileSync('.data-folder', remembered);
});

const human = { title: 'ok?', form: [{ name: 'approved', type: 'boolean', required: true }] };
const calling = () =>
  line(block('call', 'http', { url: receiver.url('/'), method: 'POST' }), block('ask', 'human', human));
const computing = line(
  block('compute', 'function', { code: 'return { n: 1 }' }),
  block('ask', 'human', human),
);

test('a backup made under load is restored after a loss of everything, and every waiting run is answered once', async () => {
  const workflows = await Promise.all([
    givenDeployed(approval, 'asking'),
    givenDeployed(computing, 'computing'),
    givenDeployed(calling(), 'calling'),
  ]);
  const table = (
    await call('POST', '/api/v1/tables', {
      workspaceId,
      name: 'kept',
      schema: { columns: [{ name: 'n', type: 'number' }] },
    })
  ).body.data.table;
  await call('POST', `/api/v1/tables/${table.id}/rows`, { rows: [{ n: 1 }, { n: 2 }] });
  const paused: { workflow: string; id: string; path: string }[] = [];
  for (const workflow of workflows)
    for (let n = 0; n < 10; n++) paused.push({ workflow, ...(await givenPaused(workflow)) });
  const calls = receiver.received.length;

  // A backup that is killed leaves nothing that looks like one, and says what to do about the rest.
  const killed = admin(['backup', folder('copy')]);
  await until(
    async () => existsSync(`${folder('copy')}.partial`),
    (there) => there,
  );
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(existsSync(folder('copy'))).toBe(false);
  expect((await admin(['backup', folder('copy')]).ended).said).toMatch(
    /another backup runs, or one was killed\. Delete it/,
  );
  expect((await admin(['restore', `${folder('copy')}.partial`], 'none').ended).said).toMatch(
    /was not finished: delete it/,
  );
  rmSync(`${folder('copy')}.partial`, { recursive: true });

  const loaded: { workflow: string; id: string }[] = [];
  const load = { on: true };
  const busy = (async () => {
    // A call that is on its way at the moment of the copy would end as OUTCOME_UNKNOWN, as when a worker is lost.
    while (load.on)
      for (const workflow of workflows.slice(0, 2)) {
        const { body } = await call('POST', `/api/workflows/${workflow}/execute`, { inputs: {} });
        loaded.push({ workflow, id: body.executionId });
      }
  })();
  await until(
    async () => loaded.length,
    (count) => count > 20,
  );
  const made = await admin(['backup', folder('copy')]).ended;
  load.on = false;
  await busy;
  expect(made).toMatchObject({ code: 0, said: expect.stringContaining(`The backup is ${folder('copy')}`) });
  const text = readFileSync(join(folder('copy'), 'manifest.json'), 'utf8');
  const manifest = JSON.parse(text);
  expect(manifest.rows.executions).toBeGreaterThan(50);
  const verified = await admin(['verify', folder('copy')]).ended;
  expect(verified).toMatchObject({
    code: 0,
    said: expect.stringMatching(/Read the block records of 10 runs[^]*is whole/),
  });
  expect((await admin(['restore', folder('copy')]).ended).said).toMatch(
    /already runs on .* Stop that one first/,
  );

  // What happens after the copy is undone by the restore: this answer too.
  const [first] = paused;
  expect((await call('POST', first?.path ?? '', { input: { approved: true } })).status).toBe(200);
  await stop();
  removePostgres(join(folder('data'), 'postgres'));
  rmSync(folder('data'), { recursive: true });

  const died = admin(['restore', folder('copy')]);
  await until(
    async () => died.said.text,
    (said) => said.includes('Restoring the database'),
  );
  died.child.kill('SIGKILL');
  await died.ended;
  expect((await admin(['restore', folder('copy')]).ended).said).toMatch(
    /half of a restored backup.*delete the folder, and restore again/,
  );
  await expect(start()).rejects.toThrow(/half of a restored backup.*delete the folder, and restore again/);
  removePostgres(join(folder('data'), 'postgres'));
  rmSync(folder('data'), { recursive: true });

  const restored = admin(['restore', folder('copy')]);
  await until(
    async () => restored.said.text,
    (said) => said.includes('Restoring the database'),
  );
  restored.child.kill('SIGSTOP');
  expect((await admin(['restore', folder('copy')]).ended).said).toMatch(/A restore already runs on/);
  restored.child.kill('SIGCONT');
  expect(await restored.ended).toMatchObject({
    code: 0,
    said: expect.stringMatching(
      /name places and are not restored: [^\n]*PORT=0[^\n]*\. Give npm start those[^]*Start it with: npm start/,
    ),
  });
  expect(readKept(folder('data'))).toEqual({});
  const others = { HOLDFAST_DATA: folder('data'), DATABASE_URL: 'postgres://127.0.0.1:1/production' };
  expect((await launch('local/src/start.js', [], others).ended).said).toMatch(
    /were copied with a database of their own[^]*Take DATABASE_URL away/,
  );
  expect((await admin(['restore', folder('copy')]).ended).said).toMatch(
    /is not empty .* a restore overwrites nothing/,
  );

  await start();
  expect((await admin(['audit', 'verify']).ended).said).toMatch(/"faults":\[\]/);
  const read = await call('GET', `/api/v1/tables/${table.id}/rows?workspaceId=${workspaceId}`);
  expect(read.body.data.rows.map(({ data }: { data: object }) => data)).toEqual(
    expect.arrayContaining([{ n: 1 }, { n: 2 }]),
  );
  const known = [];
  for (const one of [...paused, ...loaded])
    if ((await call('GET', `/api/workflows/${one.workflow}/executions/${one.id}`)).status === 200)
      known.push(one);
  expect(known.length).toBe(manifest.rows.executions);
  expect(known.length).toBeLessThan(paused.length + loaded.length);
  // Runs that were under way at the moment of the copy come to their pause, and none is lost.
  for (const { workflow, id } of known)
    await until(
      () => statusOf(workflow, id),
      ({ status }) => status !== 'running' && status !== 'queued',
      60_000,
    );
  const ends = await Promise.all(known.map(({ workflow, id }) => statusOf(workflow, id)));
  expect(ends.filter(({ status }) => status !== 'paused')).toEqual([]);
  const answers = await Promise.all(
    paused.flatMap(({ path }) => [1, 2].map(() => call('POST', path, { input: { approved: true } }))),
  );
  expect(answers.filter(({ body }) => body.status === 'completed')).toHaveLength(paused.length);
  expect(answers.filter(({ body }) => body.code === 'ALREADY_RESUMED')).toHaveLength(paused.length);
  const examined = await admin(['doctor', '--json']).ended;
  const findings = examined.said
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each));
  expect(findings.filter(({ state }) => state === 'fault')).toEqual([]);
  expect(examined.code).toBe(0);
  expect(new Set(findings.map(({ about }) => about))).toEqual(
    new Set(
      'versions schema secret clock disk pools runs copies temporal workers api sandbox mail egress'.split(
        ' ',
      ),
    ),
  );
  const wrong = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@b.example', EGRESS_ALLOW: '127.0.0.1' };
  const sick = await admin(['doctor'], 'data', wrong).ended;
  expect(sick.code).toBe(1);
  expect(sick.said).toMatch(/FAULT mail .*ECONNREFUSED[^]*Check host, port, user and password in SMTP_URL/);
  expect(sick.said).toMatch(/FAULT egress .*blocks may call Postgres/);
  // The calls of the runs before the copy were not made again.
  expect(receiver.received).toHaveLength(calls);
});

test('a backup made while a process carries out a call is verified as whole', async () => {
  const definition = line(block('call', 'http', { url: receiver.url('/held'), method: 'POST' }));
  const workflow = await givenDeployed(definition, 'held');
  const execution = call('POST', `/api/workflows/${workflow}/execute`, { inputs: {} });
  await until(
    async () => held.length,
    (count) => count === 1,
  );
  const made = await admin(['backup', folder('during')]).ended;
  held[0]?.end('{}');
  expect(made).toMatchObject({ code: 0 });
  expect((await execution).body.status).toBe('completed');
  expect(await admin(['verify', folder('during')]).ended).toMatchObject({
    code: 0,
    said: expect.stringMatching(/Temporal knows (\d+) of \1 open runs[^]*is whole/),
  });
});

test.each([
  [
    'a wrong passphrase',
    'verify',
    { BACKUP_PASSPHRASE: 'wrong wrong wrong' },
    /The passphrase is not that of this backup/,
  ],
  ['no passphrase', 'restore', { BACKUP_PASSPHRASE: '' }, /BACKUP_PASSPHRASE must be set/],
  [
    'a short passphrase',
    'verify',
    { BACKUP_PASSPHRASE: 'short' },
    /BACKUP_PASSPHRASE must have at least 12 characters/,
  ],
])('a backup is refused in one line with %s', async (_, command, env, message) => {
  const { code, said } = await admin([command, folder('copy')], 'fresh', env).ended;
  expect(code).toBe(1);
  expect(said).toMatch(message);
  expect(said.trim().split('\n')).toHaveLength(1);
  expect(existsSync(folder('fresh'))).toBe(false);
});

test('a backup with one changed byte, a file that is cut off, or a schema of a later release is refused', async () => {
  const outcome = async () => (await admin(['restore', folder('copy')], 'fresh').ended).said;
  const file = join(folder('copy'), 'database.dump.sealed');
  const whole = readFileSync(file);
  const changed = Buffer.from(whole);
  changed[5000] = (changed[5000] ?? 0) ^ 1;
  for (const bytes of [changed, whole.subarray(0, -1)]) {
    writeFileSync(file, bytes);
    expect(await outcome()).toMatch(
      /database\.dump\.sealed of the backup is damaged or cut off: use another copy/,
    );
  }
  writeFileSync(file, whole);
  const manifest = join(folder('copy'), 'manifest.json');
  const text = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, text.replace('"executions": ', '"executions": 1'));
  expect(await outcome()).toMatch(/or its manifest was changed/);
  const { mac: _, ...made } = JSON.parse(text);
  const later = { ...made, migrations: [...made.migrations, 'Later1900000000001'] };
  writeFileSync(manifest, signedManifest(later, await toRootKey(passphrase, made.stretching)));
  expect(await outcome()).toMatch(
    /of a newer release than this program: it has Later1900000000001\. Start that release/,
  );
  writeFileSync(manifest, text);
  expect(existsSync(folder('fresh'))).toBe(false);
});

/** Mounts a small disk that the program alone sees, and prints what the program leaves on it. */
const smallDisk = [
  'unshare',
  '--mount',
  'sh',
  '-c',
  'mount -t tmpfs -o size=100k full "$0" && { "$@"; code=$?; echo "Left: $(ls -A "$0")"; exit $code; }',
];

// Only root may mount.
if (process.platform === 'linux' && process.getuid?.() === 0)
  test('a backup onto a disk that gets full ends with a sentence, and leaves nothing', async () => {
    mkdirSync(folder('disk'));
    const env = { HOLDFAST_DATA: folder('data') };
    const args = ['backup', folder('disk/copy')];
    const { code, said } = await launch('admin/src/main.js', args, env, [...smallDisk, folder('disk')]).ended;
    expect(said).toMatch(
      /The disk of .* is full .*: make room, or name a folder on another disk\. Nothing of this backup was kept\.\nLeft: \n$/,
    );
    expect(code).toBe(1);
  });

describe('an installation with servers of its own', () => {
  const server = process.env['HOLDFAST_TEST_DATABASE_URL'] ?? '';
  const secret = 'the secret of servers, which is long enough';
  const at = (name: string, login = {}) =>
    Object.assign(new URL(server), { pathname: `/${name}`, ...login }).href;
  const names = ['from', 'from_runs', 'from_runs_visibility', 'to', 'to_runs', 'to_runs_visibility'];
  const own = (name: string) => `backup_${process.pid}_${name}`;
  const owner = own('owner');
  const envOf = (side: 'from' | 'to'): Record<string, string> => ({
    DATABASE_URL: at(own(side), side === 'to' ? { username: owner, password: 'owner' } : {}),
    TEMPORAL_DATABASE_URL: at(own(`${side}_runs`)),
  });
  const query = async (name: string, sql: string) => {
    const client = new pg.Client({ connectionString: at(name) });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };

  beforeAll(async () => {
    for (const name of names) await query('postgres', `create database ${own(name)}`);
    // The owner of the schema is no superuser, as in containers.
    await query('postgres', `create role ${owner} login password 'owner'`);
    await query('postgres', `grant holdfast_app, holdfast_system to ${owner} with admin option`);
    await query('postgres', `alter database ${own('to')} owner to ${owner}`);
    await query(own('to'), 'create extension vector');
    await migrate(at(own('from')));
    await firstWorkspace({ databaseDirectUrl: at(own('from')), secret });
    await keepSecretCheck({ databaseDirectUrl: at(own('from')), secret });
    await query(own('from'), `update installation set engine_id = 'the engine'`);
    await query(own('from_runs'), 'create table executions (id int); insert into executions values (7)');
    await query(own('from_runs'), 'create table current_executions (id int)');
    await query(own('from_runs_visibility'), 'create table executions_visibility (id int)');
  });
  afterAll(async () => {
    for (const name of names) await query('postgres', `drop database if exists ${own(name)} with (force)`);
    await query('postgres', `drop role ${owner}`);
  });

  test('an installation is copied from three databases of one moment, and restored into three empty ones with its secret in a file', async () => {
    const env = { ...envOf('from'), HOLDFAST_SECRET: secret };
    const one = await admin(['backup', folder('three')], 'none', { ...env, TEMPORAL_DATABASE_URL: '' }).ended;
    expect(one).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^Where Temporal keeps its runs is not known\. Give/),
    });
    expect(await admin(['backup', folder('three')], 'none', env).ended).toMatchObject({ code: 0 });
    expect(await admin(['verify', folder('three')], 'none', env).ended).toMatchObject({ code: 0 });
    const restored = (args: string[], more = {}) =>
      admin(['restore', folder('three'), ...args], 'none', { ...envOf('to'), ...more }).ended;
    expect((await restored([])).said).toMatch(
      /\nSay where the secret of the backup goes: give --secrets FILE/,
    );
    expect((await restored([], { HOLDFAST_SECRET: 'y'.repeat(32) })).said).toMatch(
      /is not the secret of this backup/,
    );
    const file = folder('keys/secrets.json');
    expect(await restored(['--secrets', file])).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ HOLDFAST_SECRET: secret });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const databaseDirectUrl = envOf('to')['DATABASE_URL'] ?? '';
    expect(await migrate(databaseDirectUrl)).toEqual([]);
    await keepSecretCheck({ databaseDirectUrl, secret });
    expect(await query(own('to_runs'), 'select id from executions')).toEqual([{ id: 7 }]);
    // Its runs came along, so it is still the engine of the database.
    expect(await query(own('to'), 'select engine_id from installation')).toEqual([
      { engine_id: 'the engine' },
    ]);
    expect(await query(own('to'), 'select count(*)::int as n from api_keys')).toEqual([{ n: 2 }]);
    const again = await restored([], { HOLDFAST_SECRET: secret });
    expect(again).toMatchObject({
      code: 1,
      said: expect.stringMatching(/is not empty, and a restore overwrites nothing/),
    });
  });

  describeWith('a server of buckets')('a bucket', () => {
    let buckets: BucketServer;
    let env: Record<string, string>;
    const run = async (args: string[], more = {}) => admin(args, 'none', { ...env, ...more }).ended;
    beforeAll(async () => {
      buckets = await BucketServer.start(folder('s3'), 'copies');
      // Nothing of a backup is on a disk here on its way, so there need not be a folder for temporary files.
      env = { ...envOf('from'), ...buckets.env, HOLDFAST_SECRET: secret, TMPDIR: folder('nowhere') };
      Object.assign(process.env, buckets.env);
    }, 900_000);
    afterAll(async () => {
      for (const name of Object.keys(buckets.env)) delete process.env[name];
      await buckets.kill();
    });

    test('a backup goes through no disk into a folder of a bucket, and is verified and restored from there', async () => {
      expect(await run(['backup', 's3://copies/one'])).toMatchObject({ code: 0 });
      const verified = await run(['verify', 's3://copies/one']);
      expect(verified).toMatchObject({ code: 0, said: expect.stringContaining('is whole') });
      for (const name of names.slice(3)) {
        await query('postgres', `drop database ${own(name)} with (force)`);
        await query('postgres', `create database ${own(name)} owner ${owner}`);
      }
      await query(own('to'), 'create extension vector');
      expect(await run(['restore', 's3://copies/one'], envOf('to'))).toMatchObject({ code: 0 });
      expect(await query(own('to_runs'), 'select id from executions')).toEqual([{ id: 7 }]);
      expect(await query(own('to'), 'select count(*)::int as n from api_keys')).toEqual([{ n: 2 }]);
      const refusals: [string[], object, RegExp][] = [
        [['backup', 's3://copies/one'], {}, /^s3:..copies.one is there already: name a new folder/],
        [['backup', 's3://copies'], {}, /names no folder of a bucket: give s3:..BUCKET.FOLDER/],
        [['backup', 's3://none/one'], {}, /NoSuchBucket.*Make the bucket first/],
        [['backup', 'gs://copies/one'], {}, /is no folder, and no folder of a bucket as s3/],
        [['verify', 's3://copies/two'], {}, /NoSuchKey.*There is no whole backup/],
        [['backup', 's3://copies/two'], { AWS_ACCESS_KEY_ID: 'x' }, /Check AWS_ACCESS_KEY_ID/],
        [['verify', 's3://copies/one'], { AWS_SECRET_ACCESS_KEY: 'x' }, /Check AWS_ACCESS_KEY_ID/],
        [['backup', 's3://copies/two'], { AWS_REGION: 'eu-central-1' }, /region of the bucket as AWS_REGION/],
        [
          ['verify', 's3://copies/one'],
          { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' },
          /ECONNREFUSED.*Check AWS_ENDPOINT_URL_S3/,
        ],
        [
          ['restore', 's3://copies/one'],
          { BACKUP_PASSPHRASE: 'wrong wrong wrong' },
          /is not that of this backup/,
        ],
      ];
      for (const [args, more, message] of refusals) {
        const { code, said } = await run(args, more);
        expect(said).toMatch(message);
        expect(said.trim().split('\n')).toHaveLength(1);
        expect(code).toBe(1);
      }
    });

    test('a backup of npm start goes into a bucket with the runs of its Temporal', async () => {
      const made = (args: string[]) => admin(args, 'data', buckets.env).ended;
      expect(await made(['backup', 's3://copies/start'])).toMatchObject({ code: 0 });
      expect(await made(['verify', 's3://copies/start'])).toMatchObject({
        code: 0,
        said: expect.stringMatching(/Temporal knows \d+ of \d+ open runs[^]*is whole/),
      });
    });

    test('a backup that is killed during its upload leaves nothing that looks whole', async () => {
      const holder = new pg.Client({ connectionString: at(own('from_runs_visibility')) });
      holder.on('error', () => undefined);
      await holder.connect();
      // The copy of this database waits, when the one of the runs is in the bucket.
      await holder.query('begin; lock table executions_visibility in access exclusive mode');
      const killed = admin(['backup', 's3://copies/killed'], 'none', env);
      await until(
        async () => existsSync(buckets.pathTo('copies/killed/temporal.dump.sealed')),
        (there) => there,
      );
      killed.child.kill('SIGKILL');
      await killed.ended;
      await holder.end();
      expect((await run(['restore', 's3://copies/killed'], envOf('to'))).said).toMatch(
        /NoSuchKey.*There is no whole backup/,
      );
      expect((await run(['backup', 's3://copies/killed'])).said).toMatch(
        /holds 2 objects and no manifest\.json: another backup runs, or one was killed\. Delete them/,
      );
    });

    test('an upload of several parts is whole or not there, and no object is overwritten', async () => {
      const bucket = await BucketFolder.open('s3://copies/large');
      // Three parts, the last one not full.
      const chunk = randomBytes(1024 * 1024);
      async function* chunks(count: number, end?: () => Promise<void>) {
        for (let n = 0; n < count; n++) yield chunk;
        await end?.();
      }
      await bucket.writeFile('a.sealed', chunks(33));
      const parts = await (await bucket.readFile('a.sealed')).toArray();
      expect(Buffer.concat(parts).equals(Buffer.concat(Array.from({ length: 33 }, () => chunk)))).toBe(true);
      await expect(bucket.writeFile('a.sealed', chunks(1))).rejects.toThrow(
        /PreconditionFailed.*Another backup writes to this folder/,
      );
      const broken = async () => {
        throw new CannotStart('The source broke.');
      };
      await expect(bucket.writeFile('b.sealed', chunks(40, broken))).rejects.toThrow('The source broke.');
      await expect(
        bucket.writeFile(
          'c.sealed',
          chunks(40, () => buckets.kill()),
        ),
      ).rejects.toThrow(/ECONN(REFUSED|RESET).*Check AWS_ENDPOINT_URL_S3/);
      await buckets.again();
      await expect(bucket.refuseFilled()).rejects.toThrow(/holds 1 objects/);
    });
  });

  test('a backup refuses a user of Postgres who would see the rows of no workspace', async () => {
    const bound = own('bound');
    await query(
      own('from'),
      `create role ${bound} login password 'bound'; grant holdfast_system to ${bound}`,
    );
    const env = { ...envOf('from'), HOLDFAST_SECRET: secret };
    const DATABASE_URL = at(own('from'), { username: bound, password: 'bound' });
    const ended = await admin(['backup', folder('bound')], 'none', { ...env, DATABASE_URL }).ended;
    expect(ended).toMatchObject({
      code: 1,
      said: expect.stringMatching(/row-level security binds it\. Give DATABASE_URL with a superuser/),
    });
    expect(readdirSync(home).filter((name) => name.startsWith('bound'))).toEqual([]);
    await query(own('from'), `drop owned by ${bound}; drop role ${bound}`);
  });
});
