import { inlineBytesMax, isRef, type Json, type JsonObject } from '#libs/platform/json/json';
import type { PlanBlock, PlanGraph } from '#libs/language/definition/plan';

import type { Failure } from './effects.ts';
import { newFrame, open, passKey } from './frame.ts';
import { isLargerThan } from './scope.ts';
import type { Container, QueryKind, RunState } from './state.ts';

/** The most characters of JSON that the results of one container may have. */
const resultsCharsMax = 1_000_000;
const concurrencyDefault = 10;

/** A container's query about its passes: its parameters for `evaluateForContainer`, and which scope it reads. */
export interface ContainerQuery {
  container: string;
  role: QueryKind;
  type: string;
  params: JsonObject;
  references: string[][];
  /** The number of the pass, for a query about a pass. */
  pass: number;
  /** The key of the frame whose names the query reads; absent when the scope is given. */
  frame: string;
  scope?: JsonObject;
}

/** The methods that containers call of their run. */
export interface Host {
  block(container: Container): PlanBlock;
  /** Evaluates the query. `answered` is called with its value, at once or later, or `refused` with its failure. */
  ask(query: ContainerQuery): void;
  /** Cancels everything under way in the frames whose keys `picks` accepts. */
  cancelFrames(picks: (key: string) => boolean, container?: string): void;
  completed(path: string, output: JsonObject): void;
  failed(path: string, failure: Failure): void;
}

/**
 * Loops and parallels: decide when each pass begins, and build the output. A loop is a parallel of one pass at a
 * time.
 */
export class Containers {
  constructor(
    private readonly now: RunState,
    private readonly host: Host,
  ) {}

  /** Called when the container is in the state. Asks for the items of its passes. */
  begin(path: string): void {
    const container = this.container(path);
    const { type, params, references } = this.host.block(container);
    if (params.while !== undefined || params.until !== undefined) return this.advance(path);
    const { count = null, forEach } = params;
    const over: JsonObject = forEach === undefined ? { count } : { forEach };
    this.ask(path, { role: 'over', type, params: over, references, frame: container.frame });
  }

  answered(path: string, role: QueryKind, pass: number, value: JsonObject): void {
    const container = this.container(path);
    if (role !== 'collect' && role !== 'until') container.asking = false;
    switch (role) {
      case 'over':
        container.total = Number(value.total);
        container.items = value.items ?? null;
        return this.advance(path);
      case 'batch':
        container.batch = { from: pass, items: Array.isArray(value.items) ? value.items : [] };
        return this.advance(path);
      case 'while':
        return this.tested(path, value.holds === true);
      case 'collect':
        return this.collected(path, pass, value.value ?? null);
      case 'until':
        container.over ||= value.holds === true;
        return this.passDone(path, pass);
      case 'results':
        return this.host.completed(path, value);
    }
  }

  /** A query has failed. A query about a pass fails the pass, any other fails the container. */
  refused(path: string, role: QueryKind, pass: number, failure: Failure): void {
    const key = this.key(this.container(path), pass);
    if (role === 'collect' || role === 'until') this.passFailed(key, failure);
    else this.fail(path, failure);
  }

  /** Called when nothing of the pass is ready or under way any more. */
  passEnded(key: string): void {
    const { container: path, index } = this.pass(key);
    const { params, reads } = this.host.block(this.container(path));
    const { collect } = params;
    if (collect === undefined) return this.collected(path, index, undefined);
    this.askOfPass(path, index, {
      role: 'collect',
      type: 'collect',
      params: { collect },
      references: reads?.collect ?? [],
    });
  }

  /** Called when a block of the pass failed and no edge leaves it by its error port. */
  passFailed(key: string, failure: Failure): void {
    const { container: path, index } = this.pass(key);
    const container = this.container(path);
    const { type, params } = this.host.block(container);
    if (type !== 'parallel' || params.onBranchError !== 'collect') return this.fail(path, failure);
    const { code, message, blockId = null } = failure;
    container.errors.push({ index, code, message, blockId });
    if (params.collect !== undefined) container.results[index] = { error: { code, message, blockId } };
    this.host.cancelFrames((other) => isWithin(other, key));
    container.active--;
    this.advance(path);
  }

  private fail(path: string, failure: Failure): void {
    const container = this.container(path);
    const prefix = this.key(container, 0).slice(0, -2);
    this.host.cancelFrames((key) => key.startsWith(prefix), path);
    this.host.failed(path, failure);
  }

  private collected(path: string, index: number, value: Json | undefined): void {
    const container = this.container(path);
    const { params, reads } = this.host.block(container);
    if (value !== undefined) {
      container.results[index] = value;
      container.size += JSON.stringify(value).length;
      if (container.size > resultsCharsMax) return this.fail(path, tooLarge);
    }
    if (params.until === undefined) return this.passDone(path, index);
    this.askOfPass(path, index, {
      role: 'until',
      type: 'until',
      params: { test: params.until },
      references: reads?.test ?? [],
    });
  }

