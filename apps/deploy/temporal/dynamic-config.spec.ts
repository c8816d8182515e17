import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliAttributes, dynamicConfigYaml } from './dynamic-config.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

test('the dynamic config file has the settings of the list', () => {
  expect(read('dynamic-config.yaml')).toBe(dynamicConfigYaml());
});

test('the namespace script creates exactly the search attributes of the list', () => {
  const made = [...read('namespace.sh').matchAll(/^ {2}(\w+)=(\w+)(?: \\|;)/gm)].map(([, name, type]) => [
    name,
    type,
  ]);
  expect(Object.fromEntries(made)).toEqual(cliAttributes);
});
