import { isEffectType } from './definition.ts';
import { type Expression, ExpressionError, parse, sources } from './expressions.ts';
import { InputTypes } from './input-types.ts';
import { at, isObject, type Report } from './shape.ts';
import type { Ways } from './ways.ts';
import type { LooseBlock } from './wiring.ts';

/** More expressions than that are refused unread. */
const expressionsMax = 5000;

/** What the blocks of a definition may read. */
export interface Readable {
  blocks: LooseBlock[];
  inputs: unknown;
  variables: unknown;
  /** Absent when the graph is too large to be asked. */
  ways: Ways | undefined;
}

interface Read {
  block: LooseBlock;
  path: string;
  expression: Expression;
  condition: boolean;
}

/** Checks every expression of every block. Gives the warnings, each once. */
export function checkReads(readable: Readable, report: Report): string[] {
  const reads: Read[] = [];
  for (const block of readable.blocks) {
    if (reads.length >= expressionsMax) {
      report('blocks', 'too_many_expressions', `There are more than ${expressionsMax} expressions.`);
      break;
    }
    collect(block, reads, report);
  }
  const known = new Map(readable.blocks.map((block) => [block.id, block]));
  const warnings = new Set<string>();
  const types = typesOf(readable, reads);
  for (const read of reads) {
    checkTypes(read, types, report);
    for (const path of unique(read.expression)) checkRead(read, path, { readable, known, report, warnings });
  }
  return [...warnings];
}

function collect(block: LooseBlock, reads: Read[], report: Report): void {
  const compile = (source: string, path: string, condition: boolean): void =>
    trying(path, report, () => void reads.push({ block, path, condition, expression: parse(source) }));
  if (block.type === 'condition') {
    if (!Array.isArray(block.raw.cases)) return;
    block.raw.cases.forEach((item: unknown, i) => {
      if (isObject(item) && typeof item.when === 'string')
        compile(item.when, at(at(at(block.path, 'cases'), i), 'when'), true);
    });
    return;
  }
  eachTemplate(templatesOf(block), at(block.path, 'params'), (template, path) =>
    trying(path, report, () => sources(template).forEach((source) => compile(source, path, false))),
  );
}

/** The code of a function is no template. */
function templatesOf({ type, raw }: LooseBlock): unknown {
  if (type !== 'function' || !isObject(raw.params)) return raw.params;
  return 'input' in raw.params ? { input: raw.params.input } : {};
}

function eachTemplate(value: unknown, path: string, visit: (template: string, path: string) => void): void {
  if (typeof value === 'string') {
    if (value.includes('{{')) visit(value, path);
  } else if (Array.isArray(value))
    value.forEach((member: unknown, i) => eachTemplate(member, at(path, i), visit));
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) eachTemplate(member, at(path, name), visit);
}

function trying(path: string, report: Report, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    report(path, error.kind === 'type' ? 'expression_type' : 'expression_syntax', error.message);
  }
}

function typesOf({ inputs }: Readable, reads: Read[]): InputTypes {
  return new InputTypes(
    inputs,
    reads.flatMap(({ expression }) => expression.paths),
  );
}

/** The start as a whole has no type that says more than that it is an object. */
function checkTypes({ expression, path, condition }: Read, types: InputTypes, report: Report): void {
  const { source, paths } = expression;
  const fromStart = paths.filter(([root]) => root === 'start');
  if (fromStart.some((steps) => steps.length === 1)) return;
  const reason = fromStart.length > 0 ? types.faultOf(source) : undefined;
  if (reason !== undefined)
    return report(path, 'expression_type', new ExpressionError(source, reason, 'type').message);
  const type = condition ? types.typeOf(source) : undefined;
  if (type !== undefined && type !== 'bool')
    report(path, 'expression_type', `The condition "${source}" gives ${type}, not true or false.`);
}

interface Around {
  readable: Readable;
  known: Map<string, LooseBlock>;
  report: Report;
  warnings: Set<string>;
}

