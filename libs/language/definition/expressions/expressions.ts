import type { ParseResult } from '@marcbachmann/cel-js';

import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';

import { cutText } from '#libs/platform/text/whole-text';
import { AddressFault, joinAddress } from './addresses.ts';
import { toChain, instrument, type Path, read } from './ast.ts';
import { cel, sourceCharsMax, withNearest } from './cel.ts';
import { CostExceeded, costInline, measure, Meter, running } from './cost.ts';
import { loopAlias, withoutReserved } from './loop-name.ts';
import { asText, NotJson, toJson } from './results.ts';
import { explainSyntax } from './syntax-faults.ts';
import { type TemplatePiece, split, TemplateError } from './templates.ts';

/** The values of the names that expressions read: own members only, never a prototype's. */
export type Values = Record<string, Json>;

/** An error of an expression: its syntax, types that can be proven, its values, or its cost. */
export type ExpressionKind = 'syntax' | 'type' | 'value' | 'cost';

/** An expression that cannot be parsed or evaluated. The message names the expression. */
export class ExpressionError extends Error {
  readonly code = 'EXPRESSION_FAILED';

  constructor(
    readonly source: string,
    readonly reason: string,
    readonly kind: ExpressionKind,
  ) {
    super(`The expression "${clip(source)}" ${kind === 'value' ? 'failed' : 'is refused'}: ${reason}.`);
    this.name = 'ExpressionError';
  }
}

/** A compiled expression. It has no values in it, so that one serves every run. */
export interface Expression {
  source: string;
  /** The member paths that the expression reads from the scope. */
  paths: Path[];
  /** Set when the expression is one member path and nothing more: then missing members read as null. */
  plain: Path | undefined;
  run: ParseResult;
}

const cacheMax = 2000;
const expressions = new Map<string, Expression>();
const templates = new Map<string, TemplatePiece[]>();

/** Compiles and checks an expression. Throws an ExpressionError that says what is wrong. Cached, bounded. */
export function parse(source: string): Expression {
  return remember(expressions, source, compileExpression);
}

/**
 * The value of an expression. In a plain member path a missing member reads as null. Anywhere else an
 * ExpressionError is thrown for a missing member, a wrong type, a result that is not JSON, or more work than the
 * meter allows.
 */
export function evaluate(source: string, scope: Values, meter = new Meter(costInline)): Json {
  const expression = parse(source);
  if (expression.plain) return follow(scope, expression.plain);
  try {
    return attempt(expression, scope, meter);
  } catch (error) {
    throw explain(source, error);
  }
}

/**
 * A parameter with its expressions replaced by their values. A string that is exactly one `{{ expression }}`
 * becomes its value; in a longer string null and missing values become empty text, objects and lists their JSON
 * text.
 */
export function render(template: Json, scope: Values, meter = new Meter(costInline)): Json {
  if (typeof template === 'string') return renderText(template, scope, meter);
  if (Array.isArray(template)) return template.map((member) => render(member, scope, meter));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, member]) => [key, render(member, scope, meter)]),
  );
}

/** The parameters of a block, rendered. A value in the text of an address stays one part of it. */
export function renderParams(params: JsonObject, scope: Values, meter = new Meter(costInline)): JsonObject {
  const renderMember = (name: string, value: Json): Json => {
    if (typeof value === 'string' && (name === 'url' || name === 'baseUrl'))
      return renderAddress(value, scope, meter);
    // The notice of a pause has its address further down.
    if (isObject(value) && (name === 'notify' || name === 'webhook'))
      return renderParams(value, scope, meter);
    return render(value, scope, meter);
  };
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, renderMember(name, value)]));
}

function renderAddress(template: string, scope: Values, meter: Meter): Json {
  const parts = pieces(template);
  if (parts.length === 1) return render(template, scope, meter);
  try {
    return joinAddress(
      parts.map((part) =>
        'text' in part
          ? part
          : { value: asText(evaluate(part.source, scope, meter)), isEncoded: isEncoded(parse(part.source)) },
      ),
    );
  } catch (error) {
    if (!(error instanceof AddressFault)) throw error;
    throw new ExpressionError(template, error.message, 'value');
  }
}

const isEncoded = ({ run: { ast } }: Expression) =>
  ast.op === 'call' && (ast.args[0] === 'path' || ast.args[0] === 'urlEncode');

/** The member paths that an expression reads, each up to its first step that is not a constant name. */
export function expressionReferences(source: string): string[][] {
  return unique(parse(source).paths.map(names));
}

/** The member paths that the expressions of a parameter read. */
export function references(template: Json): string[][] {
  return unique(sources(template).flatMap((source) => parse(source).paths.map(names)));
}

/** The sources of all expressions in a parameter, in order. */
export function sources(template: Json): string[] {
  if (typeof template === 'string')
    return pieces(template).flatMap((piece) => ('source' in piece ? [piece.source] : []));
  if (typeof template !== 'object' || template === null) return [];
  return Object.values(template).flatMap((member) => sources(member));
}

