import { replaceParams } from '#libs/language/definition/block-input';
import { isEffectType } from '#libs/language/definition/blocks/registry';
import type { Plan, PlanBlock, PlanGraph } from '#libs/language/definition/plan';
import { holdsRef, isObject, type Json, type JsonObject } from '#libs/platform/json/json';

import { bodyOf, Containers, type Host, type ContainerQuery } from './containers.ts';
import type { Effect, Failure, Visit, VisitEntry } from './effects.ts';
import { hasPort, leave, pathIn } from './frame.ts';
import { Inline } from './inline.ts';
import {
  buildActivity,
  buildChild,
  buildEvaluateEffect,
  buildFailurePause,
  buildPause,
  buildQuestionPath,
  computeEnd,
  waited,
} from './launch.ts';
import { nameIn, buildPass, buildScopes } from './names.ts';
import { noSuchRoute, portAfter } from './routes.ts';
import { ownMember, buildScope } from './scope.ts';
import { toSent, beginEntry, blame, skippedEntry } from './visits.ts';
import { type Container, type Frame, type OpenVisit, rootKey, type RunState } from './state.ts';

/** A block and its frame: where the graph goes on when the visit ends. */
export interface BlockRef {
  frame: string;
  block: PlanBlock;
}

/**
 * Changes a run's state one step at a time. Every call happens at one moment, `nowMs`. Processes whose clocks differ
 * may call in turn: deadlines count from the given moment, and the log never goes backwards.
 */
export class Stepper {
  nowMs = 0;
  readonly inline = new Inline();
  private readonly containers: Containers;
  /** The bodies of open containers, looked up once. */
  private readonly graphs = new Map<string, PlanGraph>();

  /** Gets what visits have sent. */
  onSent: ((path: string, value: JsonObject) => void) | undefined;

  constructor(
    private readonly plan: Plan,
    private readonly now: RunState,
  ) {
    const host: Host = {
      block: (container) => this.blockRefOf(container).block,
      ask: (query) => this.ask(query),
      cancelFrames: (picks, container) => this.cancelFrames(picks, container),
      completed: (path, output) =>
        this.containerEnded(path, (ref, entry) => this.complete(ref, entry, output)),
      failed: (path, failure) => this.containerEnded(path, (ref, entry) => this.failed(ref, entry, failure)),
    };
    this.containers = new Containers(now, host);
  }

  /** The time that the log shows for the current step. */
  private stamp(): number {
    this.now.loggedMs = Math.max(this.nowMs, this.now.loggedMs ?? this.nowMs);
    return this.now.loggedMs;
  }

  get done(): boolean {
    return this.now.outcome !== null;
  }

  /** Begins the next block that is ready; false when there is none. */
  step(): boolean {
    const { agenda } = this.now;
    for (;;) {
      const [key] = agenda;
      if (key === undefined || this.done) return false;
      const index = this.now.frames[key]?.ready.shift();
      if (index !== undefined) {
        this.begin(this.ref(key, index));
        return true;
      }
      agenda.shift();
    }
  }

  ref(blockRef: string, index: number): BlockRef {
    const block = this.graph(blockRef).blocks[index];
    if (!block) throw new Error(`the plan has no block ${index} in ${blockRef || 'its outermost graph'}`);
    const { edited } = this.now;
    const isEdited = edited?.path === pathIn(blockRef, block.id);
    return { frame: blockRef, block: isEdited ? { ...block, params: edited.params } : block };
  }

  containerBlockRef(path: string): BlockRef {
    return this.blockRefOf(this.containerAt(path));
  }

  /**
   * Runs `work`. An unexpected error becomes a failure of the run that names the block, so that the task is not
   * tried again for ever.
   */
  guarded({ block }: BlockRef, entry: VisitEntry, work: () => void): void {
    try {
      work();
    } catch (error) {
      const { outcome } = this.now;
      this.crash(error, block);
      if (entry.endedAtMs !== null || outcome || this.logged(entry)) return;
      this.now.ended.push({ ...entry, status: 'failed', endedAtMs: this.stamp() });
    }
  }

  /** Takes the value of a container's query that was evaluated outside of the workflow. */
  answered({ role, entry, pass = 0 }: OpenVisit, value: JsonObject): void {
    if (role) this.containers.answered(entry.path, role, pass, value);
  }

  refused({ role, entry, pass = 0 }: OpenVisit, failure: Failure): void {
    if (role) this.containers.refused(entry.path, role, pass, failure);
  }

