import { listDifferences } from './differences.ts';

const visit = { status: 'completed', port: 'out', failure: null, output: null, duration: 10 };

test.each([
  ['another time', {}, { duration: 9000 }, []],
  ['another state', { output: 1 }, { status: 'failed', output: null }, ['Different state']],
  ['another port', { port: 'yes' }, { port: 'else' }, ['Leaves by “else” in place of “yes”']],
  [
    'another port that the output repeats',
    { port: 'yes', output: { port: 'yes' } },
    { port: 'else', output: { port: 'else' } },
    ['Leaves by “else” in place of “yes”'],
  ],
  [
    'another failure',
    { failure: { code: 'A', message: '' } },
    { failure: { code: 'B', message: '' } },
    ['Fails with “B” in place of “A”'],
  ],
  ['another output', { output: 1 }, { output: '1' }, ['Gave another output']],
  ['an output of other order', { output: { a: 1, b: [] } }, { output: { b: [], a: 1 } }, []],
  [
    'another member deep in the output',
    { output: { body: { total: 1, at: [1, 2] } } },
    { output: { body: { total: 2, at: [1] }, more: null } },
    ['Gave another output: body.total, body.at.1, more'],
  ],
  [
    'many other members',
    { output: [1, 2, 3, 4, 5] },
    { output: [0, 0, 0, 0, 0] },
    ['Gave another output: 0, 1, 2 and more'],
  ],
  [
    'a large output of another size',
    { output: { $payload: 'pay_1', bytes: 5000 } },
    { output: { $payload: 'pay_2', bytes: 5001 } },
    ['Gave another output'],
  ],
  [
    'a large output of the same size',
    { output: { $payload: 'pay_1', bytes: 5000 } },
    { output: { $payload: 'pay_2', bytes: 5000 } },
    ['The output is too large to compare'],
  ],
])('two visits of a path are compared: %s', (_, first, second, said) => {
  expect(listDifferences({ ...visit, ...first }, { ...visit, ...second })).toEqual(said);
});
