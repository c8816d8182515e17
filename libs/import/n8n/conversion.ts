import type { JsonObject } from '#libs/platform/json/json';
import { getFirst, type CelPlace, template, writePath } from '../cel-text.ts';
import { Draft, type DraftBlock } from '../draft.ts';
import { N8nContext, type ConvertedNode } from './context.ts';
import { N8nExpressions, type N8nScope } from './expressions.ts';
import { type N8nGraph, type N8nLink, type N8nNode, readN8n } from './graph.ts';
import { getDepths, type N8nLoop, getOrder, takeLoops } from './loops.ts';
import { n8nTable } from './nodes.ts';
import { convertDisabled } from './steps.ts';
import { N8nScript } from './script.ts';
import { findUnread, type N8nRow, withDefaults } from './table.ts';
import { type N8nStart, readsParts } from './triggers.ts';
import { type ImportedWorkflow, NotMapped, type Surroundings } from '../report.ts';
import { readSecret, toSecretName } from '../secrets.ts';
import { clip, parseNumber, toText } from '../values.ts';

/** A workflow of n8n as a definition. Throws Invalid when the file is none, or leads in a circle outside of a loop. */
export function convertN8n(file: JsonObject, surroundings: Surroundings): ImportedWorkflow {
  return new N8nConversion(readN8n(file), surroundings).convert();
}

class N8nConversion {
  private readonly draft = new Draft('n8n');
  private readonly pieces = new Map<string, DraftBlock>();
  private readonly loops: N8nLoop[];
  /** The place of the item that each node gives; a sentence when there is no single place. */
  private readonly outs = new Map<string, CelPlace | string>();
  private readonly ports = new Map<string, string[][]>();
  private readonly goesOn = new Set<string>();
  private readonly valuesIds = new Map<DraftBlock, string>();
  private readonly triggers: DraftBlock[];
  /** The nodes that close a circle, with the node to which each leads back. */
  private readonly circles = new Map<string, string>();
  /** The nodes whose output may be several items. */
  private readonly several = new Set<string>();

  constructor(
    private readonly graph: N8nGraph,
    private readonly surroundings: Surroundings,
  ) {
    for (const node of graph.nodes.values()) {
      this.pieces.set(node.name, this.draft.addBlock(node.name, node.name, node.type, node.raw));
      graph.nodes.set(node.name, withDefaults(node, n8nTable.get(node)?.parameters));
    }
    this.leaveOutUnreached();
    this.loops = takeLoops(graph, (node) => n8nTable.get(node)?.kind === 'loop');
    this.triggers = [...graph.nodes.values()]
      .filter(
        (node) =>
          !node.disabled && n8nTable.get(node)?.trigger && graph.links.some(({ from }) => from === node.name),
      )
      .flatMap(({ name }) => this.pieces.get(name) ?? []);
  }

  /** Takes out the ways that begin at nodes which no trigger leads to: they never run, and no value comes from them. */
  private leaveOutUnreached(): void {
    const { graph } = this;
    const starts = [...graph.nodes.values()].filter(
      (node) => !node.disabled && (n8nTable.get(node)?.trigger ?? isTrigger(node)),
    );
    const reached = getDepths(
      starts.map(({ name }) => name),
      graph.links,
    );
    graph.links = graph.links.filter(({ from }) => reached.has(from));
  }

  convert(): ImportedWorkflow {
    const { draft, graph } = this;
    if (graph.name) draft.name = graph.name;
    draft.notes.push(...graph.notes);
    const sorted = this.order();
    for (const loop of this.loops) this.enclose(loop);
    for (const name of sorted) this.convertNode(name);
    for (const loop of this.loops) this.collect(loop);
    for (const piece of this.pieces.values())
      if (piece.refusal !== undefined && isTrigger(piece)) draft.ways.push({ to: piece });
    for (const link of graph.links) this.connect(link);
    return draft.finish();
  }

