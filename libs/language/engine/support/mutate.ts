import * as fc from 'fast-check';

import { blockKinds } from '#libs/language/definition/blocks/registry';
import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';

import { cases, type Fortune } from './generate.ts';

/** A valid definition after changes, with the results of its run if it is still valid. */
export interface Mutant {
  definition: Json;
  changes: string[];
  n: number;
  fortune: Fortune;
}

/** One change, and numbers that choose where and what. */
interface Change {
  kind: string;
  where: number;
  other: number;
  value: Json;
}

/** The lists of the graph itself, not copies: a change of them changes the definition. */
interface Graph {
  blocks: Json[];
  edges: Json[];
}

const expressions = [
  '{{ vars.v }}',
  '{{ start.n + }}',
  '{{ b0 }}',
  '{{ b1.data.x }}',
  '{{ loop.item }}',
  '{{ branch.index + 1 }}',
  '{{ secrets.KEY }}',
  '{{ [1, "a", {"b": null}] }}',
  '{{ start.list.map(x, x + 1) }}',
  'vars.v > 2',
  'loop.index < 3',
  'true',
  '{{ {"$payload": "pay_1"} }}',
  '{{ "a" * 2 }}',
];
const words = [
  '',
  'a',
  'b0',
  'b1',
  'start',
  'out',
  'error',
  'else',
  'yes',
  'expired',
  '__proto__',
  'P1D',
  'x y',
];
const values: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>(...expressions, ...words),
    fc.constantFrom<Json>(null, true, false, 0, 1, 2, 3, 5, -1, 0.5, 1e9),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom('count', 'forEach', 'data', 'set', 'v', 'form', 'name', '$payload'),
      tie('value'),
      {
        maxKeys: 3,
      },
    ),
  ),
})).value;

/** One valid block of each type, to replace another. */
const spares: JsonObject[] = Object.values(blockKinds).map(({ sample }) =>
  copyOf({ ...sample } as JsonObject),
);

/** The kinds of change, by name. A change that has nothing to work on does nothing. */
const changes: Record<string, (patient: Patient, change: Change) => void> = {
  'an edge is deleted': (patient, { where }) => cut(patient.graph(where)?.edges, where),
  'a block is deleted': (patient, { where }) => cut(patient.graph(where)?.blocks, where),
  'a port is renamed': (patient, { where, other }) => set(patient.edge(where), 'port', at(words, other)),
  'an edge leads elsewhere': (patient, { where, other }) => set(patient.edge(where), 'to', patient.id(other)),
  'an edge begins elsewhere': (patient, { where, other }) =>
    set(patient.edge(where), 'from', patient.id(other)),
  'an edge is added': (patient, { where, other }) =>
    patient.graph(where)?.edges.push({ from: patient.id(where), to: patient.id(other) }),
  'an id is that of another': (patient, { where, other }) =>
    set(patient.block(where), 'id', patient.id(other)),
  'a type is another': (patient, { where, other }) =>
    set(patient.block(where), 'type', at(spares, other)?.type),
  'a block is another': (patient, { where, other }) => patient.put(where, at(spares, other)),
  'parameters are those of another': (patient, { where, other }) =>
    set(patient.block(where), 'params', at(spares, other)?.params),
  'parameters are anything': (patient, { where, value }) => set(patient.block(where), 'params', value),
  'a block moves into another graph': (patient, { where, other }) => patient.move(where, other),
  'a block is wrapped': (patient, { where, other }) => patient.wrap(where, other),
  'a value is another': (patient, { where, value }) => {
    const place = at(patient.places(), where);
    if (place) place.holder[place.key] = value;
  },
  'a value is removed': (patient, { where }) => {
    const place = at(patient.places(), where);
    if (place) delete place.holder[place.key];
  },
  'a text is damaged': (patient, { where, other }) => {
    const place = at(patient.texts(), where);
    if (place) place.holder[place.key] = torn(place.text, other);
  },
  'a text is an expression': (patient, { where, other }) => {
    const place = at(patient.texts(), where);
    if (place) place.holder[place.key] = at(expressions, other) ?? '';
  },
};
const kinds = Object.keys(changes);

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom(...kinds),
  where: fc.nat(200),
  other: fc.nat(200),
  value: values,
});

