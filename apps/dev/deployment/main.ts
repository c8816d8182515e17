import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { appendFile, chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BucketServer } from '#apps/admin/src/support/bucket-server';
import { obtain } from '#apps/local/src/binaries';
import { isAsSaid, placeInstallation, refusalsIn, runSteps, parseSteps } from '#apps/docs/support/commands';
import { checkout } from '#apps/local/src/paths';
import { freePort } from '#apps/local/src/ports';
import { until } from '#apps/local/src/processes';
import { say } from '#apps/local/src/say';
import { cacheFolder } from '#libs/platform/binaries/cache-folder';
import { warn } from '#libs/platform/settings/support/warnings';
import { ApiCaller, Composed, docker, output } from './docker.ts';
import { findTest, isAlive, nameTest, removeTests } from './leftovers.ts';

/**
 * Tests a deployment by docker-compose.yml, with a real engine. Writes its results and warnings for `npm run test:all`, see
 * apps/local/run/run-tests.mjs.
 */
const preparationMsMax = 25 * 60_000;
/** What the image adds to its base of some 75 MB, in bytes: above the first a warning is printed, above the second the test fails. */
const imageBytes = { good: 400_000_000, max: 450_000_000 };
const pausedRuns = 100;
/** A call each 60 ms is about 16 a second. */
const callEveryMs = 60;
const callsMin = 1000;

const spec = 'apps/dev/deployment/main.ts';
/** The name of what this test makes on the engine. */
const own = nameTest();
const failures: { title: string; message: string }[] = [];
let passed = 0;
let skipped = 0;

