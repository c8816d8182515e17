import type { ASTNode, ParseResult } from '@marcbachmann/cel-js';

import type { Meter } from './cost.ts';
import { loopAlias } from './loop-name.ts';

/** The constant steps of a member access, beginning with the root's name. */
export type Path = (string | number)[];

/** Names that the expression language defines: never a root of the scope, never a block's id. */
export const languageNames = new Set(
  [
    'string bool int uint double map list bytes null_type type google cel optional',
    'dyn size timestamp duration has json matches',
    'true false null in as break const continue else for function if import let loop package namespace',
    'return var void while __proto__ prototype constructor',
  ].flatMap((names) => names.split(' ')),
);

const constants = new Set(
  'string bool int uint double map list bytes null_type type google cel optional'.split(' '),
);
const binders = new Set(['map', 'filter', 'all', 'exists', 'exists_one']);

/** The names that a parsed expression reads and calls. */
export interface ReadPath {
  /** Every member path read from the scope, as far as its steps are constant. */
  paths: Path[];
  /** One sentence for each call that workflow code refuses. */
  refused: string[];
  nodes: number;
}

/** Visits every node once. Variables that `map`, `filter`, `bind` and the like introduce are not reads. */
export function read(root: ASTNode): ReadPath {
  const reading: ReadPath = { paths: [], refused: [], nodes: 0 };
  visit(root, new Set(), reading);
  return reading;
}

function visit(node: ASTNode, bound: ReadonlySet<string>, out: ReadPath): void {
  out.nodes++;
  const chain = toChain(node);
  if (chain) {
    if (!bound.has(chain.root) && !constants.has(chain.root))
      out.paths.push([nameOf(chain.root), ...chain.steps]);
    return;
  }
  if (node.op === 'value' && typeof node.args === 'number' && !Number.isFinite(node.args))
    out.refused.push('it has a number beyond 1.7e308, which is out of range');
  if (node.op === 'map') refuseRepeatedKeys(node.args, out);
  if (node.op === 'rcall') return visitCall(node, bound, out);
  for (const child of children(node)) visit(child, bound, out);
}

/** Only the last of two equal keys would count. */
function refuseRepeatedKeys(entries: [ASTNode, ASTNode][], out: ReadPath): void {
  const keys = entries.flatMap(([key]) => (key.op === 'value' ? [String(key.args)] : []));
  const again = keys.find((key, i) => keys.indexOf(key) < i);
  if (again !== undefined) out.refused.push(`the key "${again}" is twice in one object`);
}

const nameOf = (root: string) => (root === loopAlias ? 'loop' : root);

function visitCall(node: Extract<ASTNode, { op: 'rcall' }>, bound: ReadonlySet<string>, out: ReadPath): void {
  const [method, receiver, args] = node.args;
  refuse(method, args.length, out);
  visit(receiver, bound, out);
  const binding = args[0];
  const binds = (binders.has(method) && args.length > 1) || (method === 'bind' && args.length === 3);
  if (!binds || binding?.op !== 'id') return args.forEach((arg) => visit(arg, bound, out));
  const inner = new Set(bound).add(binding.args);
  args.slice(1).forEach((arg, i) => visit(arg, method === 'bind' && i === 0 ? bound : inner, out));
}

/**
 * Refuses calls that are not safe in workflow code: a regular expression can run for ever, and local time depends
 * on the machine, so a replay could differ.
 */
function refuse(method: string, args: number, out: ReadPath): void {
  if (method === 'matches')
    out.refused.push('matches() is not available: a regular expression can stop the engine');
  else if (method === 'getDayOfYear' || (args > 0 && /^get[A-Z]/.test(method)))
    out.refused.push(
      `${method}(${args ? 'zone' : ''}) is not available: it depends on the machine's time zone`,
    );
}

/** `a.b["c"][0]` as root and steps; undefined when the node is anything else. */
export function toChain(node: ASTNode): { root: string; steps: Path } | undefined {
  const steps: Path = [];
  let at = node;
  for (;;) {
    if (at.op === 'id') return { root: at.args, steps: steps.toReversed() };
    if (at.op === '.' || at.op === '.?') steps.push(at.args[1]);
    else if (at.op === '[]' || at.op === '[?]') {
      const step = constantOf(at.args[1]);
      if (step === undefined) return undefined;
      steps.push(step);
    } else return undefined;
    at = at.args[0];
  }
}

function constantOf(node: ASTNode): string | number | undefined {
  if (node.op !== 'value') return undefined;
  if (typeof node.args === 'string') return node.args;
  return typeof node.args === 'bigint' && node.args >= 0n ? Number(node.args) : undefined;
}

function children(node: ASTNode): ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    default:
      return [...node.args];
  }
}

type Handle = (...args: unknown[]) => unknown;

/**
 * Makes every call, concatenation, comparison and comprehension of a checked expression spend from the meter. The
 * library bounds the length of an expression but not its work. It keeps each node's operation in `handle`, which
 * this function wraps. The library's version is pinned, and the specs of this file fail when that member changes.
 */
export function instrument(parsed: ParseResult, meter: () => Meter): void {
  instrumentNode(parsed.ast, meter);
}

function instrumentNode(node: ASTNode, meter: () => Meter): void {
  const expanded: unknown = Reflect.get(Object(Reflect.get(node, 'meta')), 'alternate');
  if (expanded) wrap(expanded, meter, comprehensionCost(countNodes(node)));
  else if (node.op === '+') wrap(node, meter, outerCost);
  else if (node.op === '==' || node.op === '!=' || node.op === 'in') wrap(node, meter, innerCost);
  else if (node.op === 'call' || node.op === 'rcall') wrap(node, meter, callCost);
  for (const child of children(node)) instrumentNode(child, meter);
}

function wrap(node: unknown, meter: () => Meter, cost: (meter: Meter, args: unknown[]) => void): void {
  const handle: unknown = Reflect.get(Object(node), 'handle');
  if (typeof handle !== 'function') return;
  const paid: Handle = (...args) => {
    cost(meter(), args);
    return Reflect.apply(handle, undefined, args);
  };
  Reflect.set(Object(node), 'handle', paid);
}

function outerCost(meter: Meter, [left, right]: unknown[]): void {
  meter.weighOuter(left);
  meter.weighOuter(right);
}

function innerCost(meter: Meter, [left, right]: unknown[]): void {
  if (typeof left !== 'object' && typeof right !== 'object') return;
  meter.weigh(left);
  meter.weigh(right);
}

function callCost(meter: Meter, [args]: unknown[]): void {
  if (Array.isArray(args)) for (const arg of args) meter.weighOuter(arg);
}

function comprehensionCost(nodes: number): (meter: Meter, args: unknown[]) => void {
  return (meter, [items]) => {
    const size = Array.isArray(items) ? items.length : Object.keys(Object(items)).length;
    meter.spend(1 + size * nodes);
  };
}

function countNodes(node: ASTNode): number {
  return children(node).reduce((sum, child) => sum + countNodes(child), 1);
}