  /** The nodes in their order. A way that closes a circle is taken out, and its node becomes a placeholder that says so. */
  private order(): string[] {
    const { graph } = this;
    for (;;) {
      const { sorted, circle } = getOrder([...graph.nodes.keys()], graph.links);
      const [first] = circle;
      if (first === undefined) return sorted;
      const depths = getDepths(
        this.triggers.map(({ key }) => key),
        graph.links,
      );
      const depth = (name: string) => depths.get(name) ?? Infinity;
      const entry = circle.reduce((least, one) => (depth(one) < depth(least) ? one : least), first);
      const last = circle.at(circle.indexOf(entry) - 1) ?? entry;
      graph.links = graph.links.filter(({ from, to }) => !(from === last && to === entry));
      this.circles.set(last, entry);
    }
  }

  /** Puts the blocks of a body into the loop, the inner loops first. */
  private enclose({ name, body }: N8nLoop): void {
    const loop = this.pieces.get(name);
    if (!loop) return;
    loop.container = true;
    for (const inner of body) {
      const piece = this.pieces.get(inner);
      if (piece && !piece.parent) piece.parent = loop;
    }
  }

  private convertNode(name: string): void {
    const node = this.graph.nodes.get(name);
    const piece = this.pieces.get(name);
    if (!node || !piece) return;
    const root: CelPlace = { root: piece.id, steps: [] };
    this.outs.set(name, root);
    const row = n8nTable.get(node);
    const [host] = this.graph.attached.get(name) ?? [];
    if (host !== undefined) return this.leaveOut(piece, host);
    if (row?.kind === 'note') {
      piece.changes.push(`A note is left out: "${clip(toText(node.parameters['content']))}".`);
      return;
    }
    if (row?.trigger && !node.disabled) {
      const byParts =
        this.triggers.length > 1 ||
        [...this.graph.nodes.values()].some(({ parameters }) => readsParts(parameters));
      const trigger = row.trigger(node, { timezone: this.graph.timezone, byParts });
      Object.assign(this.draft.inputs, trigger.inputs);
      this.noteTrigger(piece, trigger);
      noteUnread(piece, findUnread(node, row.parameters));
      return this.begin(piece, trigger.out, trigger.note);
    }
    if (node.disabled && !this.graph.links.some(({ to }) => to === name)) {
      this.outs.delete(name);
      piece.changes.push('It was switched off, and nothing leads to it; it is left out.');
      return;
    }
    const context = this.contextOf(node, piece);
    context.parameters = row?.parameters ?? {};
    const items = typeof row?.items === 'function' ? row.items(node) : row?.items;
    if (items === 'several' || (items === 'through' && this.hasSeveral(name))) this.several.add(name);
    try {
      const back = this.circles.get(name);
      if (back !== undefined)
        throw new NotMapped(
          `It leads back to "${back}", and only a loop may lead back. Put the blocks from "${back}" to this one into a loop block with a bound, and end it by its condition.`,
        );
      const taken = this.take(node, context, row);
      piece.block = { ...taken.block, ...buildRetry(node, taken) };
      const { script } = context.expressions;
      const values = script.isEmpty ? [] : [{ id: this.valuesIdOf(piece), block: script.valuesBlock() }];
      if (values.length > 0) context.change('A function block before it computes its values, as JavaScript.');
      piece.before.push(...values, ...(taken.before ?? []));
      piece.after.push(...(taken.after ?? []));
      if (taken.several) this.several.add(name);
      this.noteDifferences(node, context, row?.takesAll === true || taken.takesAll === true);
      this.outs.set(name, taken.out ?? root);
      if (taken.ports) this.ports.set(name, taken.ports);
      this.noteFailures(node, context);
    } catch (error) {
      if (!(error instanceof NotMapped)) throw error;
      piece.refusal = error.message;
    }
  }

  private leaveOut(piece: DraftBlock, host: string): void {
    piece.becomes = this.pieces.get(host)?.id ?? null;
    piece.changes.push(`It belongs to "${host}"; see there.`);
  }

