import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pure } from './definitions.ts';
import { quantile, round, summarise } from './figures.ts';
import type { Ground } from './ground.ts';
import { Hook } from '#libs/triggers/webhooks/support/signed-hook';
import type { Installation } from './installation.ts';
import { goalsHold } from './reports.ts';
import { loop, measure } from './rounds.ts';

/** Senders that deliver at once, and the share of their deliveries that were delivered before. */
const senders = 8;
const repeatedShare = 0.3;
/** Schedules that are made by calls: a workflow has at most fifty. The others are copies of their rows. */
const madeByCalls = 50;
/** Moments of each schedule that are observed. One before finds its schedules just made, so it is left out. */
const moments = 2;
const releasedPerS = 50;

interface TriggersOptions {
  rounds: number;
  runs: number;
  /** Schedules of the same minute, and executions that are held. */
  waiting: number;
  /** Deliveries of the senders. */
  rows: number;
  say: (line: string) => void;
}

/** Signed hooks beside asynchronous executions, repeated deliveries, schedules over a minute and of one moment, and a release at a rate. */
export async function triggers(
  ground: Ground,
  { rounds, runs, waiting, rows, say }: TriggersOptions,
): Promise<object> {
  const product = await ground.another('triggers');
  const store = await ground.keep(Store.open(product.databaseUrl));
  const workflowId = await product.deployed('started', pure);
  const hook = await ground.keep(
    Hook.create((path, body) => product.post(path, body, 201), [product.url], workflowId),
  );
  const hooks = await compareHooks(product, { workflowId, hook, store, rounds, runs, say });
  const deliveries = await repeatDeliveries(hook, store, rows);
  say(
    `${deliveries.perS} deliveries a second, ${deliveries.executions} executions of ${deliveries.distinct}`,
  );
  const spread = await observeSchedules(product, store, waiting, (n) => ({
    cron: `${Math.floor((n * 60) / madeByCalls)} * * * * *`,
  }));
  say(`${waiting} schedules in each minute: p95 ${spread.p95S} s late, ${spread.missing} missing`);
  const schedules = await observeSchedules(product, store, waiting, () => ({ everySeconds: 60 }));
  say(`${waiting} schedules of the same moment: p95 ${schedules.p95S} s late, ${schedules.missing} missing`);
  const release = await releaseHeld(product, store, waiting);
  say(`${waiting} held executions at ${releasedPerS} a second: ${release.perS} a second`);
  const figures = { hooks, deliveries, spread, schedules, release };
  return { bench: 'triggers', ...figures, goalsHold: goalsHold('triggers', figures) };
}

async function compareHooks(
  product: Installation,
  {
    workflowId,
    hook,
    store,
    rounds,
    runs,
    say,
  }: { workflowId: string; hook: Hook; store: Store } & Pick<TriggersOptions, 'rounds' | 'runs' | 'say'>,
) {
  const settle = () => store.settle();
  const subjects = [
    {
      name: 'job',
      settle,
      once: async () => {
        const body = { async: true, inputs: { amount: 7 } };
        await product.post(`/api/workflows/${workflowId}/execute`, body, 202);
      },
    },
    { name: 'hook', settle, once: async () => accepted(hook, randomUUID()) },
  ];
  const at1 = await measure(subjects, { rounds, runs, clients: 1, warmUp: runs, say });
  const at10 = await measure(subjects, { rounds, runs: runs * 5, clients: 10, warmUp: runs, say });
  const [job, signed] = [at1.get('job'), at1.get('hook')];
  return {
    p50Ratio: round((signed?.p50Ms ?? 0) / (job?.p50Ms ?? 0)),
    p50Ms: signed?.p50Ms ?? 0,
    p95Ms: signed?.p95Ms ?? 0,
    perSAt10: at10.get('hook')?.runsPerS ?? 0,
    rateRatioAt10: round((at10.get('hook')?.runsPerS ?? 0) / (at10.get('job')?.runsPerS ?? 0)),
  };
}

/** Senders deliver `count` times, some of them what was delivered already, also at the same moment. */
async function repeatDeliveries(hook: Hook, store: Store, count: number) {
  const before = await store.count();
  const ids: string[] = [];
  const once = async () => {
    const known = ids[Math.floor(Math.random() * ids.length)];
    const id = known !== undefined && Math.random() < repeatedShare ? known : randomUUID();
    if (id !== known) ids.push(id);
    await accepted(hook, id);
  };
  const { runsPerS } = summarise(await loop({ name: 'deliveries', once }, count, senders));
  await store.settle();
  const executions = (await store.count()) - before;
  return { perS: runsPerS, executions, distinct: ids.length, wrong: Math.abs(executions - ids.length) };
}

async function accepted(hook: Hook, id: string): Promise<void> {
  const { status } = await hook.deliver(id);
  if (status !== 202) throw new Error(`A delivery was answered ${status}.`);
}

