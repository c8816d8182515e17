import { isRunOfExecution, toRunType } from '../run-type.ts';

test('the type of a run is the name of its workflow in one line, with at most 100 characters', () => {
  expect(toRunType('Invoice approval')).toBe('Invoice approval');
  expect(toRunType('two\nlines  of text')).toBe('two lines of text');
  expect(toRunType('x'.repeat(300))).toHaveLength(100);
});

test.each([
  'ingestion',
  'tableImport',
  'default',
  'execution',
  'constructor',
  'toString',
  '__temporal_x',
  ' ',
])('a workflow named "%s" runs as an execution and as nothing else', (name) => {
  expect(toRunType(name)).toMatch(/^workflow/);
  expect(isRunOfExecution(toRunType(name))).toBe(true);
});

test('imports and ingestions do not count as executions', () => {
  expect(['ingestion', 'tableImport', 'execution', 'Invoice'].map(isRunOfExecution)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