/** Runs one test, unless one failed that it builds on. Resolves to true when it passed. */
async function test(title: string, needs: boolean[], work: () => Promise<unknown>): Promise<boolean> {
  if (needs.includes(false)) {
    skipped += 1;
    writeResults();
    say(`  - ${title}: left out, because a test failed that it builds on`);
    return false;
  }
  const begun = performance.now();
  try {
    await work();
    passed += 1;
    writeResults();
    say(`  ✓ ${title} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
    return true;
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    failures.push({ title, message });
    writeResults();
    say(`  ✕ ${title}\n${message}`);
    return false;
  }
}

/** Writes what is known so far. A later line replaces the former. */
function writeResults(): void {
  const results = process.env['HOLDFAST_TEST_RESULTS'];
  if (results) appendFileSync(results, `${JSON.stringify({ file: spec, passed, skipped, failures })}\n`);
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** Brings an engine and the images that the compose file names. Returns what is missing on this machine; undefined when nothing is. */
async function prepare(cache: string): Promise<string | undefined> {
  const yaml = readFileSync(join(checkout(), 'docker-compose.yml'), 'utf8');
  const versionOf = (match: RegExpExecArray | null) => match?.[1] ?? '';
  const temporalVersion = versionOf(/TEMPORAL_VERSION:-([\d.]+)/.exec(yaml));
  const uiVersion = versionOf(/TEMPORAL_UI_VERSION:-([\d.]+)/.exec(yaml));
  const versions = [temporalVersion, uiVersion, '24.21.0', '11'];
  const script = join(checkout(), 'apps/dev/deployment/bases.sh');
  const toLines = (error: unknown) =>
    (error instanceof Error ? error.message : String(error)).trim().split('\n');
  let temporal = '';
  try {
    temporal = await obtain('temporal');
  } catch (error) {
    return toLines(error)[0];
  }
  try {
    const env = { ...process.env, TEMPORAL_CLI: temporal };
    await output('timeout', [String(preparationMsMax / 1000), 'sh', script, cache, ...versions], { env });
    return undefined;
  } catch (error) {
    return toLines(error).at(-1);
  }
}

/** The name in .env of the password of each user of Postgres. */
const passwordOf: Record<string, string> = {
  postgres: 'POSTGRES_PASSWORD',
  holdfast_owner: 'HOLDFAST_OWNER_PASSWORD',
  temporal: 'TEMPORAL_PASSWORD',
};

const approval = {
  blocks: [
    { id: 'net', type: 'function', params: { code: 'return 1 + 1' } },
    {
      id: 'ask',
      type: 'human',
      params: { title: 'Go on?', form: [{ name: 'ok', type: 'boolean', label: 'Yes', required: true }] },
    },
    { id: 'done', type: 'response', params: { data: { ok: '{{ ask.ok }}', net: '{{ net }}' } } },
  ],
  edges: [
    { from: 'start', to: 'net' },
    { from: 'net', to: 'ask' },
    { from: 'ask', to: 'done' },
  ],
};
const pure = {
  blocks: [{ id: 'done', type: 'response', params: { data: '{{ 1 + 1 }}' } }],
  edges: [{ from: 'start', to: 'done' }],
};

interface PausedRun {
  executionId: string;
  paused: { pausePoints: { contextId: string; resumeLinks: { apiUrl: string } }[] };
}

/** Calls without a break until `stop` is called. Counts the answers by status and code; 0 is a call without an answer. */
function load(caller: ApiCaller, workflow: string) {
  const counts = new Map<string, number>();
  const end = new AbortController();
  const one = async () => {
    const answer = await caller
      .call<{ code?: string }>('POST', `/api/workflows/${workflow}/execute`, {})
      .then(({ status, body: { code } }) => (code ? `${status} ${code}` : String(status)))
      .catch((error: unknown) => {
        const cause = String((error as Error).cause ?? '');
        say(`    a call failed at ${new Date().toISOString()}: ${String(error)} ${cause}`);
        return '0';
      });
    counts.set(answer, (counts.get(answer) ?? 0) + 1);
  };
  const loop = (async () => {
    const calls: Promise<void>[] = [];
    while (!end.signal.aborted || calls.length < callsMin) {
      calls.push(one());
      await pause(callEveryMs);
    }
    await Promise.all(calls);
  })();
  return async () => {
    end.abort();
    await loop;
    return counts;
  };
}

/** The address of this machine for containers. */
async function findGateway(): Promise<string> {
  const [{ Gateway, Subnet }] = JSON.parse(
    await docker('network', 'inspect', '--format', '{{json .IPAM.Config}}', 'bridge'),
  ) as [{ Gateway?: string; Subnet: string }];
  // An engine that made the network at this start does not tell the gateway: it is the first address.
  return Gateway || [...Subnet.split('.').slice(0, 3), '1'].join('.');
}

async function deploymentTests(): Promise<void> {
  const port = await freePort();
  const gateway = await findGateway();
  const env = {
    ...process.env,
    COMPOSE_PROJECT_NAME: own,
    HOLDFAST_PORT: String(port),
    HOLDFAST_TEMPORAL_UI_PORT: String(await freePort()),
    HOLDFAST_IMAGE: `${own}:1`,
    RATE_API_PER_MINUTE: '1000000',
    RATE_SYNC_PER_MINUTE: '1000000',
    UPGRADE_WAIT_S: '90',
    // Eight processes start on two cores. What an API does when it is behind has a test of its own.
    EVENT_LOOP_DELAY_MAX_MS: '5000',
    // The campaign's receiver listens on this machine.
    EGRESS_ALLOW: gateway,
  };
  const deployment = new Composed(folder, env);
  const image = env.HOLDFAST_IMAGE;
  const url = `http://127.0.0.1:${port}`;
  let caller = new ApiCaller(url, '');
  const ids = { approval: '', pure: '' };
  let paused: PausedRun[] = [];
  let personalKey = '';
  const deployed = async (name: string, definition: object) => {
    const { data } = await caller.must<{ data: { id: string } }>(201, 'POST', '/api/v1/workflows', {
      name,
      definition,
    });
    await caller.must(200, 'POST', `/api/v1/workflows/${data.id}/deploy`, {});
    return data.id;
  };
  const arePaused = async () => {
    for (const { executionId } of paused) {
      const path = `/api/workflows/${ids.approval}/executions/${executionId}`;
      const { status } = await caller.must<{ status: string }>(200, 'GET', path);
      must(status === 'paused', `${executionId} is ${status}`);
    }
  };
  try {
    const isBuilt = await test('one command writes the settings, and the image is built', [], async () => {
      await deployment.script('apps/deploy/compose-env.sh');
      await deployment.compose('build');
    });
    await test(
      'the image is small, and holds no settings, sources or tools of the build',
      [isBuilt],
      async () => {
        const layers = (
          await docker('history', '--human=false', '--format', '{{.Size}} {{.CreatedBy}}', image)
        ).split('\n');
        const own = layers
          .filter((line) => !/Imported|certificates\.crt|NODE_EXTRA/.test(line))
          .map((line) => Number(line.split(' ')[0]));
        const bytes = own.slice(0, -1).reduce((sum, size) => sum + size, 0);
        say(`    it adds ${Math.round(bytes / 1e6)} MB to its base`);
        const message = `It adds ${bytes} bytes to its base.`;
        must(bytes <= imageBytes.max, message);
        if (bytes > imageBytes.good) warn({ file: spec, title: 'the image is large', message });
        const list = await docker(
          'run',
          '--rm',
          image,
          'sh',
          '-c',
          'find /app -name .env -o -name "*.ts" -o -path "*/node_modules/typescript" -o -name "*.svelte" | head',
        );
        must(list === '', `It holds ${list}`);
      },
    );
    const isUp = await test(
      'two APIs, two workers and a balancer come up, with their first keys in a volume',
      [isBuilt],
      async () => {
        await deployment.start(300, 'balancer', 'worker', 'temporal-ui');
        const keys = await deployment.compose('run', '--rm', '--no-deps', 'setup', 'cat', '/keys/first.json');
        const first = JSON.parse(keys) as { keys: { workspace: string; personal: string } };
        caller = new ApiCaller(url, first.keys.workspace);
        personalKey = first.keys.personal;
      },
    );
    await test(
      'user code runs behind bubblewrap, and the root of each process is read-only',
      [isUp],
      async () => {
        const [worker = ''] = await deployment.containers('worker');
        const health = `fetch('http://127.0.0.1:3901/health/ready').then(async (r) => console.log(await r.text()))`;
        const { sandbox } = JSON.parse(await docker('exec', worker, 'node', '-e', health)) as {
          sandbox: Record<string, unknown>;
        };
        must(
          sandbox['isolation'] === 'bubblewrap' && !Object.values(sandbox).includes(false),
          JSON.stringify(sandbox),
        );
        for (const service of ['api', 'worker'])
          for (const container of await deployment.containers(service))
            must(
              (await docker(
                'inspect',
                '--format',
                '{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.PidsLimit}}',
                container,
              )) === 'true 512',
              service,
            );
      },
    );
    await test('Postgres goes on when a health check of it is cut off', [isUp], async () => {
      const [postgres = ''] = await deployment.containers('postgres');
      const inside = (script: string) => docker('exec', '--user', 'postgres', postgres, 'sh', '-c', script);
      // The shell that began it ends first, as when the engine gives up a check.
      await inside(`sh -c 'echo $$ > /tmp/check; sleep 0.2; kill -PIPE $$' > /dev/null 2>&1 &`);
      await inside('while [ -e /proc/$(cat /tmp/check) ]; do sleep 0.1; done; rm /tmp/check');
      await caller.must(200, 'GET', '/api/v1/workflows');
      const log = await docker('logs', postgres);
      must(!log.includes('terminating any other active server processes'), 'It has restarted.');
    });
    // Its inbox has one question, so it comes before the other runs.
    await test('the commands of the tour print what the page shows', [isUp], async () => {
      const { key } = caller;
      const place = (text: string) => placeInstallation(text, { url, key, personalKey });
      const steps = parseSteps(readFileSync(join(checkout(), 'apps/docs/pages/tour.md'), 'utf8'));
      const placed = steps.map((step) => ({ ...step, commands: place(step.commands) }));
      const printed = await runSteps(placed, process.env as Record<string, string>);
      steps.forEach(({ commands, prints }, i) => {
        const text = printed[i] ?? '';
        const isRight = prints === undefined ? refusalsIn(text).length === 0 : isAsSaid(text, place(prints));
        must(isRight, `${commands}\nprinted ${text}`);
      });
    });
    const isUsed = await test(
      'workflows are deployed, executed, paused and answered, and a table keeps its rows',
      [isUp],
      async () => {
        ids.pure = await deployed('pure', pure);
        ids.approval = await deployed('approval', approval);
        const { output: sum } = await caller.must<{ output: number }>(
          200,
          'POST',
          `/api/workflows/${ids.pure}/execute`,
          {},
        );
        must(sum === 2, String(sum));
        const begin = async () =>
          caller.must<PausedRun>(200, 'POST', `/api/workflows/${ids.approval}/execute`, {});
        paused = [];
        while (paused.length < pausedRuns)
          paused.push(...(await Promise.all(Array.from({ length: 10 }, begin))));
        const schema = { columns: [{ name: 'a', type: 'number' }] };
        const table = await caller.must<{ data: { table: { id: string } } }>(200, 'POST', '/api/v1/tables', {
          name: 't',
          schema,
        });
        await caller.must(201, 'POST', `/api/v1/tables/${table.data.table.id}/rows`, {
          rows: [{ a: 1 }, { a: 2 }],
        });
      },
    );
    await test('a killed API and a killed worker come back by themselves', [isUsed], async () => {
      for (const service of ['api', 'worker']) {
        const [container = ''] = await deployment.containers(service);
        await docker(
          'exec',
          container,
          'node',
          '-e',
          `process.kill(Math.min(...require('fs').readdirSync('/proc').map(Number).filter((n) => n > 1)), 'SIGKILL')`,
        ).catch(() => undefined);
        await until(
          async () => (await docker('inspect', '--format', '{{.RestartCount}}', container)) === '1',
          60_000,
          `A new start of the ${service}`,
        );
      }
      await deployment.start(180, '--no-recreate', 'balancer', 'worker');
      await arePaused();
    });
    await test(
      'a call says in words that the database is away, and is served when it is back',
      [isUsed],
      async () => {
        const [postgres = ''] = await deployment.containers('postgres');
        const call = () => caller.call('POST', `/api/workflows/${ids.pure}/execute`, {});
        await docker('stop', postgres);
        // The balancer first sees two checks fail, and then no API that is ready.
        for (const ends = Date.now() + 10_000; Date.now() < ends; await pause(500)) {
          const { status, body } = await call();
          must(status === 503 && 'error' in (body as object), `${status} ${JSON.stringify(body)}`);
        }
        await docker('start', postgres);
        await until(async () => (await call()).status === 200, 60_000, 'A call that is served');
        await arePaused();
      },
    );
    await test(
      'the fault campaign against this installation finds nothing lost and nothing done twice',
      [isUsed],
      async () => {
        const receiverPort = await freePort();
        const processes: Record<string, { kill: string; stop?: string }> = {};
        for (const service of ['api', 'worker', 'temporal', 'postgres'])
          for (const [n, container] of (await deployment.containers(service)).entries()) {
            // The pid of a container that is down is 0, which is the group of the campaign itself.
            const send = (signal: string) =>
              `pid=$(docker inspect --format '{{.State.Pid}}' ${container}); [ "$pid" -gt 1 ] && kill -${signal} "$pid"`;
            const name = n === 0 ? service : `${service}${n + 1}`;
            processes[name] = { kill: send('KILL') };
            if (service === 'api' || service === 'worker') processes[name].stop = send('TERM');
          }
        const target = {
          urls: [url],
          personalKey,
          receiver: { port: receiverPort, url: `http://${gateway}:${receiverPort}/` },
          processes,
        };
        const file = join(folder, 'target.json');
        await writeFile(file, JSON.stringify(target), { mode: 0o600 });
        const program = join(checkout(), 'dist/apps/faults/src/main.js');
        const options = ['--target', file, '--runs', '75', '--away', '5'];
        const lines = (await output(process.execPath, [program, ...options])).split('\n');
        say(`    ${lines.at(-1)}`);
        const { broken, kills } = JSON.parse(lines.at(-1) ?? '') as {
          broken: number;
          kills: Record<string, number>;
        };
        must(broken === 0 && Object.values(kills).reduce((sum, n) => sum + n, 0) > 3, 'The campaign failed.');
        await arePaused();
      },
    );
    await test('an upgrade fails none of a thousand calls, and loses no paused run', [isUsed], async () => {
      const before = [...(await deployment.containers('api')), ...(await deployment.containers('worker'))];
      await appendFile(join(folder, 'README.md'), '\n');
      const end = load(caller, ids.pure);
      say((await deployment.script('apps/deploy/upgrade.sh')).split('\n').slice(-2).join('\n'));
      const counts = await end();
      say(`    answers by status: ${JSON.stringify(Object.fromEntries(counts))}`);
      const areServed = [...counts.keys()].every((answer) => answer === '200' || answer === '202');
      if (!areServed) say(await deployment.compose('logs', '--tail', '40', 'balancer'));
      must(areServed, 'Calls failed.');
      const after = [...(await deployment.containers('api')), ...(await deployment.containers('worker'))];
      must(
        after.length === before.length && !after.some((one) => before.includes(one)),
        'Old containers are left.',
      );
      await arePaused();
    });
    await test(
      'an upgrade to workers that never get healthy is undone, and the old ones go on',
      [isUp],
      async () => {
        const before = await deployment.containers('worker');
        const file = join(folder, 'docker-compose.yml');
        const compose = readFileSync(file, 'utf8');
        const broken = compose.replace('[node, dist/apps/worker/src/main.js]', '[sleep, infinity]');
        must(broken !== compose, 'The command of the worker is another one.');
        writeFileSync(file, broken);
        const failed = await deployment.script('apps/deploy/upgrade.sh', '--no-build').catch(String);
        writeFileSync(file, compose);
        must(failed.includes('Taking the new containers of worker away'), failed);
        must(String(await deployment.containers('worker')) === String(before), 'The workers changed.');
      },
    );
    await test('more workers and APIs are added by one command', [isUp], async () => {
      await deployment.start(
        180,
        '--no-recreate',
        '--scale',
        'worker=3',
        '--scale',
        'api=3',
        'balancer',
        'worker',
        'api',
      );
      must((await deployment.containers('api')).length === 3, 'There are no three APIs.');
    });
    await test(
      'a backup made under way is verified, and restored after the volume is lost, with every paused run',
      [isUsed],
      async () => {
        const backups = join(folder, 'backups');
        await mkdir(backups);
        await chmod(backups, 0o777);
        const buckets = await BucketServer.start(join(folder, 's3'), 'copies', gateway);
        const passwords = Object.fromEntries(
          (await readFile(join(folder, '.env'), 'utf8')).split('\n').map((line) => line.split('=')),
        );
        const admin = async (users: { ours: string; temporal: string }, ...args: string[]) => {
          const address = (user: string, database: string) =>
            `postgres://${user}:${passwords[passwordOf[user] ?? '']}@postgres:5432/${database}`;
          const mounts = [
            '-v',
            `${backups}:/backups`,
            '-e',
            'BACKUP_PASSPHRASE=correct horse battery staple',
          ];
          for (const [name, value] of Object.entries(buckets.env)) mounts.push('-e', `${name}=${value}`);
          const databases = [
            '-e',
            `DATABASE_URL=${address(users.ours, 'holdfast')}`,
            '-e',
            `TEMPORAL_DATABASE_URL=${address(users.temporal, 'temporal')}`,
          ];
          return deployment.compose(
            'run',
            '--rm',
            '--no-deps',
            ...mounts,
            ...databases,
            // The set-up has no network that leads to a bucket.
            args.some((arg) => arg.startsWith('s3://')) ? 'api' : 'setup',
            'holdfast-admin',
            ...args,
          );
        };
        const superuser = { ours: 'postgres', temporal: 'postgres' };
        await admin(superuser, 'backup', '/backups/one');
        await admin(superuser, 'verify', '/backups/one');
        await admin(superuser, 'backup', 's3://copies/one');
        await admin(superuser, 'verify', 's3://copies/one');
        await buckets.kill();
        await deployment.compose('down');
        await docker('volume', 'rm', `${env.COMPOSE_PROJECT_NAME}_postgres`);
        await deployment.start(120, 'postgres');
        await admin({ ours: 'holdfast_owner', temporal: 'temporal' }, 'restore', '/backups/one');
        await deployment.start(300, 'balancer', 'worker');
        await arePaused();
      },
    );
    await test(
      'each paused run takes one of two answers that come at once, and completes',
      [isUsed],
      async () => {
        for (const {
          executionId,
          paused: { pausePoints },
        } of paused) {
          const path = new URL(pausePoints[0]?.resumeLinks.apiUrl ?? '').pathname;
          const both = await Promise.all(
            [1, 2].map(async () =>
              caller.call<{ status?: string; code?: string }>('POST', path, { input: { ok: true } }),
            ),
          );
          const outcomes = both.map(({ body }) => String(body.code ?? body.status)).toSorted();
          must(
            JSON.stringify(outcomes) === '["ALREADY_RESUMED","completed"]',
            `${executionId}: ${JSON.stringify(both)}`,
          );
        }
      },
    );
  } finally {
    if (failures.length > 0) {
      say((await deployment.compose('logs', '--tail', '60', 'balancer').catch(String)).slice(-6000));
      say((await deployment.compose('logs', '--tail', '15').catch(String)).slice(-6000));
    }
  }
}

/** Takes away what this test made. A command that a signal found at work may still add to it, so that it looks again. */
async function tearDown(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1)
    if ((await removeTests((name) => name === own).catch((error: unknown) => say(String(error)))) === 0)
      break;
  await rm(folder, { recursive: true, force: true });
}

/** Takes away what tests left that were killed. Their containers start again with the engine, and networks come to an end. */
async function removeLeftovers(): Promise<void> {
  const isLeft = (name: string) => !isAlive(name);
  // What the engine does not give away is in nobody's way, because each test has names of its own.
  const count = await removeTests(isLeft).catch((error: unknown) => {
    say(`  left over: ${String(error)}`);
    return 0;
  });
  if (count > 0) say(`  took away ${count} things that killed tests left on the engine`);
  for (const name of await readdir(tmpdir())) {
    const left = findTest(`${name}:`);
    if (left !== undefined && isLeft(left)) await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

/** Copies the checkout's own files: the settings that are written there must not reach the checkout. */
async function copyCheckout(): Promise<void> {
  await mkdir(folder);
  const files = (
    await output('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: checkout() })
  ).split('\n');
  for (const file of files)
    if (existsSync(join(checkout(), file))) await cp(join(checkout(), file), join(folder, file));
}

const cache = join(cacheFolder(), 'deployment');
const folder = join(tmpdir(), own);
/** Holds the name of the test that stops the engine of the cache. */
const ownerFile = join(cache, 'dockerd.owner');

/** Returns the pid of the engine that these tests have started, while it lives. */
function enginePid(): number | undefined {
  const pidFile = join(cache, 'dockerd.pid');
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0;
  return isEngine(pid) ? pid : undefined;
}

function isEngine(pid: number): boolean {
  const name = `/proc/${pid}/comm`;
  return existsSync(name) && readFileSync(name, 'utf8').trim() === 'dockerd';
}

const readOwner = () => (existsSync(ownerFile) ? readFileSync(ownerFile, 'utf8') : '');

/** Makes this test the one that stops the engine, unless another one lives that uses it. */
function ownEngine(): void {
  mkdirSync(cache, { recursive: true });
  if (!isAlive(readOwner())) writeFileSync(ownerFile, own);
}

/** Stops the engine, and waits until it has ended: whoever comes next would take it for one that runs. */
async function stopEngine(): Promise<void> {
  const pid = enginePid();
  if (pid === undefined || readOwner() !== own) return;
  process.kill(pid, 'SIGTERM');
  await until(async () => !isEngine(pid), 60_000, 'The end of the Docker engine').catch((error: unknown) =>
    say(String(error)),
  );
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    say(`Stopping on ${signal} ...`);
    void tearDown()
      .then(stopEngine)
      .finally(() => process.exit(1));
  });

say(
  'Preparing a Docker engine and the images of docker-compose.yml. The first time takes some ten minutes ...',
);
ownEngine();
const missing = await prepare(cache);
if (missing === undefined) {
  try {
    await removeLeftovers();
    await copyCheckout();
    await deploymentTests();
  } finally {
    await tearDown();
  }
} else {
  skipped = 1;
  warn({ file: spec, title: 'The deployment was not tested', message: missing });
}
await stopEngine();
writeResults();
process.exit(failures.length === 0 ? 0 : 1);
