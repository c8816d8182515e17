import { isRunOfExecution, runTypeOf } from '../run-type.ts';

test('the type of a run is the name of its workflow in one line, with at most 100 characters', () => {
  expect(runTypeOf('Invoice approval')).toBe('Invoice approval');
  expect(runTypeOf('two\nlines  of text')).toBe('two lines of text');
  expect(runTypeOf('x'.repeat(300))).toHaveLength(100);
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
  expect(runTypeOf(name)).toMatch(/^workflow/);
  expect(isRunOfExecution(runTypeOf(name))).toBe(true);
});

test('imports and ingestions do not count as executions', () => {
  expect(['ingestion', 'tableImport', 'execution', 'Invoice'].map(isRunOfExecution)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
