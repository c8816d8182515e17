import { setTimeout as pause } from 'node:timers/promises';
import type { Wanted } from './campaign.ts';
import type { Caller, Reply } from './caller.ts';
import { type Control, shutStep } from './kinds.ts';
import type { Receiver } from './receiver.ts';
import type { Breaker } from './troubles.ts';

/** What became of the bulk jobs over the runs of one kind in one round. */
export interface BulkRound {
  kind: string;
  verb: Control['verb'];
  executionIds: string[];
  jobs: BulkJob[];
}

export interface BulkJob {
  /** The ids in all responses for its Idempotency-Key. A correct system gives one. */
  ids: Set<string>;
  status: string;
  total: number;
  done: number;
  refused: number;
  items: { executionId: string; madeExecutionId: string | null; outcome: string | null }[];
}

/** The execution that a run ends in. */
interface Continued {
  executionId: string;
  jobId: string;
  forkedFrom: string | null;
}

/** A run that has failed or waits. */
interface Arrived {
  executionId: string;
  createdAt: string;
}

/** The runs of a kind in a round: the last one that arrives begins the job. */
interface Gathering {
  missing: number;
  arrived: Arrived[];
  waiting: ((round: BulkRound) => void)[];
}

/** A process dies within this time of a call, in milliseconds: before, between and after its commits. */
const strikeWithinMs = 400;
/** The rate of a job lets its process die between two of its acts. */
const perSecond = 4;
const endsWithinMs = 180_000;

/** Retries, forks, cancels and answers runs, alone and in bulk. Two callers do it at once, while a process dies. */
export class Controls {
  readonly rounds: BulkRound[] = [];
  private readonly gatherings = new Map<string, Gathering>();
  private strikes = false;

  constructor(
    private readonly caller: Caller,
    private readonly receiver: Receiver,
    private readonly breaker: Breaker,
  ) {}

  /** Says which runs a round has, so that a job waits for all of its kind, and whether processes die in it. */
  expectRuns(wanted: Wanted[], strikes: boolean): void {
    this.strikes = strikes;
    this.gatherings.clear();
    for (const { name, kind } of wanted) {
      if (!kind?.control?.inBulk) continue;
      const known = this.gatherings.get(name);
      if (known) known.missing += 1;
      else this.gatherings.set(name, { missing: 1, arrived: [], waiting: [] });
    }
  }

  /** Does to a run what its kind needs. Resolves to the execution in which it goes on. */
  async control({ n, name, kind, workflow }: Wanted, run: Arrived): Promise<Continued> {
    const { executionId } = run;
    this.receiver.opened.add(n);
    const path = `/api/workflows/${workflow}/executions/${executionId}`;
    const verb = kind?.control?.verb;
    if (kind?.control?.inBulk) {
      const { jobs } = await this.gather({ name, workflow, verb: kind.control.verb }, run);
      const made = jobs[0]?.items.find((item) => item.executionId === executionId)?.madeExecutionId;
      return verb === 'fork' && made ? toFork(executionId, made) : toItself(executionId);
    }
    const strike = this.strikeSoon(strikeWithinMs);
    const sent = { body: verb === 'fork' ? { from: shutStep } : {}, idempotencyKey: `${verb}-${n}` };
    const call = () => this.caller.call('POST', `${path}/${verb}`, sent);
    const replies = await Promise.all([call(), call()]);
    await strike;
    if (verb !== 'fork') {
      // A retry whose answer was lost has been committed.
      refuseOdd(replies, [202, 409], 'A retry');
      return toItself(executionId);
    }
    replies.push(await call());
    refuseOdd(replies, [202], 'A fork');
    const ids = new Set(replies.map(({ body }) => String(body.data.execution.executionId)));
    if (ids.size > 1) throw new Error(`One key of ${executionId} has the forks ${[...ids]}.`);
    return toFork(executionId, [...ids].join());
  }

  private async strikeSoon(withinMs: number): Promise<void> {
    if (this.strikes) await this.breaker.strikeSoon(withinMs);
  }

  private async gather(
    { name, workflow, verb }: { name: string; workflow: string; verb: Control['verb'] },
    run: Arrived,
  ): Promise<BulkRound> {
    const gathering = this.gatherings.get(name);
    if (!gathering) throw new Error(`No run of ${name} was expected.`);
    gathering.arrived.push(run);
    if (gathering.arrived.length < gathering.missing)
      return new Promise((resolve) => gathering.waiting.push(resolve));
    const round = await this.runJobs({ name, workflow, verb }, gathering.arrived);
    this.rounds.push(round);
    for (const resolve of gathering.waiting) resolve(round);
    return round;
  }

  /** Begins a job over the runs of a round, and a second one at once. Two forks of a run would be two runs, so a fork has one job. */
  private async runJobs(
    { name, workflow, verb }: { name: string; workflow: string; verb: Control['verb'] },
    arrived: Arrived[],
  ): Promise<BulkRound> {
    const since = arrived.map(({ createdAt }) => createdAt).toSorted()[0] ?? '';
    const status = verb === 'cancel' || verb === 'answer' ? 'paused' : 'failed';
    const filter = { workflowIds: workflow, status, startDate: since };
    const body = {
      verb,
      filter,
      perSecond,
      ...(verb === 'fork' ? { from: 'failure', version: 'same' } : {}),
      ...(verb === 'answer' ? { answers: { ok: true } } : {}),
    };
    const keys = verb === 'fork' ? ['one'] : ['one', 'two'];
    const strike = this.strikeSoon(strikeWithinMs);
    const jobs = await Promise.all(
      keys.map((key) => this.runJob(body, `bulk-${name}-${this.rounds.length}-${key}`)),
    );
    await strike;
    return { kind: name, verb, executionIds: arrived.map(({ executionId }) => executionId), jobs };
  }

  /** Two callers send a job under one key, and once more after its end. */
  private async runJob(body: object, idempotencyKey: string): Promise<BulkJob> {
    const call = () => this.caller.call('POST', '/api/v1/bulk', { body, idempotencyKey });
    const replies = await Promise.all([call(), call()]);
    refuseOdd(replies, [202], 'A bulk job');
    const path = `/api/v1/bulk/${replies[0]?.body.data.job.id}`;
    const strike = this.strikeSoon(3 * strikeWithinMs);
    const deadline = performance.now() + endsWithinMs;
    let job = (await this.caller.call('GET', path)).body.data;
    for (; job.status === 'running' && performance.now() < deadline; await pause(200))
      job = (await this.caller.call('GET', path)).body.data;
    await strike;
    replies.push(await call());
    const ids = new Set(replies.map((reply) => String(reply.body.data?.job.id)));
    const items = (await this.caller.call('GET', `${path}/items?limit=1000`)).body.data;
    const { status, total, done, refused } = job;
    return { ids, status, total, done, refused, items };
  }
}

const toItself = (executionId: string): Continued => ({
  executionId,
  jobId: toJobId(executionId),
  forkedFrom: null,
});
const toFork = (executionId: string, made: string): Continued => ({
  executionId: made,
  jobId: toJobId(made),
  forkedFrom: executionId,
});
const toJobId = (executionId: string) => executionId.replace(/^exec_/, 'job_');

function refuseOdd(replies: Reply[], right: number[], what: string): void {
  const odd = replies.find(({ status }) => !right.includes(status));
  if (odd) throw new Error(`${what} got ${odd.status}: ${JSON.stringify(odd.body)}`);
}