/** The value at the end of a path; null where a step is missing. Reads own members only. */
export function follow(scope: Values, path: Path): Json {
  let at: Json | undefined = scope;
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return null;
    at = Array.isArray(at) ? itemOf(at, step) : memberOf(at, step);
  }
  return at ?? null;
}

function itemOf(list: Json[], step: string | number): Json | undefined {
  return typeof step === 'number' ? list[step] : undefined;
}

function memberOf(object: JsonObject, step: string | number): Json | undefined {
  return Object.hasOwn(object, step) ? object[step] : undefined;
}

function renderText(template: string, scope: Values, meter: Meter): Json {
  const parts = pieces(template);
  const [only] = parts;
  if (parts.length === 1 && only && 'source' in only) return evaluate(only.source, scope, meter);
  return parts
    .map((part) => ('text' in part ? part.text : asText(evaluate(part.source, scope, meter))))
    .join('');
}

function pieces(template: string): TemplatePiece[] {
  if (!template.includes('{{')) return [{ text: template }];
  return remember(templates, template, (text) => {
    try {
      return split(text);
    } catch (error) {
      if (error instanceof TemplateError) throw new ExpressionError(text, error.message, 'syntax');
      throw error;
    }
  });
}

function compileExpression(source: string): Expression {
  if (source.length > sourceCharsMax)
    throw new ExpressionError(source, `it is longer than ${sourceCharsMax} characters`, 'syntax');
  try {
    const run = cel().parse(withoutReserved(source));
    const reading = read(run.ast);
    const [refused] = reading.refused;
    if (refused) throw new ExpressionError(source, refused, 'syntax');
    const chain = toChain(run.ast);
    const plain = chain && reading.paths.length === 1 ? reading.paths[0] : undefined;
    if (!plain) checkTypes(source, run);
    return { source, paths: reading.paths, plain, run };
  } catch (error) {
    if (error instanceof ExpressionError) throw error;
    throw new ExpressionError(source, explainSyntax(error) ?? summary(error), 'syntax');
  }
}

function checkTypes(source: string, run: ParseResult): void {
  const checked = run.check();
  if (!checked.valid) throw new ExpressionError(source, summary(checked.error), 'type');
  instrument(run, running);
}

const entriesOf = (scope: Values): [string, Json][] =>
  Object.entries(scope).map(([name, value]) => [name === 'loop' ? loopAlias : name, value]);

function attempt(expression: Expression, scope: Values, meter: Meter): Json {
  measure(meter);
  const context = new Map(entriesOf(scope));
  meter.spend(1);
  let value: unknown;
  try {
    value = expression.run(context);
  } catch (error) {
    const shielded = new Map(entriesOf(scope).map(([name, member]) => [name, shield(member)]));
    if (
      error instanceof CostExceeded ||
      [...shielded].every(([name, member]) => member === context.get(name))
    )
      throw error;
    value = expression.run(shielded);
  }
  if (meter.exceeded) throw new CostExceeded('cost');
  return toJson(value, meter);
}

/**
 * Makes objects with a member `constructor` Maps: the library finds a value's type by its `constructor`, which data
 * may have as a member. Tried only after a failure, because few values have that member and the search costs.
 */
function shield(value: Json): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const members = value.map(shield);
    return members.every((member, i) => member === value[i]) ? value : members;
  }
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => [key, shield(member)]);
  if (Object.hasOwn(value, 'constructor')) return new Map(entries);
  return entries.every(([key, member]) => member === value[key]) ? value : Object.fromEntries(entries);
}

function explain(source: string, error: unknown): ExpressionError {
  if (error instanceof ExpressionError) return error;
  if (error instanceof CostExceeded) return new ExpressionError(source, 'it takes too much work', 'cost');
  if (error instanceof NotJson)
    return new ExpressionError(source, `of its result, ${error.message}`, 'value');
  return new ExpressionError(source, summary(error), 'value');
}

/** The sentence of a library error, without the excerpt of the source that the library adds. */
function summary(error: unknown): string {
  if (error instanceof RangeError && /stack/i.test(error.message)) return 'it is nested too deeply';
  const said: unknown = Reflect.get(Object(error), 'summary') ?? Reflect.get(Object(error), 'message');
  if (typeof said !== 'string') return 'it cannot be understood';
  if (said.startsWith('Ternary branches')) return `${said}; dyn(…) around one lets them differ`;
  const missing = /^No such key: (\w+)\.?$/.exec(said)?.[1];
  return missing !== undefined
    ? `No such key: ${missing}; has() or .?${missing} asks whether it is there`
    : withNearest(said.replace(/\.$/, '')).replaceAll(loopAlias, 'loop');
}

function names(path: Path): string[] {
  const end = path.findIndex((step) => typeof step === 'number');
  return path.slice(0, end < 0 ? undefined : end).map(String);
}

function unique(paths: string[][]): string[][] {
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
}

function remember<T>(cache: Map<string, T>, key: string, make: (key: string) => T): T {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make(key);
  const oldest = cache.size >= cacheMax ? cache.keys().next() : undefined;
  if (oldest && !oldest.done) cache.delete(oldest.value);
  cache.set(key, made);
  return made;
}

function clip(source: string): string {
  return cutText(source, 200, '…');
}
