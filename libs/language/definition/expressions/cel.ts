import { Environment } from '@marcbachmann/cel-js';

import { running } from './cost.ts';
import { toJson } from './results.ts';

/** The longest source of one expression, in characters. */
export const sourceCharsMax = 4096;

let environment: Environment | undefined;

/**
 * The one CEL environment. It is made at its first use, so that a run without expressions does not pay for it.
 * `references` checks names that are in no scope; the environment does not, so all names are dynamic.
 */
export function cel(): Environment {
  return (environment ??= extend(
    new Environment({
      unlistedVariablesAreDyn: true,
      homogeneousAggregateLiterals: false,
      enableOptionalTypes: true,
      limits: {
        maxAstNodes: 600,
        maxDepth: 40,
        maxListElements: 500,
        maxMapEntries: 500,
        maxCallArguments: 8,
      },
    }),
  ));
}

/** Lets integer literals mix with doubles: JSON has one kind of number, so values are doubles. */
function extend(env: Environment): Environment {
  for (const [left, right] of [
    ['int', 'double'],
    ['double', 'int'],
  ]) {
    env.registerOperator(`${left} + ${right}: double`, (a, b) => Number(a) + Number(b));
    env.registerOperator(`${left} - ${right}: double`, (a, b) => Number(a) - Number(b));
    env.registerOperator(`${left} * ${right}: double`, (a, b) => Number(a) * Number(b));
    env.registerOperator(`${left} / ${right}: double`, (a, b) => Number(a) / Number(b));
    env.registerOperator(`${left} % ${right}: double`, (a, b) => Number(a) % Number(b));
  }
  env.registerOperator('double % double: double', (a: number, b: number) => a % b);
  // The library has this pair for dynamic operands only; without it typed inputs would be refused.
  env.registerOperator('int == double: bool', (a, b) => Number(a) === Number(b));
  registerHelpers(env);
  return env;
}

function registerHelpers(env: Environment): void {
  const pure = { async: false };
  env.registerFunction('string.substring(double): string', (s: string, from: number) => slice(s, from), pure);
  for (const [from, to] of [
    ['double', 'double'],
    ['int', 'double'],
    ['double', 'int'],
  ]) {
    env.registerFunction(
      `string.substring(${from}, ${to}): string`,
      (s: string, a: number | bigint, b: number | bigint) => slice(s, Number(a), Number(b)),
      pure,
    );
  }
  env.registerFunction('string(null): string', () => '', pure);
  env.registerFunction(
    'json(dyn): string',
    (value: unknown) => JSON.stringify(toJson(value, running())),
    pure,
  );
}

function slice(text: string, from: number, to = text.length): string {
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to < from || to > text.length)
    throw new RangeError(`substring(${from}, ${to}) is outside of a text of ${text.length} characters`);
  return text.substring(from, to);
}

/** Names of functions in other languages, in lower case, each with its counterpart here. */
const elsewhere: Record<string, string> = {
  ...alike('lowerAscii()', 'tolowercase lowercase lower tolower downcase lcase'),
  ...alike('upperAscii()', 'touppercase uppercase upper toupper upcase ucase'),
  ...alike('size()', 'length len count strlen'),
  ...alike('substring(from, to)', 'substr slice mid left right'),
  ...alike('contains() of a text, or "a" in list', 'includes include'),
  ...alike('indexOf()', 'find search strpos'),
  ...alike('trim()', 'strip ltrim rtrim trimstart trimend'),
  ...alike('split("a").join("b")', 'replace replaceall gsub'),
  ...alike('the operator +', 'concat append push'),
  ...alike('string(value)', 'tostring str text'),
  ...alike('int(value), which cuts off, or double(value)', 'toint parseint integer round floor number'),
  ...alike('double(value)', 'todouble parsefloat float decimal'),
  ...alike('json(value)', 'tojson stringify json_encode'),
  ...alike('exists(x, test)', 'some any'),
  ...alike('all(x, test)', 'every'),
  ...alike('filter(x, test)', 'where select'),
  ...alike('value == null', 'isnull isnil'),
  ...alike('size(value) == 0', 'isempty empty'),
  ...alike('has(a.b) ? a.b : other, or a.?b.orValue(other)', 'default coalesce ifnull nvl get'),
  ...alike('timestamp(run.startTime)', 'now date datetime today'),
};

function alike(here: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, here]));
}

/** A function of the language with the ways in which it is written, as `string.split(string)`. */
export interface KnownFunction {
  name: string;
  forms: string[];
}

let known: KnownFunction[] | undefined;

/** Every function and macro that an expression can call, but for those that `read` refuses. */
export function knownFunctions(): KnownFunction[] {
  if (known) return known;
  const { functions } = cel().getDefinitions();
  const names = new Set(functions.map(({ name }) => name));
  const formsOf = (wanted: string) =>
    functions.flatMap(({ name, signature }) => (name === wanted ? [signature.replace(/: [^:]*$/, '')] : []));
  known = [...names].filter((name) => !refused.has(name)).map((name) => ({ name, forms: formsOf(name) }));
  return known;
}

const refused = new Set(['matches', 'getDayOfYear']);

/** The library's sentence on a call that it does not know, with what may be meant; every other sentence as it is. */
export function withNearest(said: string): string {
  const name = /^found no matching overload for '(?:.*\.)?(\w+)\(/.exec(said)?.[1];
  if (name === undefined) return said;
  const forms = knownFunctions().find((one) => one.name === name)?.forms;
  if (forms) return `${said}; it is written ${[...new Set(forms)].slice(0, formsShown).join(' or ')}`;
  const none = `there is no function ${name}()`;
  const meant = elsewhere[name.toLowerCase()];
  if (meant !== undefined) return `${none}; ${meant} does that`;
  const near = knownFunctions()
    .map((one) => ({ name: one.name, far: distance(one.name.toLowerCase(), name.toLowerCase()) }))
    .filter(({ far }) => far <= Math.max(1, name.length / 3))
    .toSorted((a, b) => a.far - b.far)
    .slice(0, nearestShown);
  if (near.length === 0) return `${none}; the page Expressions lists all there are`;
  return `${none}; the nearest is ${near.map((one) => `${one.name}()`).join(' or ')}`;
}

const formsShown = 6;
const nearestShown = 3;

/** The number of letters to insert, remove or change between two words. */
function distance(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 0; i < one.length; i++) {
    const row = [i + 1];
    for (let j = 0; j < other.length; j++)
      row.push(
        Math.min(
          (before[j] ?? 0) + (one[i] === other[j] ? 0 : 1),
          (before[j + 1] ?? 0) + 1,
          (row[j] ?? 0) + 1,
        ),
      );
    before = row;
  }
  return before[other.length] ?? 0;
}
