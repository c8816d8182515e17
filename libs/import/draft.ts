import { type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { placeholderType } from '#libs/language/definition/blocks/placeholder';
import { validate } from '#libs/language/definition/checks/validate';
import { reservedIds } from '#libs/language/definition/checks/wiring';
import { Invalid } from '#libs/platform/errors/errors';
import { cutText } from '#libs/platform/text/whole-text';
import { withoutSecrets } from './original.ts';
import { toWords } from './values.ts';
import type { ImportedWorkflow, ImportedBlock, ImportOutcome, ImportSource } from './report.ts';
import { Needs } from './report.ts';

/** A block that belongs to another one. */
export interface DraftStep {
  id: string;
  block: JsonObject;
}

/** One block of the file on its way into a definition. */
export interface DraftBlock {
  /** Its key in the file. */
  key: string;
  name: string;
  /** Its type in the other product. */
  type: string;
  /** Its id in the definition. */
  id: string;
  /** The container that it lies in. */
  parent?: DraftBlock;
  /** The block without id and name; absent while there is none, as for a trigger or a note. */
  block?: JsonObject;
  /** Blocks before it, as a function that computes values for it. */
  before: DraftStep[];
  /** Blocks behind it, as a function that makes items of its answer. */
  after: DraftStep[];
  /** True when the block has a body. */
  container?: boolean;
  /** Its new place, when it has no block. */
  becomes: string | null;
  /** The differences, in sentences. */
  changes: string[];
  /** The advice for a block that was not taken over. */
  refusal?: string;
  /** Its text in the file, kept in a placeholder. */
  original: Json;
}

/** A way from one block to another; no `from` is the start. */
export interface DraftWay {
  from?: DraftBlock;
  to: DraftBlock;
  port?: string;
}

const nameMax = 120;

/** Collects what a file became, and makes a definition and a report of it. */
export class Draft {
  readonly pieces: DraftBlock[] = [];
  readonly ways: DraftWay[] = [];
  readonly needs = new Needs();
  /** Differences of the workflow as a whole. */
  readonly notes: string[] = [];
  readonly variables: Record<string, { type: string; initial?: Json; description?: string }> = {};
  inputs: JsonObject = {};
  name?: string;
  description = '';
  private readonly ids = new Set<string>();

  constructor(private readonly from: ImportSource) {}

  addBlock(key: string, name: string, type: string, original: Json): DraftBlock {
    const id = this.idFor(name);
    const piece: DraftBlock = {
      key,
      name,
      type,
      id,
      before: [],
      after: [],
      becomes: null,
      changes: [],
      original,
    };
    this.pieces.push(piece);
    return piece;
  }

  /** A name for expressions that no block and no other name has. */
  idFor(name: string): string {
    const words = cutText(toWords(name.normalize('NFKD')).toLowerCase(), 50);
    const stem = /^[a-z]/.test(words) ? words : ['block', words].filter(Boolean).join('_');
    let id = stem;
    for (let n = 2; this.ids.has(id) || reservedIds.has(id); n++) id = `${stem}_${n}`;
    this.ids.add(id);
    return id;
  }

  /**
   * Makes a trigger the start. Where several begin, an input says which of them it was, since each has ways of its own: the trigger is a
   * condition then, and leaves by the port that this gives.
   */
  beginAt(piece: DraftBlock, triggers: DraftBlock[]): string | undefined {
    const [first] = triggers;
    if (!first || triggers.length === 1) {
      piece.becomes = 'start';
      return undefined;
    }
    this.inputs['trigger'] = {
      type: 'string',
      enum: triggers.map(({ id }) => id),
      default: first.id,
      description: 'The trigger of the file that started the run.',
    };
    piece.block = { type: 'condition', cases: [{ port: 'yes', when: `start.trigger == "${piece.id}"` }] };
    piece.changes.push(`There are several triggers: the input trigger is "${piece.id}" for this one.`);
    this.ways.push({ to: piece });
    return 'yes';
  }

  /** The definition and the report. Throws Invalid when the file holds nothing that can run, or ways in a circle. */
  finish(): ImportedWorkflow {
    this.leaveOutUnreachable();
    if (!this.pieces.some(({ block, refusal }) => block ?? refusal))
      throw Invalid.field(
        '',
        'holds no block that a connection leads to from a trigger, so nothing would run. Draw the connections, and export it again',
        'no_blocks',
      );
    let definition = this.assemble();
    for (let round = 0; round <= this.pieces.length; round++) {
      if (!this.refuseFaulty(definition)) break;
      definition = this.assemble();
    }
    const blocks = this.pieces.map((piece) => this.lineOf(piece));
    const summary: Record<ImportOutcome, number> = { kept: 0, changed: 0, refused: 0 };
    for (const { outcome } of blocks) summary[outcome]++;
    const { name, description } = this;
    return {
      ...(name ? { name } : {}),
      description,
      definition,
      report: { summary, blocks, needs: this.needs.all, notes: this.notes },
    };
  }

  private lineOf(piece: DraftBlock): ImportedBlock {
    const { name, type, block, becomes, changes, id } = piece;
    const refusal = getRefusal(piece);
    const outcome = refusal ? 'refused' : changes.length > 0 ? 'changed' : 'kept';
    const note = [...(refusal ? [refusal] : []), ...changes].join(' ');
    return { name, type, outcome, becomes: block || refusal ? (isInside(piece) ? null : id) : becomes, note };
  }

  /** Blocks that no way leads to never ran, and would only be faults. */
  private leaveOutUnreachable(): void {
    const reached = new Set<DraftBlock>();
    const open = this.ways.filter(({ from }) => !from).map(({ to }) => to);
    for (let piece = open.pop(); piece; piece = open.pop()) {
      if (reached.has(piece)) continue;
      reached.add(piece);
      for (const { from, to } of this.ways) if (from === piece) open.push(to);
    }
    for (const piece of this.pieces) {
      const here = reached.has(piece) && (!piece.parent || reached.has(piece.parent));
      if (here || !(piece.block ?? piece.refusal)) continue;
      delete piece.block;
      delete piece.refusal;
      piece.changes = ['No way leads to it from the start, so it never ran; it is left out.'];
    }
  }

  private assemble(): JsonObject {
    const { variables, inputs, description } = this;
    return {
      ...(description ? { description } : {}),
      ...(Object.keys(inputs).length > 0 ? { start: { inputs } } : {}),
      ...(Object.keys(variables).length > 0 ? { variables } : {}),
      ...this.graph(undefined),
    };
  }

  private graph(parent: DraftBlock | undefined): JsonObject {
    const members = this.pieces.filter((one) => one.parent === parent && (one.block ?? one.refusal));
    const edges = new Map<string, JsonObject>();
    const add = (from: string, to: string, port?: string) =>
      edges.set(JSON.stringify([from, to, port]), { from, to, ...(port ? { port } : {}) });
    for (const { from, to, port } of this.ways) {
      if (!members.includes(to) || (from && !members.includes(from))) continue;
      const target = getSteps(to)[0]?.id ?? to.id;
      const own = from?.refusal !== undefined && port !== 'error' ? undefined : port;
      if (!from) add('start', target);
      else if (own === 'error') for (const id of failingIn(from)) add(id, target, own);
      else add(getSteps(from).at(-1)?.id ?? from.id, target, own);
    }
    const blocks = members.flatMap((one) =>
      getSteps(one).map(({ id, block }, i, all): JsonObject => {
        const next = all[i + 1];
        if (next) add(id, next.id);
        if (id === one.id) return this.blockOf(one);
        return { id, name: cutText(`${one.name}: ${id.split('_').at(-1)}`, nameMax), ...block };
      }),
    );
    return { blocks, edges: [...edges.values()] };
  }

  private blockOf(piece: DraftBlock): JsonObject {
    const { id, name, block = {}, container, refusal, type, original } = piece;
    const named: JsonObject = { id, name: cutText(name, nameMax) || id };
    if (refusal === undefined) {
      return { ...named, ...block, ...(container ? { body: this.graph(piece) } : {}) };
    }
    const params = { from: this.from, type, todo: refusal, original: withoutSecrets(original) };
    return { ...named, type: placeholderType, params };
  }

  /** Makes every block that the rules of a definition refuse a placeholder. True when there were some. */
  private refuseFaulty(definition: JsonObject): boolean {
    const faults = validate(definition).faults.filter(({ code }) => code !== 'placeholder');
    const cycle = faults.find(({ code }) => code === 'cycle');
    if (cycle) throw Invalid.field('', `has a cycle, which only a loop may have. ${cycle.message}`, 'cycle');
    let found = false;
    for (const { blockId, message } of faults) {
      const piece = this.pieces.find((one) =>
        getSteps(one).some(({ id, block }) => holds(id, block, blockId)),
      );
      if (!piece || piece.refusal !== undefined) continue;
      piece.refusal = `The converted block is not valid: ${message}`;
      found = true;
    }
    if (faults.length > 0 && !found)
      throw new Invalid(faults.map(({ path, code, message }) => ({ path, code, message })));
    return found;
  }
}

/** All blocks of a piece in their order; a placeholder is one alone. */
const getSteps = ({ id, block = {}, before, after, refusal }: DraftBlock): DraftStep[] =>
  refusal === undefined ? [...before, { id, block }, ...after] : [{ id, block: {} }];

/** The blocks of a piece whose failure is a failure of the piece. */
const failingIn = (piece: DraftBlock) =>
  getSteps(piece).flatMap(({ id, block }) => (id === piece.id || block['type'] === 'http' ? [id] : []));

/** True for the block with this id, and for one whose body has it. */
function holds(id: string, block: JsonObject, wanted: string | undefined): boolean {
  if (id === wanted) return true;
  const inner = objectOf(block['body'])['blocks'];
  return (
    Array.isArray(inner) && inner.some((one) => holds(String(objectOf(one)['id']), objectOf(one), wanted))
  );
}

/** Why a block was not taken over: by itself, or since its container was not. */
function getRefusal({ refusal, parent }: DraftBlock): string | undefined {
  if (refusal !== undefined) return refusal;
  for (let around = parent; around; around = around.parent)
    if (around.refusal !== undefined) return `It is inside of "${around.name}", which was not taken over.`;
  return undefined;
}

const isInside = (piece: DraftBlock) => piece.refusal === undefined && getRefusal(piece) !== undefined;
