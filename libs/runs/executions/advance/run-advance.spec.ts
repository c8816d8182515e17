import { type INestApplicationContext, Module } from '@nestjs/common';
import { compile } from '#libs/language/definition/compile';
import type { Plan } from '#libs/language/definition/plan';
import type { Effect, VisitEntry } from '#libs/language/engine/effects';
import { LoggedRun } from '#libs/language/engine/logged-run';
import { findOnlyActivity, type RunEvent } from '#libs/language/engine/run-events';
import { buildFacts, copyState } from '#libs/language/engine/state';
import { type Case, cases, drawLuck } from '#libs/language/engine/support/generate';
import { PagesModule } from '#libs/platform/cursors/pages.module';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { fillWorkspace } from '#libs/platform/database/support/tenants';
import { TemporalClientModule } from '#libs/platform/temporal-client/temporal-client.module';
import { fc, lessOften } from '#libs/platform/text/support/random';
import type { Advanced } from '#temporal/activities';
import type { AcceptedExecution } from '../accept/accepted-execution.ts';
import { DirectRun } from '../direct/direct-run.ts';
import { LostRun, StepWriter } from '../direct/step-writer.ts';
import { ExecutionsModule } from '../executions.module.ts';
import { RunAdvance } from './run-advance.ts';
import { UnreadableRun } from './run-log.ts';

@Module({ imports: [PagesModule, TemporalClientModule, ExecutionsModule] })
class Runs {}

let given: GivenStore;
/** Two processes on one database, so that a run goes on from its rows and not from memory. */
let processes: RunAdvance[];
let writer: StepWriter;

beforeAll(async () => {
  given = await givenStore(Runs, { TEMPORAL_ADDRESS: '127.0.0.1:9' });
  const another: INestApplicationContext = await given.another();
  processes = [given.app, another].map((app) => app.get(RunAdvance));
  writer = given.app.get(StepWriter);
  await fillWorkspace(given.owner, 'ws_a');
  // A commit that adds an event fails while its crash point is set, as if its process had died before it.
  await given.owner.query(`
    create table crash_points (left_over int);
    grant select, update on crash_points to public;
    insert into crash_points values (0);
    create function crash_here() returns trigger language plpgsql as $$ begin
      if exists (select from crash_points where left_over > 0) then raise exception 'crashed' using errcode = '57P01'; end if;
      return null;
    end $$;
    create constraint trigger crash_here after insert on run_events deferrable initially deferred
      for each row execute function crash_here()`);
});
afterAll(() => given.stop());

/** What befalls a commit: nothing; another process makes it; it is made twice; it crashes first; its answer is lost and another repeats it. */
const mishaps = ['none', 'moved', 'repeated', 'crashed', 'unanswered'] as const;
type Mishap = (typeof mishaps)[number];

interface PlayedChange {
  events: RunEvent[];
  nowMs: number;
  /** The effects that are open afterwards, and what readers see then. */
  open: string[];
  seen: { status: string; visits: object[] };
}

/** No value of these runs is stored apart, so no block is rendered over one. */
const noValue = () => Promise.reject(new Error('no value is stored'));

let runs = 0;
/** The time of acceptance. */
const acceptedAtMs = Date.now();

function accept(n: number): AcceptedExecution {
  runs += 1;
  return {
    executionId: `exec_${runs}`,
    workspaceId: 'ws_a',
    workflowId: 'wf_ws_a',
    workflowName: 'workflow',
    title: null,
    version: 1,
    planHash: `plan_${runs}`,
    mode: 'async',
    trigger: 'api',
    actor: {},
    inputs: { n },
    origin: null,
    activeMsMax: null,
    acceptedAtMs,
  };
}

async function store(execution: AcceptedExecution, plan: Plan): Promise<void> {
  const { executionId, planHash, inputs } = execution;
  await given.owner.query(`insert into plans (workspace_id, hash, plan) values ('ws_a', $1, $2)`, [
    planHash,
    JSON.stringify(plan),
  ]);
  await given.owner.query(
    `insert into executions (id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, inputs,
       created_at, started_at)
     values ($1, 'ws_a', 'wf_ws_a', 'workflow', 1, $2, 'async', 'api', '{}', $3, $4, $4)`,
    [executionId, planHash, JSON.stringify(inputs), new Date(acceptedAtMs)],
  );
}

function openRun(plan: Plan, execution: AcceptedExecution): LoggedRun {
  const { inputs } = execution;
  return LoggedRun.open(plan, { inputs, run: buildFacts(execution, acceptedAtMs), nowMs: acceptedAtMs });
}

