import type { Block, ContainerBlock, Edge, Graph } from '#libs/definition/definition';
import type { Json, JsonObject } from '#libs/definition/values';

import { type Case, luckOf } from './generate.ts';

/** How a block of the model has ended. */
interface Ending {
  port?: string;
  output?: Json;
}

/** One graph that is being run: the outermost, or one pass of a container. */
interface Place {
  key: string;
  graph: Graph;
  endings: Map<string, Ending>;
  begun: Set<string>;
  box?: Box;
  index: number;
}

/** A container that is being run. */
interface Box {
  path: string;
  block: ContainerBlock;
  home: Place;
  next: number;
  passes: Set<Place>;
  results: Json[];
  errors: JsonObject[];
}

interface Open {
  path: string;
  block: Block;
  place: Place;
}

export interface Verdict {
  launched: string[][];
  status: string;
  output: Json;
  code?: string;
  statuses: Record<string, string>;
}

/**
 * A second engine, written from the language page alone and as simply as can be: after every event it looks at all
 * blocks and all edges anew. It shares no code with Run, so that an error in both would have to be made twice.
 */
export class Model {
  private open: Open[] = [];
  private readonly statuses = new Map<string, string>();
  private readonly root: Place;
  private queue: Place[];
  private gone = new Set<Place>();
  private v = 1;
  private response: Json | undefined;
  private code: string | undefined;
  private cancelled = false;
  readonly launched: string[][] = [];

  constructor(private readonly given: Case) {
    this.root = placeOf('', given.definition);
    this.queue = [this.root];
  }

  run(): Verdict {
    const { picks, cancelAt } = this.given.fortune;
    for (let step = 0; ; step++) {
      const before = new Set(this.open);
      this.drain();
      this.launched.push(
        this.over ? [] : this.open.filter((one) => !before.has(one)).map(({ path }) => path),
      );
      if (this.over || this.open.length === 0) return this.verdict();
      if (step === cancelAt) {
        this.cancelled = true;
        this.launched.push([]);
        return this.verdict();
      }
      const [one] = this.open.splice((picks[step % picks.length] ?? 0) % this.open.length, 1);
      if (one) this.happen(one, luckOf(this.given.fortune, one.path));
    }
  }

  private get over(): boolean {
    return this.code !== undefined || this.cancelled;
  }

  /** The graph that came first is served until it has nothing ready, then the next. */
  private drain(): void {
    while (!this.over) {
      const [place] = this.queue;
      if (!place) return;
      const next = this.gone.has(place)
        ? undefined
        : place.graph.blocks.find(({ id }) => this.may(place, id));
      if (next) this.begin(place, next);
      else this.queue.shift();
    }
  }

  private may(place: Place, id: string): boolean {
    if (place.endings.has(id) || place.begun.has(id)) return false;
    const states = edgesTo(place, id).map((edge) => stateOf(place, edge));
    return !states.includes('pending') && states.includes('taken');
  }

  private bury(place: Place): void {
    for (const { id } of place.graph.blocks) {
      if (place.endings.has(id) || place.begun.has(id)) continue;
      if (edgesTo(place, id).some((edge) => stateOf(place, edge) !== 'dead')) continue;
      place.endings.set(id, {});
      this.statuses.set(pathOf(place, id), 'skipped');
    }
  }