  /** Notes what must start the workflow. Where several begin, each says which it is; a form cannot, because its fields are the inputs. */
  private noteTrigger({ id, name }: DraftBlock, { need, triggers = [] }: N8nStart): void {
    if (need === undefined) return;
    const made =
      this.triggers.length < 2
        ? triggers
        : triggers
            .filter(({ kind }) => kind !== 'form')
            .map((one) => ({ ...one, inputs: { ...one.inputs, trigger: id } }));
    this.draft.needs.addNeed('trigger', name, need, made);
  }

  private begin(piece: DraftBlock, out: CelPlace, note: string): void {
    if (note) piece.changes.push(note);
    this.outs.set(piece.key, out);
    const port = this.draft.beginAt(piece, this.triggers);
    if (port !== undefined) this.ports.set(piece.key, [[port]]);
  }

  private take(node: N8nNode, context: N8nContext, row: N8nRow | undefined): ConvertedNode {
    if (node.disabled) {
      context.change('It was switched off, and lets its item through.');
      return convertDisabled(context);
    }
    if (!row) throw new NotMapped(this.adviceFor(node));
    if (row.verdict === 'refused') throw new NotMapped(row.how);
    const loop = this.loops.find(({ name }) => name === node.name);
    if (loop) return this.loopOf(node, context);
    if (!row.convert) throw new NotMapped('It belongs to another node, and none has it.');
    return row.convert(context);
  }

  /** What to do with a node that the table does not have. */
  private adviceFor({ name, type, version }: N8nNode): string {
    const known = n8nTable.getVersions(type).flatMap(({ versions }) => versions.split(' '));
    if (known.length > 0)
      return `Version ${version} of the node ${type} is not known here; ${known.join(', ')} are. Look at what it does, and write the block by hand.`;
    if (!/trigger$/i.test(type))
      return `The node ${type} has no counterpart. ${type.includes('langchain') ? 'Use an llm, router, evaluator or knowledge block.' : 'Use an http block for its API.'}`;
    this.draft.needs.addNeed('trigger', name, `It was started by ${type}.`);
    return `The node ${type} has no counterpart. Let the system that triggers it call execute, with its fields as inputs.`;
  }

  /** Notes what a node says and its block does not do. */
  private noteDifferences(node: N8nNode, context: N8nContext, takesAll: boolean): void {
    const { raw, name } = node;
    const once = raw['executeOnce'] === true;
    if (raw['alwaysOutputData'] === true)
      context.change('It always gave an item (alwaysOutputData); here no item is an empty list.');
    if (once && !takesAll)
      context.change('It ran for its first item alone (executeOnce); see that one item comes in.');
    if (!once && !takesAll && !node.disabled && this.hasSeveral(name))
      context.change(
        'It ran for each item; here it runs once. Put a loop around it where several items come.',
      );
    if (!node.disabled) noteUnread(context.piece, findUnread(node, context.parameters));
  }

  private loopOf({ parameters }: N8nNode, context: N8nContext): ConvertedNode {
    const size = parseNumber(parameters['batchSize']) ?? 1;
    if (size > 1) context.change(`It took ${size} items at a time; here each pass has one.`);
    context.change('It is a loop over the list that comes in; an item that is no list has one pass.');
    const items = writePath(context.expressions.incoming());
    const { id } = context.piece;
    return {
      block: {
        type: 'loop',
        params: { forEach: template(`type(${items}) == list ? dyn(${items}) : dyn([${items}])`) },
      },
      out: { root: id, steps: ['item'] },
      ports: [['out'], ['out']],
    };
  }

  /** Behind the loop its item is the list of what its passes came to. */
  private collect({ name, last }: N8nLoop): void {
    const params = this.pieces.get(name)?.block?.['params'];
    const places = last.map((one) => this.outs.get(one)).filter((one) => typeof one === 'object');
    if (!params || typeof params !== 'object' || Array.isArray(params) || places.length === 0) return;
    params['collect'] = template(writePath(places.length === 1 && places[0] ? places[0] : getFirst(places)));
  }

