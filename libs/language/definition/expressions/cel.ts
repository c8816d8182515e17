import { Environment } from '@marcbachmann/cel-js';

import { parseKeepingDigits } from '#libs/platform/json/kept-digits';

import { pathText } from './addresses.ts';
import { running } from './cost.ts';
import * as fn from './functions.ts';
import { asText, toJson } from './results.ts';

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
    env.registerOperator(`${left} + ${right}: double`, (a, b) => fn.exactly(a) + fn.exactly(b));
    env.registerOperator(`${left} - ${right}: double`, (a, b) => fn.exactly(a) - fn.exactly(b));
    env.registerOperator(`${left} * ${right}: double`, (a, b) => fn.exactly(a) * fn.exactly(b));
    env.registerOperator(`${left} / ${right}: double`, (a, b) => fn.exactly(a) / fn.exactly(b));
    env.registerOperator(`${left} % ${right}: double`, (a, b) => fn.exactly(a) % fn.exactly(b));
  }
  env.registerOperator('double % double: double', (a: number, b: number) => a % b);
  // The library has this pair for dynamic operands only; without it typed inputs would be refused.
  env.registerOperator(
    'int == double: bool',
    (a: bigint, b: number) => Number.isInteger(b) && BigInt(b) === a,
  );
  registerHelpers(env);
  replaceFunctions(env);
  return env;
}

const pure = { async: false };
type AnyNumber = number | bigint;

function registerHelpers(env: Environment): void {
  const register = (form: string, handler: (...args: never[]) => unknown) =>
    env.registerFunction(form, own(handler), pure);
  register('string.substring(double): string', fn.substring);
  for (const [from, to] of [
    ['double', 'double'],
    ['int', 'double'],
    ['double', 'int'],
  ])
    register(`string.substring(${from}, ${to}): string`, (text: string, a: AnyNumber, b: AnyNumber) =>
      fn.substring(text, Number(a), Number(b)),
    );
  for (const kind of ['double', 'int']) {
    register(`round(${kind}): double`, (value: AnyNumber) => fn.round(fn.exactly(value)));
    for (const digits of ['int', 'double']) {
      register(`round(${kind}, ${digits}): double`, (value: AnyNumber, places: AnyNumber) =>
        fn.round(fn.exactly(value), Number(places)),
      );
      register(`formatNumber(${kind}, ${digits}): string`, (value: AnyNumber, places: AnyNumber) =>
        fn.formatNumber(fn.exactly(value), Number(places)),
      );
      register(
        `formatNumber(${kind}, ${digits}, string, string): string`,
        (value: AnyNumber, places: AnyNumber, thousands: string, point: string) =>
          fn.formatNumber(fn.exactly(value), Number(places), thousands, point),
      );
    }
  }
  register(`formatDate(${timestamp}, string): string`, fn.formatDate);
  register('formatDate(string, string): string', (text: string, pattern: string) =>
    fn.formatDate(fn.parseMoment(text), pattern),
  );
  register(`string(${timestamp}): string`, (moment: Date) => moment.toISOString());
  register('string(google.protobuf.Duration): string', (length: object) => toJson(length, running()));
  register('path(string): string', pathText);
  register('urlEncode(dyn): string', (value: unknown) =>
    encodeURIComponent(asText(toJson(value, running()))),
  );
  register('string(null): string', () => '');
  register('json(dyn): string', (value: unknown) => JSON.stringify(toJson(value, running())));
}

const timestamp = 'google.protobuf.Timestamp';

