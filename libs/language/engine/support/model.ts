import type { Block, ContainerBlock } from '#libs/language/definition/blocks/registry';
import type { Edge, Graph } from '#libs/language/definition/definition';
import type { Json, JsonObject } from '#libs/platform/json/json';

import { type Case, drawLuck } from './generate.ts';

/** The end of a block in the model. */
interface Ending {
  port?: string;
  output?: Json;
}

/** The run of one graph: the outermost, or one pass of a container. */
interface GraphRun {
  key: string;
  graph: Graph;
  endings: Map<string, Ending>;
  begun: Set<string>;
  box?: Box;
  index: number;
}

/** A container that is under way. */
interface Box {
  path: string;
  block: ContainerBlock;
  home: GraphRun;
  next: number;
  passes: Set<GraphRun>;
  results: Json[];
  errors: JsonObject[];
}

interface Open {
  path: string;
  block: Block;
  graphRun: GraphRun;
}

export interface ModelOutcome {
  launched: string[][];
  status: string;
  output: Json;
  code?: string;
  statuses: Record<string, string>;
}

/**
 * A second engine, written from the language page alone and as simply as possible: after every event it looks at all
 * blocks and all edges anew. It shares no code with Run, so an error stays unseen only if both have it.
 */
export class Model {
  private open: Open[] = [];
  private readonly statuses = new Map<string, string>();
  private readonly root: GraphRun;
  private queue: GraphRun[];
  private dropped = new Set<GraphRun>();
  private v = 1;
  private response: Json | undefined;
  private code: string | undefined;
  private cancelled = false;
  readonly launched: string[][] = [];

  constructor(private readonly given: Case) {
    this.root = graphRunOf('', given.definition);
    this.queue = [this.root];
  }

  run(): ModelOutcome {
    const { picks, cancelAt } = this.given.fortune;
    for (let step = 0; ; step++) {
      const before = new Set(this.open);
      this.drain();
      this.launched.push(
        this.over ? [] : this.open.filter((one) => !before.has(one)).map(({ path }) => path),
      );
      if (this.over || this.open.length === 0) return this.outcome();
      if (step === cancelAt) {
        this.cancelled = true;
        this.launched.push([]);
        return this.outcome();
      }
      const [one] = this.open.splice((picks[step % picks.length] ?? 0) % this.open.length, 1);
      if (one) this.happen(one, drawLuck(this.given.fortune, one.path));
    }
  }

  private get over(): boolean {
    return this.code !== undefined || this.cancelled;
  }

  /** Runs the oldest graph until nothing in it is ready, then the next. */
  private drain(): void {
    while (!this.over) {
      const [graphRun] = this.queue;
      if (!graphRun) return;
      const next = this.dropped.has(graphRun)
        ? undefined
        : graphRun.graph.blocks.find(({ id }) => this.may(graphRun, id));
      if (next) this.begin(graphRun, next);
      else this.queue.shift();
    }
  }

  private may(graphRun: GraphRun, id: string): boolean {
    if (graphRun.endings.has(id) || graphRun.begun.has(id)) return false;
    const states = edgesTo(graphRun, id).map((edge) => stateOf(graphRun, edge));
    return !states.includes('pending') && states.includes('taken');
  }

  private bury(graphRun: GraphRun): void {
    for (const { id } of graphRun.graph.blocks) {
      if (graphRun.endings.has(id) || graphRun.begun.has(id)) continue;
      if (edgesTo(graphRun, id).some((edge) => stateOf(graphRun, edge) !== 'dead')) continue;
      graphRun.endings.set(id, {});
      this.statuses.set(pathOf(graphRun, id), 'skipped');
    }
  }

