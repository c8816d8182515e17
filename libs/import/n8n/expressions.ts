import { isObject, type Json } from '#libs/platform/json/json';
import { literal, type CelPlace, stepInto, template, writePath } from '../cel-text.ts';
import { type Node, NotUnderstood, parseExpression, parseJavaScript } from '../javascript.ts';
import { parseJson } from '../json-text.ts';
import { N8nScript, type ScriptScope } from './script.ts';
import { NotMapped } from '../report.ts';
import { clip } from '../values.ts';

/** The values that expressions of one node read. */
export interface N8nScope extends ScriptScope {
  /** True when several items may come in. */
  several: boolean;
  /** True for a node whose output may be several items. */
  givesSeveral(name: string): boolean;
  /** The id of the block before the node that computes values. */
  valuesId(): string;
}

const aliases = new Set(['item', 'first', 'last', 'itemMatching']);

/**
 * Turns the expressions of a node into templates. A path is read as it is. Everything else keeps its JavaScript, in a function block before
 * the node, so that it has the same value as in n8n.
 */
export class N8nExpressions {
  constructor(
    private readonly scope: N8nScope,
    readonly script: N8nScript,
  ) {}

  /** A parameter with every expression in it rewritten. Throws NotMapped, naming what has no counterpart. */
  template(value: Json): Json {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.template(one));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.template(member)]));
  }

  /** The parameter in JavaScript, for a function block of the node itself. */
  javascript(value: Json): string {
    if (Array.isArray(value)) return `[${value.map((one) => this.javascript(one)).join(', ')}]`;
    if (isObject(value)) {
      const members = Object.entries(value).map(
        ([key, one]) => `${JSON.stringify(key)}: ${this.javascript(one)}`,
      );
      return `{ ${members.join(', ')} }`;
    }
    if (typeof value !== 'string' || !value.startsWith('=')) return JSON.stringify(value);
    const parts = parsePieces(value.slice(1)).map((part) =>
      'text' in part ? JSON.stringify(part.text) : this.source(part.source),
    );
    return parts.length === 1 ? (parts[0] ?? '""') : `[${parts.join(', ')}].join('')`;
  }

  /** The same expressions for a block that has values of its own. */
  forBlock(valuesId: string): N8nExpressions {
    const scope = { ...this.scope, valuesId: () => valuesId };
    return new N8nExpressions(scope, new N8nScript(scope));
  }

  /** Makes the block before the node from this code, and returns its id. */
  block(code: string): string {
    this.script.ownCode = code;
    return this.scope.valuesId();
  }

  /** An expression in CEL that reads a value which a block before the node computes. */
  computed(javascript: string): string {
    return `${this.scope.valuesId()}.v${this.script.addValue(javascript)}`;
  }

  /** The item that comes in, as an expression. */
  incoming(): CelPlace {
    const { json } = this.scope;
    if (typeof json === 'string') throw new NotMapped(json);
    return json;
  }

  private text(value: string): Json {
    if (!value.startsWith('=')) return literal(value);
    const parts = parsePieces(value.slice(1)).map((part) =>
      'text' in part ? literal(part.text) : this.path(part.source),
    );
    if (parts.every((one) => one !== undefined))
      return parts.map((one) => (typeof one === 'string' ? one : template(one.cel))).join('');
    return template(this.computed(this.javascript(value)));
  }

  /** A text that is JSON with expressions in it, as JSON with templates. */
  json(value: Json): Json {
    if (typeof value !== 'string') return this.template(value);
    const parts = (value.startsWith('=') ? parsePieces(value.slice(1)) : [{ text: value }]).map((part) =>
      'text' in part ? part : { source: withoutStringify(part.source), isWhole: part.source },
    );
    const holes = parts.filter((part) => !('text' in part) || part.text.trim() !== '');
    const [only] = holes;
    // A text that one expression gives is read as JSON, as in n8n.
    if (holes.length === 1 && only && !('text' in only) && only.source === only.isWhole)
      return template(
        this.computed(
          `((value) => (typeof value === 'string' ? JSON.parse(value) : value))(${this.source(only.source)})`,
        ),
      );
    return parseJson(
      parts.map((part) =>
        'text' in part
          ? part
          : { hole: template(this.path(part.source)?.cel ?? this.computed(this.source(part.source))) },
      ),
    );
  }

  private source(source: string): string {
    return this.naming(source, () => this.script.expression(source));
  }

  /** The expression in CEL when it is one path or one constant; undefined for every other one. */
  private path(source: string): { cel: string } | undefined {
    return this.naming(source, () => {
      let node: Node;
      try {
        node = parseJavaScript(source);
      } catch (error) {
        // The script says whether it can be computed.
        if (error instanceof NotUnderstood) return undefined;
        throw error;
      }
      if (node.kind === 'literal' && typeof node.value !== 'number')
        return { cel: node.value === null ? 'null' : JSON.stringify(node.value) };
      const place = this.placeOf(node);
      if (!place) return undefined;
      return 'cel' in place ? place : { cel: writePath(place) };
    });
  }

  private placeOf(node: Node): CelPlace | { cel: string } | undefined {
    const found = this.resolve(node);
    if (found || node.kind !== 'member') return found;
    const key = getConstant(node.key);
    // The length of a text counts differently here.
    if ((typeof key !== 'string' && typeof key !== 'number') || key === 'length') return undefined;
    const inner = this.placeOf(node.of);
    if (!inner || 'cel' in inner) return undefined;
    const place = stepInto(inner, key);
    if (!place) throw new NotUnderstood(`there is no member "${key}"`);
    return place;
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

  private resolve(node: Node): CelPlace | { cel: string } | undefined {
    const place = this.itemOf(node);
    if (place !== undefined) return place;
    const clock = parseClock(node);
    if (clock) {
      this.scope.change('A run has one clock, the moment of its start: $now reads that.');
      return clock;
    }
    if (node.kind === 'name' && (node.name === '$itemIndex' || node.name === '$runIndex'))
      return { cel: this.scope.loop ? `${this.scope.loop}.index` : '0' };
    const [root, member] = parseMember(node);
    if (member === undefined) return undefined;
    if (root === '$vars' || root === '$env') return { cel: this.scope.secret(member) };
    if (root === '$execution' && member === 'id') return { cel: 'run.id' };
    if (root === '$workflow' && member === 'id') return { cel: 'run.workflowId' };
    return undefined;
  }

  /** The item that comes in; undefined where several may come, of which a script takes the right one. */
  private single(): CelPlace | undefined {
    return this.scope.several ? undefined : this.incoming();
  }

  /** `$json`, `$input.item.json`, `$('A').item.json`, `$node["A"].json` and their like. */
  private itemOf(node: Node): CelPlace | undefined {
    if (node.kind === 'name' && node.name === '$json') return this.single();
    const [of, key] = node.kind === 'member' ? [node.of, getConstant(node.key)] : [undefined, undefined];
    if (!of || key !== 'json') return undefined;
    const direct = this.nodeOf(of);
    if (direct) return direct;
    const item = withoutCall(of);
    if (item.kind !== 'member' || !aliases.has(String(getConstant(item.key)))) return undefined;
    if (item.of.kind === 'name' && item.of.name === '$input') return this.single();
    return this.nodeOf(item.of);
  }

  /** The output of the node that `$('A')`, `$node["A"]` or `$items("A")[0]` names. */
  private nodeOf(node: Node): CelPlace | undefined {
    const name = parseNodeName(node);
    if (name === undefined) return undefined;
    const place = this.scope.outputOf(name);
    if (place === undefined) throw new NotUnderstood(`there is no node "${name}"`);
    if (typeof place === 'string') throw new NotUnderstood(place);
    return this.scope.givesSeveral(name) ? undefined : place;
  }
}

