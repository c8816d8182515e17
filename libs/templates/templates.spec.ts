import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from '#libs/definition/validate';
import { runScenarios } from '#libs/scenario/run-scenarios';

const root = import.meta.dirname;
const names = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe.each(names)('the template %s', (name) => {
  test('is valid, gives no warning, and says who starts it', () => {
    const workflow = JSON.parse(readFileSync(join(root, name, 'workflow.json'), 'utf8'));
    const { faults, warnings } = validate(workflow.definition);
    expect([faults, warnings]).toEqual([[], []]);
    expect(workflow.description).toMatch(/(call|schedule).* starts it/);
  });

  test('plays as its scenarios say', async () => {
    const results = await runScenarios(join(root, name, `${name}.scenario.json`));
    expect(results.length).toBeGreaterThan(1);
    const failed = results.filter(({ passed }) => !passed);
    expect(failed.map(({ name: title, problems, differences }) => [title, problems, differences])).toEqual(
      [],
    );
  });
});
