import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { approval, pure } from './definitions.ts';
import { quantile, round } from './figures.ts';
import type { Ground } from './ground.ts';
import type { Installation } from './installation.ts';
import { resuming } from './resume.ts';
import { loop, type Subject } from './rounds.ts';
import { goalsHold } from './reports.ts';
import * as sql from './scale.sql.ts';

/** The executions and workspaces of the small system, which the large one is compared with. */
const small = { rows: 1000, workspaces: 1 };
const workspacesMax = 1000;
/** The share of all executions that retention must delete. */
const oldShare = 0.2;
/** The longest wait for a turn of retention: one is due within a minute. */
const retentionWaitMs = 120_000;

interface ScaleOptions {
  rows: number;
  rounds: number;
  runs: number;
  say(line: string): void;
}

/** One installation with its rows, and the calls that are timed on it. */
interface LoadedSystem {
  installation: Installation;
  subjects: Subject[];
  durationsMs: Map<string, number[]>;
}

/** The speed of a system with very many rows beside a small one, the speed of its retention, and its memory. */
export async function scale(ground: Ground, options: ScaleOptions): Promise<Record<string, unknown>> {
  const { rows, rounds, runs, say } = options;
  const [few, many] = [
    await placeOf(ground, 'few', small, say),
    await placeOf(ground, 'many', { rows, workspaces: workspacesMax }, say),
  ];
  for (const place of [few, many]) await time(place, 20);
  for (const { durationsMs } of [few, many]) durationsMs.clear();
  for (let turn = 0; turn < rounds; turn++) {
    for (const place of turn % 2 ? [few, many] : [many, few]) await time(place, runs);
    say(`round ${turn + 1} of ${rounds}: ${lineOf(many)}`);
  }
  const p95 = ({ durationsMs }: LoadedSystem, name: string) => quantile(durationsMs.get(name) ?? [], 0.95);
  const names = few.subjects.map(({ name }) => name);
  const compared = names.map((name) => {
    const [inFew, inMany] = [p95(few, name), p95(many, name)];
    return { name, smallP95Ms: round(inFew), p95Ms: round(inMany), ratio: round(inMany / inFew) };
  });
  const memoryMb = peaks(many.installation.pids);
  const retention = await forgetting(many.installation, Math.floor(rows * oldShare), say);
  const figures = Object.fromEntries(compared.map(({ name, ...rest }) => [name, rest]));
  const results = { figures, memoryMb, mostMemoryMb: Math.max(0, ...Object.values(memoryMb)), retention };
  return {
    bench: 'scale',
    rows,
    workspaces: workspacesMax,
    ...results,
    goalsHold: goalsHold('scale', results),
  };
}

async function placeOf(
  ground: Ground,
  name: string,
  { rows, workspaces }: { rows: number; workspaces: number },
  say: ScaleOptions['say'],
): Promise<LoadedSystem> {
  say(`Starting two APIs and two workers for ${rows} executions ...`);
  const installation = await ground.another(name, { pairs: 2 });
  const [waiting, plain] = [
    await installation.deployed('waiting', approval),
    await installation.deployed('plain', pure),
  ];
  say(`Writing ${rows} executions of ${workspaces} workspaces ...`);
  await fill(installation, waiting, { rows, workspaces });
  return { installation, subjects: await subjectsOf(installation, waiting, plain), durationsMs: new Map() };
}

/** The first workspace has a tenth of all rows, but at least those of the small system; the others share the rest. */
async function fill(
  { databaseUrl, workspaceId }: Installation,
  workflowId: string,
  { rows, workspaces }: { rows: number; workspaces: number },
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const own = Math.min(rows, Math.max(small.rows, Math.floor(rows / 10)));
    await client.query(sql.workspaces, [workspaces - 1]);
    await client.query(sql.executions, [workspaceId, workflowId, rows, own, Math.max(1, workspaces - 1)]);
    for (const statement of [sql.visits, sql.paused, sql.points]) await client.query(statement);
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

async function subjectsOf(installation: Installation, waiting: string, plain: string): Promise<Subject[]> {
  const read = (name: string, path: string, key?: string): Subject => ({
    name,
    once: async () => void (await installation.get(path, key)),
  });
  const { workspaceId, personalKey } = installation;
  return [
    {
      name: 'accept',
      once: async () =>
        void (await installation.post(
          `/api/workflows/${plain}/execute`,
          { inputs: { amount: 7 }, async: true },
          202,
        )),
    },
    read('list', `/api/workflows/${waiting}/paused?limit=50`),
    read('detail', `/api/workflows/${waiting}/executions/exec_crowd1`),
    read('inbox', `/api/v1/inbox?limit=50`),
    read('inboxOfPerson', `/api/v1/inbox?limit=50&mine=true&workspaceId=${workspaceId}`, personalKey),
    { ...(await resuming(installation, 'answer')), name: 'answer' },
  ];
}

async function time({ subjects, durationsMs }: LoadedSystem, runs: number): Promise<void> {
  for (const subject of subjects) {
    const measured = await loop(subject, runs, 1);
    durationsMs.set(subject.name, [...(durationsMs.get(subject.name) ?? []), ...measured.durationsMs]);
  }
}

function lineOf({ durationsMs }: LoadedSystem): string {
  return [...durationsMs].map(([name, all]) => `${name} ${round(quantile(all, 0.95))} ms`).join(', ');
}

/** Makes executions old, and waits while the workers delete them. */
async function forgetting(
  { databaseUrl }: Installation,
  count: number,
  say: ScaleOptions['say'],
): Promise<{ deleted: number; deletedPerS: number }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const countLeft = async () => {
    const { rows } = await client.query<{ left: string }>(sql.oldLeft);
    return Number(rows[0]?.left);
  };
  try {
    say(`Making ${count} executions old ...`);
    await client.query(sql.age, [count]);
    const all = await countLeft();
    const giveUpAt = performance.now() + retentionWaitMs;
    while ((await countLeft()) === all && performance.now() < giveUpAt) await pause(100);
    const [begin, atBegin] = [performance.now(), await countLeft()];
    // Waits for most of one turn, because workers pause between turns.
    while ((await countLeft()) > 0 && performance.now() - begin < 40_000) await pause(250);
    const seconds = (performance.now() - begin) / 1000;
    const deleted = atBegin - (await countLeft());
    return { deleted, deletedPerS: round(deleted / seconds) };
  } finally {
    await client.end();
  }
}

/** The highest memory of each process, in megabytes. Empty where there is no /proc. */
function peaks(pids: Record<string, number>): Record<string, number> {
  if (process.platform !== 'linux') return {};
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const kb = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return [name, Math.round(Number(kb) / 1024)];
    }),
  );
}