  private begin(graphRun: GraphRun, block: Block): void {
    graphRun.begun.add(block.id);
    const value = this.given.terms.get(block.id)?.value(this.given.n, this.v);
    const spot = { path: pathOf(graphRun, block.id), block, graphRun };
    switch (block.type) {
      case 'condition':
        if (value === null) return this.failed(spot, 'EXPRESSION_FAILED');
        return this.completed(spot, { port: value ? 'yes' : 'else' }, value ? 'yes' : 'else');
      case 'variables':
        if (typeof value !== 'number') return this.failed(spot, 'EXPRESSION_FAILED');
        return this.completed(spot, { v: (this.v = value) });
      case 'response': {
        const data = read(graphRun, block.params.data ?? null);
        if (this.response === undefined) this.response = data;
        return this.completed(spot, { data, status: 200, headers: {} });
      }
      case 'loop':
      case 'parallel':
        return this.enter(spot, block);
      case 'wait':
        if ('duration' in block.params && block.params.duration === 0)
          return this.completed(spot, { waitedUntil: new Date(0).toISOString() });
    }
    this.statuses.set(spot.path, block.type === 'human' ? 'paused' : 'running');
    this.open.push(spot);
  }

  private enter(spot: Open, block: ContainerBlock): void {
    const box = {
      path: spot.path,
      block,
      home: spot.graphRun,
      next: 0,
      passes: new Set<GraphRun>(),
      results: [],
      errors: [],
    };
    this.statuses.set(spot.path, 'running');
    if (this.passesOf(box).count === null) this.failed(spot, 'INVALID_VALUE');
    else this.advance(box);
  }

  private passesOf({ block }: Box): { count: number | null; collects: boolean } {
    const passes = this.given.passes.get(block.id);
    if (!passes) throw new Error(`the case has no passes for ${block.id}`);
    return passes;
  }

  private advance(box: Box): void {
    const { count, collects } = this.passesOf(box);
    const { block, home } = box;
    const room = block.type === 'parallel' ? (block.params.concurrency ?? 10) : 1;
    while (box.next < (count ?? 0) && box.passes.size < room) {
      const key = `${home.key ? `${home.key}/` : ''}${block.id}[${box.next}]`;
      const pass = { ...graphRunOf(key, block.body), box, index: box.next++ };
      if (collects) box.results.push(null);
      box.passes.add(pass);
      this.queue.push(pass);
    }
    if (box.passes.size > 0 || box.next < (count ?? 0)) return;
    const collecting = block.type === 'parallel' && block.params.onBranchError === 'collect';
    const errors = box.errors.toSorted((a, b) => Number(a.index) - Number(b.index));
    this.completed(
      { path: box.path, block, graphRun: home },
      { count: box.next, ...(collects ? { results: box.results } : {}), ...(collecting ? { errors } : {}) },
    );
  }

  private happen(one: Open, luck: number): void {
    const { block } = one;
    if (block.type === 'wait') {
      const seconds = 'duration' in block.params ? Number(block.params.duration) : 0;
      this.completed(one, { waitedUntil: new Date(seconds * 1000).toISOString() });
    } else if (block.type === 'human') {
      if (luck % 2 === 0) this.completed(one, { ok: true });
      else if (block.params.onExpiry === 'continue')
        this.ended(one, 'expired', { port: 'expired', output: { ok: false } });
      else this.failed(one, 'PAUSE_EXPIRED', 'expired');
    } else if (luck === 0) this.failed(one, 'BAD_LUCK');
    else this.completed(one, { luck });
  }

  private completed(one: Open, output: JsonObject, port = 'out'): void {
    this.ended(one, 'completed', { port, output });
  }

  private ended({ path, block, graphRun }: Open, status: string, ending: Ending): void {
    this.statuses.set(path, status);
    graphRun.endings.set(block.id, ending);
    this.bury(graphRun);
    const ready = graphRun.graph.blocks.some(({ id }) => this.may(graphRun, id));
    if (ready && !this.queue.includes(graphRun)) this.queue.push(graphRun);
    const under = [...graphRun.begun].some((id) => !graphRun.endings.has(id));
    if (!ready && !under && graphRun.box) this.passed(graphRun, graphRun.box);
  }

