import { ExpressionError, parse, sources } from '../expressions/expressions.ts';
import { InputTypes } from '../expressions/input-types.ts';
import { batchInput } from '../inputs.ts';
import { keyedParts } from '../shapes/flow-shapes.ts';
import { at, isObject, type Report } from '../shapes/shape.ts';
import { readOrReport } from './reads.ts';

/** Checks the expressions of a start, in its flow and its title: they read inputs alone, because nothing has run yet. Returns warnings. */
export function checkStart(start: unknown, report: Report): string[] {
  if (!isObject(start)) return [];
  const { flow, title } = start;
  const where = 'start.flow';
  if (batches(start) && isObject(start.inputs) && Object.hasOwn(start.inputs, batchInput))
    report(
      at('start.inputs', batchInput),
      'not_applicable',
      `"${batchInput}" is the list of all starts of a batch: give the input another name.`,
    );
  const expressions: [string, unknown][] = isObject(flow)
    ? [
        ...keyedParts.map((name): [string, unknown] => [at(at(where, name), 'key'), keyIn(flow, name)]),
        [at(where, 'fairBy'), flow.fairBy],
        [at(where, 'priority'), flow.priority],
      ]
    : [];
  return [
    ...expressions.flatMap(([path, source]) =>
      typeof source === 'string' ? checkSource(source, { path, start, report, mustRead: true }) : [],
    ),
    ...(typeof title === 'string' ? checkTitle(title, { path: at('start', 'title'), start, report }) : []),
  ];
}

/** The inputs that blocks read: those that are declared, or the list of them for a workflow that batches. */
export function listReadInputs(start: unknown): unknown {
  if (!isObject(start)) return undefined;
  return batches(start) ? { [batchInput]: { type: 'array', required: true } } : start.inputs;
}

const batches = ({ flow }: Record<string, unknown>): boolean => isObject(flow) && flow.batch !== undefined;

interface StartSite {
  path: string;
  start: Record<string, unknown>;
  report: Report;
  /** True for an expression that must read an input. */
  mustRead?: boolean;
}

function keyIn(flow: Record<string, unknown>, name: string): unknown {
  const part = flow[name];
  return isObject(part) ? part.key : undefined;
}

function checkTitle(title: string, site: StartSite): string[] {
  const found = readOrReport(site.path, site.report, () => sources(title)) ?? [];
  return [...new Set(found.flatMap((source) => checkSource(source, site)))];
}

function checkSource(source: string, site: StartSite): string[] {
  const { path, start, report, mustRead = false } = site;
  const { inputs } = start;
  const expression = readOrReport(path, report, () => parse(source));
  if (!expression) return [];
  const other = expression.paths.find(([root]) => root !== 'start');
  if (other || (mustRead && expression.paths.length === 0)) {
    const read = other ? `"${String(other[0])}"` : 'nothing';
    report(path, 'unknown_reference', `It reads ${read}: it must read inputs, as start.customer.`);
    return [];
  }
  const fault = new InputTypes(inputs, expression.paths).findFault(source);
  if (fault !== undefined)
    report(path, 'expression_type', new ExpressionError(source, fault, 'type').message);
  return expression.paths.flatMap(([, member]) =>
    isObject(inputs) && typeof member === 'string' && !Object.hasOwn(inputs, member)
      ? [`${path}: the input "${member}" is not declared, so nothing checks it.`]
      : [],
  );
}
