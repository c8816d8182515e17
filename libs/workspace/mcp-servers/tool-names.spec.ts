import { toolNamePattern, toolNames } from './tool-names.ts';

const id = (n: number) => `wf_${String(n).padStart(32, '0')}`;
const namesOf = (names: string[], chosen: Record<number, string> = {}) => [
  ...toolNames(
    names.map((name, n) => ({ id: id(n), name })),
    Object.entries(chosen).map(([n, name]) => ({ workflowId: id(Number(n)), name })),
  ).values(),
];

test('a tool is named after its workflow, in characters that every client takes', () => {
  expect(namesOf(['Invoice approval (EU)', 'Prüfung', 'a-b'])).toEqual(
    ['invoice_approval_eu', 'pru_fung', 'a-b'].map((name) => name.replace('pru_fung', 'prufung')),
  );
});

test('the older of two workflows with one tool name keeps the name', () => {
  expect(namesOf(['Size of', 'size_of', 'Size of!'])).toEqual([
    'size_of',
    'size_of_00000001',
    'size_of_00000002',
  ]);
});

test('no workflow can take the tool name of another workflow by a rename', () => {
  const names = namesOf(['Size of', 'size_of_00000002', 'Size of']);
  expect(names).toEqual(['size_of', 'size_of_00000002', 'size_of_00000002_2']);
});

test('a chosen name goes before the name of a workflow, and the built-in tools keep theirs', () => {
  expect(namesOf(['Greet', 'Other', 'Get execution'], { 1: 'greet' })).toEqual([
    'greet_00000000',
    'greet',
    'get_execution_00000002',
  ]);
});

test('a name without any usable character, or a very long one, still gives a name', () => {
  const names = namesOf(['計算', '計画', 'x'.repeat(128), 'x'.repeat(127)]);
  expect(names.every((name) => toolNamePattern.test(name))).toBe(true);
  expect(new Set(names).size).toBe(4);
});