  private passed(graphRun: GraphRun, box: Box): void {
    if (this.passesOf(box).collects) box.results[graphRun.index] = graphRun.index;
    box.passes.delete(graphRun);
    this.advance(box);
  }

  private failed(one: Open, code: string, status = 'failed', blockId = one.block.id): void {
    const { graphRun, block, path } = one;
    if (graphRun.graph.edges.some(({ from, port }) => from === block.id && port === 'error'))
      return this.ended(one, status, { port: 'error', output: { error: { code } } });
    this.statuses.set(path, status);
    const { box } = graphRun;
    if (!box) {
      this.code = code;
      return;
    }
    if (box.block.type === 'parallel' && box.block.params.onBranchError === 'collect') {
      box.errors.push({ index: graphRun.index, code, blockId });
      if (this.passesOf(box).collects) box.results[graphRun.index] = { error: { code, blockId } };
      this.drop((key) => key === graphRun.key || key.startsWith(`${graphRun.key}/`));
      box.passes.delete(graphRun);
      return this.advance(box);
    }
    const prefix = graphRun.key.slice(0, graphRun.key.lastIndexOf('['));
    this.drop((key) => key.startsWith(`${prefix}[`));
    this.failed({ path: box.path, block: box.block, graphRun: box.home }, code, 'failed', blockId);
  }

  /** Ends everything inside these graphs. */
  private drop(inside: (key: string) => boolean): void {
    const keyOf = (path: string) => path.slice(path.indexOf('@') + 1);
    for (const [path, status] of this.statuses)
      if (path.includes('@') && inside(keyOf(path)) && ['running', 'paused'].includes(status))
        this.statuses.set(path, 'cancelled');
    this.open = this.open.filter(({ graphRun }) => !inside(graphRun.key));
    for (const graphRun of this.queue) if (inside(graphRun.key)) this.dropped.add(graphRun);
  }

  private outcome(): ModelOutcome {
    if (this.over)
      for (const [path, status] of this.statuses)
        if (['running', 'paused'].includes(status)) this.statuses.set(path, 'cancelled');
    const outcome = { launched: this.launched, statuses: Object.fromEntries(this.statuses) };
    const output = this.response ?? null;
    if (this.code !== undefined) return { ...outcome, status: 'failed', output, code: this.code };
    if (this.cancelled) return { ...outcome, status: 'cancelled', output, code: 'CANCELLED' };
    return { ...outcome, status: 'completed', output: this.response === undefined ? this.ends() : output };
  }

  private ends(): Json {
    const { graph, endings } = this.root;
    const ends = graph.blocks.flatMap(({ id }): [string, Json][] => {
      const { port, output = null } = endings.get(id) ?? {};
      if (port === undefined) return [];
      const followed = graph.edges.some((edge) => edge.from === id && (edge.port ?? 'out') === port);
      return followed ? [] : [[id, output]];
    });
    const [only] = ends;
    return only && ends.length === 1 ? only[1] : Object.fromEntries(ends);
  }
}

function graphRunOf(key: string, graph: Graph): GraphRun {
  return { key, graph, endings: new Map(), begun: new Set(), index: 0 };
}

const pathOf = ({ key }: GraphRun, id: string) => (key ? `${id}@${key}` : id);

const edgesTo = ({ graph }: GraphRun, to: string): Edge[] => graph.edges.filter((edge) => edge.to === to);

function stateOf({ endings }: GraphRun, { from, port = 'out' }: Edge): 'pending' | 'taken' | 'dead' {
  if (from === 'start') return 'taken';
  const ending = endings.get(from);
  if (!ending) return 'pending';
  return ending.port === port ? 'taken' : 'dead';
}

function read({ endings }: GraphRun, template: Json): Json {
  const id = typeof template === 'string' ? /^\{\{ (\w+) \}\}$/.exec(template)?.[1] : undefined;
  return id === undefined ? template : (endings.get(id)?.output ?? null);
}
