import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { compile } from '#libs/language/definition/compile';
import { isEffectType } from '#libs/language/definition/blocks/registry';
import { checkRunInputs } from '#libs/language/definition/inputs';
import type { Plan, PlanGraph, PlanScript } from '#libs/language/definition/plan';
import { at, isObject } from '#libs/language/definition/shapes/shape';
import { validate } from '#libs/language/definition/checks/validate';
import { type Detail, Invalid } from '#libs/platform/errors/errors';
import { holdsRef, type Json } from '#libs/platform/json/json';
import type { ScenarioOptions } from './run-scenarios.ts';
import type { Scenario, ScenarioAnswers, ScenarioFile } from './scenario.ts';
import { answersShape, fileShape } from './shapes.ts';

/** A file that passed its checks and can be played. */
export interface Script {
  plan: Plan;
  scenarios: Scenario[];
}

/**
 * Reads a file of scenarios, or takes its content; then the path of the definition is relative to `folder`. Throws
 * `Invalid` with every fault of the file, or of its definition.
 */
export async function readScript(
  source: string | ScenarioFile,
  { folder = process.cwd(), readDocument = readJson }: Pick<ScenarioOptions, 'folder' | 'readDocument'>,
): Promise<Script> {
  const read = (path: string) =>
    readDocument(path).catch((error: unknown) => Promise.reject(unreadable(path, error)));
  const isFile = typeof source === 'string';
  const file: unknown = isFile ? await read(resolve(folder, source)) : source;
  const home = isFile ? dirname(resolve(folder, source)) : folder;
  const details: Detail[] = [];
  fileShape.check(file, '', (path, code, message) => details.push({ path, code, message }));
  refuse(details, 'The scenarios cannot be read.');
  // The shape has just checked this.
  const { definition, scenarios } = file as ScenarioFile;
  const plan = planOf(typeof definition === 'string' ? await read(resolve(home, definition)) : definition);
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
  const details = checkNames(scenario, path, plan);
  for (const { path: inner, code, message } of checkRunInputs(plan, scenario.inputs ?? {}).details)
    details.push({ path: `${path}.${inner}`, code, message });
  return details;
}

/** Checks the answers that a test has for a plan. Throws, and names each fault. */
export function readAnswers(given: object, plan: Plan): PlanScript {
  const details: Detail[] = [];
  answersShape.check(given, '', (path, code, message) => details.push({ path, code, message }));
  if (details.length > 0) throw new Invalid(details);
  // The shape has just checked this.
  const { effects = {}, children = {} } = given as Pick<Scenario, 'effects' | 'children'>;
  details.push(...checkNames({ effects, children }, '', plan));
  const answers = { effects: listEach(effects), children: listEach(children) };
  if (holdsRef(answers as unknown as Json))
    details.push({
      path: 'effects',
      code: 'reserved',
      message: 'An answer has no member of the name $payload.',
    });
  if (JSON.stringify(answers).length > answersCharsMax)
    details.push({
      path: 'effects',
      code: 'size',
      message: `All answers together have at most ${answersCharsMax} characters.`,
    });
  if (details.length > 0) throw new Invalid(details);
  return answers;
}

/** The answers become a part of the plan, and outputs that a run keeps whole. In characters of JSON. */
const answersCharsMax = 16_384;

const listEach = (given: Record<string, ScenarioAnswers>): PlanScript['effects'] =>
  Object.fromEntries(Object.entries(given).map(([key, one]) => [key, Array.isArray(one) ? one : [one]]));

function checkNames(scenario: Partial<Scenario>, path: string, plan: Plan): Detail[] {
  const placed = placeBlocks(plan);
  const details: Detail[] = [];
  const want = (where: string, block: string, says: string, fits: (block: PlacedBlock) => boolean) => {
    const [id = '', pass] = block.split('@');
    const found = placed.get(id);
    if (!found) details.push({ path: where, code: 'unknown_block', message: `There is no block "${id}".` });
    else if (pass !== undefined && pass.replaceAll(/\[\d+\]/g, '[0]') !== found.pass)
      details.push({
        path: where,
        code: 'unknown_pass',
        message: found.pass
          ? `"${id}" is not visited in ${pass}: a pass of it is named like ${found.pass}.`
          : `"${id}" is in no loop and no parallel, so it has no passes: name it without @${pass}.`,
      });
    else if (!fits(found))
      details.push({
        path: where,
        code: 'block_type',
        message: `"${block}" is a ${found.type} block, not ${says}.`,
      });
  };
  const { people = [], effects = {}, children = {}, expect = { status: 'completed' } } = scenario;
  people.forEach(({ block, pass }, i) =>
    want(
      at(at(path, 'people'), i),
      pass === undefined ? block : `${block}@${pass}`,
      'one that asks a person',
      ({ asks }) => asks,
    ),
  );
  for (const block of Object.keys(effects))
    want(at(at(path, 'effects'), block), block, 'one with an effect', ({ type }) => isEffectType(type));
  for (const block of Object.keys(children))
    want(
      at(at(path, 'children'), block),
      block,
      'one that runs a workflow',
      ({ type }) => type === 'workflow',
    );
  const steps = [...(expect.path ?? []), ...(expect.pauses ?? [])];
  for (const step of steps)
    want(at(path, 'expect'), typeof step === 'string' ? step : step.block, '', () => true);
  for (const block of Object.keys(expect.calls ?? {}))
    want(at(at(at(path, 'expect'), 'calls'), block), block, 'one that calls out', ({ type }) =>
      isCalling(type),
    );
  details.push(...checkTurns(scenario, path, placed));
  return details;
}

/** Refuses a list of answers for parallel blocks, because their order is chance. */
function checkTurns(
  { people = [], effects = {}, children = {} }: Partial<Scenario>,
  path: string,
  placed: Map<string, PlacedBlock>,
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
  return [...new Set(keys)]
    .filter((key) => placed.get(key)?.isBeside)
    .map((key) => ({ path, code: 'no_order', message: message(key) }));
}

const isCalling = (type: string) => isEffectType(type) || type === 'workflow';

/** What a scenario may say of a block, by its place in the plan. */
interface PlacedBlock {
  type: string;
  /** The first pass of the block, as the paths of its visits name it; empty outside of loops and parallels. */
  pass: string;
  /** True inside a parallel, at any depth. */
  isBeside: boolean;
  /** True when it asks people: always, or an operator on failure. */
  asks: boolean;
}

/** Finds the place of each block, at any depth, by its id. */
function placeBlocks(
  { blocks }: PlanGraph,
  around: Pick<PlacedBlock, 'pass' | 'isBeside'> = { pass: '', isBeside: false },
): Map<string, PlacedBlock> {
  return new Map(
    blocks.flatMap(({ id, type, asksOnFailure, body }): [string, PlacedBlock][] => {
      const inner = {
        pass: `${around.pass && `${around.pass}/`}${id}[0]`,
        isBeside: around.isBeside || type === 'parallel',
      };
      const own = { type, ...around, asks: type === 'human' || asksOnFailure === true };
      return [[id, own], ...(body ? placeBlocks(body, inner) : [])];
    }),
  );
}

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));

function unreadable(path: string, error: unknown): Invalid {
  const message = error instanceof Error ? error.message : String(error);
  return new Invalid([{ path, code: 'unreadable', message }], `${path} cannot be read: ${message}`);
}

function refuse(details: Detail[], message: string): void {
  if (details.length > 0) throw new Invalid(details, message);
}
