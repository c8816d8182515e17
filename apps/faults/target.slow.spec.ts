import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '#apps/api/test/support/stack';
import { readRun } from '#apps/local/src/data-folder';
import { buildReach } from '#apps/local/src/installation';
import { freePort } from '#apps/local/src/ports';
import { removePostgres } from '#apps/local/src/postgres';

/** An installation that the campaign does not start: `npm start`, with data and ports of its own. */
const home = mkdtempSync(join(tmpdir(), 'holdfast-target-'));
const data = join(home, 'data');
const remembered = existsSync('.data-folder') ? readFileSync('.data-folder', 'utf8') : null;
// The page has the plan that such an installation needs.
const [, plans = ''] = /`PLANS=([^`]+)`/.exec(readFileSync('apps/docs/pages/faults.md', 'utf8')) ?? [];
let installation: ChildProcess;
let target: object;

function launch(program: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [`dist/apps/${program}`, ...args], {
    env: { ...process.env, DATABASE_URL: '', TEMPORAL_ADDRESS: '', HOLDFAST_SECRET: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said.text += chunk.toString()));
  return { child, said };
}

async function campaign(change: object, runs: number): Promise<{ code: number | null; said: string }> {
  const file = join(home, 'target.json');
  writeFileSync(file, JSON.stringify({ ...target, ...change }));
  const { child, said } = launch('faults/src/main.js', ['--target', file, '--runs', String(runs)]);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said: said.text };
}

beforeAll(async () => {
  const started = launch('local/src/start.js', [], {
    HOLDFAST_DATA: data,
    PLANS: plans,
    ROLES: 'api,calls',
    EGRESS_ALLOW: '127.0.0.1',
    EMBEDDER: 'hash',
    PORT: '0',
    WORKER_HEALTH_PORT: '0',
    HOLDFAST_POSTGRES_PORT: '0',
    HOLDFAST_TEMPORAL_PORT: '0',
    HOLDFAST_TEMPORAL_UI_PORT: '0',
  });
  installation = started.child;
  await until(
    async () => started.said.text,
    (text) => text.includes('Personal key ') || installation.exitCode !== null,
    90_000,
  );
  const [, personalKey = ''] = /^Personal key +(\S+)/m.exec(started.said.text) ?? [];
  const ports: Record<string, number> = readRun(data)?.ports ?? {};
  const port = await freePort();
  const send = (signal: string, name: string) =>
    `kill -${signal} $(node -p 'JSON.parse(fs.readFileSync("${data}/run.json")).processes.${name}')`;
  const both = (name: string) => ({ kill: send('KILL', name), stop: send('TERM', name) });
  target = {
    urls: [`http://127.0.0.1:${ports['api']}`],
    personalKey,
    receiver: { port, url: `http://127.0.0.1:${port}/` },
    processes: {
      api: both('api'),
      worker: both('worker'),
      temporal: { kill: send('KILL', 'temporal') },
      postgres: { kill: send('KILL', 'postgres') },
    },
    ready: [`http://127.0.0.1:${ports['worker']}/health/ready`],
    temporalAddress: `127.0.0.1:${ports['temporal']}`,
    databaseUrl: buildReach(data, {})['DATABASE_URL'],
    assignPlan: `HOLDFAST_DATA=${data} PLANS='${plans}' node dist/apps/admin/src/main.js plans assign $WORKSPACE $PLAN`,
  };
});

afterAll(async () => {
  installation.kill('SIGTERM');
  if (installation.exitCode === null) await new Promise((resolve) => installation.once('exit', resolve));
  removePostgres(join(data, 'postgres'));
  rmSync(home, { recursive: true, force: true });
  if (remembered === null) rmSync('.data-folder', { force: true });
  else writeFileSync('.data-folder', remembered);
});

test('a campaign breaks an installation that stands elsewhere, and finds nothing lost and nothing repeated', async () => {
  const { code, said } = await campaign({}, 45);
  const figures: unknown = JSON.parse(said.trim().split('\n').at(-1) ?? '');
  expect({ said, figures, code }).toEqual({
    said,
    figures: expect.objectContaining({
      runs: 45,
      broken: 0,
      held: { times: 1, seconds: 8 },
      refusedSpace: null,
    }),
    code: 0,
  });
  const { kills } = figures as { kills: Record<string, number> };
  expect(Object.values(kills).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(2);
});

test('a campaign fails when no command of its file works, because it breaks nothing', async () => {
  const worker = { kill: 'echo no such machine >&2; exit 1' };
  const { code, said } = await campaign({ processes: { worker } }, 15);
  expect(said).toContain('The command for kill of worker never worked: no such machine');
  expect(code).toBe(1);
});

test.each([
  [
    { urls: ['http://127.0.0.1:1'] },
    /127\.0\.0\.1:1\/health\/ready does not answer 200: start the installation/,
  ],
  [{ personalKey: 'sk-holdfast-none' }, /POST \/api\/v1\/workspaces was answered with 401/],
  [
    { assignPlan: 'echo denied >&2; exit 1' },
    /assignPlan failed\. The installation needs a plan "narrow".*: denied/,
  ],
])('a campaign ends at once with %j', async (change, sentence) => {
  const { code, said } = await campaign(change, 15);
  expect(said).toMatch(sentence);
  expect(code).toBe(1);
});