/** What happens to an open effect, by the fortune of the case. */
function happen({ kind, visit: { path } }: Effect, luck: number): RunEvent {
  if (kind === 'wait') return { kind: 'succeeded', path, output: null };
  if (kind === 'pause')
    return luck % 2 === 0 ? { kind: 'answered', path, answers: { ok: true } } : { kind: 'expired', path };
  if (luck === 0) return { kind: 'failed', path, failure: { code: 'BAD_LUCK', message: 'bad luck' } };
  return { kind: 'succeeded', path, output: { luck } };
}

/** Plays a case in memory. Returns the run at its end, its changes, and whether it begins with one effect alone. */
function playInMemory({ fortune }: Case, plan: Plan, execution: AcceptedExecution) {
  const live = openRun(plan, execution);
  const changes: PlayedChange[] = [];
  const visits = new Map<string, VisitEntry>();
  const take = (events: RunEvent[]): Effect[] => {
    const nowMs = acceptedAtMs + changes.length * 10;
    const step = live.advance(events, nowMs);
    for (const visit of step.visits) visits.set(visit.path, visit);
    const open = live.run.openEffects.map(({ visit }) => visit.path);
    const status = live.run.outcome()?.status ?? (live.run.waitingForPeople ? 'paused' : 'running');
    const seen = { status, visits: [...visits.values()].map(toVisitRow).toSorted((a, b) => a.seq - b.seq) };
    changes.push({ events, nowMs, open: open.toSorted(), seen });
    return step.begun;
  };
  const isLine = findOnlyActivity(live.run, take([{ kind: 'started' }])) !== null;
  for (let step = 0; !live.run.done && live.run.openEffects.length > 0; step++) {
    const { openEffects } = live.run;
    const pick = (fortune.picks[step % fortune.picks.length] ?? 0) % openEffects.length;
    const [effect] = openEffects.slice(pick, pick + 1);
    if (!effect) throw new Error('nothing is open');
    const event = happen(effect, drawLuck(fortune, effect.visit.path));
    take([step === fortune.cancelAt ? { kind: 'cancelled' } : event]);
  }
  return { live, changes, isLine };
}

