import { setTimeout as pause } from 'node:timers/promises';
import { Caller, type Reply } from './caller.ts';
import { Chance } from './chance.ts';
import { Holdings, type Left } from './holdings.ts';
import { kindOf, kindsOf, type Kind, noted, written } from './kinds.ts';
import { parts, type Part, type Product } from './product.ts';

/** One accepted run and what became of it. */
export interface Outcome {
  n: number;
  kind: string;
  workflow: string;
  executionId: string;
  status: string;
  output: unknown;
  error: unknown;
  begunAtMs: number;
  endedAtMs: number;
}

export interface Told {
  outcomes: Outcome[];
  kinds: Record<string, Kind>;
  kills: Record<Part, number>;
  /** How often Postgres was refused space while its disk was full; null where it cannot be filled. */
  refusedSpace: number | null;
  /** For each run that was under way when all processes were up again: seconds from then to its next step, and to its end. */
  movesS: number[];
  recoveriesS: number[];
  left: Left;
}

const killsARound = 3;
/** The runs of a round begin within this time, or at this distance when they are many. */
const [beginWithinMs, distanceMs] = [3000, 20];
/** In this round the disk is full instead. */
const fullRound = 1;

/** A run that has not ended after so long never will. */
const endsWithinMs = 180_000;

interface Options {
  runs: number;
  /** How many runs begin between one recovery and the next, and how many pure ones follow each of the others. */
  roundSize: number;
  pure: number;
  seed: number;
  receiver: string;
  say(line: string): void;
}

interface Wanted {
  n: number;
  name: string;
  kind: Kind | undefined;
  workflow: string;
}

/** What is read of an execution. */
interface Detail {
  status: string;
  blocks: { startedAt: string; endedAt: string | null }[];
}

/** Starts runs of all kinds in rounds, and kills processes with SIGKILL while they are under way. */
export class Campaign {
  private readonly caller: Caller;
  private readonly chance: Chance;
  private readonly kills: Record<Part, number> = { api: 0, worker: 0, temporal: 0, postgres: 0 };
  private refusedSpace: number | null = null;

  constructor(
    private readonly product: Product,
    private readonly options: Options,
  ) {
    this.caller = new Caller(product);
    this.chance = new Chance(options.seed);
  }

  async run(): Promise<Told> {
    const { runs, roundSize, pure, receiver, say } = this.options;
    const table = (await this.caller.call('POST', '/api/v1/tables', written)).body.data.table.id;
    const base = (await this.caller.call('POST', '/api/v1/knowledge', noted)).body.data.knowledgeBase.id;
    const child = await this.deploy('child', kindsOf(receiver, '').calls);
    const kinds = kindsOf(receiver, child);
    const workflows = new Map<string, string>();
    for (const name of Object.keys(kinds))
      workflows.set(name, await this.deploy(`${name} under faults`, kinds[name]));
    const outcomes: Outcome[] = [];
    const [movesS, recoveriesS]: [number[], number[]] = [[], []];
    for (let turn = 0; outcomes.length < runs; turn++) {
      const size = Math.min(roundSize, runs - outcomes.length);
      const withinMs = Math.max(beginWithinMs, size * distanceMs);
      const ended = Array.from({ length: size }, (_, i) => {
        const n = outcomes.length + i;
        const name = kindOf(n, pure);
        const one = { n, name, kind: kinds[name], workflow: workflows.get(name) ?? '' };
        return this.drive(one, this.chance.between(0, withinMs));
      });
      const trouble = turn === fullRound ? this.fillDisk() : this.killSome();
      const [upAtMs, ...round] = await Promise.all([trouble.then(() => this.upAgain()), ...ended]);
      const late = round.filter(({ begunAtMs, endedAtMs }) => begunAtMs < upAtMs && endedAtMs > upAtMs);
      recoveriesS.push(...late.map(({ endedAtMs }) => (endedAtMs - upAtMs) / 1000));
      movesS.push(...(await this.moves(late, upAtMs)));
      outcomes.push(...round);
      say(`${outcomes.length} of ${runs} runs have ended`);
    }
    const left = await new Holdings(this.caller).left(table, base);
    const { kills, refusedSpace } = this;
    return { outcomes, kinds, kills, refusedSpace, movesS, recoveriesS, left };
  }

