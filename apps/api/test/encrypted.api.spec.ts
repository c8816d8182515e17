import { execFile } from 'node:child_process';
import pg from 'pg';
import { Authority, EncryptedServer } from './support/encrypted-server.ts';
import { block, line, respond } from './support/graphs.ts';
import { approval } from './support/definitions.ts';
import { Stack } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

/** An API and a worker that reach Postgres by TLS alone, and Temporal with a certificate of their own. */
let authority: Authority;
let postgres: EncryptedServer;
let temporal: EncryptedServer;
let stack: Stack;
let encrypted: Record<string, string>;

beforeAll(async () => {
  authority = await Authority.make();
  const server = new URL(process.env['HOLDFAST_TEST_DATABASE_URL'] ?? '');
  postgres = await EncryptedServer.start(server.host, authority, 'postgres');
  temporal = await EncryptedServer.start(process.env['HOLDFAST_TEST_TEMPORAL'] ?? '', authority, 'temporal');
  // Of its own, because it starts again with encrypted connections.
  stack = await Stack.start({}, { worker: false });
  const url = Object.assign(new URL(stack.env['DATABASE_DIRECT_URL'] ?? ''), {
    host: `localhost:${postgres.port}`,
    search: `?sslmode=verify-full&sslrootcert=${authority.file('ca')}`,
  }).href;
  encrypted = {
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: url,
    TEMPORAL_ADDRESS: `localhost:${temporal.port}`,
    TEMPORAL_TLS_CA: authority.file('ca'),
    TEMPORAL_TLS_CERT: authority.file('clientCert'),
    TEMPORAL_TLS_KEY: authority.file('clientKey'),
  };
  await stack.api.kill('SIGTERM');
  await Promise.all([stack.startApi(encrypted), stack.startWorker(encrypted)]);
});
afterAll(async () => {
  await stack.stop();
  postgres.stop();
  temporal.stop();
  authority.delete();
});

test('a run with code and a person completes over TLS to Postgres and mutual TLS to Temporal', async () => {
  const computing = await stack.givenDeployed(
    line(block('compute', 'function', { code: 'return { n: 41 + 1 }' }), respond({ n: '{{ compute.n }}' })),
  );
  expect((await stack.execute(computing)).body).toMatchObject({ status: 'completed', output: { n: 42 } });
  const paused = await stack.givenPaused(await stack.givenDeployed(approval));
  const answered = await stack.post(paused.apiUrl, { input: { approved: true, note: 'n' } });
  expect(answered.body).toMatchObject({ status: 'completed' });
  expect(postgres.accepted.all).toBeGreaterThan(1);
  // Both processes have shown their certificate.
  expect(temporal.accepted.withCertificate).toBeGreaterThanOrEqual(2);
  expect(temporal.accepted.withCertificate).toBe(temporal.accepted.all);
});

testInWhole(
  'a server of Postgres with a foreign authority is refused, and so is a connection without TLS',
  async () => {
    const other = await Authority.make();
    const connection = async (search: string) => {
      const connectionString = Object.assign(new URL(encrypted['DATABASE_URL'] ?? ''), { search }).href;
      const client = new pg.Client({ connectionString });
      client.on('error', () => undefined);
      return client.connect();
    };
    await expect(connection(`?sslmode=verify-full&sslrootcert=${other.file('ca')}`)).rejects.toThrow(
      /certificate|signature/,
    );
    await expect(connection('')).rejects.toThrow(/terminated|closed|reset/);
    other.delete();
  },
);

testInWhole('a set-up that lacks an authority or a certificate ends with a sentence', async () => {
  const { DATABASE_URL: url = '' } = encrypted;
  const cases: [object, RegExp][] = [
    [
      { DATABASE_URL: url.replace(/sslrootcert=.*/, '') },
      /give its authority as sslrootcert in DATABASE_URL/,
    ],
    [{ TEMPORAL_TLS_CERT: '', TEMPORAL_TLS_KEY: '' }, /Temporal does not answer at localhost/],
    [{ TEMPORAL_TLS_CA: '' }, /Temporal does not answer at localhost/],
  ];
  // At once: the set-up waits for Temporal for half a minute.
  const ended = cases.map(
    ([change]) =>
      new Promise<string>((resolve) => {
        const env = { ...process.env, ...stack.env, ...encrypted, DATABASE_DIRECT_URL: '', ...change };
        execFile(process.execPath, ['dist/apps/api/src/commands/setup.js'], { env }, (error, _out, stderr) =>
          resolve(`${error?.code}: ${stderr}`),
        );
      }),
  );
  for (const [i, [, sentence]] of cases.entries()) {
    expect(await ended[i]).toMatch(sentence);
    expect(await ended[i]).toMatch(/^1: /);
  }
});
