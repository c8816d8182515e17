import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asWarning, testAsWarning } from '#libs/platform/settings/support/warnings';
import { drawWorkflow } from './support/workflow-drawing.ts';

const root = 'libs/templates';
const names = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** With HOLDFAST_TABLES in the environment it draws the pictures anew. */
test.each(names)(
  'the picture of the template %s shows its blocks and edges as they are',
  asWarning((name) => {
    const { name: title, definition } = JSON.parse(readFileSync(join(root, name, 'workflow.json'), 'utf8'));
    const path = `apps/docs/pictures/template-${name}.svg`;
    const drawn = drawWorkflow(title, definition);
    if (process.env['HOLDFAST_TABLES']) writeFileSync(path, drawn);
    const cure = `HOLDFAST_TABLES=1 HOLDFAST_TEST_SERVERS=none npm test -- apps/docs/templates.spec.ts`;
    expect({ cure, drawn: readFileSync(path, 'utf8') }).toEqual({ cure, drawn });
  }),
);

test.each(names)(
  'the page on templates has a section of %s with its picture',
  asWarning((name) => {
    const { name: title } = JSON.parse(readFileSync(join(root, name, 'workflow.json'), 'utf8'));
    const [, section = ''] = readFileSync('apps/docs/pages/templates.md', 'utf8').split(`\n## ${title}\n`);
    expect(section.split('\n## ')[0]).toContain(`](../pictures/template-${name}.svg)\n\n\`${name}\``);
  }),
);

testAsWarning('the picture of a run that waits shows the example of the tour', () => {
  const { name, definition } = JSON.parse(readFileSync('apps/local/examples/approval.json', 'utf8'));
  const blocks = definition.blocks.map((block: { id: string; type: string }) =>
    block.type === 'human' ? { ...block, name: 'approve: waits for a person' } : block,
  );
  const path = 'apps/docs/pictures/waiting-run.svg';
  const drawn = drawWorkflow(name, { ...definition, blocks });
  if (process.env['HOLDFAST_TABLES']) writeFileSync(path, drawn);
  expect(readFileSync(path, 'utf8')).toBe(drawn);
});
