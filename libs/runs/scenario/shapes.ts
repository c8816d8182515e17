import { durationMs } from '#libs/language/definition/durations';
import * as shape from '#libs/language/definition/shapes/shape';
import type { Shape } from '#libs/language/definition/shapes/shape';
import { pauseOutcomes, type ScenarioAnswer, type ScenarioAnswers } from './scenario.ts';

const name = shape.text({ min: 1, max: 300 });
const words = shape.text({ max: 10_000 });
const object = shape.record(shape.text({ max: 1000 }), shape.json, { max: 10_000 });

/** A duration as the language reads it: ISO 8601 or seconds. */
const duration: Shape<string | number> = {
  schema: { type: ['string', 'number'] },
  check(value, path, report) {
    if (durationMs(value) === undefined)
      report(path, 'duration', 'It must be an ISO-8601 duration, as P2D or PT30S, or a number of seconds.');
  },
};

const failing = shape.object(
  { code: name, message: words },
  { retryable: shape.boolean, retryAfter: duration, details: shape.json },
);

const answer: Shape<ScenarioAnswer> = shape.ruled(
  shape.object({}, { output: shape.json, fail: failing }),
  (value, path, report) => {
    if ('output' in value === 'fail' in value)
      report(path, 'answer', 'It must have either an output or a fail.');
  },
);

const answers = shape.either(
  'an answer or a list of answers',
  [(value) => Array.isArray(value), shape.list(answer, { min: 1, max: 10_000 })],
  [() => true, answer],
);

/** The answers of a test: by block, or by path of a visit. */
export const answersShape: Shape<{
  effects?: Record<string, ScenarioAnswers>;
  children?: Record<string, ScenarioAnswers>;
}> = shape.object(
  {},
  {
    effects: shape.record(name, answers, { max: 10_000 }),
    children: shape.record(name, answers, { max: 10_000 }),
  },
);

const isText = (value: unknown) => typeof value === 'string';
const orName = (other: Shape) =>
  shape.either('a block id or an object', [isText, name], [shape.isObject, other]);

const statuses = ['running', 'paused', 'completed', 'failed', 'cancelled', 'expired'] as const;
const attempts = shape.number({ min: 1, max: 1000 });
const step = orName(shape.object({ block: name }, { status: shape.choice(statuses), attempts, port: name }));
const pause = orName(
  shape.object({ block: name }, { title: words, message: words, outcome: shape.choice(pauseOutcomes) }),
);
const elapsed = shape.either(
  'a duration or bounds',
  [shape.isObject, shape.object({}, { min: duration, max: duration })],
  [() => true, duration],
);

const expectation = shape.object(
  { status: shape.choice(['completed', 'failed', 'paused', 'running']) },
  {
    output: shape.json,
    path: shape.list(step, { max: 100_000 }),
    pauses: shape.list(pause, { max: 10_000 }),
    elapsed,
    failure: shape.object({}, { code: name, blockId: name, message: words }),
    calls: shape.record(name, shape.list(object, { max: 10_000 }), { max: 500 }),
  },
);

const person = shape.object(
  { block: name, answers: object },
  { pass: name, after: duration, as: name, role: name },
);

const scenario = shape.object(
  { name, expect: expectation },
  {
    inputs: object,
    secrets: shape.record(name, words, { max: 1000 }),
    people: shape.list(person, { max: 10_000 }),
    effects: shape.record(name, answers, { max: 10_000 }),
    children: shape.record(name, answers, { max: 10_000 }),
    until: duration,
  },
);

/** The whole file, unknown members refused; `validate` checks the definition. */
export const fileShape: Shape = shape.object(
  {
    definition: shape.either('a path or a definition', [isText, name], [shape.isObject, shape.json]),
    scenarios: shape.list(scenario, { min: 1, max: 1000 }),
  },
  { $schema: words },
);
