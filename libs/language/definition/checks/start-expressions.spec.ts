import { line, respond } from '../support/given.ts';
import { validate } from './validate.ts';

const sites = [
  ['start.title', (source: string) => ({ title: `For {{ ${source} }}` })],
  ['start.flow.concurrency.key', (key: string) => ({ flow: { concurrency: { limit: 1, key } } })],
  ['start.flow.fairBy', (fairBy: string) => ({ flow: { concurrency: { limit: 1 }, fairBy } })],
  ['start.flow.priority', (priority: string) => ({ flow: { concurrency: { limit: 1 }, priority } })],
] as const;

describe.each(sites)('the expression in %s', (path, build) => {
  const inputs = { name: { type: 'string', required: true } };
  const check = (source: string) =>
    validate(line([respond('b', 1)], { start: { inputs, ...build(source) } }));

  test('the expression warns when it reads an input that is not declared', () => {
    const warning = `${path}: the input "other" is not declared, so nothing checks it.`;
    expect(check('start.other')).toMatchObject({ faults: [], warnings: [warning] });
  });

  test.each([
    ['b.data', 'unknown_reference'],
    ['secrets.KEY', 'unknown_reference'],
    ['run.id', 'unknown_reference'],
    ['start.', 'expression_syntax'],
    ['start.name + 1', 'expression_type'],
  ])('the expression %s is refused with its path', (source, code) => {
    expect(check(source).faults).toMatchObject([{ path, code }]);
  });
});