  private passDone(path: string, index: number): void {
    const container = this.container(path);
    delete this.now.frames[this.key(container, index)];
    container.active--;
    this.advance(path);
  }

  /** Begins as many passes as the concurrency allows, and ends the container after the last. */
  private advance(path: string): void {
    const container = this.container(path);
    const { type, params, reads } = this.host.block(container);
    const room = type === 'parallel' ? Number(params.concurrency ?? concurrencyDefault) : 1;
    while (!container.asking && !container.over && container.active < room) {
      const { next, total, frame } = container;
      if (total !== null && next >= total) break;
      if (params.while !== undefined) {
        const test = { role: 'while', type: 'while', params: { test: params.while } } as const;
        return this.ask(path, { ...test, references: reads?.test ?? [], frame, pass: next });
      }
      if (params.until !== undefined && next >= Number(params.maxIterations))
        return this.fail(path, tooMany(Number(params.maxIterations)));
      if (isRef(container.items) && !hasItem(container, next)) {
        const scope = { items: container.items };
        const batch = { role: 'batch', type: 'batch', params: { from: next } } as const;
        return this.ask(path, { ...batch, references: [], frame, pass: next, scope });
      }
      this.beginPass(path, container);
    }
    if (container.active === 0 && !container.asking && isOver(container)) this.finish(path, container);
  }

  private tested(path: string, holds: boolean): void {
    const container = this.container(path);
    const most = Number(this.host.block(container).params.maxIterations);
    if (!holds) container.over = true;
    else if (container.next >= most) return this.fail(path, tooMany(most));
    else this.beginPass(path, container);
    this.advance(path);
  }

  private beginPass(path: string, container: Container): void {
    const block = this.host.block(container);
    const { blocks, first }: PlanGraph = bodyOf(block);
    const index = container.next++;
    const key = passKey(container.frame, block.id, index);
    const frame = { ...newFrame(blocks), pass: { container: path, index, item: itemOf(container, index) } };
    this.now.frames[key] = frame;
    open(frame, first);
    this.now.agenda.push(key);
    container.active++;
    // Reserves the index of each pass, so that results are in the order of passes and not in that of their ends.
    if (block.params.collect !== undefined) container.results[index] = null;
  }

  private finish(path: string, container: Container): void {
    const { params, type } = this.host.block(container);
    const output: JsonObject = { count: container.next };
    if (params.collect !== undefined) output.results = container.results;
    if (type === 'parallel' && params.onBranchError === 'collect')
      output.errors = container.errors.toSorted((a, b) => Number(a.index) - Number(b.index));
    if (!isLargerThan(output, inlineBytesMax)) return this.host.completed(path, output);
    const { frame } = container;
    this.ask(path, { role: 'results', type: 'results', params: {}, references: [], frame, scope: output });
  }

  private ask(path: string, query: Omit<ContainerQuery, 'container' | 'pass'> & { pass?: number }): void {
    this.container(path).asking = true;
    this.host.ask({ container: path, pass: 0, ...query });
  }

  private askOfPass(
    path: string,
    index: number,
    query: Omit<ContainerQuery, 'container' | 'pass' | 'frame'>,
  ): void {
    const frame = this.key(this.container(path), index);
    this.host.ask({ container: path, pass: index, frame, ...query });
  }

  private key({ frame, entry }: Container, index: number): string {
    return passKey(frame, entry.blockId, index);
  }

  private pass(key: string) {
    const pass = this.now.frames[key]?.pass;
    if (!pass) throw new Error(`there is no pass ${key}`);
    return pass;
  }

  private container(path: string): Container {
    const container = Object.hasOwn(this.now.containers, path) ? this.now.containers[path] : undefined;
    if (!container) throw new Error(`there is no container ${path}`);
    return container;
  }
}

/** True when the frame is the pass's own, or is inside the pass. */
export function isWithin(key: string, pass: string): boolean {
  return key === pass || key.startsWith(`${pass}/`);
}

export function bodyOf({ id, body }: PlanBlock): PlanGraph {
  if (!body) throw new Error(`the plan gives "${id}" no body`);
  return body;
}

function isOver({ over, total, next }: Container): boolean {
  return over || (total !== null && next >= total);
}

function hasItem({ batch }: Container, index: number): boolean {
  return index >= batch.from && index < batch.from + batch.items.length;
}

function itemOf({ items, batch }: Container, index: number): Json {
  if (Array.isArray(items)) return items[index] ?? null;
  return batch.items[index - batch.from] ?? null;
}

const tooLarge: Failure = {
  code: 'RESULTS_TOO_LARGE',
  message: `The collected results have more than ${resultsCharsMax} characters; collect less of each pass.`,
};

function tooMany(most: number): Failure {
  return { code: 'LOOP_LIMIT_EXCEEDED', message: `The loop would need more than ${most} iterations.` };
}