  private begin(place: Place, block: Block): void {
    place.begun.add(block.id);
    const value = this.given.terms.get(block.id)?.value(this.given.n, this.v);
    const spot = { path: pathOf(place, block.id), block, place };
    switch (block.type) {
      case 'condition':
        if (value === null) return this.failed(spot, 'EXPRESSION_FAILED');
        return this.completed(spot, { port: value ? 'yes' : 'else' }, value ? 'yes' : 'else');
      case 'variables':
        if (typeof value !== 'number') return this.failed(spot, 'EXPRESSION_FAILED');
        return this.completed(spot, { v: (this.v = value) });
      case 'response': {
        const data = read(place, block.params.data ?? null);
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
      home: spot.place,
      next: 0,
      passes: new Set<Place>(),
      results: [],
      errors: [],
    };
    this.statuses.set(spot.path, 'running');
    if (this.passesOf(box).count === null) this.failed(spot, 'INVALID_VALUE');
    else this.advance(box);
  }

  private passesOf({ block }: Box): { count: number | null; collects: boolean } {
    const passes = this.given.passes.get(block.id);
    if (!passes) throw new Error(`no passes of ${block.id}`);
    return passes;
  }

  private advance(box: Box): void {
    const { count, collects } = this.passesOf(box);
    const { block, home } = box;
    const room = block.type === 'parallel' ? (block.params.concurrency ?? 10) : 1;
    while (box.next < (count ?? 0) && box.passes.size < room) {
      const key = `${home.key ? `${home.key}/` : ''}${block.id}[${box.next}]`;
      const pass = { ...placeOf(key, block.body), box, index: box.next++ };
      if (collects) box.results.push(null);
      box.passes.add(pass);
      this.queue.push(pass);
    }
    if (box.passes.size > 0 || box.next < (count ?? 0)) return;
    const collecting = block.type === 'parallel' && block.params.onBranchError === 'collect';
    const errors = box.errors.toSorted((a, b) => Number(a.index) - Number(b.index));
    this.completed(
      { path: box.path, block, place: home },
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

  private ended({ path, block, place }: Open, status: string, ending: Ending): void {
    this.statuses.set(path, status);
    place.endings.set(block.id, ending);
    this.bury(place);
    const ready = place.graph.blocks.some(({ id }) => this.may(place, id));
    if (ready && !this.queue.includes(place)) this.queue.push(place);
    const under = [...place.begun].some((id) => !place.endings.has(id));
    if (!ready && !under && place.box) this.passed(place, place.box);
  }

  private passed(place: Place, box: Box): void {
    if (this.passesOf(box).collects) box.results[place.index] = place.index;
    box.passes.delete(place);
    this.advance(box);
  }

  private failed(one: Open, code: string, status = 'failed', blockId = one.block.id): void {
    const { place, block, path } = one;
    if (place.graph.edges.some(({ from, port }) => from === block.id && port === 'error'))
      return this.ended(one, status, { port: 'error', output: { error: { code } } });
    this.statuses.set(path, status);
    const { box } = place;
    if (!box) {
      this.code = code;
      return;
    }
    if (box.block.type === 'parallel' && box.block.params.onBranchError === 'collect') {
      box.errors.push({ index: place.index, code, blockId });
      if (this.passesOf(box).collects) box.results[place.index] = { error: { code, blockId } };
      this.drop((key) => key === place.key || key.startsWith(`${place.key}/`));
      box.passes.delete(place);
      return this.advance(box);
    }
    const prefix = place.key.slice(0, place.key.lastIndexOf('['));
    this.drop((key) => key.startsWith(`${prefix}[`));
    this.failed({ path: box.path, block: box.block, place: box.home }, code, 'failed', blockId);
  }

  /** Everything inside of these graphs is over. */
  private drop(inside: (key: string) => boolean): void {
    const keyOf = (path: string) => path.slice(path.indexOf('@') + 1);
    for (const [path, status] of this.statuses)
      if (path.includes('@') && inside(keyOf(path)) && ['running', 'paused'].includes(status))
        this.statuses.set(path, 'cancelled');
    this.open = this.open.filter(({ place }) => !inside(place.key));
    for (const place of this.queue) if (inside(place.key)) this.gone.add(place);
  }

  private verdict(): Verdict {
    if (this.over)
      for (const [path, status] of this.statuses)
        if (['running', 'paused'].includes(status)) this.statuses.set(path, 'cancelled');
    const verdict = { launched: this.launched, statuses: Object.fromEntries(this.statuses) };
    const output = this.response ?? null;
    if (this.code !== undefined) return { ...verdict, status: 'failed', output, code: this.code };
    if (this.cancelled) return { ...verdict, status: 'cancelled', output, code: 'CANCELLED' };
    return { ...verdict, status: 'completed', output: this.response === undefined ? this.ends() : output };
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

function placeOf(key: string, graph: Graph): Place {
  return { key, graph, endings: new Map(), begun: new Set(), index: 0 };
}

const pathOf = ({ key }: Place, id: string) => (key ? `${id}@${key}` : id);

const edgesTo = ({ graph }: Place, to: string): Edge[] => graph.edges.filter((edge) => edge.to === to);

function stateOf({ endings }: Place, { from, port = 'out' }: Edge): 'pending' | 'taken' | 'dead' {
  if (from === 'start') return 'taken';
  const ending = endings.get(from);
  if (!ending) return 'pending';
  return ending.port === port ? 'taken' : 'dead';
}

function read({ endings }: Place, template: Json): Json {
  const id = typeof template === 'string' ? /^\{\{ (\w+) \}\}$/.exec(template)?.[1] : undefined;
  return id === undefined ? template : (endings.get(id)?.output ?? null);
}
