import { type Json, type JsonObject } from '#libs/platform/json/json';
import { variableTypes } from '#libs/language/definition/definition';
import { isOfType } from '#libs/language/definition/types';
import { cutText } from '#libs/platform/text/whole-text';
import { type CelPlace, template, writePath } from '../cel-text.ts';
import { Draft, type DraftBlock } from '../draft.ts';
import { type ImportedWorkflow, NotMapped, type Surroundings } from '../report.ts';
import { readSecret, toSecretName } from '../secrets.ts';
import { simBlocks } from './sim-blocks.ts';
import { SimContext } from './sim-context.ts';
import { SimExpressions } from './sim-expressions.ts';
import { getKey, getOriginal, toRows } from './sim-fields.ts';
import { readSim, type SimBlock, type SimEdge, type SimGraph } from './sim-graph.ts';
import { outputOf, simTriggers } from './sim-outputs.ts';
import { type ImportedTrigger, readSimSchedule } from '../triggers.ts';
import { clip, isOn, parseNumber, parseJsonText, toText, toWords } from '../values.ts';

/** The advice for a block that has no counterpart, by its type. */
const hints: [RegExp, string][] = [
  [/trigger|poller|^rss$|^imap$/, 'Let the system that triggers it call execute, with its fields as inputs.'],
  [/^memory$/, 'Keep the messages in a table block.'],
  [/^guardrails$/, 'Use an evaluator or a condition block.'],
  [
    /^(slack|gmail|outlook|telegram|discord|microsoft_teams|sms|twilio)/,
    'Use an http block for its API, or a human block when it asks somebody.',
  ],
  [
    /^(google_sheets|airtable|postgresql|mysql|supabase|notion)/,
    'Use a table block, or an http block for its API.',
  ],
  [/^(translate|vision|mothership|pi)$/, 'Use an llm block.'],
];

/** True when a field asks for further attempts. */
const retries = (name: string, value: Json | undefined) =>
  /^(max)?retr(y|ies)/i.test(name) && (isOn(value) || (parseNumber(value) ?? 0) > 0);

/** A workflow of Sim as a definition. Throws Invalid when the file is none, or leads in a circle. */
export function convertSim(file: JsonObject, surroundings: Surroundings): ImportedWorkflow {
  return new SimConversion(readSim(file), surroundings).convert();
}

class SimConversion {
  private readonly draft = new Draft('sim');
  private readonly pieces = new Map<string, DraftBlock>();
  /** The blocks by the names that references have for them. */
  private readonly byKey = new Map<string, SimBlock>();
  private readonly variables = new Map<string, string>();
  private readonly ports = new Map<string, Map<string, string>>();
  private readonly begins = new Map<string, string | undefined>();

  constructor(
    private readonly graph: SimGraph,
    private readonly surroundings: Surroundings,
  ) {
    const { draft } = this;
    draft.name = graph.name;
    draft.description = cutText(graph.description, 2000);
    for (const block of graph.blocks.values()) {
      this.pieces.set(block.id, draft.addBlock(block.id, block.name, block.type, getOriginal(block)));
      if (!this.byKey.has(getKey(block.name))) this.byKey.set(getKey(block.name), block);
    }
    for (const { id, parent, type } of graph.blocks.values()) {
      const [piece, around] = [this.pieces.get(id), this.pieces.get(parent ?? '')];
      if (piece && around) piece.parent = around;
      if (piece && (type === 'loop' || type === 'parallel')) piece.container = true;
    }
    for (const variable of graph.variables) this.declare(variable);
  }

  convert(): ImportedWorkflow {
    this.begin();
    for (const block of this.graph.blocks.values()) this.convertBlock(block);
    for (const edge of this.graph.edges) this.connect(edge);
    return this.draft.finish();
  }

