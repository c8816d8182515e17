import type { Block, Edge } from '#libs/definition/definition';
import type { Json, JsonObject } from '#libs/definition/values';

import type { Case } from './generate.ts';

/** How a block of the model has ended. */
interface Ending {
  status: string;
  port?: string;
  output?: Json;
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
  private readonly endings = new Map<string, Ending>();
  private readonly open: string[] = [];
  private v = 1;
  private response: Json | undefined;
  private code: string | undefined;
  private cancelled = false;
  readonly launched: string[][] = [];

  constructor(private readonly given: Case) {}

  run(): Verdict {
    const { picks, luck, cancelAt } = this.given.fortune;
    for (let step = 0; ; step++) {
      this.launched.push(this.drain());
      if (this.over || this.open.length === 0) return this.verdict();
      if (step === cancelAt) {
        this.cancelled = true;
        this.launched.push([]);
        return this.verdict();
      }
      const [id = ''] = this.open.splice((picks[step % picks.length] ?? 0) % this.open.length, 1);
      this.happen(this.block(id), luck[this.given.definition.blocks.indexOf(this.block(id))] ?? 0);
    }
  }

  private get over(): boolean {
    return this.code !== undefined || this.cancelled;
  }

  private block(id: string): Block {
    const block = this.given.definition.blocks.find((other) => other.id === id);
    if (!block) throw new Error(`no block ${id}`);
    return block;
  }

  private drain(): string[] {
    const launched: string[] = [];
    if (this.over) return launched;
    for (;;) {
      this.bury();
      const next = this.given.definition.blocks.find(({ id }) => this.may(id));
      if (!next) break;
      if (this.begin(next)) launched.push(next.id);
      if (this.over) return [];
    }
    return launched;
  }

  private edges(to: string): Edge[] {
    return this.given.definition.edges.filter((edge) => edge.to === to);
  }

  private stateOf({ from, port = 'out' }: Edge): 'pending' | 'taken' | 'dead' {
    if (from === 'start') return 'taken';
    const ending = this.endings.get(from);
    if (!ending) return 'pending';
    return ending.port === port ? 'taken' : 'dead';
  }

  private may(id: string): boolean {
    if (this.endings.has(id) || this.open.includes(id)) return false;
    const states = this.edges(id).map((edge) => this.stateOf(edge));
    return !states.includes('pending') && states.includes('taken');
  }

  private bury(): void {
    for (const { id } of this.given.definition.blocks) {
      if (this.endings.has(id) || this.open.includes(id)) continue;
      if (this.edges(id).every((edge) => this.stateOf(edge) === 'dead'))
        this.endings.set(id, { status: 'skipped' });
    }
  }

  /** Gives true when the block waits for the outside. */
  private begin(block: Block): boolean {
    const value = this.given.terms.get(block.id)?.value(this.given.n, this.v);
    switch (block.type) {
      case 'condition':
        if (value === null) this.failed(block.id, 'EXPRESSION_FAILED', 'failed');
        else this.completed(block.id, { port: value ? 'yes' : 'else' }, value ? 'yes' : 'else');
        return false;
      case 'variables':
        if (typeof value !== 'number') this.failed(block.id, 'EXPRESSION_FAILED', 'failed');
        else this.completed(block.id, { v: (this.v = value) });
        return false;
      case 'response': {
        const data = this.read(block.params.data ?? null);
        if (this.response === undefined) this.response = data;
        this.completed(block.id, { data, status: 200, headers: {} });
        return false;
      }
      case 'wait':
        if ('duration' in block.params && block.params.duration === 0) {
          this.completed(block.id, { waitedUntil: new Date(0).toISOString() });
          return false;
        }
        this.open.push(block.id);
        return true;
      default:
        this.open.push(block.id);
        return true;
    }
  }

  private read(template: Json): Json {
    const id = typeof template === 'string' ? /^\{\{ (\w+) \}\}$/.exec(template)?.[1] : undefined;
    return id === undefined ? template : (this.endings.get(id)?.output ?? null);
  }

  private happen(block: Block, luck: number): void {
    if (block.type === 'wait') {
      const seconds = 'duration' in block.params ? Number(block.params.duration) : 0;
      this.completed(block.id, { waitedUntil: new Date(seconds * 1000).toISOString() });
    } else if (block.type === 'human') this.answered(block.id, luck, block.params.onExpiry === 'continue');
    else if (luck === 0) this.failed(block.id, 'BAD_LUCK', 'failed');
    else this.completed(block.id, { luck });
  }

  private answered(id: string, luck: number, goesOn: boolean): void {
    if (luck % 2 === 0) this.completed(id, { ok: true });
    else if (goesOn) this.endings.set(id, { status: 'expired', port: 'expired', output: { ok: false } });
    else this.failed(id, 'PAUSE_EXPIRED', 'expired');
  }

  private completed(id: string, output: JsonObject, port = 'out'): void {
    this.endings.set(id, { status: 'completed', port, output });
  }

  private failed(id: string, code: string, status: string): void {
    const caught = this.given.definition.edges.some(({ from, port }) => from === id && port === 'error');
    this.endings.set(id, { status, port: 'error', output: { error: { code } } });
    if (!caught) this.code = code;
  }

  private verdict(): Verdict {
    const statuses = [...this.endings].map(([id, { status }]) => [id, status]);
    const ended = this.over ? this.open.map((id) => [id, 'cancelled']) : [];
    const all: Record<string, string> = Object.fromEntries([...statuses, ...ended]);
    const verdict = { launched: this.launched, statuses: all };
    if (this.code !== undefined)
      return { ...verdict, status: 'failed', output: this.response ?? null, code: this.code };
    if (this.cancelled)
      return { ...verdict, status: 'cancelled', output: this.response ?? null, code: 'CANCELLED' };
    return {
      ...verdict,
      status: 'completed',
      output: this.response === undefined ? this.ends() : this.response,
    };
  }

  private ends(): Json {
    const ends = this.given.definition.blocks.flatMap(({ id }): [string, Json][] => {
      const { port, output = null } = this.endings.get(id) ?? {};
      if (port === undefined) return [];
      const followed = this.given.definition.edges.some(
        (edge) => edge.from === id && (edge.port ?? 'out') === port,
      );
      return followed ? [] : [[id, output]];
    });
    const [only] = ends;
    return only && ends.length === 1 ? only[1] : Object.fromEntries(ends);
  }
}
