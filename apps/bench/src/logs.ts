import pg from 'pg';
import { quantile, round, table } from './figures.ts';
import type { Ground } from './ground.ts';
import type { Installation } from './installation.ts';
import * as sql from './logs.sql.ts';
import { goalsHold } from './reports.ts';
import { loop, type Subject } from './rounds.ts';

const workflows = 200;

interface LogsOptions {
  rows: number;
  rounds: number;
  runs: number;
  say(line: string): void;
}

const day = (n: number) => new Date(Date.now() - n * 86_400_000).toISOString();

const orderOf = (n: number) => `order=${['desc', 'asc'][Math.floor(n) % 2]}`;

/** The query of run `n`. Its values match much, little, or only old executions, in turns. */
const filters: Record<string, (n: number, rows: number) => string> = {
  none: () => '',
  workflowIds: (n) => `workflowIds=wf_crowd${[0, 7 + (n % 90), workflows - 1][n % 3]}`,
  severalWorkflows: (n) =>
    `workflowIds=${Array.from({ length: 10 }, (_, i) => `wf_crowd${3 + i + (n % 100)}`).join()}`,
  folderIds: (n) => `folderIds=${[`team${n % 20}`, `team${n % 20}/area${n % 3}`, 'none'][n % 3]}`,
  triggers: (n) => `triggers=${['workflow', 'api', 'none'][n % 3]}`,
  status: (n) => `status=${['failed', 'paused', 'completed', 'cancelled', 'queued'][n % 5]}`,
  level: (n) => `level=${['error', 'info'][n % 2]}`,
  dates: (n, rows) => `startDate=${day(rows / 43_200)}&endDate=${day((n % 10) * (rows / 432_000))}`,
  minDurationMs: (n) => `minDurationMs=${[1000, 15_000, 19_990, 60_000, 200_000][n % 5]}&${orderOf(n / 5)}`,
  maxDurationMs: (n) => `maxDurationMs=${[20, 21, 5, 1000, 1][n % 5]}&${orderOf(n / 5)}`,
  minCost: (n) => `minCost=${[0.001, 0.5, 1.9, 3, 1][n % 5]}`,
  maxCost: (n) => `maxCost=${[0.001, 0.0005, 0.01, 1][n % 4]}`,
  executionId: (n, rows) => `executionId=exec_crowd${1 + ((n * 7919) % rows)}`,
  model: (n) => `model=${['rare', 'model 3', 'none'][n % 3]}`,
  'workflowIds + status': (n) =>
    `workflowIds=wf_crowd${[0, 7 + n, workflows - 1][n % 3]}&status=${['failed', 'cancelled'][n % 2]}`,
  'workflowIds + dates': (n, rows) =>
    `workflowIds=wf_crowd${n % workflows}&startDate=${day(rows / 86_400)}&endDate=${day(rows / 172_800)}`,
  'workflowIds + minDurationMs': (n) => `workflowIds=wf_crowd${n % workflows}&minDurationMs=15000`,
  'workflowIds + minCost': (n) => `workflowIds=wf_crowd${n % workflows}&minCost=${[1, 1.9][n % 2]}`,
  'triggers + status': (n) =>
    `triggers=${['workflow', 'api'][n % 2]}&status=${['paused', 'failed', 'cancelled'][n % 3]}`,
  'status + minDurationMs': (n) => `status=${['failed', 'paused', 'cancelled'][n % 3]}&minDurationMs=15000`,
  'status + minCost': (n) =>
    `status=${['failed', 'completed', 'cancelled'][n % 3]}&minCost=${[1, 1.9][n % 2]}`,
  'level + dates': (n, rows) => `level=error&endDate=${day((n % 20) * (rows / 864_000))}`,
  'folderIds + level': (n) => `folderIds=team${n % 20}&level=error`,
};

/**
 * How fast each filter of the list of logs is among very many executions, and each pair of filters that the page on
 * logs names.
 */
export async function logs(ground: Ground, { rows, rounds, runs, say }: LogsOptions) {
  const installation = await ground.another('logs');
  say(`Writing ${rows} executions ...`);
  await fill(installation, rows);
  const durationsMs = new Map<string, number[]>();
  for (let turn = 0; turn <= rounds; turn++) {
    // The first turn warms up.
    if (turn === 1) durationsMs.clear();
    for (const [name, queryOf] of Object.entries(filters)) {
      const measured = await loop(
        subjectOf(installation, name, (n) => queryOf(n, rows)),
        runs,
        1,
      );
      durationsMs.set(name, [...(durationsMs.get(name) ?? []), ...measured.durationsMs]);
    }
    say(`round ${turn} of ${rounds}`);
  }
  const filterTimes = [...durationsMs].map(([name, all]) => ({
    name,
    p50Ms: round(quantile(all, 0.5)),
    p95Ms: round(quantile(all, 0.95)),
  }));
  say(
    table(
      ['filter', 'p50 ms', 'p95 ms'],
      filterTimes.map(({ name, p50Ms, p95Ms }) => [name, p50Ms, p95Ms]),
    ),
  );
  const search = await loop(
    subjectOf(installation, 'search', () => 'search=is+nowhere'),
    5,
    1,
  );
  const worstFilterP95Ms = Math.max(...filterTimes.map(({ p95Ms }) => p95Ms));
  return {
    bench: 'logs',
    rows,
    filterP95Ms: Object.fromEntries(filterTimes.map(({ name, p95Ms }) => [name, p95Ms])),
    worstFilterP95Ms,
    vainSearchMs: round(Math.max(...search.durationsMs)),
    goalsHold: goalsHold('logs', { worstFilterP95Ms }),
  };
}

function subjectOf(installation: Installation, name: string, queryOf: (n: number) => string): Subject {
  let n = 0;
  return { name, once: async () => void (await installation.get(encodeURI(`/api/v1/logs?${queryOf(n++)}`))) };
}

async function fill({ databaseUrl, workspaceId }: Installation, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(sql.workflows, [workspaceId, workflows]);
    await client.query(sql.executions, [workspaceId, rows, workflows]);
    for (const statement of [sql.visits, sql.usage]) await client.query(statement);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}
