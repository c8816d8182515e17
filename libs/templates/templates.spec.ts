import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkInputs } from '#libs/language/definition/inputs';
import { namedThings } from '#libs/language/definition/checks/named-things';
import { validate } from '#libs/language/definition/checks/validate';
import type { Json } from '#libs/platform/json/json';
import { runScenarios } from '#libs/runs/scenario/run-scenarios';
import { testInWhole } from '#libs/platform/settings/support/whole';

const root = import.meta.dirname;
const names = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test('the ten templates exist', () => {
  expect(names).toHaveLength(10);
});

describe.each(names)('the template %s', (name) => {
  const read = (file: string) => readFileSync(join(root, name, file), 'utf8');
  const workflow = JSON.parse(read('workflow.json'));
  const readme = read('README.md');
  const commands = /^```sh\n([^]*?)^```$/m.exec(readme)?.[1] ?? '';

  test('a template is valid, gives no warning, and says who starts it', () => {
    const { faults, warnings } = validate(workflow.definition);
    expect([faults, warnings]).toEqual([[], []]);
    expect(workflow.description).toMatch(/(call|schedule).* starts it/);
  });

  const testPlay = names.indexOf(name) < 3 ? test : testInWhole;

  testPlay('a template plays as its scenarios say', async () => {
    const results = await runScenarios(join(root, name, `${name}.scenario.json`));
    expect(results.length).toBeGreaterThan(2);
    const failed = results.filter(({ passed }) => !passed);
    expect(failed.map(({ name: title, problems, differences }) => [title, problems, differences])).toEqual(
      [],
    );
  });

  test('a template tells how to make each resource that it names', () => {
    const makes = {
      secret: (one: string) => `holdfast secrets set ${one}`,
      table: (one: string) => `holdfast tables create ${one}.table.json`,
      'knowledge base': (one: string) => `holdfast knowledge create ${one}`,
      workflow: () => 'no template calls a workflow, since nobody knows its id',
    };
    const wanted = namedThings(workflow.definition).map(({ kind, name: one }) => makes[kind](one));
    expect(wanted.filter((line) => !commands.includes(line))).toEqual([]);
  });

  test('a template writes columns that its tables have', () => {
    const files = readdirSync(join(root, name)).filter((file) => file.endsWith('.table.json'));
    const tables = files.map((file) => JSON.parse(read(file)));
    const columns = tables.flatMap((table) => table.schema.columns).map((column) => column.name);
    expect(tables.map((table) => `${table.name}.table.json`)).toEqual(files);
    const named = columnsIn(workflow.definition);
    expect(named.filter((column) => !columns.includes(column))).toEqual([]);
  });

  test('a template is run in its text with declared inputs', () => {
    const inputs = inputsOf(commands);
    expect(checkInputs(workflow.definition.start.inputs, inputs).details).toEqual([]);
    const declared = Object.keys(workflow.definition.start.inputs);
    expect(Object.keys(inputs).filter((one) => !declared.includes(one))).toEqual([]);
    expect(commands).toContain(`holdfast run "${workflow.name}" `);
  });
});

interface Graph {
  blocks: {
    type: string;
    params?: { data?: object; sort?: object; groupBy?: string[] };
    body?: Graph;
  }[];
}

/** The columns that the table blocks of a graph name in letters. */
function columnsIn({ blocks }: Graph): string[] {
  return blocks.flatMap(({ type, params, body }) => {
    if (body) return columnsIn(body);
    const { data = {}, sort = {}, groupBy = [] } = params ?? {};
    return type === 'table' ? [...Object.keys(data), ...Object.keys(sort), ...groupBy] : [];
  });
}

/** The inputs of the command `run`, as the command line reads them. */
function inputsOf(commands: string): Record<string, Json> {
  const given = commands.matchAll(/--input (?:'(\w+)=([^']*)'|(\w+)=(?:"([^"]*)"|(\S+)))/g);
  return Object.fromEntries(
    [...given].map(([, quoted, json, plain, text, word = '']) => [
      quoted ?? plain ?? '',
      text ?? valueOf(json ?? word),
    ]),
  );
}

function valueOf(word: string): Json {
  try {
    return JSON.parse(word);
  } catch {
    return word;
  }
}