/** Our meaning of functions that the library has too. */
function replaceFunctions(env: Environment): void {
  const number = (value: bigint) => Number(value);
  replace(
    env,
    'string.substring(int)',
    () => (text: string, from: bigint) => fn.substring(text, number(from)),
  );
  replace(
    env,
    'string.substring(int, int)',
    () => (text: string, from: bigint, to: bigint) => fn.substring(text, number(from), number(to)),
  );
  replace(env, 'string.indexOf(string)', () => (text: string, part: string) => fn.findIndex(text, part));
  replace(
    env,
    'string.indexOf(string, int)',
    () => (text: string, part: string, from: bigint) => fn.findIndex(text, part, number(from)),
  );
  replace(
    env,
    'string.lastIndexOf(string)',
    () => (text: string, part: string) => fn.findLastIndex(text, part),
  );
  replace(
    env,
    'string.lastIndexOf(string, int)',
    () => (text: string, part: string, from: bigint) => fn.findLastIndex(text, part, number(from)),
  );
  replace(env, 'string.split(string)', () => (text: string, by: string) => fn.splitText(text, by));
  replace(
    env,
    'string.split(string, int)',
    () => (text: string, by: string, limit: bigint) => fn.splitText(text, by, number(limit)),
  );
  replace(env, 'string.trim()', () => fn.trimText);
  replace(env, 'string.lowerAscii()', () => fn.lowerAscii);
  replace(env, 'string.upperAscii()', () => fn.upperAscii);
  replace(env, 'int(string)', () => fn.parseInteger);
  replace(env, 'int(double)', () => fn.toInteger);
  replace(env, 'uint(string)', (library) => (text: string) => library(`${fn.parseInteger(text)}`));
  replace(env, 'double(string)', () => fn.parseDouble);
  replace(env, 'double(int)', () => fn.exactly);
  replace(env, 'bytes.string()', (text) => {
    replace(env, 'bytes.json()', () => (bytes: unknown) => parseKeepingDigits(String(text(bytes))));
    return text;
  });
  replace(env, 'timestamp(string)', () => fn.parseMoment);
  replace(env, 'duration(string)', (library) => (text: string) => {
    if (!fn.isDurationText(text)) throw new Error(`${JSON.stringify(text)} is no duration as 1h30m or 90s`);
    return library(text);
  });
  for (const [sign, holds] of [
    ['<', (order: number) => order < 0],
    ['<=', (order: number) => order <= 0],
    ['>', (order: number) => order > 0],
    ['>=', (order: number) => order >= 0],
  ] as const)
    replace(env, `string ${sign} string`, () => (a: string, b: string) => holds(fn.compareTexts(a, b)));
}

type Handler = (...args: never[]) => unknown;

/**
 * Replaces the handler of a function or operator of the library, which refuses a second one of the same form. A parsed
 * call shows its declarations. The library's version is pinned, and the specs of this file fail when that changes.
 */
function replace(
  env: Environment,
  form: string,
  make: (library: (...args: unknown[]) => unknown) => Handler,
): void {
  const parsed = env.parse(probeOf(form));
  parsed.check();
  const candidates: unknown = Reflect.get(Object(parsed.ast), 'candidates');
  const declarations: unknown = Reflect.get(Object(candidates), 'declarations');
  const list: unknown[] = Array.isArray(declarations) ? declarations : [];
  const at = list.findIndex((one) => String(Reflect.get(Object(one), 'signature')).startsWith(`${form}:`));
  if (at < 0) throw new Error(`the expression library has no ${form}`);
  const declared = Object(list[at]);
  const library: (...args: unknown[]) => unknown = Reflect.get(declared, 'handler');
  list[at] = Object.create(declared, { handler: { value: own(make(library)) } });
}

/**
 * Wraps a handler, because the library keeps notes on it. In Temporal's sandbox the functions of other modules are frozen.
 */
function own(handler: Handler): Handler {
  return (...args) => handler(...args);
}

/** A call of the form with operands of unknown types. */
function probeOf(form: string): string {
  const [, receiver, name, args = ''] = /^(?:(\w+)\.)?(\w+)\((.*)\)$/.exec(form) ?? [];
  if (name === undefined) return form.replace(/^\w+ (\S+) \w+$/, 'dyn(0) $1 dyn(0)');
  const given = args === '' ? '' : args.replaceAll(/\w+/g, 'dyn(0)');
  return `${receiver === undefined ? '' : 'dyn(0).'}${name}(${given})`;
}

/** Names of functions in other languages, in lower case, each with its counterpart here. */
const elsewhere: Record<string, string> = {
  ...alike('lowerAscii()', 'tolowercase lowercase lower tolower downcase lcase'),
  ...alike('upperAscii()', 'touppercase uppercase upper toupper upcase ucase'),
  ...alike('size()', 'length len count strlen'),
  ...alike('substring(from, to)', 'substr slice mid left right charat'),
  ...alike('contains() of a text, or "a" in list', 'includes include'),
  ...alike('indexOf()', 'find search strpos'),
  ...alike('trim()', 'strip ltrim rtrim trimstart trimend'),
  ...alike('split("a").join("b")', 'replace replaceall gsub'),
  ...alike('the operator +', 'concat append push'),
  ...alike('string(value)', 'tostring str text'),
  ...alike('int(value), which cuts off, or double(value)', 'toint parseint integer floor trunc number'),
  ...alike('round(value, digits)', 'ceil roundto'),
  ...alike('formatNumber(value, digits)', 'tofixed format currency money numberformat'),
  ...alike('formatDate(moment, "yyyy-MM-dd")', 'strftime dateformat toformat todatestring'),
  ...alike('urlEncode(value)', 'urlencode encodeuricomponent urienc urlquery querystring'),
  ...alike('path(value)', 'encodeuri'),
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
