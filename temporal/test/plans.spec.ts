import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { validate } from '#libs/language/definition/checks/validate';
import { canonicalJson, compile } from '#libs/language/definition/compile';

/** The plan of a deployed workflow keeps its hash, so an example must always compile to the same plan. */
const examples = {
  'approval.json': '1a16e29e6682fcc386a45fa6d2998e0e052932fbf0ad16ca354dd8a7798cd390',
  'licence-review.json': '78f7d048d7b89a4136a7f342268ca56280e6547df390a8e812126d6a3df986b0',
};

test.each(Object.entries(examples))('the example %s compiles to its first plan', (file, hash) => {
  const example = JSON.parse(readFileSync(`apps/local/examples/${file}`, 'utf8'));
  const { definition } = validate(example.definition ?? example);
  if (!definition) throw new Error(`${file} has faults`);
  const plan = canonicalJson(compile(definition));
  expect(createHash('sha256').update(plan).digest('hex')).toBe(hash);
});
