import { sourceCharsMax } from './cel.ts';
import * as shape from './shape.ts';
import { at, isTemplate, ruled, type Shape } from './shape.ts';

export const iterationsMax = 10_000;
export const branchesMax = 1000;
export const concurrencyMax = 50;

const expression = shape.text({ min: 1, max: sourceCharsMax });

const list = (max: number) =>
  shape.either(
    'a list or an expression that gives one',
    [isTemplate, shape.text({ max: sourceCharsMax + 4 })],
    [Array.isArray, shape.list(shape.json, { max })],
  );

/** Exactly one of these members says how often. */
function overOne(params: Shape, kinds: string[]): Shape {
  return ruled<Record<string, unknown>>(params, (value, path, report) => {
    const given = kinds.filter((kind) => value[kind] !== undefined);
    if (given.length !== 1)
      report(path, 'exactly_one', `It must have exactly one of ${kinds.join(', ')}, not ${given.length}.`);
  });
}

/** A test may hold for ever, so it needs a bound; a count and a list have one. */
function boundedTest(params: Shape): Shape {
  return ruled<Record<string, unknown>>(params, (value, path, report) => {
    const tests = value['while'] !== undefined || value['until'] !== undefined;
    if (tests && value['maxIterations'] === undefined)
      report(at(path, 'maxIterations'), 'required', 'A loop with a test must say how often it runs at most.');
    if (!tests && value['maxIterations'] !== undefined)
      report(at(path, 'maxIterations'), 'needs_test', 'It has no effect without while or until.');
  });
}

const counted = (max: number) =>
  shape.templated(`a whole number up to ${max}`, shape.number({ min: 0, max }));

export const loopParams = boundedTest(
  overOne(
    shape.object(
      {},
      {
        count: counted(iterationsMax),
        forEach: list(iterationsMax),
        while: expression,
        until: expression,
        maxIterations: shape.number({ min: 1, max: iterationsMax }),
        collect: shape.json,
      },
    ),
    ['count', 'forEach', 'while', 'until'],
  ),
);

export const parallelParams = overOne(
  shape.object(
    {},
    {
      count: counted(branchesMax),
      forEach: list(branchesMax),
      concurrency: shape.number({ min: 1, max: concurrencyMax }),
      onBranchError: shape.choice(['fail', 'collect']),
      collect: shape.json,
    },
  ),
  ['count', 'forEach'],
);
