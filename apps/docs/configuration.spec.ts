import { readdirSync, readFileSync } from 'node:fs';
import { testAsWarning } from '#libs/platform/settings/support/warnings';

const settings = 'libs/platform/settings';
const page = readFileSync('apps/docs/pages/configuration.md', 'utf8');

/** Every name in capitals that the code of the settings reads. */
function variables(): Set<string> {
  const sources = readdirSync(settings).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
  const text = sources.map((name) => readFileSync(`${settings}/${name}`, 'utf8')).join('\n');
  return new Set(
    [...text.matchAll(/(?:'|env\.)([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)\b/g)].map(([, name = '']) => name),
  );
}

testAsWarning('the page on configuration names every setting that a process reads', () => {
  const named = [...variables()].filter((name) => name.length > 3);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

testAsWarning('the page on configuration names every setting of npm start', () => {
  const folder = 'apps/local/src';
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
  const text = sources.map((name) => readFileSync(`${folder}/${name}`, 'utf8')).join('\n');
  const named = new Set(text.match(/\bHOLDFAST_(?!TEST_)[A-Z]+(?:_[A-Z]+)*\b/g));
  expect(named).toContain('HOLDFAST_POSTGRES_PORT');
  expect([...named].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
