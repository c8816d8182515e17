import { isObject, type Json } from '#libs/platform/json/json';
import { type CelType, CelWriter } from './cel-writer.ts';
import { literal, type CelPlace, template } from './cel-text.ts';
import { type Node, NotUnderstood, parseJavaScript } from './javascript.ts';
import { jsonOf } from './json-text.ts';
import { NotMapped } from './report.ts';
import { clip } from './values.ts';

/** The values that expressions of one node read. */
export interface N8nScope {
  /** The item that comes in; a sentence when there is no one place for it. */
  json: CelPlace | string;
  /** The output of another node by its name; undefined when there is no such node. */
  outputOf(name: string): CelPlace | string | undefined;
  /** The id of the loop around the node. */
  loop: string | undefined;
  /** Reads a secret in place of a variable of the installation; throws NotMapped where none may be read. */
  secret(name: string): string;
  /** Called with what is different, in a sentence. */
  change(sentence: string): void;
}

const aliases = new Set(['item', 'first', 'last', 'itemMatching']);

/** Turns the expressions of a node into templates. */
export class N8nExpressions {
  private readonly writer: CelWriter;

  constructor(private readonly scope: N8nScope) {
    this.writer = new CelWriter((node) => this.resolve(node));
  }

  /** A parameter with every expression in it rewritten. Throws NotMapped, naming what has no counterpart. */
  template(value: Json): Json {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.template(one));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.template(member)]));
  }

  /** The parameter as one expression: an expression of n8n as it is, any other value written out. */
  expression(value: Json): Node {
    if (typeof value !== 'string' || !value.startsWith('=')) return literalNode(value);
    const parts = piecesOf(value.slice(1));
    const nodes = parts.map((part): Node =>
      'text' in part ? literalNode(part.text) : this.parse(part.source),
    );
    const [only] = nodes;
    return nodes.length === 1 && only ? only : { kind: 'text', parts: nodes };
  }

  /** A bare expression that is true or false. */
  test(node: Node, source: string): string {
    return this.naming(source, () => this.writer.test(node));
  }

  value(node: Node, source: string): string {
    return this.naming(source, () => this.writer.value(node));
  }

  /** The item that comes in, as an expression. */
  incoming(): CelPlace {
    const { json } = this.scope;
    if (typeof json === 'string') throw new NotMapped(json);
    return json;
  }

  private text(value: string): Json {
    if (!value.startsWith('=')) return literal(value);
    const parts = piecesOf(value.slice(1));
    return parts
      .map((part) => {
        if ('text' in part) return literal(part.text);
        return template(this.value(this.parse(part.source), part.source));
      })
      .join('');
  }

  /** A text that is JSON with expressions in it, as JSON with templates. */
  json(value: Json): Json {
    if (typeof value !== 'string') return this.template(value);
    const parts = value.startsWith('=') ? piecesOf(value.slice(1)) : [{ text: value }];
    return jsonOf(
      parts.map((part) =>
        'text' in part
          ? part
          : { hole: template(this.value(withoutStringify(this.parse(part.source)), part.source)) },
      ),
    );
  }

  private parse(source: string): Node {
    return this.naming(source, () => parseJavaScript(source));
  }

  private naming<T>(source: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof NotUnderstood)) throw error;
      throw new NotMapped(
        `The expression "${clip(source)}" has no counterpart: ${error.message}. Write it in CEL, or in a function block.`,
      );
    }
  }

  private resolve(node: Node): CelPlace | { cel: string; type: CelType } | undefined {
    const place = this.itemOf(node);
    if (place !== undefined) return place;
    const clock = clockOf(node);
    if (clock) {
      this.scope.change('A run has one clock, the moment of its start: $now reads that.');
      return clock;
    }
    if (node.kind === 'name' && (node.name === '$itemIndex' || node.name === '$runIndex'))
      return { cel: this.scope.loop ? `${this.scope.loop}.index` : '0', type: 'number' };
    const [root, member] = memberOf(node);
    if (member === undefined) return undefined;
    if (root === '$vars' || root === '$env') return { cel: this.scope.secret(member), type: 'string' };
    if (root === '$execution' && member === 'id') return { cel: 'run.id', type: 'string' };
    if (root === '$workflow' && member === 'id') return { cel: 'run.workflowId', type: 'string' };
    return undefined;
  }

  /** `$json`, `$input.item.json`, `$('A').item.json`, `$node["A"].json` and their like. */
  private itemOf(node: Node): CelPlace | undefined {
    if (node.kind === 'name' && node.name === '$json') return this.incoming();
    const [of, key] = node.kind === 'member' ? [node.of, constantOf(node.key)] : [undefined, undefined];
    if (!of || key !== 'json') return undefined;
    const direct = this.nodeOf(of);
    if (direct) return direct;
    const item = withoutCall(of);
    if (item.kind !== 'member' || !aliases.has(String(constantOf(item.key)))) return undefined;
    if (item.of.kind === 'name' && item.of.name === '$input') return this.incoming();
    return this.nodeOf(item.of);
  }

  /** The output of the node that `$('A')`, `$node["A"]` or `$items("A")[0]` names. */
  private nodeOf(node: Node): CelPlace | undefined {
    const name = nodeNameOf(node);
    if (name === undefined) return undefined;
    const place = this.scope.outputOf(name);
    if (place === undefined) throw new NotUnderstood(`there is no node "${name}"`);
    if (typeof place === 'string') throw new NotUnderstood(place);
    return place;
  }
}

