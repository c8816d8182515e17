import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Builds } from './builds.ts';
import { approval } from './definitions.ts';
import { quantile, round } from './figures.ts';
import type { Ground } from './ground.ts';
import type { Installation } from './installation.ts';
import { goalsHold } from './reports.ts';
import { resuming } from './resume.ts';
import { loop, measure } from './rounds.ts';

const crowd = 100_000;
const lists = 300;
/** The number of runs that pause and are answered when a new build comes. */
const clients = 10;

interface PausedOptions {
  rounds: number;
  runs: number;
  waiting: number;
  say(line: string): void;
}

/** The cost of 100,000 paused executions for those who list and answer, and the effect of a new build on a waiting run. */
export async function paused(ground: Ground, options: PausedOptions): Promise<Record<string, unknown>> {
  const { rounds, runs, waiting, say } = options;
  say('Starting one more installation for the paused executions ...');
  const empty = ground.installation;
  const full = await ground.another('full');
  const workflowId = await full.deployed('crowd', approval);
  say(`Writing ${crowd} paused executions ...`);
  await fill(full, workflowId);
  const listed = await listing(full, workflowId);
  const subjects = [await resuming(empty, 'empty'), await resuming(full, 'full'), ground.bare.update];
  const measured = await measure(subjects, { rounds, runs, clients: 1, warmUp: 20, say });
  const p50 = (name: string) => measured.get(name)?.p50Ms ?? NaN;
  const upgraded = await upgrading(ground, waiting, say);
  const figures = {
    pausedRows: crowd,
    listP50Ms: round(quantile(listed, 0.5)),
    listP95Ms: round(quantile(listed, 0.95)),
    resumeRatioToEmpty: round(p50('full') / p50('empty')),
    resumeRatioToBare: round(p50('full') / p50(ground.bare.update.name)),
    ...upgraded,
  };
  return { bench: 'paused', ...figures, goalsHold: goalsHold('paused', figures) };
}

/** Writes as many pauses as an installation has after months, spread over statuses and time. */
async function fill({ databaseUrl, workspaceId }: Installation, workflowId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c role=holdfast_app' });
  await client.connect();
  try {
    await client.query(`select set_config('holdfast.reach', $1, false)`, [workspaceId]);
    await client.query(fillExecutions, [workspaceId, workflowId, crowd]);
    await client.query(fillPaused, [workspaceId, workflowId, crowd]);
    await client.query(fillPoints, [workspaceId, crowd]);
    // Analyze needs the owner. Without it the planner would take the tables for empty.
    await client.query('set role none');
    await client.query('analyze executions, paused_executions, pause_points');
  } finally {
    await client.end();
  }
}

/** The milliseconds of each list that callers ask for: all, by status, and further pages. */
async function listing(full: Installation, workflowId: string): Promise<number[]> {
  const path = `/api/workflows/${workflowId}/paused?limit=50`;
  const [any, open] = [await full.get(path), await full.get(`${path}&status=paused`)];
  const queries = [
    path,
    `${path}&status=paused`,
    `${path}&status=paused,partially_resumed`,
    `${path}&cursor=${String(any['nextCursor'])}`,
    `${path}&status=paused&cursor=${String(open['nextCursor'])}`,
    '/api/v1/inbox?limit=50',
  ];
  let turn = 0;
  const once = async () => {
    const answer = await full.get(queries[turn++ % queries.length] ?? path);
    const items = answer['pausedExecutions'] ?? answer['data'];
    if (!Array.isArray(items) || items.length !== 50) throw new Error('A list was not full.');
  };
  await loop({ name: 'list', once }, 30, 1);
  return (await loop({ name: 'list', once }, lists, 1)).durationsMs;
}

/** Pauses `waiting` runs, lets a new build take over, and answers all. Counts the runs that do not finish. */
async function upgrading(ground: Ground, waiting: number, say: PausedOptions['say']) {
  const deployment = `bench-${randomUUID()}`;
  const builds = await Builds.of(ground.cluster.temporalAddress, deployment);
  try {
    const starting = ground.another('upgraded', { deployment });
    await builds.makeCurrent('1');
    const product = await starting;
    const subject = await resuming(product, 'upgraded');
    say(`Pausing ${waiting} runs on build 1 ...`);
    await loop({ name: 'pause', once: () => subject.prepare(1) }, waiting, clients);
    say(`Bringing out build 2, with ${waiting} runs waiting ...`);
    const begin = performance.now();
    await product.upgrade('2', async () => {
      await builds.makeCurrent('2');
      await builds.leave('1');
    });
    const movedS = round((performance.now() - begin) / 1000);
    say(`Build 1 is gone after ${movedS} s; answering ...`);
    let lost = 0;
    const once = () => subject.once().catch(() => void lost++);
    const { wallMs } = await loop({ name: subject.name, once }, waiting, clients);
    say(`${waiting - lost} of ${waiting} went on and finished, in ${round(wallMs / 1000)} s`);
    return { upgradeWaiting: waiting, upgradeLost: lost, upgradeMovedS: movedS };
  } finally {
    await builds.close();
  }
}

/** $1 workspace, $2 workflow, $3 number of rows */
const fillExecutions = /* sql */ `
insert into executions (id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, status, inputs,
  created_at, started_at, next_delivery_at, updated_at)
select 'exec_crowd' || i, $1, $2, 'crowd', 1, (select plan_hash from deployments where workflow_id = $2), 'sync', 'api',
  '{"kind":"key","id":"key_crowd"}', 'paused', '{}', now() - i * interval '1 minute', now() - i * interval '1 minute', now() - i * interval '1 minute',
  -- Temporal does not hold them, so the reconciler is not to look.
  now() + interval '1 day'
from generate_series(1, $3::int) as i`;

const fillPaused = /* sql */ `
insert into paused_executions (id, workspace_id, workflow_id, execution_id, status, total_pause_count, resumed_count, paused_at, snapshot)
select 'pause_crowd' || i, $1, $2, 'exec_crowd' || i, case when i % 10 = 0 then 'partially_resumed' else 'paused' end,
  -- The open pause is counted when it is written.
  (i % 10 = 0)::int, (i % 10 = 0)::int, now() - i * interval '1 minute', '{"blocks":[]}'
from generate_series(1, $3::int) as i`;

const fillPoints = /* sql */ `
insert into pause_points (context_id, workspace_id, execution_id, root_id, paused_execution_id, path, block_id, display, form, registered_at)
select 'ctx_crowd' || i, $1, 'exec_crowd' || i, 'exec_crowd' || i, 'pause_crowd' || i, 'approve', 'approve',
  '{"name":"approve","title":"Approve?","message":"","fields":[],"scopes":{}}',
  '[{"name":"approved","type":"boolean","label":"Approved","required":true}]', now() - i * interval '1 minute'
from generate_series(1, $2::int) as i`;