function checkRead(read: Read, [root = '', member]: string[], around: Around): void {
  const { path, block } = read;
  const { readable, known, report, warnings } = around;
  switch (root) {
    case 'run':
      return;
    case 'start':
      if (member !== undefined && isObject(readable.inputs) && !Object.hasOwn(readable.inputs, member))
        warnings.add(`${path}: the input "${member}" is not declared, so nothing checks it.`);
      return;
    case 'vars':
      if (
        member !== undefined &&
        !(isObject(readable.variables) && Object.hasOwn(readable.variables, member))
      )
        report(path, 'unknown_variable', `There is no variable "${member}".`);
      return;
    case 'secrets':
      return checkSecret(read, member, report);
    case 'loop':
    case 'branch':
      return report(path, 'unknown_reference', `"${root}" exists only inside a container.`);
    default: {
      const target = known.get(root);
      if (target) checkOrder(read, target, member, around);
      else
        report(
          path,
          'unknown_reference',
          `"${block.id}" reads "${root}", which is no block and no other name.`,
        );
    }
  }
}

/** Secrets are resolved where effects are done; workflow code, and what it leaves in history, never sees them. */
function checkSecret({ path, block }: Read, member: string | undefined, report: Report): void {
  if (!isEffectType(block.type))
    report(
      path,
      'secret_not_allowed',
      'Secrets can be read only by blocks that reach outside, and by the input of function blocks.',
    );
  else if (member === undefined)
    report(path, 'secret_not_allowed', 'A secret is read by its name, as secrets.API_KEY.');
}

function checkOrder(
  { path, block }: Read,
  target: LooseBlock,
  member: string | undefined,
  around: Around,
): void {
  const { ways } = around.readable;
  if (block.id === target.id)
    return around.report(path, 'not_before', `"${block.id}" cannot read its own output.`);
  if (ways?.knows(block.id) && ways.knows(target.id)) {
    if (!ways.leads(target.id, block.id)) {
      const message = `"${target.id}" cannot have run when "${block.id}" does: no way leads from the one to the other.`;
      return around.report(path, 'not_before', message);
    }
    if (!ways.surely(target.id, block.id))
      around.warnings.add(`${path}: "${target.id}" may be skipped, and then reads as null.`);
  }
  const members = membersOf(target);
  if (member !== undefined && members && !members.includes(member))
    around.warnings.add(
      `${path}: "${target.id}" has no member "${member}", but ${members.join(', ') || 'none'}.`,
    );
}

/** What the output of a block holds, where its type tells; `error` when it failed and its error port was taken. */
function membersOf({ type, raw }: LooseBlock): string[] | undefined {
  const params = isObject(raw.params) ? raw.params : {};
  switch (type) {
    case 'http':
      return ['status', 'headers', 'data', 'error'];
    case 'webhook':
      return ['id', 'status', 'headers', 'data', 'error'];
    case 'llm':
      return ['content', 'data', 'model', 'usage', 'finishReason', 'error'];
    case 'router':
      return ['port', 'reason', 'usage', 'error'];
    case 'evaluator':
      return ['scores', 'reasons', 'usage', 'error'];
    case 'mcp':
      return ['content', 'structuredContent', 'error'];
    case 'condition':
      return ['port', 'error'];
    case 'response':
      return ['data', 'status', 'headers', 'error'];
    case 'wait':
      return ['waitedUntil', 'error'];
    case 'variables':
      return [...(isObject(params.set) ? Object.keys(params.set) : []), 'error'];
    case 'human':
      return [...(Array.isArray(params.form) ? params.form.flatMap(fieldName) : []), 'error'];
    default:
      return undefined;
  }
}

function fieldName(field: unknown): string[] {
  return isObject(field) && typeof field.name === 'string' ? [field.name] : [];
}

/** Each path once, without the steps into lists. */
function unique({ paths }: Expression): string[][] {
  const short = paths.map((path) => path.slice(0, 2).map(String));
  return [...new Map(short.map((path) => [JSON.stringify(path), path])).values()];
}