/** A direct run uses the clock of its process, so moments differ. */
const maskTimes = (text: string) => text.replaceAll(/\b1\d{12}\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then');
const toState = ({ run }: LoggedRun) => maskTimes(JSON.stringify({ ...copyState(run.state), cancelled: [] }));

/** Sets or removes the crash point of the next commits. */
const crash = (isSet: boolean) =>
  given.owner.query('update crash_points set left_over = $1', [isSet ? 1 : 0]);

/** Makes a commit that a mishap befalls. Returns the last answer, which alone the caller has. */
async function commitWith<T>(mishap: Mishap, commit: (process: 0 | 1) => Promise<T>): Promise<T> {
  if (mishap === 'crashed') {
    await crash(true);
    await expect(commit(0)).rejects.toThrow();
    await crash(false);
  }
  const first = await commit(mishap === 'moved' ? 1 : 0);
  if (mishap === 'repeated') return commit(0);
  return mishap === 'unanswered' ? commit(1) : first;
}

/** What a Temporal run knows of its run, as its driver takes it in. */
class Carrier {
  private number = 0;
  private seq = 0;
  private readonly open = new Set<string>();

  constructor(private readonly executionId: string) {}

  async take(events: RunEvent[], nowMs: number, mishap: Mishap): Promise<string[]> {
    const key = {
      workspaceId: 'ws_a',
      executionId: this.executionId,
      temporal: { runId: 'run_1', number: this.number },
    };
    const change = { events, nowMs, seq: this.seq };
    const advanced = await commitWith(mishap, (process) => {
      const runs = processes[process];
      if (!runs) throw new Error('there are two processes');
      return runs.advance(key, change, noValue);
    });
    this.takeIn(advanced);
    return advanced.more ? this.take([{ kind: 'continued' }], nowMs, 'none') : [...this.open].toSorted();
  }

  private takeIn({ number, seq, launch, ended, open }: Advanced): void {
    [this.number, this.seq] = [number, seq];
    for (const path of ended) this.open.delete(path);
    if (open) for (const path of this.open) if (!open.includes(path)) this.open.delete(path);
    for (const { visit } of launch) this.open.add(visit.path);
  }

  /** The work for the effect of the event has ended. */
  end(event: RunEvent | undefined): void {
    if (event && 'path' in event) this.open.delete(event.path);
  }
}

/** Carries out the changes in their process, for as long as one effect alone comes next. Returns how many it took. */
async function carryOutDirectly(
  execution: AcceptedExecution,
  plan: Plan,
  { changes, befalls }: { changes: PlayedChange[]; befalls: (i: number) => Mishap },
): Promise<number> {
  const { executionId } = execution;
  await given.owner.query(
    `insert into direct_runs (execution_id, workspace_id, process_id) values ($1, 'ws_a', $2)`,
    [executionId, writer.processId],
  );
  const run = new DirectRun(execution, openRun(plan, execution), new Date(acceptedAtMs));
  for (const [i, { events }] of changes.entries()) {
    const step = run.applyEvents(events, () => true);
    await commitWith(befalls(i), () =>
      writer.commitStep(run, step).catch((error: unknown) => {
        // The second commit of the last step finds that the process has left the run.
        if (!(error instanceof LostRun) || step.next) throw error;
        return false;
      }),
    );
    if (!step.next) return i + 1;
  }
  throw new Error('a run that goes on has another change');
}

const read = async (sql: string, executionId: string) => (await given.owner.query(sql, [executionId])).rows;

/** The run that the log of its rows gives. */
async function readLog(execution: AcceptedExecution, plan: Plan) {
  const sql = 'select number, event, at from run_events where execution_id = $1 order by number';
  const events = await read(sql, execution.executionId);
  const run = openRun(plan, execution);
  run.replay(events.map(({ number, event, at }) => ({ number, event, atMs: at.getTime() })));
  return { state: toState(run), events: events.flatMap(({ event }) => nameOf(event)) };
}

/** What readers see of the run. */
async function readSeen(executionId: string): Promise<PlayedChange['seen']> {
  const columns = 'path, seq, status, port, attempts, output, failure';
  const visits = await read(
    `select ${columns} from visits where execution_id = $1 order by seq`,
    executionId,
  );
  const [row] = await read('select status from executions where id = $1', executionId);
  return { status: row?.status, visits };
}

/** A long computation has more commits on a busy machine. */
const nameOf = (event: RunEvent): string[] =>
  event.kind === 'continued' ? [] : ['path' in event ? `${event.kind} ${event.path}` : event.kind];

/** Plays a case in memory and by commits, and compares what both leave. */
async function compare(
  one: Case,
  { isDirect, befall }: { isDirect: boolean; befall: Mishap[] },
): Promise<void> {
  const plan = compile(one.definition);
  const execution = accept(one.n);
  const { live, changes, isLine } = playInMemory(one, plan, execution);
  const befalls = (i: number): Mishap => befall[i % befall.length] ?? 'none';
  await store(execution, plan);
  const carrier = new Carrier(execution.executionId);
  const readsAs = async (change: PlayedChange | undefined) =>
    expect(mask(await readSeen(execution.executionId))).toEqual(mask(change?.seen));
  let taken = isDirect && isLine ? await carryOutDirectly(execution, plan, { changes, befalls }) : 0;
  if (taken > 0) await readsAs(changes[taken - 1]);
  if (taken > 0 && taken < changes.length)
    expect(await carrier.take([], acceptedAtMs, 'none')).toEqual(changes[taken - 1]?.open);
  for (const change of changes.slice(taken)) {
    const { events, nowMs, open } = change;
    carrier.end(events[0]);
    expect(await carrier.take(taken === 0 ? [] : events, nowMs, befalls(taken++))).toEqual(open);
    await readsAs(change);
  }
  const log = await readLog(execution, plan);
  expect(log.state).toBe(toState(live));
  expect(log.events).toEqual(changes.flatMap(({ events }) => events.flatMap(nameOf)));
  const outcome = live.run.outcome();
  if (!outcome) throw new Error('a case ends');
  const [ended] = await read('select output, failure from executions where id = $1', execution.executionId);
  const failure = 'failure' in outcome ? outcome.failure : null;
  expect(mask(ended)).toEqual(mask({ output: outcome.output, failure }));
}

const mask = (value: unknown) => JSON.parse(maskTimes(JSON.stringify(value)));
const toVisitRow = (visit: VisitEntry) => {
  const { path, seq, status, port = null, attempts, output = null, failure = null } = visit;
  return { path, seq, status, port, attempts, output, failure };
};

test('a run that is committed step by step is the run in memory, whatever befalls its commits and its processes', async () => {
  const steps = fc.record({
    one: cases,
    isDirect: fc.boolean(),
    befall: fc.array(fc.constantFrom(...mishaps), { minLength: 1, maxLength: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(steps, ({ one, ...how }) => compare(one, how)),
    { numRuns: lessOften(300) },
  );
});

describe('a change that a run cannot take', () => {
  const call = { id: 'call', type: 'http', params: { method: 'GET', url: 'https://a.test' } };
  const plan = compile({ blocks: [call], edges: [{ from: 'start', to: 'call' }] } as Case['definition']);
  const output = { status: 200, data: null };

  /** A run with an open call, and what commits a change to it. */
  async function givenOpenRun() {
    const execution = accept(0);
    await store(execution, plan);
    const { executionId } = execution;
    const advance = (events: RunEvent[], number = 1) =>
      processes[0]?.advance(
        { workspaceId: 'ws_a', executionId, temporal: { runId: 'run_1', number } },
        { events, nowMs: acceptedAtMs + 10, seq: 1 },
        noValue,
      );
    await advance([], 0);
    const readNumbers = () =>
      read('select number from run_events where execution_id = $1 order by number', executionId);
    return { executionId, advance, readNumbers };
  }

  test('a change that a run cannot take because the run has ended is not logged, and the end is told again', async () => {
    const { advance, readNumbers } = await givenOpenRun();
    await advance([{ kind: 'succeeded', path: 'call', output }]);
    const failure = { code: 'LATE', message: 'too late' };
    for (const event of [
      { kind: 'failed' as const, path: 'call', failure },
      { kind: 'cancelled' as const },
      { kind: 'started' as const },
    ])
      expect(await advance([event])).toMatchObject({ status: 'completed', number: 2, launch: [] });
    expect(await readNumbers()).toEqual([{ number: 1 }, { number: 2 }]);
  });

  test('a change that a run cannot take because nothing is open at its path is not logged', async () => {
    const { advance, readNumbers } = await givenOpenRun();
    const advanced = await advance([
      { kind: 'succeeded', path: 'elsewhere', output },
      { kind: 'answered', path: 'call', answers: {} },
      { kind: 'expired', path: 'call' },
    ]);
    expect(advanced).toMatchObject({ status: 'running', number: 1 });
    expect(await readNumbers()).toEqual([{ number: 1 }]);
  });

  test('a change of a caller whose number is older or newer than the log is applied once, and the caller hears all that is open', async () => {
    const { advance, readNumbers } = await givenOpenRun();
    for (const number of [0, 7])
      expect(await advance([], number)).toMatchObject({ number: 1, open: ['call'] });
    const ended = await advance([{ kind: 'succeeded', path: 'call', output }], 7);
    expect(ended).toMatchObject({ status: 'completed', number: 2, open: [] });
    expect(await readNumbers()).toHaveLength(2);
  });

  test('a change of a run that there is not, or of another workspace, is refused', async () => {
    const { executionId } = await givenOpenRun();
    const change = { events: [], nowMs: acceptedAtMs, seq: 0 };
    for (const key of [
      { workspaceId: 'ws_a', executionId: 'exec_none' },
      { workspaceId: 'ws_b', executionId },
    ])
      await expect(processes[0]?.advance(key, change, noValue)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a change with a value that no row can hold ends the run, with a failure that says so', async () => {
    const { executionId, advance } = await givenOpenRun();
    const attempts = 2 ** 31;
    const advanced = await advance([{ kind: 'succeeded', path: 'call', output, attempts }]);
    expect(advanced).toMatchObject({ status: 'failed', number: 2 });
    const [{ failure }] = await read('select failure from executions where id = $1', executionId);
    expect(failure).toMatchObject({ code: 'ENGINE_FAULT', message: expect.stringContaining('out of range') });
  });

  test('a change of a run whose snapshot a newer build wrote is refused, and the run is as it was', async () => {
    const { executionId, readNumbers } = await givenOpenRun();
    await given.owner.query(
      `insert into run_snapshots (execution_id, workspace_id, number, snapshot) values ($1, 'ws_a', 1, '{"state":{"engineVersion":99}}')`,
      [executionId],
    );
    const key = { workspaceId: 'ws_a', executionId, temporal: { runId: 'run_1', number: 1 } };
    const change = { events: [], nowMs: acceptedAtMs, seq: 1 };
    // The other process does not have the run in memory.
    await expect(processes[1]?.advance(key, change, noValue)).rejects.toBeInstanceOf(UnreadableRun);
    expect(await readNumbers()).toEqual([{ number: 1 }]);
  });
});
