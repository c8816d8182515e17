import { setTimeout as pause } from 'node:timers/promises';
import type { Caller, Reply } from './caller.ts';
import { Chance } from './chance.ts';
import { Holdings, type StoredData } from './holdings.ts';
import { Controls, type BulkRound } from './controls.ts';
import { RepeatedImports, type Imported } from './imports.ts';
import { chooseKind, chooseKindAtRestart, type Kind } from './kinds.ts';
import type { Receiver } from './receiver.ts';
import type { Target } from './target.ts';
import { setStage, type CampaignStage } from './stage.ts';
import { Breaker, type TroubleOptions, type Troubles } from './troubles.ts';

/** One accepted run and its end. */
export interface Outcome {
  n: number;
  kind: string;
  workflow: string;
  /** The execution ids in all responses for the run's Idempotency-Key. A correct system gives one. */
  executionIds: Set<string>;
  executionId: string;
  /** The failed execution that a fork was made from; null for a run that ended in itself. */
  forkedFrom: string | null;
  status: string;
  output: unknown;
  error: unknown;
  blocks: LoggedVisit[];
  begunAtMs: number;
  endedAtMs: number;
  /** The number of refusals of its key by a limit, before and after its acceptance. */
  limited: { before: number; after: number };
  /** The responses to the other person who used the key; null for a run with one person. */
  other: string[] | null;
}

/** One line of a run's block log. */
export interface LoggedVisit {
  path: string;
  type: string;
  startedAt: string;
  endedAt: string | null;
  duration: number | null;
  attempts: number;
}

export interface CampaignResult {
  outcomes: Outcome[];
  kinds: Record<string, Kind>;
  troubles: Troubles;
  imports: Imported[];
  bulkRounds: BulkRound[];
  /** Calls that were answered with 500, one sentence each. */
  failedCalls: string[];
  /** For each round: the seconds until all processes were ready again. */
  readyS: number[];
  /** For each run that was under way at a recovery: seconds from then to its next step, and to its end. */
  movesS: number[];
  recoveriesS: number[];
  stored: StoredData;
}

/** The runs of a round begin within this time. Many runs begin at this distance. */
const [beginWithinMs, distanceMs] = [3000, 20];
/** Two callers at once begin each third run. */
export const isDoubled = (n: number) => n % 3 === 0;
/**
 * Two people begin every second of these. They may not see each other's responses. A person who began a run may not
 * vote in it.
 */
const isContested = (n: number, kind: Kind | undefined) =>
  n % 6 === 3 && !kind?.narrow && kind?.voters === undefined;

/** A run without an end after this time counts as lost. */
const endsWithinMs = 180_000;

interface Options extends TroubleOptions {
  runs: number;
  /** The number of runs between two recoveries, and the number of pure runs after each other run. */
  roundSize: number;
  pure: number;
  seed: number;
  receiver: Receiver;
  say(line: string): void;
}

export interface Wanted {
  n: number;
  name: string;
  kind: Kind | undefined;
  workflow: string;
}

/** Starts runs of all kinds in rounds, and breaks something in each round. */
export class Campaign {
  private readonly chance: Chance;
  private readonly breaker: Breaker;
  private readonly controls: Controls;

  static async begin(target: Target, options: Options): Promise<Campaign> {
    const stage = await setStage(target, options.receiver.url, options.awayMs);
    return new Campaign(target, stage, options);
  }

  private constructor(
    private readonly target: Target,
    private readonly stage: CampaignStage,
    private readonly options: Options,
  ) {
    this.chance = new Chance(options.seed);
    this.breaker = new Breaker(target, this.chance, new Chance(options.seed + 1), options);
    this.controls = new Controls(stage.wide, options.receiver, this.breaker);
  }