  rendered(ref: BlockRef, entry: VisitEntry, value: JsonObject): void {
    const { block } = ref;
    const visit = { path: entry.path, blockId: block.id };
    if (sendingTypes.has(block.type)) this.noteSent(entry, value);
    switch (block.type) {
      case 'condition':
        return this.complete(ref, entry, value, String(value.port));
      case 'variables':
        this.now.vars = { ...this.now.vars, ...value };
        return this.complete(ref, entry, value);
      case 'response':
        return this.respond(ref, entry, value);
      case 'human':
        entry.status = 'paused';
        return this.launch(
          ref,
          entry,
          buildPause(block, { visit, scopes: buildScopes(this.now, ref.frame) }, value, this.nowMs),
        );
      case 'workflow':
        return this.launch(ref, entry, buildChild(block, visit, value));
      case 'wait': {
        const untilMs = computeEnd(value, this.nowMs);
        if (untilMs === undefined) return this.failed(ref, entry, waitTooLong);
        if (untilMs <= this.nowMs) return this.complete(ref, entry, waited(untilMs));
        return this.launch(ref, entry, { kind: 'wait', visit, name: block.name, untilMs });
      }
      default:
        throw new Error(`a block of type ${block.type} is not rendered`);
    }
  }

  /** Keeps what a visit has sent beside it, and gives the whole of it to whoever reads the log for it. */
  private noteSent(entry: VisitEntry, value: JsonObject): void {
    entry.sent = toSent(value);
    this.onSent?.(entry.path, value);
  }

  /** Completes an effect by the port that its output names. */
  succeeded(ref: BlockRef, entry: VisitEntry, output: Json): void {
    const port = portAfter(ref.block, output);
    if (port === undefined) return this.failed(ref, entry, noSuchRoute);
    this.complete(ref, entry, output, port);
  }

  /** Asks an operator what becomes of a call that has failed. The question has a path of its own, so that each round opens another pause. */
  askOperator(ref: BlockRef, { entry, attemptsBefore }: OpenVisit, failed: FailedCall): void {
    const { block, frame } = ref;
    const path = buildQuestionPath(entry.path, (failed.effect.round ?? 0) + 1);
    entry.status = 'paused';
    entry.failure = blame(failed.failure, block);
    const about = { visit: { path, blockId: block.id }, scopes: buildScopes(this.now, frame) };
    const effect = buildFailurePause(block, about, { failure: failed.failure, entry, nowMs: this.nowMs });
    this.relaunch(ref, path, { entry, effect, failed, ...(attemptsBefore ? { attemptsBefore } : {}) });
  }

  /** Does what an operator has decided about a failed call. */
  takeDecision(
    ref: BlockRef,
    entry: VisitEntry,
    { effect, failure }: FailedCall,
    { action, output = null, input = null }: JsonObject,
  ): void {
    if (action === 'fail') return this.failed(ref, entry, failure);
    delete entry.failure;
    if (action === 'skip') return this.succeeded(ref, entry, output);
    entry.status = 'running';
    const { mayBeSent: _, ...again } = effect;
    this.relaunch(ref, entry.path, {
      entry,
      effect: {
        ...again,
        ...(isObject(input) ? { params: replaceParams(effect, input) } : {}),
        round: (effect.round ?? 0) + 1,
      },
      attemptsBefore: entry.attempts,
    });
  }

  /** Launches another effect of a visit that is under way. */
  private relaunch(
    { frame, block }: BlockRef,
    path: string,
    visit: Omit<OpenVisit, 'frame' | 'index'>,
  ): void {
    this.now.open[path] = { frame, index: block.index, ...visit, launchedSeq: ++this.now.lastSeq };
    this.now.launch.push(path);
    this.now.changed.push(path);
  }

  complete(ref: BlockRef, entry: VisitEntry, output: Json, port = 'out'): void {
    if (entry.status !== 'expired') entry.status = 'completed';
    entry.output = output;
    this.close(ref, entry, output, port);
  }

  /** Leaves the block by its `error` port. Without one the pass fails, then its container, and in the end the run. */
  failed(ref: BlockRef, entry: VisitEntry, cause: Failure): void {
    const failure = blame(cause, ref.block);
    if (entry.status !== 'expired') entry.status = 'failed';
    entry.failure = failure;
    if (hasPort(ref.block, 'error')) {
      const { code, message, details } = failure;
      const output = { error: { code, message, ...(details === undefined ? {} : { details }) } };
      entry.output = output;
      return this.close(ref, entry, output, 'error');
    }
    entry.endedAtMs = this.stamp();
    this.now.ended.push(entry);
    this.frame(ref.frame).busy--;
    if (ref.frame === rootKey) this.end('failed', failure);
    else this.containers.passFailed(ref.frame, failure);
  }

