import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from '#libs/language/definition/compile';
import { type BlockType, blockTypes, effectTypes } from '#libs/language/definition/blocks/registry';
import { definitionSchema } from '#libs/language/definition/shapes/schema';
import { isObject } from '#libs/language/definition/shapes/shape';
import { validate } from '#libs/language/definition/checks/validate';

const pathOf = (name: string) => fileURLToPath(new URL(`pages/blocks/${name}.md`, import.meta.url));
const pageOf = (name: string) => (existsSync(pathOf(name)) ? readFileSync(pathOf(name), 'utf8') : '');
const examplesIn = (page: string) =>
  [...page.matchAll(/^```json\n(.*?)^```$/gms)].map((match) => match[1] ?? '');
const codesIn = (text: string): string[] => text.match(/(?<=`)[A-Z][A-Z0-9_]+(?:<status>)?(?=`)/g) ?? [];
const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const [, failureTable = ''] = textOf('pages/codes.md').split('## Failures');

/** The members that the schema allows a block of the type, beside those of all blocks. */
function keysOf(type: BlockType): string[] {
  const ordinary = ['id', 'type', 'name', 'description', 'retry', 'timeout', 'onFailure', 'params'];
  const properties = at(definitionSchema(), 'properties', 'blocks', 'items', 'oneOf')
    .map((block) => block.properties)
    .find((one) => isObject(one) && isObject(one.type) && String(one.type.enum) === type);
  if (!isObject(properties)) throw new Error(`the schema has no block ${type}`);
  const params: unknown = properties.params;
  const variants = isObject(params) && Array.isArray(params.oneOf) ? params.oneOf : [params];
  const own = Object.keys(properties).filter((key) => !ordinary.includes(key));
  return [...own, ...new Set(variants.flatMap((one: unknown) => memberNames(one)))];
}

function memberNames(schema: unknown): string[] {
  return isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : [];
}

function at(value: unknown, ...steps: string[]): Record<string, unknown>[] {
  const found = steps.reduce<unknown>((inner, step) => (isObject(inner) ? inner[step] : undefined), value);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

describe('the page of a block', () => {
  test.each(blockTypes)('%s has one example that is valid, compiles and shows the block', (type) => {
    const examples = examplesIn(pageOf(type));
    expect(examples).toHaveLength(1);
    const { definition, faults, warnings } = validate(JSON.parse(examples[0] ?? ''));
    expect({ faults, warnings }).toEqual({ faults: [], warnings: [] });
    if (!definition) throw new Error('it has no faults');
    expect(compile(definition).blocks.map((block) => block.type)).toContain(type);
  });

  test.each(blockTypes)('%s names every parameter of the block', (type) => {
    const page = pageOf(type);
    expect(page).toMatch(new RegExp(`^# ${type}\n`));
    const table = page.split('\n').filter((line) => line.startsWith('| `'));
    expect(keysOf(type).filter((key) => !table.some((line) => line.includes(`\`${key}\``)))).toEqual([]);
  });

  test.each(blockTypes)('%s is in the index of all blocks', (type) => {
    expect(textOf('pages/blocks.md')).toContain(`(blocks/${type}.md)`);
  });

  test.each(effectTypes)('%s links to the page on effect blocks', (type) => {
    expect(pageOf(type)).toContain('(effects.md)');
  });

  test.each(blockTypes)('%s names its failures, and each stands in the table of codes', (type) => {
    const [, failures] = /Failures: ([^]*?)\n\n/.exec(pageOf(type)) ?? [];
    expect(failures).toBeDefined();
    expect(codesIn(failures ?? '').filter((code) => !codesIn(failureTable).includes(code))).toEqual([]);
  });
});

test('the table of codes has every code with which a handler makes a block fail', () => {
  const folder = fileURLToPath(new URL('../../libs/worker/', import.meta.url));
  const files = readdirSync(folder, { recursive: true }).map(String);
  const thrown = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => readFileSync(folder + file, 'utf8').match(/(?<=blockFailure\(\s*')\w+/g) ?? []);
  expect(thrown).toContain('INVALID_VALUE');
  expect(thrown.filter((code) => !codesIn(failureTable).includes(code))).toEqual([]);
});

test('the page on effect blocks lists every effect block', () => {
  const [list = ''] = textOf('pages/blocks/effects.md').match(/^.*(?= reach outside of the run\.)/m) ?? [];
  expect((list.match(/\w+(?=`)/g) ?? []).toSorted()).toEqual(effectTypes.toSorted());
});