/** How late the executions of schedules start, each of which has one moment a minute. */
async function observeSchedules(
  product: Installation,
  store: Store,
  count: number,
  toSchedule: (n: number) => { cron: string } | { everySeconds: number },
) {
  const id = await product.deployed(`scheduled ${randomUUID()}`, pure);
  for (let n = 0; n < Math.min(madeByCalls, count); n++) {
    const schedule = { ...toSchedule(n), overlap: 'allow_all' };
    const body = { kind: 'schedule', name: `s${n}`, schedule, inputs: { amount: 7 } };
    await product.post(`/api/v1/workflows/${id}/triggers`, body, 201);
  }
  await store.copySchedules(id, count);
  const first = Math.ceil(Date.now() / 60_000 + 0.2) * 60_000;
  const last = first + moments * 60_000;
  while (Date.now() < last + 30_000) await pause(1_000);
  await store.settle();
  const lateS = await store.readLateness(new Date(first + 1000), new Date(last));
  await store.pauseSchedules(id);
  return {
    schedules: count,
    p50S: round(quantile(lateS, 0.5)),
    p95S: round(quantile(lateS, 0.95)),
    maxS: round(quantile(lateS, 1)),
    missing: count * moments - lateS.length,
  };
}

/** The rate at which held executions start once they are released. */
async function releaseHeld(product: Installation, store: Store, count: number) {
  const id = await product.deployed('held', pure);
  const holds = `/api/v1/workspaces/${product.workspaceId}/holds`;
  const { data } = await product.post(holds, { workflowId: id, reason: 'The bench fills it.' }, 201);
  const body = { async: true, inputs: { amount: 7 } };
  const once = async () => void (await product.post(`/api/workflows/${id}/execute`, body, 202));
  await loop({ name: 'held', once }, count, 10);
  const { id: holdId } = data as { id: string };
  await product.post(`${holds}/${holdId}/release`, { perSecond: releasedPerS }, 200);
  await store.settle();
  const startedAtS = await store.readStarts(id);
  const spanS = (startedAtS.at(-1) ?? 0) - (startedAtS[0] ?? 0);
  const mostInASecond = Math.max(
    ...startedAtS.map((begin, i) => startedAtS.slice(i, i + 500).filter((at) => at < begin + 1).length),
  );
  const perS = round(startedAtS.length / Math.max(spanS, 1));
  return {
    perS,
    ratioToAsked: round(perS / releasedPerS),
    mostInASecond,
    missing: count - startedAtS.length,
  };
}

/** The executions, as Postgres has them. */
class Store {
  private constructor(private readonly client: pg.Client) {}

  static async open(databaseUrl: string): Promise<Store> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    return new Store(client);
  }

  async count(): Promise<number> {
    const { rows } = await this.client.query<{ n: number }>('select count(*)::int as n from executions');
    return rows[0]?.n ?? 0;
  }

  /** Waits until all executions have ended. */
  async settle(): Promise<void> {
    const open = `select exists (select from executions where status in ('queued', 'running')) as open`;
    while ((await this.client.query<{ open: boolean }>(open)).rows[0]?.open) await pause(50);
  }

  /** Copies the schedules of a workflow in turn until there are so many. */
  async copySchedules(workflowId: string, count: number): Promise<void> {
    await this.client.query(copySchedules, [workflowId, count]);
  }

  async pauseSchedules(workflowId: string): Promise<void> {
    await this.client.query(`update triggers set status = 'paused' where workflow_id = $1`, [workflowId]);
  }

  /** The time from each moment of a schedule to the start of its execution, in seconds. */
  async readLateness(from: Date, to: Date): Promise<number[]> {
    const { rows } = await this.client.query<{ late: number }>(lateness, [from, to]);
    return rows.map(({ late }) => late);
  }

  /** When each execution of the workflow started, in seconds, the first one first. */
  async readStarts(workflowId: string): Promise<number[]> {
    const { rows } = await this.client.query<{ at: number }>(starts, [workflowId]);
    return rows.map(({ at }) => at);
  }

  async stop(): Promise<void> {
    await this.client.end();
  }
}

/** $1 workflow, $2 schedules */
const copySchedules = /* sql */ `
with made as (select t.*, row_number() over (order by id) as n, count(*) over () as of from triggers t where workflow_id = $1)
insert into triggers (id, workspace_id, workflow_id, kind, is_defined, name, status, actor, inputs, schedule, next_at, due_at, waiting, runs, revision, forgeries)
select id || '_' || i, workspace_id, workflow_id, kind, is_defined, name || ' ' || i, status, actor, inputs, schedule, next_at, due_at, waiting, runs, revision, forgeries
from made, generate_series(made.n + made.of, $2::int, made.of) i`;

const lateness = /* sql */ `
select extract(epoch from e.started_at - s.moment)::float8 as late
from trigger_deliveries d
join executions e on e.id = d.execution_id,
lateral (select (d.body::json ->> 'scheduledAt')::timestamptz as moment) s
where d.body like '{"scheduledAt":%' and s.moment between $1 and $2`;

const starts = /* sql */ `
select extract(epoch from started_at)::float8 as at from executions where workflow_id = $1 and started_at is not null order by started_at`;
