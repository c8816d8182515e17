import { canonicalJson } from '#libs/platform/json/canonical';
import { durationMs } from '#libs/language/definition/durations';
import type { PlanGraph } from '#libs/language/definition/plan';
import { at } from '#libs/language/definition/shapes/shape';
import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';
import type { VisitEntry } from '#libs/language/engine/effects';
import { inOrder } from './order.ts';
import type { Call, ExpectedPause, Expectation, Played, ShownPause, Step } from './scenario.ts';
import { excerpt, span } from './words.ts';

/** Real time counts as workflow time too, so a run of two days takes a little more. */
const toleranceMs = 60_000;

/** The most differences that are listed for one value. */
const differencesMax = 10;

/** One sentence for each expectation that was not met. Only the members of the expectation are compared. */
export function differences(expect: Expectation, played: Played, plan: PlanGraph): string[] {
  const calls = inOrder(plan, played.calls);
  return [
    ...differ('status', expect.status, played.status),
    ...(expect.output === undefined ? [] : inside('output', expect.output, played.output)),
    ...(expect.failure ? covered('failure', { ...expect.failure }, { ...played.failure }) : []),
    ...(expect.path ? pathOf(expect.path, inOrder(plan, played.visits)) : []),
    ...(expect.pauses ? comparePauses(expect.pauses, inOrder(plan, played.pauses)) : []),
    ...(expect.elapsed === undefined ? [] : elapsedOf(expect.elapsed, played.elapsedMs)),
    ...Object.entries(expect.calls ?? {}).flatMap(([block, expected]) => callsOf(block, expected, calls)),
  ];
}

function differ(what: string, expected: string, got: string): string[] {
  return expected === got ? [] : [`${what}: expected ${expected}, got ${got}`];
}

/** The places where two values differ, member by member. */
function inside(path: string, expected: Json, got: Json | undefined): string[] {
  if (got === undefined) return [`${path}: expected ${excerpt(expected)}, got nothing`];
  if (canonicalJson(expected) === canonicalJson(got)) return [];
  const pairs = membersOf(expected, got);
  if (!pairs) return [`${path}: expected ${excerpt(expected)}, got ${excerpt(got)}`];
  const all = pairs.flatMap(([step, expectedItem, actual]) => {
    const where = at(path, step);
    return expectedItem === undefined
      ? [`${where}: not expected, got ${excerpt(actual)}`]
      : inside(where, expectedItem, actual);
  });
  return all.slice(0, differencesMax);
}

type Pair = [step: string | number, expected: Json | undefined, got: Json | undefined];

function membersOf(expected: Json, got: Json): Pair[] | null {
  if (Array.isArray(expected) && Array.isArray(got)) {
    const longest = expected.length > got.length ? expected : got;
    return longest.map((_, i): Pair => [i, expected[i], got[i]]);
  }
  if (!isObject(expected) || !isObject(got)) return null;
  const names = new Set([...Object.keys(expected), ...Object.keys(got)]);
  return [...names].map((name): Pair => [name, own(expected, name), own(got, name)]);
}

/** The places where a value lacks something that is expected. Further members of the value are ignored. */
function covered(path: string, expected: Json, got: Json | undefined): string[] {
  if (!isObject(expected)) return inside(path, expected, got);
  if (!isObject(got))
    return [`${path}: expected ${excerpt(expected)}, got ${got === undefined ? 'nothing' : excerpt(got)}`];
  return Object.entries(expected).flatMap(([name, member]) =>
    covered(at(path, name), member, own(got, name)),
  );
}

function pathOf(expected: (string | Step)[], visits: VisitEntry[]): string[] {
  const went = visits.filter(({ status }) => status !== 'skipped');
  const steps = expected.map((step): Step => (typeof step === 'string' ? { block: step } : step));
  const fits = steps.length === went.length && steps.every((step, i) => isStep(step, went[i]));
  if (fits) return [];
  const actual = went.map((visit, i) => stepShown(steps[i], visit));
  return [`path: expected ${line(steps.map(expectedStep))}, got ${line(actual)}`];
}

function isStep(step: Step, visit: VisitEntry | undefined): boolean {
  if (!visit || (step.block !== visit.blockId && step.block !== visit.path)) return false;
  if (step.status !== undefined && step.status !== visit.status) return false;
  if (step.attempts !== undefined && step.attempts !== visit.attempts) return false;
  return step.port === undefined || step.port === (visit.port ?? 'out');
}

function expectedStep({ block, status, attempts, port }: Step): string {
  return worded(block, [status, attempts && `${attempts} attempts`, port && `port ${port}`]);
}

/** A visit, with the members that the expectation names for its position. */
function stepShown(step: Step | undefined, visit: VisitEntry): string {
  const { status, attempts, port = 'out' } = visit;
  const block = step?.block === visit.blockId || !visit.path.includes('@') ? visit.blockId : visit.path;
  return worded(block, [
    step?.status && status,
    step?.attempts && `${attempts} attempts`,
    step?.port && `port ${port}`,
  ]);
}

function worded(block: string, about: (string | number | undefined)[]): string {
  const details = about.filter(Boolean).join(', ');
  return details ? `${block} (${details})` : block;
}

function line(steps: string[]): string {
  return steps.length === 0 ? 'nothing' : steps.join(' → ');
}

function comparePauses(expected: (string | ExpectedPause)[], shown: ShownPause[]): string[] {
  const wanted = expected.map((one): ExpectedPause => (typeof one === 'string' ? { block: one } : one));
  const isSame = (one: ExpectedPause, i: number) => [shown[i]?.blockId, shown[i]?.path].includes(one.block);
  if (wanted.length !== shown.length || !wanted.every(isSame))
    return [
      `pauses: expected ${line(wanted.map(({ block }) => block))}, got ${line(shown.map(({ path }) => path))}`,
    ];
  return wanted.flatMap((about, i) => {
    // The expectation names the visit by path or block id. Both name the same block here.
    const got = { ...shown[i], block: about.block };
    return covered(at('pauses', i), { ...about }, got);
  });
}

function elapsedOf(expected: NonNullable<Expectation['elapsed']>, gotMs: number): string[] {
  const isBounds = typeof expected === 'object';
  const { min, max } = isBounds ? expected : { min: expected, max: expected };
  const toleratedMs = isBounds ? 0 : toleranceMs;
  const leastMs = (durationMs(min) ?? 0) - toleratedMs;
  const mostMs = (durationMs(max) ?? Infinity) + toleratedMs;
  if (gotMs >= leastMs && gotMs <= mostMs) return [];
  const bounds = isBounds ? `from ${min ?? 'none'} to ${max ?? 'any'}` : `${expected}`;
  return [`elapsed: expected ${bounds}, got ${span(gotMs)}`];
}

function callsOf(block: string, expected: JsonObject[], calls: Call[]): string[] {
  const actual = calls.filter(({ blockId, path }) => blockId === block || path === block);
  const path = at('calls', block);
  if (actual.length !== expected.length)
    return [`${path}: expected ${expected.length} call(s), got ${actual.length}`];
  return expected.flatMap((params, i) => covered(at(path, i), params, actual[i]?.params));
}

function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