  private contextOf(node: N8nNode, piece: DraftBlock): N8nContext {
    const { draft } = this;
    const incoming = this.incomingOf(node.name, piece);
    const scope: N8nScope = {
      json: incoming,
      several: this.hasSeveral(node.name),
      givesSeveral: (name) => this.givesSeveral(name, piece),
      valuesId: () => this.valuesIdOf(piece),
      outputOf: (name) => this.seenFrom(name, piece),
      loop: piece.parent?.id,
      change: (sentence) => {
        if (!piece.changes.includes(sentence)) piece.changes.push(sentence);
      },
      secret: (name) => {
        if (!n8nTable.get(node)?.readsSecrets)
          throw new NotMapped(
            `It reads the variable ${name} of the installation; give it by an input or in the block itself.`,
          );
        return readSecret(draft.needs, toSecretName(name), `"${node.name}" reads it.`);
      },
    };
    const expressions = new N8nExpressions(scope, new N8nScript(scope));
    const around = {
      needs: draft.needs,
      surroundings: this.surroundings,
      inputs: this.placesInto(node.name, piece),
      attachedTo: (name: string) =>
        [...this.graph.attached].flatMap(([from, to]) =>
          to.includes(name) ? (this.graph.nodes.get(from) ?? []) : [],
        ),
      getRow: (one: N8nNode) => n8nTable.get(one),
      outputOf: (name: string) => this.seenFrom(name, piece),
      declare: (name: string) => {
        draft.variables[name] = { type: 'json' };
      },
    };
    return new N8nContext(node, piece, expressions, around, (word) => draft.idFor(`${piece.id} ${word}`));
  }

  private hasSeveral(name: string): boolean {
    const reader = this.pieces.get(name);
    return this.graph.links.some(
      (link) => link.to === name && !this.isAfterFailure(link) && this.givesSeveral(link.from, reader),
    );
  }

  /** True when the output of a node may be several items as another one sees it, as the results of a loop from outside. */
  private givesSeveral(name: string, reader: DraftBlock | undefined): boolean {
    const loop = this.loops.some((one) => one.name === name) ? this.pieces.get(name) : undefined;
    return loop && reader ? !isInside(reader, loop) : this.several.has(name);
  }

  private valuesIdOf(piece: DraftBlock): string {
    const known = this.valuesIds.get(piece) ?? this.draft.idFor(`${piece.id} values`);
    this.valuesIds.set(piece, known);
    return known;
  }

  private placesInto(name: string, piece: DraftBlock): CelPlace[] {
    const links = this.graph.links.filter(({ to }) => to === name);
    const places = links
      .map((link) => (this.isAfterFailure(link) ? this.failureOf(link) : this.seenFrom(link.from, piece)))
      .filter((one) => typeof one === 'object');
    return [...new Map(places.map((one) => [JSON.stringify(one), one])).values()];
  }

  private incomingOf(name: string, piece: DraftBlock): CelPlace | string {
    const places = this.placesInto(name, piece);
    const [only] = places;
    if (!only) return 'No node leads to it, so it has no item to read.';
    if (places.length === 1) return only;
    const node = this.graph.nodes.get(name);
    if (!node || !n8nTable.get(node)?.joins)
      piece.changes.push(
        'Several ways lead to it: it runs once, with the item of the first of them that ran.',
      );
    return getFirst(places);
  }

  /** The item of a node as another one sees it: of a loop, its pass from inside, and its results from outside. */
  private seenFrom(name: string, reader: DraftBlock): CelPlace | string | undefined {
    const target = this.pieces.get(name);
    const out = this.outs.get(name);
    if (!target || out === undefined) return target ? `"${name}" has not run before it.` : undefined;
    if (this.loops.some((loop) => loop.name === name))
      return { root: target.id, steps: [isInside(reader, target) ? 'item' : 'results'] };
    return out;
  }

