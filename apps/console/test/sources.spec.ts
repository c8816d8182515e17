import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { palette } from '../../api/src/http/page-style.ts';

const folder = 'apps/console/src';
const files = readdirSync(folder, { recursive: true }).map(String);
const pages = files.filter((name) => name.endsWith('.svelte'));
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

describe('the sources of the console', () => {
  test('the sources of the console never make markup of a text', () => {
    expect(pages.length).toBeGreaterThan(30);
    expect(
      files.filter(
        (name) => /\.(svelte|ts)$/.test(name) && /\{@html|innerHTML|insertAdjacentHTML/.test(read(name)),
      ),
    ).toEqual([]);
  });

  test('the sources of the console have no style attribute, which the policy would refuse', () => {
    expect(pages.filter((name) => /<[a-z][^>]*\sstyle=/.test(read(name)))).toEqual([]);
  });

  test('the sources of the console reach for no other origin', () => {
    const foreign = /(src|url\(|import\()\s*=?\s*["'(]?https?:/;
    expect(files.filter((name) => /\.(svelte|css|html)$/.test(name) && foreign.test(read(name)))).toEqual([]);
  });

  test('the sources of the console have the colours of the answer page', () => {
    const css = read('app.css');
    const [light, dark] = palette.split('@media');
    const valuesOf = (text = '') =>
      new Map([...text.matchAll(/--([a-z-]+): (#[0-9a-f]+)/g)].map(([, name, value]) => [name, value]));
    const [day, night] = [valuesOf(light), valuesOf(dark)];
    expect(day.size).toBe(11);
    for (const [name, value] of day)
      expect(css).toContain(`--${name}: light-dark(${value}, ${night.get(name)});`);
  });
});
