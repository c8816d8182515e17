import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Connection } from '@temporalio/client';
import type pg from 'pg';
import { CannotStart, toOperatorSentence } from '#libs/platform/settings/cannot-start';
import { connectionsOfProcess } from '#libs/platform/database/database';
import { findNewer, knownMigrations } from '#libs/platform/database/migrate';
import { compileGate } from '#libs/platform/egress/policy';
import { Mail } from '#libs/platform/mail/mail';
import { Sandbox } from '#libs/platform/sandbox/sandbox';
import { sandboxWalls, type Settings } from '#libs/platform/settings/settings';
import { indexedTypes } from '#libs/platform/temporal-client/indexed-types';
import { toConnection } from '#libs/platform/temporal-client/temporal-client';
import { cutText } from '#libs/platform/text/whole-text';
import { matchesCheck } from '#libs/workspace/auth/secret-check';
import { readMigrations, readVersion } from './backup/back-up.ts';
import { findLeftDatabases, findLeftFolders } from './backup/copies.ts';
import { connected, findPlace, readMajor } from './backup/place.ts';

/** What one look has found. A fault needs the operator; a note does not. */
export interface Finding {
  about: string;
  state: 'ok' | 'note' | 'fault';
  says: string;
  /** What to do; only beside a fault or a note. */
  advice?: string;
}

const ok = (about: string, says: string): Finding => ({ about, state: 'ok', says });
const note = (about: string, says: string, advice: string): Finding => ({
  about,
  state: 'note',
  says,
  advice,
});
const fault = (about: string, says: string, advice: string): Finding => ({
  about,
  state: 'fault',
  says,
  advice,
});

/** Examines the installation, and exits with 1 when something is wrong. It changes nothing. */
export async function doctor({ json = false }: { json?: boolean }): Promise<void> {
  const { settings } = findPlace();
  const findings: Finding[] = [ok('versions', `holdfast ${readVersion()}, Node.js ${process.versions.node}`)];
  const look = async (about: string, work: () => Promise<Finding[]>) => {
    try {
      findings.push(...(await work()));
    } catch (error) {
      const says = toOperatorSentence(error) ?? (error instanceof Error ? error.message : String(error));
      findings.push(fault(about, says, 'Repair this first: what depends on it was not looked at.'));
    }
  };
  await look('postgres', () =>
    connected(settings.databaseDirectUrl, (client) => lookAtPostgres(client, settings)),
  );
  await look('temporal', () => lookAtTemporal(settings));
  await look('api', () => lookAtApi(settings));
  await look('sandbox', () => lookAtSandbox(settings));
  await look('mail', () => lookAtMail(settings));
  await look('egress', () => lookAtEgress(settings));
  for (const finding of findings)
    process.stdout.write(`${json ? JSON.stringify(finding) : toLine(finding)}\n`);
  const faults = findings.filter(({ state }) => state === 'fault').length;
  if (faults > 0) throw new CannotStart(`${faults} of ${findings.length} findings need you.`);
}

const toLine = ({ about, state, says, advice }: Finding): string =>
  `${state === 'fault' ? 'FAULT' : state.padEnd(5)} ${about.padEnd(10)} ${says}${advice ? `\n${' '.repeat(17)}${advice}` : ''}`;

const commitsTried = 20;
const commitMsMax = 20;
const skewMsMax = 1000;
const skewAdvice = 'Let all machines take their time from the same servers (chrony or systemd-timesyncd).';

async function lookAtPostgres(client: pg.Client, settings: Settings): Promise<Finding[]> {
  return [
    await versionOfPostgres(client),
    await schema(client),
    await secret(client, settings),
    await clockOfPostgres(client),
    await durability(client),
    await connections(client, settings),
    await lostRuns(client),
    await leftCopies(client),
  ];
}