/** Valid definitions after one change or two. */
export const mutants: fc.Arbitrary<Mutant> = fc
  .tuple(cases, fc.array(change, { minLength: 1, maxLength: 2 }))
  .map(([{ definition, n, fortune }, all]) => {
    const patient = new Patient(JSON.parse(JSON.stringify(definition)));
    for (const one of all) changes[one.kind]?.(patient, one);
    // A list with holes is not JSON.
    return { definition: copyOf(patient.root), changes: all.map(({ kind }) => kind), n, fortune };
  });

/** A definition under changes. It reads only the parts that still have the form of a definition. */
class Patient {
  constructor(readonly root: JsonObject) {}

  graph(where: number): Graph | undefined {
    return at(graphsIn(this.root), where);
  }

  block(where: number): JsonObject | undefined {
    return at(this.blocks(), where);
  }

  edge(where: number): JsonObject | undefined {
    const edges = graphsIn(this.root).flatMap((graph) => graph.edges);
    return at(edges.filter(isObject), where);
  }

  id(where: number): Json {
    return at(['start', ...this.blocks().map(({ id = '' }) => id)], where) ?? '';
  }

  put(where: number, spare: JsonObject | undefined): void {
    const block = this.block(where);
    if (!block || !spare) return;
    const { id = '' } = block;
    for (const key of Object.keys(block)) delete block[key];
    Object.assign(block, copyOf(spare), { id });
  }

  move(where: number, other: number): void {
    const [from, to] = [this.graph(where), this.graph(other)];
    if (!from || !to) return;
    const [block] = from.blocks.splice(where % (from.blocks.length || 1), 1);
    if (block === undefined) return;
    to.blocks.push(block);
    if (isObject(block)) to.edges.push({ from: 'start', to: block.id ?? '' });
  }

  wrap(where: number, other: number): void {
    const block = this.block(where);
    if (!block) return;
    const id = `inner${where}`;
    const body = { blocks: [{ ...block, id }], edges: [{ from: 'start', to: id }] };
    const type = other % 2 ? 'loop' : 'parallel';
    this.put(where, { type, params: { count: other % 3 }, body });
  }

  /** Every member of every object and list. */
  places(): { holder: Record<string | number, Json>; key: string | number }[] {
    return placesIn(this.root);
  }

  texts(): { holder: Record<string | number, Json>; key: string | number; text: string }[] {
    return this.places().flatMap(({ holder, key }) => {
      const text = holder[key];
      return typeof text === 'string' ? [{ holder, key, text }] : [];
    });
  }

  private blocks(): JsonObject[] {
    return graphsIn(this.root).flatMap(({ blocks }) => blocks.filter(isObject));
  }
}

function graphsIn(value: Json | undefined): Graph[] {
  if (!isObject(value)) return [];
  const { blocks, edges } = value;
  if (!Array.isArray(blocks) || !Array.isArray(edges)) return [];
  return [{ blocks, edges }, ...blocks.flatMap((block) => (isObject(block) ? graphsIn(block.body) : []))];
}

function placesIn(value: Json): { holder: Record<string | number, Json>; key: string | number }[] {
  if (Array.isArray(value))
    return value.flatMap((member, key) => [{ holder: Object(value), key }, ...placesIn(member)]);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => [{ holder: value, key }, ...placesIn(member)]);
}

/** A text with one character removed or doubled, or cut off there. */
function torn(text: string, by: number): string {
  const i = by % (text.length + 1);
  return (
    [
      text.slice(0, i) + text.slice(i + 1),
      text.slice(0, i) + text.slice(Math.max(0, i - 1)),
      text.slice(0, i),
    ][by % 3] ?? ''
  );
}

function set(object: JsonObject | undefined, key: string, value: Json | undefined): void {
  if (object && value !== undefined) object[key] = copyOf(value);
}

function cut(list: Json[] | undefined, where: number): void {
  if (list && list.length > 0) list.splice(where % list.length, 1);
}

function at<T>(list: T[], where: number): T | undefined {
  return list[where % (list.length || 1)];
}

function copyOf<T extends Json>(value: T): T {
  const copy: T = JSON.parse(JSON.stringify(value));
  return copy;
}