  async run(): Promise<CampaignResult> {
    const { runs, say } = this.options;
    const { kinds, wide, narrow, table, base, workspaceId } = this.stage;
    const imports = new RepeatedImports(wide, table, workspaceId);
    const outcomes: Outcome[] = [];
    const [readyS, movesS, recoveriesS]: [number[], number[], number[]] = [[], [], []];
    for (let turn = 0; outcomes.length < runs; turn++) {
      const runsOfRound = this.beginRound(outcomes.length, turn);
      const trouble = this.breaker.breakIn(turn).then(() => this.upAgain());
      const [up, ...round] = await Promise.all([trouble, ...runsOfRound, imports.sendBoth()]);
      const ended = round.filter((outcome) => outcome !== undefined);
      // A job that a killed process had in hand is free half a minute later, so its runs say nothing of a recovery.
      const alone = ended.filter(({ kind }) => kinds[kind]?.control?.inBulk !== true);
      const late = alone.filter(({ begunAtMs, endedAtMs }) => begunAtMs < up.atMs && endedAtMs > up.atMs);
      readyS.push(up.afterMs / 1000);
      recoveriesS.push(...late.map(({ endedAtMs }) => (endedAtMs - up.atMs) / 1000));
      const moves = late.map((outcome) => movedAtMs(outcome, up.atMs));
      movesS.push(
        ...moves.filter((atMs) => !this.struckIn(up.atMs, atMs)).map((atMs) => (atMs - up.atMs) / 1000),
      );
      outcomes.push(...ended);
      say(`${outcomes.length} of ${runs} runs have ended`);
    }
    const stored = await new Holdings([wide, narrow]).read(workspaceId, table, base);
    const troubles = this.breaker.counts;
    const failedCalls = [wide, narrow, ...this.stage.people].flatMap(({ failed }) => failed);
    const result = {
      outcomes,
      kinds,
      troubles,
      imports: imports.done,
      bulkRounds: this.controls.rounds,
      failedCalls,
      stored,
    };
    return { ...result, readyS, movesS, recoveriesS };
  }

  /** True when a process was killed for a call of run control in this time: then the move says nothing of the recovery before. */
  private struckIn(fromMs: number, toMs: number): boolean {
    return this.breaker.strikesAtMs.some((atMs) => fromMs < atMs && atMs < toMs);
  }

  private beginRound(first: number, turn: number): Promise<Outcome>[] {
    const { runs, roundSize, pure } = this.options;
    const { kinds, workflows } = this.stage;
    const size = Math.min(roundSize, runs - first);
    const withinMs = Math.max(beginWithinMs, size * distanceMs);
    const restarts = this.breaker.restartsIn(turn);
    const wanted = Array.from({ length: size }, (_, i): Wanted => {
      const name = (restarts ? chooseKindAtRestart : chooseKind)(first + i, pure);
      return { n: first + i, name, kind: kinds[name], workflow: workflows.get(name) ?? '' };
    });
    // Without these kills every second round shows how fast runs move on after a recovery.
    this.controls.expectRuns(wanted, turn % 2 === 0 && !restarts);
    return wanted.map((one) => this.drive(one, this.chance.between(0, withinMs)));
  }

  /** The time at which all processes were up again, and how long that took. */
  private async upAgain(): Promise<{ atMs: number; afterMs: number }> {
    const begunAtMs = Date.now();
    await this.target.ready();
    const atMs = Date.now();
    return { atMs, afterMs: atMs - begunAtMs };
  }

  /** Drives one run from its acceptance to its end or the deadline. Sends each answer twice at once. */
  private async drive(one: Wanted, inMs: number): Promise<Outcome> {
    await pause(inMs);
    const begunAtMs = Date.now();
    const { n, name, kind, workflow } = one;
    const caller = kind?.narrow ? this.stage.narrow : this.stage.wide;
    let accepted = { ...(await this.begin(one, caller)), forkedFrom: null as string | null };
    let isControlled = kind?.control === undefined;
    const deadline = performance.now() + endsWithinMs + this.options.awayMs;
    for (;;) {
      const { body } = await caller.call('GET', `/api/jobs/${accepted.jobId}?wait=5`);
      const [point] = body.paused?.pausePoints ?? [];
      if (!isControlled && (point || body.status === 'failed' || performance.now() > deadline)) {
        accepted = {
          ...accepted,
          ...(await this.controls.control(one, {
            executionId: accepted.executionId,
            createdAt: body.metadata.createdAt,
          })),
        };
        isControlled = true;
        continue;
      }
      const over = ['completed', 'failed'].includes(body.status) || (point && kind?.ends === 'paused');
      if (over || performance.now() > deadline) {
        const endedAtMs = Date.now();
        const { output, failure: error } = body;
        const path = `/api/workflows/${workflow}/executions/${accepted.executionId}`;
        const { status, blocks } = (await caller.call('GET', path)).body;
        return { n, kind: name, workflow, ...accepted, status, output, error, blocks, begunAtMs, endedAtMs };
      }
      if (point && kind?.control) await pause(200);
      else if (point) await this.goOn(one, accepted.executionId, new URL(point.resumeLinks.apiUrl).pathname);
    }
  }