async function versionOfPostgres(client: pg.Client): Promise<Finding> {
  const major = await readMajor(client);
  const { rows } = await client.query<{ vector: string | null }>(
    `select (select extversion from pg_extension where extname = 'vector') as vector`,
  );
  const says = `Postgres ${major}, pgvector ${rows[0]?.vector ?? 'missing'}`;
  return major >= 15 && major <= 18 && rows[0]?.vector
    ? ok('versions', says)
    : fault('versions', says, 'Postgres 15 to 18 with pgvector is needed: see Operations.');
}

async function schema(client: pg.Client): Promise<Finding> {
  const applied = await readMigrations(client);
  const newer = findNewer(applied);
  const missing = knownMigrations.filter((name) => !applied.includes(name));
  if (newer.length > 0)
    return fault(
      'schema',
      `of a newer release: ${newer.join(', ')}`,
      'Start that release, or restore a backup of this one.',
    );
  if (missing.length > 0)
    return fault('schema', `lacks ${missing.join(', ')}`, 'Run the set-up: holdfast-admin setup.');
  return ok('schema', `up to date (${applied.at(-1)})`);
}

async function secret(client: pg.Client, settings: Settings): Promise<Finding> {
  const { rows } = await client.query<{ secret_check: string }>('select secret_check from installation');
  if (!rows[0])
    return note('secret', 'the database has no check value yet', 'Run the set-up: holdfast-admin setup.');
  return matchesCheck(settings.secret, rows[0].secret_check)
    ? ok('secret', 'HOLDFAST_SECRET is that of the database')
    : fault(
        'secret',
        'HOLDFAST_SECRET is not that of the database',
        'Give the secret of the set-up; a backup has it, sealed.',
      );
}

async function clockOfPostgres(client: pg.Client): Promise<Finding> {
  const before = Date.now();
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at');
  return clock('Postgres', (rows[0]?.at.getTime() ?? 0) - (before + Date.now()) / 2, 0);
}

function clock(whose: string, skewMs: number, exactMs: number): Finding {
  const says = `${whose} is ${Math.abs(Math.round(skewMs))} ms ${skewMs < 0 ? 'behind' : 'ahead of'} this machine`;
  return Math.abs(skewMs) > skewMsMax + exactMs ? fault('clock', says, skewAdvice) : ok('clock', says);
}

/** Commits small messages into the log of Postgres, which writes each to the disk. No table sees them. */
async function durability(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit')`,
  );
  const off = rows.filter(({ setting }) => setting === 'off').map(({ name }) => name);
  if (off.length > 0)
    return fault(
      'disk',
      `Postgres runs with ${off.join(' and ')} off: a power cut can lose accepted runs`,
      'Turn them on in postgresql.conf.',
    );
  const times: number[] = [];
  for (let n = 0; n < commitsTried; n++) {
    const from = performance.now();
    await client.query(`select pg_logical_emit_message(true, 'holdfast doctor', '')`);
    times.push(performance.now() - from);
  }
  const ms = times.toSorted((a, b) => a - b)[commitsTried / 2] ?? 0;
  const says = `a commit takes ${ms.toFixed(1)} ms: ${Math.round(1000 / ms)} a second on one connection`;
  return ms > commitMsMax
    ? note('disk', says, 'Each step of a run waits for a commit: give Postgres a disk that flushes faster.')
    : ok('disk', says);
}

