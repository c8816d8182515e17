import { costInline, Meter } from '#libs/definition/cost';
import { isEffectType } from '#libs/definition/definition';
import type { Plan, PlanBlock } from '#libs/definition/plan';
import { holdsRef, isRef, type Json, type JsonObject } from '#libs/definition/values';

import type { Effect, Failure, Outcome, VisitEntry } from './effects.ts';
import { evaluateBlock, failureOf } from './evaluate.ts';
import { hasPort, leave, open } from './frame.ts';
import { activityOf, evaluateEffectOf, pauseOf, unansweredOf, untilOf, visitOf, waited } from './launch.ts';
import { noSuchRoute, portAfter } from './routes.ts';
import { isLargerThan, ownMember, scopeOf } from './scope.ts';
import {
  checked,
  copyOf,
  engineVersion,
  newState,
  type Opening,
  type OpenVisit,
  type RunState,
} from './state.ts';
import { beginEntry, blame, isPatient, isTooCostly, skippedEntry } from './visits.ts';

/** A rendered block larger than this is rendered outside, where its values can be stored. */
const renderedCharsMax = 16_384;

/**
 * One run of a plan: given what has happened, what may happen next. Synchronous and deterministic: the same calls in
 * the same order give the same effects, log and outcome, also when the state was serialised between any two of them.
 * Knows no clock, no network, no storage. What the outside reports about a path that is not open is ignored.
 */
export class Run {
  private constructor(
    private readonly plan: Plan,
    private readonly now: RunState,
  ) {}

  /** Members of the inputs may be stored values. */
  static start(plan: Plan, opening: Opening): Run {
    const run = new Run(checked(plan), newState(plan, opening));
    open(run.now.root, plan.first);
    run.conclude();
    return run;
  }

  /** Goes on where a state left off. Refuses (throws) a state of an engine that it does not know. */
  static restore(plan: Plan, state: RunState): Run {
    if (state.engineVersion !== engineVersion)
      throw new Error(`the state is of engine ${state.engineVersion}, this is engine ${engineVersion}`);
    return new Run(checked(plan), copyOf(state));
  }

  /** A copy, fit to be stored or handed to the run's next incarnation. */
  get state(): RunState {
    return copyOf(this.now);
  }

  get done(): boolean {
    return this.now.outcome !== null;
  }

  /** Null as long as the run goes on. */
  outcome(): Outcome | null {
    return this.now.outcome;
  }

  /** Whether `takeReady` has something to do. */
  get hasReady(): boolean {
    return !this.done && (this.now.root.ready.length > 0 || this.now.launch.length > 0);
  }

  /** What is under way outside; after a run that ended early, what is to be cancelled there. In order of visit. */
  get inFlight(): { path: string; kind: Effect['kind'] }[] {
    if (this.done) return this.now.cancelled;
    return this.visits.map(({ entry, effect }) => ({ path: entry.path, kind: effect.kind }));
  }

  /** The effects of all open visits, to be launched anew after `restore`. */
  get openEffects(): Effect[] {
    return this.done ? [] : this.visits.map(({ effect }) => effect);
  }

  /** Nothing can happen but a person's answer, an expiry, or the end of a wait. */
  get quiet(): boolean {
    return !this.hasReady && this.visits.every(({ effect }) => isPatient(effect));
  }

  /** Quiet, and at least one person is asked: the run counts as paused. */
  get waitingForPeople(): boolean {
    return !this.done && this.quiet && this.visits.some(({ effect }) => effect.kind === 'pause');
  }

  /** Runs every block that can run without the outside, and gives what is now to be launched, by plan index. */
  takeReady(nowMs: number): Effect[] {
    const { root } = this.now;
    while (!this.done) {
      const index = root.ready.shift();
      if (index === undefined) break;
      this.begin(this.block(index), nowMs);
    }
    const launched = this.now.launch.flatMap((path) => this.visit(path) ?? []);
    this.now.launch = [];
    return launched.toSorted((a, b) => a.index - b.index).map(({ effect }) => effect);
  }