  private async killSome(): Promise<void> {
    for (let kill = 0; kill < killsARound; kill++) {
      await pause(this.chance.between(100, 2500));
      const first = this.chance.of(parts);
      const second = this.chance.next() < 0.25 ? this.chance.of(parts) : first;
      for (const part of new Set([first, second])) if (this.product.kill(part)) this.kills[part] += 1;
    }
  }

  private async fillDisk(): Promise<void> {
    await pause(this.chance.between(100, 2500));
    this.refusedSpace = await this.product.fillDisk();
  }

  /** Resolves to the moment at which all processes were up again. */
  private async upAgain(): Promise<number> {
    await this.product.ready();
    return Date.now();
  }

  /** Seconds from a recovery to the next step of each run that was under way. */
  private async moves(late: Outcome[], upAtMs: number): Promise<number[]> {
    const seconds: number[] = [];
    for (const outcome of late) seconds.push(((await this.movedAtMs(outcome, upAtMs)) - upAtMs) / 1000);
    return seconds;
  }

  /** The first moment after `upAtMs` at which a block of the run began or ended; its end when there is none. */
  private async movedAtMs({ workflow, executionId, endedAtMs }: Outcome, upAtMs: number): Promise<number> {
    const { blocks } = await this.execution(workflow, executionId);
    const times = blocks
      .flatMap(({ startedAt, endedAt }) => [startedAt, endedAt ?? startedAt])
      .map(Date.parse);
    return Math.min(endedAtMs, ...times.filter((atMs) => atMs > upAtMs));
  }

  private async execution(workflow: string, executionId: string): Promise<Detail> {
    const path = `/api/workflows/${workflow}/executions/${executionId}`;
    return (await this.caller.call('GET', path)).body;
  }

  /** One run from its acceptance to its end, or to the deadline; a pause is answered twice at once. */
  private async drive({ n, name, kind, workflow }: Wanted, inMs: number): Promise<Outcome> {
    await pause(inMs);
    const begunAtMs = Date.now();
    const path = `/api/workflows/${workflow}/execute`;
    const accepted = await this.caller.call('POST', path, { inputs: { n }, async: true }, `run-${n}`);
    if (accepted.status !== 202)
      throw new Error(`Run ${n} was not accepted: ${JSON.stringify(accepted.body)}`);
    const { jobId, executionId } = accepted.body;
    const deadline = performance.now() + endsWithinMs;
    for (;;) {
      const { body } = await this.caller.call('GET', `/api/jobs/${jobId}?wait=5`);
      const [point] = body.paused?.pausePoints ?? [];
      const over = ['completed', 'failed'].includes(body.status) || (point && kind?.ends === 'paused');
      if (over || performance.now() > deadline) {
        const { output, failure: error } = body;
        const endedAtMs = Date.now();
        const { status } = await this.execution(workflow, executionId);
        return { n, kind: name, workflow, executionId, status, output, error, begunAtMs, endedAtMs };
      }
      if (point && kind?.ends === 'cancelled') await this.cancelTwice(workflow, executionId);
      else if (point) await this.answerTwice(new URL(point.resumeLinks.apiUrl).pathname);
    }
  }

  /** The second may find that the run has ended. */
  private async cancelTwice(workflow: string, executionId: string): Promise<void> {
    const path = `/api/workflows/${workflow}/executions/${executionId}/cancel`;
    await this.twice(() => this.caller.call('POST', path), 'A cancel');
  }

  /** Both may be refused when an attempt that was cut off has been committed. */
  private async answerTwice(path: string): Promise<void> {
    const answer = { input: { ok: true }, async: true };
    await this.twice(() => this.caller.call('POST', path, answer), 'An answer');
  }

  private async twice(call: () => Promise<Reply>, what: string): Promise<void> {
    const replies = await Promise.all([call(), call()]);
    const odd = replies.find(({ status }) => status !== 202 && status !== 409);
    if (odd) throw new Error(`${what} got ${odd.status}: ${JSON.stringify(odd.body)}`);
  }

  private async deploy(name: string, kind: Kind | undefined): Promise<string> {
    const definition = kind?.definition;
    const created = await this.caller.call('POST', '/api/v1/workflows', { name, definition });
    const id = String(created.body.data?.id);
    const deployed = await this.caller.call('POST', `/api/v1/workflows/${id}/deploy`);
    if (deployed.status !== 200)
      throw new Error(`${name} cannot be deployed: ${JSON.stringify(deployed.body)}`);
    return id;
  }
}