  private declare({ name, type, value = null }: JsonObject): string {
    const given = toText(name);
    const key = getKey(given);
    const known = this.variables.get(key);
    if (known !== undefined) return known;
    const words = /^[A-Za-z_]\w{0,63}$/.test(given) ? given : `v_${cutText(toWords(given), 60)}`;
    const wanted = toText(type) === 'plain' ? 'string' : toText(type);
    const initial = wanted === 'string' ? toText(value) : (parseJsonText(value) ?? null);
    const fitting = variableTypes.find((one) => one === wanted);
    const fits = fitting !== undefined && (initial === null || isOfType(initial, fitting));
    this.draft.variables[words] = { type: fits ? fitting : 'json', ...(initial === null ? {} : { initial }) };
    this.variables.set(key, words);
    return words;
  }

  private begin(): void {
    const { graph, draft } = this;
    const all = [...graph.blocks.values()].filter(({ type, enabled }) => enabled && simTriggers.has(type));
    const used = all.filter(({ id }) => graph.edges.some(({ from }) => from === id));
    const pieces = used.flatMap(({ id }) => this.pieces.get(id) ?? []);
    for (const block of all) {
      const piece = this.pieces.get(block.id);
      if (!piece) continue;
      for (const field of toRows(block.fields['inputFormat'])) this.addInput(field, piece);
      if (/webhook|schedule/.test(block.type)) {
        const triggers = used.length < 2 ? readSimTriggers(block) : [];
        draft.needs.addNeed('trigger', block.name, `It starts by a ${block.type}.`, triggers);
        piece.changes.push('A trigger is made beside the workflow, not in it.');
      }
      if (used.includes(block)) this.begins.set(block.id, draft.beginAt(piece, pieces));
      else piece.becomes = 'start';
    }
  }

  private addInput(field: JsonObject, piece: DraftBlock): void {
    const name = toText(field['name']);
    if (!/^[A-Za-z_]\w{0,63}$/.test(name)) {
      if (name) piece.changes.push(`The input "${clip(name)}" is left out: its name cannot be one here.`);
      return;
    }
    const given = toText(field['type'], 'string');
    const type = ['string', 'number', 'boolean', 'object', 'array'].includes(given)
      ? given
      : given.startsWith('file')
        ? 'array'
        : 'json';
    const preset = field['value'] ?? field['defaultValue'] ?? null;
    const value: Json =
      type === 'string'
        ? toText(preset)
        : type === 'number'
          ? (parseNumber(preset) ?? null)
          : (parseJsonText(preset) ?? null);
    const hasDefault = value !== null && value !== '' && isOfType(value, type);
    const description = cutText(toText(field['description']), 500);
    this.draft.inputs[name] = {
      type,
      ...(hasDefault ? { default: value } : {}),
      ...(description ? { description } : {}),
    };
  }

  private convertBlock(block: SimBlock): void {
    const piece = this.pieces.get(block.id);
    if (!piece) return;
    if (block.type === 'note') return void piece.changes.push('A note is left out.');
    if (!block.enabled) return void piece.changes.push('It was switched off, and is left out.');
    if (simTriggers.has(block.type)) return;
    try {
      const convert =
        Object.hasOwn(simBlocks, block.type) && block.raw['triggerMode'] !== true
          ? simBlocks[block.type]
          : undefined;
      if (!convert) throw this.refuse(block, piece);
      const taken = convert(this.contextOf(block, piece));
      // Those of a call are taken over; no other block of Sim is known to have some.
      if (block.type !== 'api' && Object.keys(block.fields).some((name) => retries(name, block.fields[name])))
        piece.changes.push(
          'Its retries are left out. Write retry into the block when another attempt can help.',
        );
      piece.block = taken.block;
      if (taken.ports) this.ports.set(block.id, taken.ports);
    } catch (error) {
      if (!(error instanceof NotMapped)) throw error;
      piece.refusal = error.message;
    }
  }

  private refuse({ id, type, name, raw }: SimBlock, piece: DraftBlock): NotMapped {
    const isTrigger = raw['triggerMode'] === true || /trigger|poller|^rss$|^imap$/.test(type);
    if (isTrigger && !this.graph.edges.some(({ to }) => to === id)) {
      this.draft.needs.addNeed('trigger', name, `It was started by ${type}.`);
      this.draft.ways.push({ to: piece });
    }
    const hint =
      hints.find(([pattern]) => pattern.test(isTrigger ? 'trigger' : type))?.[1] ??
      'Use an http block for its API.';
    return new NotMapped(`The block ${type} has no counterpart. ${hint}`);
  }

