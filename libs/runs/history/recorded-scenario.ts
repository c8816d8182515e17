import { isEffectType } from '#libs/language/definition/blocks/registry';
import type { Person } from '#libs/language/definition/blocks/approvals';
import { namedThings } from '#libs/language/definition/checks/named-things';
import type { Failure, VisitEntry } from '#libs/language/engine/effects';
import { toAskedPath } from '#libs/language/engine/launch';
import type { LoggedEvent } from '#libs/language/engine/logged-run';
import type { RunEvent } from '#libs/language/engine/run-events';
import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import type {
  Scenario,
  ScenarioAnswer,
  ScenarioAnswers,
  ScenarioPerson,
  Step,
} from '#libs/runs/scenario/scenario';

/** An answer that a pause took. */
export interface RecordedAnswer {
  path: string;
  blockId: string;
  answers: Json;
  /** Seconds from the opening of the pause. */
  afterS: number;
  person: Person | null;
  assignees: string[];
  /** The assignee whose address is that of the person, as Postgres lowers both. */
  asked: string | null;
}

/** An execution as it went, with whole values. */
export interface RecordedRun {
  name: string;
  definition: JsonObject;
  inputs: Json;
  status: 'completed' | 'failed' | 'paused';
  output: Json;
  failure: Failure | null;
  /** The events that count. */
  events: LoggedEvent[];
  /** In the order of the definition, without those that were skipped. */
  visits: Pick<VisitEntry, 'path' | 'blockId' | 'type' | 'status' | 'port'>[];
  answers: RecordedAnswer[];
}

/** A longer path is not expected, because nobody reads it. */
const pathMax = 500;

/** Returns the scenario that plays a run again: with its inputs, the answers of its servers and people, and its end. It has the names of secrets, not their values. */
export function buildScenario(run: RecordedRun): Scenario {
  const secrets = namedThings(run.definition).flatMap(({ kind, name }) => (kind === 'secret' ? [name] : []));
  const { effects, children } = findAnswers(run);
  const people = run.answers.map(toPerson);
  const { status, output, failure, visits } = run;
  return {
    name: run.name,
    inputs: objectOf(run.inputs),
    ...filled('secrets', Object.fromEntries(secrets.map((name) => [name, `the secret ${name}`]))),
    ...(people.length > 0 ? { people } : {}),
    ...filled('effects', effects),
    ...filled('children', children),
    expect: {
      status,
      ...(status === 'completed' ? { output } : {}),
      ...(failure
        ? { failure: { code: failure.code, ...(failure.blockId ? { blockId: failure.blockId } : {}) } }
        : {}),
      ...(visits.length <= pathMax ? { path: visits.map(toStep) } : {}),
    },
  };
}

/** Headers that differ from one answer to the next, in lower case. A name that ends in `-` stands for all that begin with it. */
const volatileHeaders =
  'age alt-svc cf-ray connection content-length date etag expires keep-alive last-modified nel ratelimit- report-to request-id server-timing set-cookie traceparent tracestate transfer-encoding via x-amz-cf- x-amz-id- x-amz-request-id x-amzn- x-cache x-correlation-id x-envoy- x-ratelimit- x-request-id x-response-time x-runtime x-served-by x-timer x-trace'.split(
    ' ',
  );

const isVolatile = (header: string): boolean => {
  const name = header.toLowerCase();
  return volatileHeaders.some((one) => (one.endsWith('-') ? name.startsWith(one) : name === one));
};

/** Returns the scenario without the headers that another answer of the same server would not have, in its answers and in what it expects. */
export function withoutVolatileHeaders({ effects, expect, ...scenario }: Scenario): Scenario {
  return {
    ...scenario,
    ...(effects ? { effects: withoutHeaders(effects as unknown as Json) as typeof effects } : {}),
    expect: { ...expect, ...(expect.output === undefined ? {} : { output: withoutHeaders(expect.output) }) },
  };
}

function withoutHeaders(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutHeaders);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => {
    if (name !== 'headers' || !isObject(member)) return [name, withoutHeaders(member)];
    return [name, Object.fromEntries(Object.entries(member).filter(([header]) => !isVolatile(header)))];
  });
  return Object.fromEntries(members);
}

const filled = <K extends string, T extends object>(name: K, value: T): { [key in K]?: T } =>
  Object.keys(value).length > 0 ? ({ [name]: value } as { [key in K]: T }) : {};

/** The ends of calls and children. A visit in a loop or a parallel has answers of its own. */
function findAnswers({ events, visits }: RecordedRun): Required<Pick<Scenario, 'effects' | 'children'>> {
  const types = new Map(visits.map(({ path, type }) => [path, type]));
  const found = {
    effects: new Map<string, ScenarioAnswer[]>(),
    children: new Map<string, ScenarioAnswer[]>(),
  };
  for (const { event } of events) {
    if (event.kind !== 'succeeded' && event.kind !== 'failed') continue;
    const { path } = event;
    const type = types.get(path) ?? '';
    const group = type === 'workflow' ? found.children : isEffectType(type) ? found.effects : null;
    group?.set(path, [...(group.get(path) ?? []), ...toAnswers(event)]);
  }
  const listed = (group: Map<string, ScenarioAnswer[]>): Record<string, ScenarioAnswers> =>
    Object.fromEntries(
      [...group].map(([path, [first = {}, ...rest]]) => [path, rest.length > 0 ? [first, ...rest] : first]),
    );
  return { effects: listed(found.effects), children: listed(found.children) };
}

/** The answer of each attempt. A call that succeeded at last has only that one, because the log does not keep why the others failed. */
function toAnswers(event: Extract<RunEvent, { kind: 'succeeded' | 'failed' }>): ScenarioAnswer[] {
  if (event.kind === 'succeeded') return [{ output: event.output }];
  const { code, message, details } = event.failure;
  const fail = { code, message, ...(details === undefined ? {} : { details }) };
  const before = Array.from({ length: (event.attempts ?? 1) - 1 }, () => ({ fail }));
  return [...before, { fail: { ...fail, retryable: false } }];
}

function toPerson({
  path,
  blockId,
  answers,
  afterS,
  person,
  assignees,
  asked,
}: RecordedAnswer): ScenarioPerson {
  const [, pass] = toAskedPath(path).split('@');
  const lowered = new Set(assignees.map((name) => name.toLowerCase()));
  const as = person?.names.find((name) => lowered.has(name.toLowerCase())) ?? asked ?? person?.names[0];
  return {
    block: blockId,
    ...(pass === undefined ? {} : { pass }),
    after: toDuration(afterS),
    answers: objectOf(answers),
    ...(as === undefined ? {} : { as }),
    ...(person?.role === undefined ? {} : { role: person.role }),
  };
}

/** Whole seconds as an ISO 8601 duration. */
function toDuration(seconds: number): string {
  const parts = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ];
  const [days, hours, minutes, rest] = ['D', 'H', 'M', 'S'].map((unit, i) =>
    parts[i] ? `${parts[i]}${unit}` : '',
  );
  const time = `${hours}${minutes}${rest}`;
  return days || time ? `P${days}${time && `T${time}`}` : 'PT0S';
}

function toStep({ path, status, port }: RecordedRun['visits'][number]): string | Step {
  if (status === 'completed' && port === undefined) return path;
  return { block: path, status, ...(port === undefined ? {} : { port }) };
}