async function connections(client: pg.Client, { databasePoolMax }: Settings): Promise<Finding> {
  const { rows } = await client.query<{ max: number; used: number }>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max,
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`,
  );
  const { max = 0, used = 0 } = rows[0] ?? {};
  const each = connectionsOfProcess(databasePoolMax);
  const says = `${used} of ${max} connections are used, and one process takes up to ${each} with DATABASE_POOL_MAX=${databasePoolMax}`;
  const advice =
    'Raise max_connections, lower DATABASE_POOL_MAX, or put a pooler before Postgres: see Scaling.';
  // An API and a worker are the least.
  if (max < 2 * each) return fault('pools', `${says}: an API and a worker do not fit`, advice);
  return used > 0.8 * max ? note('pools', says, advice) : ok('pools', says);
}

async function lostRuns(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ id: string }>(
    `select id from executions where status = 'failed' and failure ->> 'code' = 'ENGINE_LOST' and completed_at > now() - interval '7 days' order by completed_at desc limit 20`,
  );
  return rows.length === 0
    ? ok('runs', 'Temporal has lost no run in seven days')
    : fault(
        'runs',
        `Temporal has lost runs that could not go on: ${rows.map(({ id }) => id).join(', ')}`,
        'Look at the blocks of each, and execute its workflow anew for what is missing: see Backup.',
      );
}

async function leftCopies(client: pg.Client): Promise<Finding> {
  const left = [...(await findLeftDatabases(client)), ...findLeftFolders()];
  return left.length === 0
    ? ok('copies', 'no copy of a verified backup is left')
    : fault(
        'copies',
        `a killed verify has left the data of all workspaces in ${left.join(', ')}`,
        'Run verify again, which removes it first, or remove it yourself.',
      );
}

async function lookAtTemporal({ temporal, retentionMs, queue }: Settings): Promise<Finding[]> {
  const { address, namespace } = temporal;
  const connection = await Connection.connect({ ...toConnection(temporal), connectTimeout: '5s' }).catch(
    () => null,
  );
  if (!connection)
    return [
      fault(
        'temporal',
        `nothing answers at ${address}`,
        'Start Temporal, or give its TEMPORAL_ADDRESS (and TEMPORAL_TLS...).',
      ),
    ];
  try {
    const service = connection.workflowService;
    const { serverVersion } = await service.getSystemInfo({});
    const cluster = await service.getClusterInfo({}).catch(() => null);
    const shards = cluster?.historyShardCount ? `, ${cluster.historyShardCount} shards` : '';
    const findings = [
      ok(
        'versions',
        `Temporal ${serverVersion}${shards}. Its dynamic settings cannot be read from here: see apps/deploy/temporal`,
      ),
    ];
    const { config } = await service.describeNamespace({ namespace });
    const keptMs = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) * 1000;
    if (retentionMs !== null && keptMs > retentionMs)
      findings.push(
        note(
          'temporal',
          'its namespace keeps ended runs longer than EXECUTION_RETENTION',
          'Keep executions longer than Temporal does: a reset of such a run finds no row.',
        ),
      );
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    const missing = Object.keys(indexedTypes).filter((name) => !(name in customAttributes));
    findings.push(
      missing.length === 0
        ? ok('temporal', `the namespace ${namespace} has its search attributes`)
        : fault(
            'temporal',
            `the namespace ${namespace} lacks ${missing.join(', ')}`,
            'Run the set-up: holdfast-admin setup.',
          ),
    );
    return [...findings, ...(await lookAtWorkers(connection, namespace, queue))];
  } finally {
    await connection.close();
  }
}

/** A worker asks for tasks again after a minute at most. */
const pollMsMax = 75_000;

/** Who asks for tasks, and since when: that time is from the clock of Temporal, which shows it nowhere else. */
async function lookAtWorkers(connection: Connection, namespace: string, queue: string): Promise<Finding[]> {
  const workflowTasks = 1;
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: queue },
    taskQueueType: workflowTasks,
  });
  const times = (pollers ?? []).map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000);
  if (times.length === 0)
    return [
      fault(
        'workers',
        `no process asks Temporal for tasks of "${queue}"`,
        'Start a worker, with the same TASK_QUEUE and TEMPORAL_NAMESPACE.',
      ),
    ];
  const skewMs = Math.max(...times) - Date.now();
  const asked = ok('workers', `${times.length} processes ask Temporal for tasks of "${queue}"`);
  if (skewMs > skewMsMax) return [asked, clock('Temporal', skewMs, 0)];
  return skewMs < -pollMsMax
    ? [
        asked,
        note(
          'clock',
          `Temporal has seen no process ask for ${Math.round(-skewMs / 1000)} s, or its clock is behind`,
          skewAdvice,
        ),
      ]
    : [asked, ok('clock', 'Temporal is not ahead of this machine')];
}

/** The date of a response has whole seconds. */
const dateExactMs = 1000;

async function lookAtApi({ publicUrl }: Settings): Promise<Finding[]> {
  const response = await fetch(`${publicUrl}/health/ready`, { signal: AbortSignal.timeout(5000) }).catch(
    () => null,
  );
  if (!response)
    return [
      note(
        'api',
        `nothing answers at ${publicUrl}`,
        'Start an API, or set PUBLIC_URL to the address that callers use.',
      ),
    ];
  const date = Date.parse(response.headers.get('date') ?? '');
  const skew = Number.isNaN(date) ? [] : [clock('The API', date + dateExactMs / 2 - Date.now(), dateExactMs)];
  return [
    response.ok
      ? ok('api', `${publicUrl} is ready`)
      : fault(
          'api',
          `${publicUrl} answers ${response.status}: ${cutText(await response.text(), 200)}`,
          'Look into its log.',
        ),
    ...skew,
  ];
}

async function lookAtSandbox({ sandboxWall }: Settings): Promise<Finding[]> {
  const sandbox = new Sandbox({ warm: 0 });
  try {
    const { works, isolation } = await sandbox.selfTest();
    const advice = 'Install bubblewrap where workers run, and let them make namespaces: see Operations.';
    const says = `code of users runs behind "${isolation}" on this machine`;
    const order: string[] = [...sandboxWalls];
    if (!works) return [fault('sandbox', 'no code of users can run on this machine', advice)];
    if (order.indexOf(isolation) > order.indexOf(sandboxWall))
      return [fault('sandbox', `${says}, which is weaker than SANDBOX_WALL=${sandboxWall}`, advice)];
    return [
      isolation === 'process'
        ? note('sandbox', `${says}, which keeps the network of its host`, advice)
        : ok('sandbox', says),
    ];
  } finally {
    await sandbox.close();
  }
}

async function lookAtMail(settings: Settings): Promise<Finding[]> {
  if (!settings.mail)
    return [note('mail', 'no mail server is set, so no mail is sent', 'Set SMTP_URL and MAIL_FROM.')];
  const mail = new Mail(settings);
  try {
    await mail.verify();
    return [ok('mail', 'the mail server takes our login')];
  } catch (error) {
    const says = `the mail server refuses: ${error instanceof Error ? error.message : String(error)}`;
    return [fault('mail', says, 'Check host, port, user and password in SMTP_URL.')];
  } finally {
    mail.onModuleDestroy();
  }
}

/** Blocks must not reach the stores: who writes a workflow would read all workspaces there. */
async function lookAtEgress({
  egressAllow,
  databaseUrl,
  temporal,
  llmBaseUrl,
}: Settings): Promise<Finding[]> {
  const allows = compileGate(egressAllow);
  const stores = [
    ['Postgres', new URL(databaseUrl).hostname || 'localhost', Number(new URL(databaseUrl).port || 5432)],
    [
      'Temporal',
      temporal.address.replace(/:\d+$/, ''),
      Number(/:(\d+)$/.exec(temporal.address)?.[1] ?? 7233),
    ],
  ] as const;
  const findings: Finding[] = [];
  for (const [store, host, port] of stores) {
    const hostname = host.replaceAll(/[[\]]/g, '');
    const found = isIP(hostname) ? hostname : (await lookup(hostname).catch(() => null))?.address;
    if (found && allows({ hostname: host, port, address: found }))
      findings.push(
        fault(
          'egress',
          `blocks may call ${store} (${host}:${port})`,
          'Take it out of EGRESS_ALLOW, or keep it off public addresses.',
        ),
      );
  }
  if (findings.length === 0) findings.push(ok('egress', 'no block reaches Postgres or Temporal'));
  const { hostname } = new URL(llmBaseUrl);
  const resolved = isIP(hostname) || (await lookup(hostname).catch(() => null));
  findings.push(
    resolved
      ? ok('egress', `the name ${hostname} of the model server resolves`)
      : note(
          'egress',
          `the name ${hostname} of the model server does not resolve here`,
          'Set LLM_BASE_URL, or let workers reach a name server.',
        ),
  );
  return findings;
}