  private contextOf(block: SimBlock, piece: DraftBlock): SimContext {
    const { draft, graph } = this;
    const edges = graph.edges.filter(({ from, handle }) => from === block.id && handle !== 'error');
    const followers = edges.map(({ to }): [string, string] => [to, graph.blocks.get(to)?.name ?? '']);
    return new SimContext(block, piece, this.expressionsIn(block, piece.parent?.id), {
      needs: draft.needs,
      surroundings: this.surroundings,
      inside: this.expressionsIn(block, 'loop'),
      collect: this.collected(block),
      followers: new Map(followers),
      declare: (name) => this.declare({ name, type: 'json' }),
    });
  }

  private expressionsIn(block: SimBlock, pass: string | undefined): SimExpressions {
    return new SimExpressions({
      outputOf: (key) => this.placeFor(key, block),
      variable: (key) => this.variables.get(key),
      pass,
      secret: (name) => readSecret(this.draft.needs, toSecretName(name), `"${block.name}" reads it.`),
    });
  }

  /** A container is its pass to what lies in it, and its results to all others. */
  private placeFor(key: string, reader: SimBlock): CelPlace | undefined {
    const target = this.byKey.get(key);
    const piece = target && this.pieces.get(target.id);
    if (!target || !piece) return undefined;
    for (let at = reader.parent; at !== undefined; at = this.graph.blocks.get(at)?.parent) {
      if (at !== target.id) continue;
      const members = { index: 'index', currentItem: 'item', items: 'items' };
      const places = Object.entries(members).map(([name, own]): [string, CelPlace] => [
        name,
        { root: piece.id, steps: [own] },
      ]);
      return { root: piece.id, steps: [], members: Object.fromEntries(places) };
    }
    return outputOf(target, piece.id);
  }

  /** Sim gives the outputs of all blocks of a pass; those that did not run are null here. */
  private collected({ id }: SimBlock): Json {
    return [...this.graph.blocks.values()]
      .filter(({ parent, enabled, type }) => parent === id && enabled && type !== 'note')
      .map((inner) => {
        const piece = this.pieces.get(inner.id);
        return piece ? template(writePath(outputOf(inner, piece.id))) : null;
      });
  }

  private connect({ from: source, to: target, handle }: SimEdge): void {
    const [from, to] = [this.pieces.get(source), this.pieces.get(target)];
    const block = this.graph.blocks.get(source);
    if (!from || !to || !block || from.parent === to) return;
    if (to.parent === from) return void this.draft.ways.push({ to });
    if (from.parent !== to.parent) {
      to.changes.push(
        `The way from "${from.name}" crosses the edge of a container, where Sim does not follow it.`,
      );
      return;
    }
    if (this.begins.has(source)) {
      const port = this.begins.get(source);
      this.draft.ways.push(port === undefined ? { to } : { from, to, port });
      return;
    }
    if (!from.block && from.refusal === undefined) return;
    const ports = this.ports.get(source);
    const port =
      handle === 'error' ? 'error' : ports ? (ports.get(handle) ?? ports.get(`to ${target}`)) : 'out';
    if (port === undefined)
      from.changes.push(`A way to "${to.name}" left it by no row that it has, and is left out.`);
    else this.draft.ways.push({ from, to, ...(port === 'out' ? {} : { port }) });
  }
}

/** Returns the triggers that do what a block of Sim did; empty for a schedule that is not known. */
function readSimTriggers({ name, type, fields }: SimBlock): ImportedTrigger[] {
  if (type === 'schedule') {
    const schedule = readSimSchedule(fields);
    return schedule ? [{ kind: 'schedule', name, schedule, inputs: {} }] : [];
  }
  const scheme = isOn(fields['requireAuth']) || toText(fields['token']) !== '' ? 'bearer' : 'none';
  const deliveryIdPath = toText(fields['idempotencyField']);
  const id: JsonObject = deliveryIdPath === '' ? {} : { deliveryIdPath };
  return [{ kind: 'webhook', name, webhook: { scheme, ...id } }];
}
