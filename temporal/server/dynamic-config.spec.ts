import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliAttributes, dynamicConfigYaml } from './dynamic-config.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

test('the file of the dynamic config says what the list says', () => {
  expect(read('dynamic-config.yaml')).toBe(dynamicConfigYaml());
});

test('the namespace script makes exactly the search attributes of the list', () => {
  const made = [...read('namespace.sh').matchAll(/^ {2}(\w+)=(\w+)(?: \\|;)/gm)].map(([, name, type]) => [
    name,
    type,
  ]);
  expect(Object.fromEntries(made)).toEqual(cliAttributes);
});
