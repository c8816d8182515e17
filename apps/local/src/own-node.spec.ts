import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The launcher is no TypeScript, because it runs before anything is installed. */
const { fetchNode, isNodeNewEnough } = (await import(
  new URL('../run/own-node.mjs', import.meta.url).href
)) as {
  isNodeNewEnough(version: string): boolean;
  fetchNode(home: string, pin: Record<string, string>, advice: string): Promise<void>;
};

test.each([
  ['20.19.0', false],
  ['22.18.0', false],
  ['22.19.0', true],
  ['24.0.0', true],
])('the product runs on Node %s: %s', (version, runs) => {
  expect(isNodeNewEnough(version)).toBe(runs);
});

test('a Node that cannot run the launcher is refused by its version', () => {
  expect(() => isNodeNewEnough('18.20.0')).toThrow('Holdfast needs Node 22.19 or newer; this is 18.20.0.');
});

test('a package of Node with another checksum than its pin is refused, and leaves nothing', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'holdfast-own-node-'));
  const pin = { package: 'is-number', version: '7.0.0', integrity: `sha512-${'A'.repeat(86)}==` };
  await expect(fetchNode(join(cache, 'node'), pin, 'Advice')).rejects.toThrow('Advice. npm could not fetch');
  expect(readdirSync(cache)).toEqual([]);
  rmSync(cache, { recursive: true });
});
