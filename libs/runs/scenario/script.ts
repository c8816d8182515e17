import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { compile } from '#libs/language/definition/compile';
import { isEffectType } from '#libs/language/definition/blocks/registry';
import { checkInputs } from '#libs/language/definition/inputs';
import type { Plan, PlanGraph } from '#libs/language/definition/plan';
import { at, isObject } from '#libs/language/definition/shapes/shape';
import { validate } from '#libs/language/definition/checks/validate';
import { type Detail, Invalid } from '#libs/platform/errors/errors';
import type { Scenario, ScenarioFile } from './scenario.ts';
import { fileShape } from './shapes.ts';

/** A file that passed its checks and can be played. */
export interface Script {
  plan: Plan;
  scenarios: Scenario[];
}

/**
 * Reads a file of scenarios, or takes its content; then the path of the definition is relative to `folder`. Throws
 * `Invalid` with every fault of the file, or of its definition.
 */
export function readScript(source: string | ScenarioFile, folder = process.cwd()): Script {
  const isFile = typeof source === 'string';
  const file: unknown = isFile ? readJson(resolve(folder, source)) : source;
  const home = isFile ? dirname(resolve(folder, source)) : folder;
  const details: Detail[] = [];
  fileShape.check(file, '', (path, code, message) => details.push({ path, code, message }));
  refuse(details, 'The scenarios cannot be read.');
  // The shape has just checked this.
  const { definition, scenarios } = file as ScenarioFile;
  const plan = planOf(typeof definition === 'string' ? readJson(resolve(home, definition)) : definition);
  scenarios.forEach((one, i) => details.push(...checkScenario(one, at('scenarios', i), plan)));
  refuse(details, 'The scenarios do not fit the definition.');
  return { plan, scenarios };
}

function planOf(value: unknown): Plan {
  // A file in the form of an API request has the definition beside a name.
  const inner = isObject(value) && !('blocks' in value) && 'definition' in value ? value.definition : value;
  const { definition, faults } = validate(inner);
  const details = faults.map(({ path, code, message }) => ({ path: `definition.${path}`, code, message }));
  if (!definition) throw new Invalid(details, 'The definition is not valid.');
  return compile(definition);
}

/**
 * Checks that every block that the scenario names exists and has the right type, so that a typing error is not
 * ignored.
 */
function checkScenario(scenario: Scenario, path: string, plan: Plan): Detail[] {
  const types = typesOf(plan);
  const details: Detail[] = [];
  const want = (where: string, block: string, says: string, fits: (type: string) => boolean) => {
    const type = types.get(block.split('@')[0] ?? '');
    if (type === undefined)
      details.push({ path: where, code: 'unknown_block', message: `There is no block "${block}".` });
    else if (!fits(type))
      details.push({
        path: where,
        code: 'block_type',
        message: `"${block}" is a ${type} block, not ${says}.`,
      });
  };
  const { people = [], effects = {}, children = {}, expect } = scenario;
  people.forEach(({ block }, i) =>
    want(at(at(path, 'people'), i), block, 'one that asks a person', (type) => type === 'human'),
  );
  for (const block of Object.keys(effects))
    want(at(at(path, 'effects'), block), block, 'one with an effect', isEffectType);
  for (const block of Object.keys(children))
    want(at(at(path, 'children'), block), block, 'one that runs a workflow', (type) => type === 'workflow');
  const steps = [...(expect.path ?? []), ...(expect.pauses ?? [])];
  for (const step of steps)
    want(at(path, 'expect'), typeof step === 'string' ? step : step.block, '', () => true);
  for (const block of Object.keys(expect.calls ?? {}))
    want(at(at(at(path, 'expect'), 'calls'), block), block, 'one that calls out', isCalling);
  details.push(...checkTurns(scenario, path, plan));
  for (const { path: inner, code, message } of checkInputs(plan.inputs, scenario.inputs ?? {}).details)
    details.push({ path: `${path}.${inner}`, code, message });
  return details;
}

/** Refuses a list of answers for parallel blocks, because their order is chance. */
function checkTurns(
  { people = [], effects = {}, children = {} }: Scenario,
  path: string,
  plan: Plan,
): Detail[] {
  const inTurn = (block: string) =>
    people.filter((person) => person.block === block && person.pass === undefined);
  const lists = Object.entries({ ...effects, ...children }).filter(
    ([, one]) => Array.isArray(one) && one.length > 1,
  );
  const keys = [
    ...people.map(({ block }) => block).filter((block) => inTurn(block).length > 1),
    ...lists.map(([key]) => key),
  ];
  const message = (block: string) =>
    `"${block}" is in a parallel, whose branches have no order: name the pass, such as ${block}@fan[0].`;
  const side = besideOf(plan);
  return [...new Set(keys)]
    .filter((key) => side.has(key))
    .map((key) => ({ path, code: 'no_order', message: message(key) }));
}

/** Every block inside a parallel, at any depth. */
function besideOf({ blocks }: PlanGraph, isBeside = false): Set<string> {
  const inner = blocks.flatMap(({ type, body }) =>
    body ? [...besideOf(body, isBeside || type === 'parallel')] : [],
  );
  return new Set([...(isBeside ? blocks.map(({ id }) => id) : []), ...inner]);
}

const isCalling = (type: string) => isEffectType(type) || type === 'workflow';

function typesOf({ blocks }: PlanGraph): Map<string, string> {
  const own = blocks.map(({ id, type }): [string, string] => [id, type]);
  return new Map([...own, ...blocks.flatMap(({ body }) => (body ? [...typesOf(body)] : []))]);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Invalid([{ path: file, code: 'unreadable', message }], `${file} cannot be read: ${message}`);
  }
}

function refuse(details: Detail[], message: string): void {
  if (details.length > 0) throw new Invalid(details, message);
}