  /** Ends the run as failed because of a bug of the engine, so that its task is not tried again for ever. */
  crash(error: unknown, block?: { id: string; name: string }): boolean {
    const cause = error instanceof Error ? error.message : String(error);
    const where = block ? ` at block "${block.id}"` : '';
    const failure = { code: 'ENGINE_FAULT', message: `The engine failed${where}: ${cause}` };
    return this.end('failed', block ? blame(failure, block) : failure);
  }

  end(status: 'failed' | 'cancelled', failure: Failure): boolean {
    if (this.done) return false;
    this.now.outcome = { status, output: this.now.response?.data ?? null, failure };
    this.cancelFrames(() => true);
    this.now.launch = [];
    this.now.agenda = [];
    this.now.changed = [];
    return true;
  }

  /** Removes a visit, or a query, from the work under way. */
  take(path: string, { frame, role }: OpenVisit): void {
    delete this.now.open[path];
    this.now.launch = this.now.launch.filter((other) => other !== path);
    if (role === 'collect' || role === 'until') this.frame(frame).busy--;
  }

  conclude(key: string): void {
    const frame = this.now.frames[key];
    if (!frame || this.done || frame.ready.length > 0 || frame.busy > 0) return;
    if (key !== rootKey) return this.containers.passEnded(key);
    const { response } = this.now;
    if (!response) {
      this.now.outcome = { status: 'completed', output: this.endsOutput() };
      return;
    }
    const { data, ...rest } = response;
    this.now.outcome = { status: 'completed', output: data, response: rest };
  }

  private begin(ref: BlockRef): void {
    const { block, frame } = ref;
    const entry = beginEntry(block, pathIn(frame, block.id), ++this.now.lastSeq, this.stamp());
    this.frame(frame).busy++;
    this.guarded(ref, entry, () => {
      if (block.body) return this.enter(ref, entry);
      const scope = this.scope(frame, block.references);
      const visit = { path: entry.path, blockId: block.id };
      // A condition sends nothing: what it decided on are the values that it has read.
      if (block.type === 'condition') this.noteSent(entry, scope);
      if (isEffectType(block.type)) this.launch(ref, entry, buildActivity(block, visit, block.type, scope));
      else if (holdsRef(scope)) this.launch(ref, entry, buildEvaluateEffect(block, visit, scope));
      else this.renderHere(ref, entry, scope);
    });
  }

  private enter({ frame, block }: BlockRef, entry: VisitEntry): void {
    const fresh = {
      total: null,
      items: null,
      batch: { from: 0, items: [] },
      next: 0,
      active: 0,
      results: [],
    };
    const flags = { size: 0, errors: [], asking: false, over: false };
    this.now.containers[entry.path] = { frame, index: block.index, entry, ...fresh, ...flags };
    this.now.changed.push(entry.path);
    this.containers.begin(entry.path);
  }

  /** Renders a block in workflow code, or outside of it when that is too much work or the value is too large. */
  private renderHere(ref: BlockRef, entry: VisitEntry, scope: JsonObject): void {
    const { type, params, id } = ref.block;
    const result = this.inline.evaluate(type, params, scope);
    if (result === 'outside')
      this.launch(ref, entry, buildEvaluateEffect(ref.block, { path: entry.path, blockId: id }, scope));
    else if ('failure' in result) this.failed(ref, entry, result.failure);
    else this.rendered(ref, entry, result.value);
  }

  /** Evaluates a container's query here when that is cheap, else outside of the workflow. */
  private ask(query: ContainerQuery): void {
    const { container: path, role, type, params, pass, frame } = query;
    const container = this.containerAt(path);
    const own = (name: string) => (name === 'loop' || name === container.entry.blockId) && role === 'while';
    const root = (name: string) =>
      own(name) ? buildPass(container, { index: pass }) : nameIn(this.now, frame, name);
    const scope = query.scope ?? buildScope(query.references, root);
    const result =
      role === 'results' || holdsRef(scope) ? 'outside' : this.inline.evaluate(type, params, scope);
    if (result === 'outside') {
      const visit: Visit = { path: `${path}#${role}${pass}`, blockId: container.entry.blockId };
      const effect: Effect = { kind: 'evaluate', visit, type, params, scope };
      const { index, entry } = container;
      this.now.open[visit.path] = { frame, index, entry, effect, role, pass };
      this.now.launch.push(visit.path);
      if (role === 'collect' || role === 'until') this.frame(frame).busy++;
    } else if ('failure' in result) this.containers.refused(path, role, pass, result.failure);
    else this.containers.answered(path, role, pass, result.value);
  }

  private respond(ref: BlockRef, entry: VisitEntry, value: JsonObject): void {
    const { data = null, status, headers, raw } = value;
    this.now.response ??= {
      data,
      status: typeof status === 'number' ? status : 200,
      headers: textsOf(headers),
      raw: raw === true,
    };
    this.complete(ref, entry, { data, status: status ?? 200, headers: headers ?? {} });
  }