  /**
   * The result of an EvaluateEffect: what `evaluateBlock` gave, and `packRendered` may have packed. Its values may be
   * stored ones, the whole may not.
   */
  evaluated(path: string, value: Json, nowMs: number): boolean {
    return this.closing(path, ['evaluate'], nowMs, (visit, block) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value) || isRef(value))
        throw new Error('a rendered block is an object whose members may be stored, not the whole');
      this.rendered(block, visit.entry, value, nowMs);
    });
  }

  /** An activity has succeeded, or the moment of a wait has come; a wait's output is the run's own. */
  settle(path: string, output: Json, nowMs: number, attempts?: number): boolean {
    return this.closing(path, ['activity', 'wait'], nowMs, (visit, block) => {
      count(visit.entry, attempts);
      const { effect } = visit;
      const port = portAfter(block, output);
      if (port === undefined) return this.failed(block, visit.entry, noSuchRoute, nowMs);
      const value = effect.kind === 'wait' ? waited(effect.untilMs) : output;
      this.complete(block, visit.entry, value, { nowMs, port });
    });
  }

  /** An activity or evaluation has failed for good: the `error` port is taken, or the run fails. */
  fail(path: string, failure: Failure, nowMs: number, attempts?: number): boolean {
    return this.closing(path, ['activity', 'evaluate', 'wait', 'pause'], nowMs, (visit, block) => {
      count(visit.entry, attempts);
      this.failed(block, visit.entry, failure, nowMs);
    });
  }

  /** A person has answered; the answers have passed `checkAnswers`. */
  resume(path: string, answers: JsonObject, nowMs: number): boolean {
    return this.closing(path, ['pause'], nowMs, (visit, block) =>
      this.complete(block, visit.entry, answers, { nowMs }),
    );
  }

  /** Nobody has answered in time: the block fails, or goes on by its `expired` port with the form's defaults. */
  expire(path: string, nowMs: number): boolean {
    return this.closing(path, ['pause'], nowMs, (visit, block) => {
      visit.entry.status = 'expired';
      if (block.params.onExpiry === 'continue') {
        this.complete(block, visit.entry, unansweredOf(visit.effect), { nowMs, port: 'expired' });
        return;
      }
      const message = `Nobody answered "${block.name}" in time.`;
      this.failed(block, visit.entry, { code: 'PAUSE_EXPIRED', message }, nowMs);
    });
  }

  /** Ends the run as cancelled, and every open visit with it. */
  cancel(
    nowMs: number,
    failure: Failure = { code: 'CANCELLED', message: 'The run was cancelled.' },
  ): boolean {
    return this.end('cancelled', failure, nowMs);
  }

  /** Ends the run as failed for a reason that is no block's, as its time-out. */
  abort(failure: Failure, nowMs: number): boolean {
    return this.end('failed', failure, nowMs);
  }

  /** Ends the run as failed because of a bug of ours, so that it does not retry for ever. */
  crash(error: unknown, nowMs: number, block?: { id: string; name: string }): boolean {
    const cause = error instanceof Error ? error.message : String(error);
    const where = block ? ` at block "${block.id}"` : '';
    const failure = { code: 'ENGINE_FAULT', message: `The engine failed${where}: ${cause}` };
    return this.end('failed', block ? blame(failure, block) : failure, nowMs);
  }

  /** The entries that have changed since the last call, by seq. An entry's seq and path never change. */
  takeLog(): VisitEntry[] {
    const { ended, changed } = this.now;
    const still = changed.flatMap((path) => {
      const entry = this.visit(path)?.entry;
      return entry ? { ...entry } : [];
    });
    this.now.ended = [];
    this.now.changed = [];
    return [...ended, ...still].toSorted((a, b) => a.seq - b.seq);
  }

  private get visits(): OpenVisit[] {
    return Object.values(this.now.open).toSorted((a, b) => a.entry.seq - b.entry.seq);
  }

  private visit(path: string): OpenVisit | undefined {
    return Object.hasOwn(this.now.open, path) ? this.now.open[path] : undefined;
  }

  private block(index: number): PlanBlock {
    const block = this.plan.blocks[index];
    if (!block) throw new Error(`the plan has no block ${index}`);
    return block;
  }

  private begin(block: PlanBlock, nowMs: number): void {
    const entry = beginEntry(block, ++this.now.lastSeq, nowMs);
    this.guarded(block, entry, nowMs, () => {
      const scope = scopeOf(block.references, (name) => this.root(name));
      if (isEffectType(block.type)) this.launch(block, entry, activityOf(block, block.type, scope));
      else if (holdsRef(scope)) this.launch(block, entry, evaluateEffectOf(block, scope));
      else this.renderHere(block, entry, scope, nowMs);
    });
  }

  /** Anything unforeseen is a failure of the run with a block, never an exception that retries for ever. */
  private guarded(block: PlanBlock, entry: VisitEntry, nowMs: number, work: () => void): void {
    try {
      work();
    } catch (error) {
      const { outcome } = this.now;
      this.crash(error, nowMs, block);
      if (entry.endedAtMs !== null || outcome) return;
      this.now.ended.push({ ...entry, status: 'failed', endedAtMs: nowMs });
    }
  }

  /** What is too much for workflow code, in work or in size, is rendered outside. */
  private renderHere(block: PlanBlock, entry: VisitEntry, scope: JsonObject, nowMs: number): void {
    let value: JsonObject;
    try {
      value = evaluateBlock(block.type, block.params, scope, new Meter(costInline));
    } catch (error) {
      if (isTooCostly(error)) return this.launch(block, entry, evaluateEffectOf(block, scope));
      const failure = failureOf(error);
      if (!failure) throw error;
      return this.failed(block, entry, failure, nowMs);
    }
    // An expression or a literal can write the marker of a stored value; whoever packs makes data of it.
    if (isLargerThan(value, renderedCharsMax) || holdsRef(value))
      return this.launch(block, entry, evaluateEffectOf(block, scope));
    this.rendered(block, entry, value, nowMs);
  }

  private rendered(block: PlanBlock, entry: VisitEntry, value: JsonObject, nowMs: number): void {
    switch (block.type) {
      case 'condition':
        return this.complete(block, entry, value, { nowMs, port: String(value.port) });
      case 'variables':
        this.now.vars = { ...this.now.vars, ...value };
        return this.complete(block, entry, value, { nowMs });
      case 'response':
        return this.respond(block, entry, value, nowMs);
      case 'human':
        entry.status = 'paused';
        return this.launch(block, entry, pauseOf(block, value, nowMs));
      case 'wait': {
        const untilMs = untilOf(value, nowMs);
        if (untilMs === undefined) return this.failed(block, entry, waitTooLong, nowMs);
        if (untilMs <= nowMs) return this.complete(block, entry, waited(untilMs), { nowMs });
        return this.launch(block, entry, { kind: 'wait', visit: visitOf(block), name: block.name, untilMs });
      }
      default:
        throw new Error(`a block of type ${block.type} is not rendered`);
    }
  }

  private respond(block: PlanBlock, entry: VisitEntry, value: JsonObject, nowMs: number): void {
    const { data = null, status, headers, raw } = value;
    this.now.response ??= {
      data,
      status: typeof status === 'number' ? status : 200,
      headers: textsOf(headers),
      raw: raw === true,
    };
    this.complete(block, entry, { data, status: status ?? 200, headers: headers ?? {} }, { nowMs });
  }

  private launch(block: PlanBlock, entry: VisitEntry, effect: Effect): void {
    this.now.open[entry.path] = { index: block.index, entry, effect };
    this.now.launch.push(entry.path);
    if (!this.now.changed.includes(entry.path)) this.now.changed.push(entry.path);
  }

  private complete(
    block: PlanBlock,
    entry: VisitEntry,
    output: Json,
    { nowMs, port = 'out' }: { nowMs: number; port?: string },
  ): void {
    if (entry.status !== 'expired') entry.status = 'completed';
    entry.output = output;
    this.close(block, entry, { output, port, nowMs });
  }

  private failed(block: PlanBlock, entry: VisitEntry, cause: Failure, nowMs: number): void {
    const failure = blame(cause, block);
    if (entry.status !== 'expired') entry.status = 'failed';
    entry.failure = failure;
    if (hasPort(block, 'error')) {
      const { code, message, details } = failure;
      const output = { error: { code, message, ...(details === undefined ? {} : { details }) } };
      entry.output = output;
      return this.close(block, entry, { output, port: 'error', nowMs });
    }
    entry.endedAtMs = nowMs;
    this.now.ended.push(entry);
    this.end('failed', failure, nowMs);
  }

  /** The visit is over and the graph goes on behind it. */
  private close(
    block: PlanBlock,
    entry: VisitEntry,
    { output, port, nowMs }: { output: Json; port: string; nowMs: number },
  ): void {
    const { root, ended } = this.now;
    entry.endedAtMs = nowMs;
    if (port !== 'out') entry.port = port;
    ended.push(entry);
    root.outputs[block.id] = output;
    if (!hasPort(block, port)) root.ends.push(block.index);
    for (const index of leave(root, this.plan.blocks, block.index, port))
      ended.push(skippedEntry(this.block(index), ++this.now.lastSeq, nowMs));
    this.conclude();
  }

  /** Takes an open visit out and applies what happened; anything unforeseen ends the run. */
  private closing(
    path: string,
    kinds: Effect['kind'][],
    nowMs: number,
    apply: (visit: OpenVisit, block: PlanBlock) => void,
  ): boolean {
    const visit = this.done ? undefined : this.visit(path);
    if (!visit || !kinds.includes(visit.effect.kind)) return false;
    const block = this.block(visit.index);
    delete this.now.open[path];
    this.now.launch = this.now.launch.filter((other) => other !== path);
    this.guarded(block, visit.entry, nowMs, () => apply(visit, block));
    return true;
  }

  private conclude(): void {
    const { root, open: visits, response } = this.now;
    if (this.done || root.ready.length > 0 || Object.keys(visits).length > 0) return;
    if (!response) {
      this.now.outcome = { status: 'completed', output: this.endsOutput() };
      return;
    }
    const { data, ...rest } = response;
    this.now.outcome = { status: 'completed', output: data, response: rest };
  }

  private endsOutput(): Json {
    const ends = this.now.root.ends.toSorted((a, b) => a - b).map((index) => this.block(index).id);
    const outputs = ends.map((id): [string, Json] => [id, ownMember(this.now.root.outputs, id) ?? null]);
    const [only] = outputs;
    return only && outputs.length === 1 ? only[1] : Object.fromEntries(outputs);
  }

  private end(status: 'failed' | 'cancelled', failure: Failure, nowMs: number): boolean {
    if (this.done) return false;
    const visits = this.visits;
    const handedOut = visits.filter(({ entry }) => !this.now.launch.includes(entry.path));
    this.now.outcome = { status, output: this.now.response?.data ?? null, failure };
    this.now.cancelled = handedOut.map(({ entry, effect }) => ({ path: entry.path, kind: effect.kind }));
    for (const { entry } of visits) this.now.ended.push({ ...entry, status: 'cancelled', endedAtMs: nowMs });
    this.now.open = {};
    this.now.launch = [];
    this.now.changed = [];
    return true;
  }

  /** Blocks that were skipped, or have not run, read as null. */
  private root(name: string): Json {
    switch (name) {
      case 'start':
        return this.now.inputs;
      case 'vars':
        return this.now.vars;
      case 'run':
        return this.now.run;
      default:
        return ownMember(this.now.root.outputs, name) ?? null;
    }
  }
}

const waitTooLong: Failure = { code: 'INVALID_VALUE', message: 'A wait ends within a year.' };

function count(entry: VisitEntry, attempts: number | undefined): void {
  if (attempts !== undefined) entry.attempts = attempts;
}

function textsOf(headers: Json | undefined): Record<string, string> {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
