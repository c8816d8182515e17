import { isContainerType, kindOf } from '../blocks/registry.ts';
import { type Expression, ExpressionError, parse, sources } from '../expressions/expressions.ts';
import { InputTypes } from '../expressions/input-types.ts';
import type { LooseGraph } from './nesting.ts';
import { at, isObject, type Report } from '../shapes/shape.ts';
import { eachTemplate, getTemplates } from './named-things.ts';
import type { LooseBlock } from './wiring.ts';

/** When there are more expressions, all are refused and none is read. */
const expressionsMax = 5000;

/** The parts of a definition that its blocks may read. */
export interface Readable {
  graphs: LooseGraph[];
  inputs: unknown;
  variables: unknown;
}

/**
 * The place of an expression. With `inside` it is a container's own, which reads names of its body: before a pass, or
 * after it.
 */
interface ExpressionSite {
  block: LooseBlock;
  graph: LooseGraph;
  inside?: { body: LooseGraph | undefined; ended: boolean };
}

interface Read extends ExpressionSite {
  path: string;
  expression: Expression;
  condition: boolean;
}

/** Checks every expression of every block. Returns the warnings, each once. */
export function checkReads(readable: Readable, report: Report): string[] {
  const sites = readable.graphs.flatMap((graph) => graph.blocks.map((block) => ({ graph, block })));
  const bodies = new Map(readable.graphs.map((graph) => [graph.around[0]?.block, graph]));
  const reads = new Reads(report);
  for (const site of sites) {
    if (reads.all.length >= expressionsMax) {
      report('blocks', 'too_many_expressions', `There are more than ${expressionsMax} expressions.`);
      break;
    }
    reads.collectReads(site, bodies.get(site.block));
  }
  const warnings = new Set<string>();
  const types = typesOf(readable, reads.all);
  const homes = new Map(sites.map((site) => [site.block.id, site]));
  for (const read of reads.all) {
    checkTypes(read, types, report);
    for (const path of unique(read.expression)) checkRead(read, path, { readable, homes, report, warnings });
  }
  return [...warnings];
}

/** Every expression of a definition, compiled. */
class Reads {
  readonly all: Read[] = [];

  constructor(private readonly report: Report) {}

  collectReads(site: ExpressionSite, body: LooseGraph | undefined): void {
    const { type, path, raw } = site.block;
    const params = at(path, 'params');
    for (const { steps, source } of kindOf(type)?.conditions?.(raw) ?? [])
      this.test(source, steps.reduce(at, path), site);
    this.templates(getTemplates(site.block), params, site);
    if (!isContainerType(type) || !isObject(raw.params)) return;
    const { while: before, until, collect } = raw.params;
    const ended = { ...site, inside: { body, ended: true } };
    this.test(before, at(params, 'while'), { ...site, inside: { body, ended: false } });
    this.test(until, at(params, 'until'), ended);
    this.templates({ collect }, params, ended);
  }

  private test(source: unknown, path: string, site: ExpressionSite): void {
    if (typeof source === 'string') this.add(source, path, site, true);
  }

  private templates(templates: unknown, path: string, site: ExpressionSite): void {
    eachTemplate(templates, path, (template, where) =>
      readOrReport(where, this.report, () =>
        sources(template).forEach((source) => this.add(source, where, site, false)),
      ),
    );
  }

  private add(source: string, path: string, site: ExpressionSite, condition: boolean): void {
    readOrReport(path, this.report, () => {
      this.all.push({ ...site, path, condition, expression: parse(source) });
    });
  }
}

/** Reports an expression that cannot be read, and then returns undefined. */
export function readOrReport<T>(path: string, report: Report, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    report(path, error.kind === 'type' ? 'expression_type' : 'expression_syntax', error.message);
    return undefined;
  }
}

function typesOf({ inputs }: Readable, reads: Read[]): InputTypes {
  return new InputTypes(
    inputs,
    reads.flatMap(({ expression }) => expression.paths),
  );
}

/**
 * Checks the type of an expression. A read of the whole start is not checked: its type says no more than that it is
 * an object.
 */
function checkTypes({ expression, path, condition }: Read, types: InputTypes, report: Report): void {
  const { source, paths } = expression;
  const fromStart = paths.filter(([root]) => root === 'start');
  if (fromStart.some((steps) => steps.length === 1)) return;
  const reason = fromStart.length > 0 ? types.findFault(source) : undefined;
  if (reason !== undefined)
    return report(path, 'expression_type', new ExpressionError(source, reason, 'type').message);
  const type = condition ? types.typeOf(source) : undefined;
  if (type !== undefined && type !== 'bool')
    report(path, 'expression_type', `The condition "${source}" gives ${type}, not true or false.`);
}