  private launch({ frame, block }: BlockRef, entry: VisitEntry, effect: Effect): void {
    this.now.open[entry.path] = { frame, index: block.index, entry, effect };
    this.now.launch.push(entry.path);
    if (!this.now.changed.includes(entry.path)) this.now.changed.push(entry.path);
  }

  /** The visit has ended: the graph goes on behind the block. */
  private close({ frame: key, block }: BlockRef, entry: VisitEntry, output: Json, port: string): void {
    const { ended, agenda } = this.now;
    const frame = this.frame(key);
    entry.endedAtMs = this.stamp();
    if (port !== 'out') entry.port = port;
    ended.push(entry);
    frame.busy--;
    frame.outputs[block.id] = output;
    if (!hasPort(block, port)) frame.ends.push(block.index);
    const { blocks } = this.graph(key);
    for (const index of leave(frame, blocks, block.index, port)) {
      const dead = this.ref(key, index).block;
      ended.push(skippedEntry(dead, pathIn(key, dead.id), ++this.now.lastSeq, this.stamp()));
    }
    if (frame.ready.length > 0 && agenda[0] !== key && !agenda.includes(key)) agenda.push(key);
    this.conclude(key);
  }

  private containerEnded(path: string, then: (ref: BlockRef, entry: VisitEntry) => void): void {
    const container = this.containerAt(path);
    delete this.now.containers[path];
    then(this.blockRefOf(container), container.entry);
  }

  private cancelFrames(picks: (key: string) => boolean, container?: string): void {
    const { now } = this;
    const inside = (visit: { frame: string; entry: VisitEntry }) =>
      picks(visit.frame) || visit.entry.path === container;
    const visits = Object.entries(now.open)
      .filter(([, visit]) => inside(visit))
      .toSorted(([, a], [, b]) => a.entry.seq - b.entry.seq);
    for (const [path, { effect }] of visits) {
      if (!now.launch.includes(path)) now.cancelled.push({ path, kind: effect.kind });
      delete now.open[path];
    }
    now.launch = now.launch.filter((path) => now.open[path]);
    const boxes = Object.entries(now.containers).filter(([, { frame }]) => picks(frame));
    for (const [path] of boxes) delete now.containers[path];
    const entries = [
      ...visits.flatMap(([, { role, entry }]) => (role ? [] : [entry])),
      ...boxes.map(([, box]) => box.entry),
    ];
    for (const entry of entries.toSorted((a, b) => a.seq - b.seq))
      now.ended.push({ ...entry, status: 'cancelled', endedAtMs: this.stamp() });
    for (const key of Object.keys(now.frames)) if (key !== rootKey && picks(key)) delete now.frames[key];
  }

  private endsOutput(): Json {
    const { ends, outputs } = this.frame(rootKey);
    const ids = ends.toSorted((a, b) => a - b).map((index) => this.ref(rootKey, index).block.id);
    const entries = ids.map((id): [string, Json] => [id, ownMember(outputs, id) ?? null]);
    const [only] = entries;
    return only && entries.length === 1 ? only[1] : Object.fromEntries(entries);
  }

  private scope(frame: string, references: string[][]): JsonObject {
    return buildScope(references, (name) => nameIn(this.now, frame, name));
  }

  private graph(key: string): PlanGraph {
    if (key === rootKey) return this.plan;
    const path = this.frame(key).pass?.container ?? '';
    let graph = this.graphs.get(path);
    if (!graph) {
      graph = bodyOf(this.blockRefOf(this.containerAt(path)).block);
      this.graphs.set(path, graph);
    }
    return graph;
  }

  private blockRefOf({ frame, index }: Container): BlockRef {
    return this.ref(frame, index);
  }

  private frame(key: string): Frame {
    const frame = this.now.frames[key];
    if (!frame) throw new Error(`there is no frame ${key}`);
    return frame;
  }

  private containerAt(path: string): Container {
    const container = this.now.containers[path];
    if (!container) throw new Error(`there is no container ${path}`);
    return container;
  }

  private logged({ path }: VisitEntry): boolean {
    return this.now.ended.some((entry) => entry.path === path);
  }
}

/** The pure blocks whose parameters go to somebody. The parameters of the others are their output. */
const sendingTypes = new Set(['human', 'workflow', 'wait']);

/** A call that has failed, about which an operator is asked. */
type FailedCall = NonNullable<OpenVisit['failed']>;

const waitTooLong: Failure = { code: 'INVALID_VALUE', message: 'A wait must end within a year.' };

function textsOf(headers: Json | undefined): Record<string, string> {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