function parseNodeName(node: Node): string | undefined {
  if (node.kind === 'call' && node.of.kind === 'name' && node.of.name === '$') return argument(node.args);
  if (node.kind !== 'member') return undefined;
  const { of, key } = node;
  if (of.kind === 'name' && of.name === '$node') return toText(getConstant(key));
  if (of.kind === 'call' && of.of.kind === 'name' && of.of.name === '$items') return argument(of.args);
  return undefined;
}

const argument = ([first]: Node[]) => (first ? toText(getConstant(first)) : undefined);
const toText = (value: unknown) => (typeof value === 'string' ? value : undefined);
const getConstant = (node: Node) => (node.kind === 'literal' ? node.value : undefined);
const withoutCall = (node: Node) => (node.kind === 'call' && node.args.length === 0 ? node.of : node);

function parseMember(node: Node): [string, string | undefined] {
  if (node.kind !== 'member' || node.of.kind !== 'name') return ['', undefined];
  return [node.of.name, toText(getConstant(node.key))];
}

/** The moment that an expression asks for: the run has one clock, the moment of its start. */
function parseClock(node: Node): { cel: string } | undefined {
  const inner = withoutCall(node);
  const isText =
    inner.kind === 'member' && /^(toISO|toISOString|toString)$/.test(String(getConstant(inner.key)));
  const moment = isText ? inner.of : node;
  const isNow = moment.kind === 'name' && moment.name === '$now';
  const isDate = moment.kind === 'call' && moment.of.kind === 'name' && moment.of.name === 'new Date';
  if (!isNow && !(isDate && moment.args.length === 0)) return undefined;
  return { cel: 'run.startTime' };
}

type ExpressionPart = { text: string } | { source: string };

/** Splits the text behind the sign of equality at its expressions. */
export function parsePieces(text: string): ExpressionPart[] {
  const parts: ExpressionPart[] = [];
  let at = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
    const close = getClose(text, open + 2);
    if (close < 0) throw new NotMapped(`The expression "${clip(text)}" has a {{ without its }}.`);
    if (open > at) parts.push({ text: text.slice(at, open) });
    parts.push({ source: text.slice(open + 2, close).trim() });
    at = close + 2;
  }
  if (at < text.length || parts.length === 0) parts.push({ text: text.slice(at) });
  return parts;
}

/** Where an expression ends: by the parser, which knows braces in texts and patterns, else by counting braces. */
function getClose(text: string, from: number): number {
  const close = findClosing(text, from);
  if (close >= 0 && isExpression(text.slice(from, close))) return close;
  for (
    let at = text.indexOf('}}', from), tried = 0;
    at >= 0 && tried < closesMax;
    at = text.indexOf('}}', at + 1), tried++
  )
    if (isExpression(text.slice(from, at))) return at;
  return close;
}

/** How many ends of an expression are tried. */
const closesMax = 20;

function isExpression(source: string): boolean {
  try {
    parseExpression(source);
    return true;
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    return false;
  }
}

/** The first pair of braces that ends an expression and no object in it. */
function findClosing(text: string, from: number): number {
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

/** The argument of a whole `JSON.stringify(…)`: here the value is put in as it is. */
function withoutStringify(source: string): string {
  const inner = /^\s*JSON\.stringify\(([^]*)\)\s*$/.exec(source)?.[1];
  if (inner === undefined) return source;
  try {
    parseJavaScript(inner);
    return inner;
  } catch {
    return source;
  }
}