interface Around {
  readable: Readable;
  /** By block id. */
  homes: Map<string, ExpressionSite>;
  report: Report;
  warnings: Set<string>;
}

function checkRead(read: Read, [root = '', member]: string[], around: Around): void {
  const { path, block } = read;
  const { readable, homes, report, warnings } = around;
  switch (root) {
    case 'run':
      return checkMember(read, 'run', [...runMembers], { member, report });
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
      if (!containersAround(read).some(({ type }) => kindOf(type)?.container?.pass === root))
        report(
          path,
          'unknown_reference',
          `"${root}" exists only inside a ${root === 'loop' ? 'loop' : 'parallel'}.`,
        );
      return;
    default: {
      const target = homes.get(root);
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

/** Secrets are resolved by activities; workflow code never has them, so that no history holds them. */
function checkSecret({ path, block }: Read, member: string | undefined, report: Report): void {
  const effect = kindOf(block.type)?.effect;
  if (!effect)
    report(
      path,
      'secret_not_allowed',
      'Secrets can be read only by blocks that reach outside, and by the input of function blocks.',
    );
  else if (effect.keeps)
    report(
      path,
      'secret_not_allowed',
      `Secrets cannot be read by ${block.type} blocks, which would store them.`,
    );
  else if (member === undefined)
    report(path, 'secret_not_allowed', 'A secret is read by its name, as secrets.API_KEY.');
}

/** The containers whose passes the expression can read: the one whose own expression it is, and all those around it. */
function containersAround({ block, graph, inside }: ExpressionSite): LooseBlock[] {
  return [...(inside ? [block] : []), ...graph.around.map(({ block: container }) => container)];
}

/**
 * Checks a read of a block. Inside a container its id reads as the pass; a block can be read in its own graph, and
 * in the graphs inside that.
 */
function checkOrder(read: Read, target: ExpressionSite, member: string | undefined, around: Around): void {
  const { path, block, graph, inside } = read;
  const { id } = target.block;
  if (containersAround(read).includes(target.block))
    return checkMember(read, id, pass, { member, report: around.report });
  const refuse = (message: string) => around.report(path, 'not_before', message);
  if (inside && target.graph === inside.body) {
    if (!inside.ended)
      refuse(`"${id}" has not run when "${block.id}" looks whether to go on; set a variable.`);
    return;
  }
  const reader =
    target.graph === graph ? block : graph.around.find((one) => one.graph === target.graph)?.block;
  if (!reader) return refuse(`"${id}" is inside of a container, where "${block.id}" cannot see it.`);
  if (reader === target.block) return refuse(`"${block.id}" cannot read its own output.`);
  const { reachability } = target.graph;
  if (reachability?.knows(reader.id) && reachability.knows(id)) {
    if (!reachability.leads(id, reader.id))
      return refuse(
        `"${id}" cannot have run when "${reader.id}" does: no way leads from the one to the other.`,
      );
    if (!reachability.surely(id, reader.id))
      around.warnings.add(`${path}: "${id}" may be skipped, and then reads as null.`);
  }
  checkMember(read, id, membersOf(target.block), { member, report: around.report });
}

/** Reports a read of a member that the output never has: it would always be null. */
function checkMember(
  { path }: Read,
  id: string,
  members: string[] | undefined,
  { member, report }: { member: string | undefined; report: Report },
): void {
  if (member === undefined || !members || members.includes(member)) return;
  const known = members.length > 0 ? `It has ${members.join(', ')}.` : 'It has none.';
  report(path, 'unknown_member', `"${id}" has no member "${member}". ${known}`);
}

/** The members of `run`, which tells about the execution itself. */
export const runMembers = [
  'id',
  'executionId',
  'workspaceId',
  'workflowId',
  'version',
  'mode',
  'trigger',
  'startTime',
] as const;

export type RunMember = (typeof runMembers)[number];

/** The members of a pass. */
const pass = ['index', 'item', 'items'];

/**
 * The members of the block's output, when its type defines them; `error` when it failed and its error port was
 * taken.
 */
function membersOf({ type, raw }: LooseBlock): string[] | undefined {
  const outputs = kindOf(type)?.outputs?.(raw);
  return outputs && [...Object.keys(outputs), 'error'];
}

/** Each path once, without the steps into lists. */
function unique({ paths }: Expression): string[][] {
  const short = paths.map((path) => path.slice(0, 2).map(String));
  return [...new Map(short.map((path) => [JSON.stringify(path), path])).values()];
}