  /** True for the way of a node that its failures take. */
  private isAfterFailure({ from, output }: N8nLink): boolean {
    return (
      toText(this.graph.nodes.get(from)?.raw['onError']) === 'continueErrorOutput' &&
      output === (this.ports.get(from)?.length ?? 1)
    );
  }

  /** The item behind a failure: the error of the block that failed. */
  private failureOf({ from }: N8nLink): CelPlace | undefined {
    const piece = this.pieces.get(from);
    if (!piece?.block || piece.refusal !== undefined) return undefined;
    const ids = [...piece.before, piece, ...piece.after].map(({ id }) => id);
    const error = getFirst(ids.map((root) => ({ root, steps: ['error'] })));
    return { root: '', steps: [], members: { error }, lacks: [] };
  }

  private noteFailures(node: N8nNode, context: N8nContext): void {
    const on = toText(node.raw['onError']);
    if (on === 'continueErrorOutput')
      context.change(
        'The item behind its failure is { error }, with code, message and details, and nothing else.',
      );
    if (on === 'continueRegularOutput' || node.raw['continueOnFail'] === true)
      context.goesOnAfterFailure = true;
    if (!context.goesOnAfterFailure) return;
    this.goesOn.add(node.name);
    context.change('The ways that leave it are also taken after a failure; its output is null then.');
  }

  private connect(link: N8nLink): void {
    const from = this.pieces.get(link.from);
    const to = this.pieces.get(link.to);
    if (!from || !to) return;
    if (from.becomes === 'start' || (isUnreached(from) && !from.refusal)) {
      if (from.becomes === 'start') this.draft.ways.push({ to });
      return;
    }
    const loop = this.loops.find(({ name }) => name === link.from);
    if (loop && link.output === loop.each) return void this.draft.ways.push({ to });
    if (from.parent !== to.parent) {
      to.refusal ??= `A way leads to it from "${from.name}", out of or into the loop. Only the node of the loop itself may do that.`;
      return;
    }
    for (const port of this.portsOf(link))
      this.draft.ways.push({ from, to, ...(port === 'out' ? {} : { port }) });
    if (this.goesOn.has(link.from)) this.draft.ways.push({ from, to, port: 'error' });
  }

  private portsOf(link: N8nLink): string[] {
    const { from, output } = link;
    const ports = this.ports.get(from);
    if (this.isAfterFailure(link)) return ['error'];
    if (!ports) return ['out'];
    if (!ports[output])
      this.draft.notes.push(
        `Nothing leaves "${from}" by its output ${output}, so that way is never taken; it is left out.`,
      );
    return ports[output] ?? [];
  }
}

/** Notes the parameters that nothing reads. */
function noteUnread({ changes }: DraftBlock, names: string[]): void {
  if (names.length > 0) changes.push(`It also says ${names.join(', ')}, which nothing reads here.`);
}

const isTrigger = ({ type }: { type: string }) => /trigger$/i.test(type);
const isUnreached = ({ block, refusal }: DraftBlock) => block === undefined && refusal === undefined;

function isInside(piece: DraftBlock, container: DraftBlock): boolean {
  for (let at = piece.parent; at; at = at.parent) if (at === container) return true;
  return false;
}

/** The retries of a node, for the blocks that may have them. */
function buildRetry({ raw }: N8nNode, { block }: ConvertedNode): JsonObject {
  if (raw['retryOnFail'] !== true || !/^(http|function)$/.test(toText(block['type']))) return {};
  const delay = (parseNumber(raw['waitBetweenTries']) ?? 1000) / 1000;
  return {
    retry: { maxAttempts: Math.min(parseNumber(raw['maxTries']) ?? 3, 10), initialDelay: delay, backoff: 1 },
  };
}