function nodeNameOf(node: Node): string | undefined {
  if (node.kind === 'call' && node.of.kind === 'name' && node.of.name === '$') return argument(node.args);
  if (node.kind !== 'member') return undefined;
  const { of, key } = node;
  if (of.kind === 'name' && of.name === '$node') return textOf(constantOf(key));
  if (of.kind === 'call' && of.of.kind === 'name' && of.of.name === '$items') return argument(of.args);
  return undefined;
}

const argument = ([first]: Node[]) => (first ? textOf(constantOf(first)) : undefined);
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
const constantOf = (node: Node) => (node.kind === 'literal' ? node.value : undefined);
const withoutCall = (node: Node) => (node.kind === 'call' && node.args.length === 0 ? node.of : node);

function memberOf(node: Node): [string, string | undefined] {
  if (node.kind !== 'member' || node.of.kind !== 'name') return ['', undefined];
  return [node.of.name, textOf(constantOf(node.key))];
}

/** The moment that an expression asks for: the run has one clock, the moment of its start. */
function clockOf(node: Node): { cel: string; type: CelType } | undefined {
  const inner = withoutCall(node);
  const isText =
    inner.kind === 'member' && /^(toISO|toISOString|toString)$/.test(String(constantOf(inner.key)));
  const moment = isText ? inner.of : node;
  const isNow = moment.kind === 'name' && moment.name === '$now';
  const isDate = moment.kind === 'call' && moment.of.kind === 'name' && moment.of.name === 'new Date';
  if (!isNow && !(isDate && moment.args.length === 0)) return undefined;
  return { cel: 'run.startTime', type: 'string' };
}

type Part = { text: string } | { source: string };

/** Splits the text behind the sign of equality at its expressions. */
function piecesOf(text: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
    const close = closingOf(text, open + 2);
    if (close < 0) throw new NotMapped(`The expression "${clip(text)}" has a {{ without its }}.`);
    if (open > at) parts.push({ text: text.slice(at, open) });
    parts.push({ source: text.slice(open + 2, close).trim() });
    at = close + 2;
  }
  if (at < text.length || parts.length === 0) parts.push({ text: text.slice(at) });
  return parts;
}

/** The first pair of braces that ends an expression and no object in it. */
function closingOf(text: string, from: number): number {
  let depth = 0;
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote) {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'" || char === '`') quote = char;
    else if (char === '{') depth++;
    else if (char === '}' && depth > 0) depth--;
    else if (char === '}' && text.charAt(at + 1) === '}') return at;
  }
  return -1;
}

/** Functions that make JSON text of a value; here the value is put in as it is. */
function withoutStringify(node: Node): Node {
  if (node.kind !== 'call' || node.of.kind !== 'member' || node.of.of.kind !== 'name') return node;
  const [first] = node.args;
  const isJson = node.of.of.name === 'JSON' && constantOf(node.of.key) === 'stringify';
  return isJson && first ? first : node;
}

/** A constant as a node of an expression. */
export function literalNode(value: Json): Node {
  if (Array.isArray(value)) return { kind: 'list', members: value.map(literalNode) };
  if (isObject(value))
    return { kind: 'object', members: Object.entries(value).map(([key, one]) => [key, literalNode(one)]) };
  return { kind: 'literal', value };
}