  /** Begins a run and repeats the call after its acceptance. Some runs are begun by two callers or two people at once. */
  private async begin({ n, workflow, kind }: Wanted, caller: Caller) {
    const path = `/api/workflows/${workflow}/execute`;
    const idempotencyKey = `run-${n}`;
    const body = { inputs: { n }, async: true };
    const call = (by: Caller) => by.call('POST', path, { body, idempotencyKey });
    const limited = () => caller.limited.get(idempotencyKey) ?? 0;
    const contested = isContested(n, kind);
    const same = isDoubled(n) ? [caller, caller] : [caller];
    const callers = contested ? this.stage.people : same;
    const replies = await Promise.all(callers.map(call));
    const before = limited();
    if (contested) replies.push(...(await Promise.all(callers.map(call))));
    else if (isDoubled(n) || kind?.narrow) replies.push(await call(caller));
    const acceptedReplies = replies.filter(({ status }) => status === 202);
    const others = replies.filter(({ status }) => status !== 202);
    const [first] = acceptedReplies;
    if (!first || (others.length > 0 && !contested))
      throw new Error(`Run ${n} was not accepted: ${JSON.stringify(others.map((odd) => odd.body))}`);
    const executionIds = new Set<string>(acceptedReplies.map((reply) => reply.body.executionId));
    const { jobId, executionId }: { jobId: string; executionId: string } = first.body;
    const other = contested ? others.map(({ status, body: { code } }) => `${status} ${code}`) : null;
    const met = { before, after: limited() - before };
    return { jobId, executionId, executionIds, limited: met, other };
  }

  private async goOn({ n, kind, workflow }: Wanted, executionId: string, path: string): Promise<void> {
    const { wide, people } = this.stage;
    if (kind?.ends === 'cancelled') {
      const cancel = `/api/workflows/${workflow}/executions/${executionId}/cancel`;
      return twice(() => wide.call('POST', cancel), 'A cancel');
    }
    if (kind?.asksOperator) this.options.receiver.opened.add(n);
    if (kind?.voters === undefined) {
      const body = { input: kind?.asksOperator ? { action: 'retry' } : { ok: true }, async: true };
      return twice(() => wide.call('POST', path, { body }), 'An answer');
    }
    const sent = { body: { input: { approved: true }, async: true }, idempotencyKey: `vote-${n}` };
    for (const person of people) await twice(() => person.call('POST', path, sent), 'A vote');
  }
}

/** Makes a call twice at once. Both may be refused when an earlier, interrupted attempt was committed. */
async function twice(call: () => Promise<Reply>, what: string): Promise<void> {
  const replies = await Promise.all([call(), call()]);
  const odd = replies.find(({ status }) => status !== 202 && status !== 409);
  if (odd) throw new Error(`${what} got ${odd.status}: ${JSON.stringify(odd.body)}`);
}

/** The first time after `upAtMs` at which a block of the run began or ended; the run's end when there is none. */
function movedAtMs({ blocks, endedAtMs }: Outcome, upAtMs: number): number {
  const times = blocks.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt ?? startedAt]).map(Date.parse);
  return Math.min(endedAtMs, ...times.filter((atMs) => atMs > upAtMs));
}
