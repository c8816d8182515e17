import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contents, toPageFile, readmes } from '#apps/api/src/docs/contents';
import { Stack } from '#apps/api/test/support/stack';
import { isHere } from '#libs/platform/binaries/support/needs';
import { isWhole, testMoreInWhole } from '#libs/platform/settings/support/whole';
import { testAsWarning } from '#libs/platform/settings/support/warnings';
import { callsInspector, givenInspector } from './support/inspector.ts';
import {
  parseFences,
  isAsSaid,
  placeInstallation,
  refusalsIn,
  runSteps,
  parseSteps,
  type Step,
} from './support/commands.ts';

const names = contents.flatMap(({ pages }) => pages).filter((name) => !(name in readmes));
const pages = ['README.md', ...names.map(toPageFile)];
const textOf = (page: string) => readFileSync(page, 'utf8');
const all = pages.filter((page) => parseSteps(textOf(page)).length > 0);
const few = ['README.md', toPageFile('tour')];
const withCommands = isWhole ? all : all.filter((page) => few.includes(page));
const languages = ['sh', 'text', 'json', 'yaml', 'ts', 'console'];

let stack: Stack;
let folder: string;
beforeAll(async () => {
  // Of its own, because the operator's commands of the pages show and change what is of the installation.
  stack = await Stack.startPublic();
  folder = mkdtempSync(join(tmpdir(), 'holdfast-docs-'));
  symlinkSync(process.env['HOLDFAST_TEST_TEMPORAL_BINARY'] ?? '', join(folder, 'temporal'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await stack.stop();
});

/** The text of a page with the address, the keys and the Temporal of this installation. */
function here(text: string, key: string): string {
  const { url, personalKey, env } = stack;
  return placeInstallation(text, { url, key, personalKey }).replaceAll(
    'localhost:7233',
    env['TEMPORAL_ADDRESS'] ?? '',
  );
}

function run(steps: Step[], key = stack.home.key): Promise<string[]> {
  const env = Object.entries({ ...process.env, ...stack.env, WORKER_HEALTH_PORT: '0' });
  const own = Object.fromEntries(
    env.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return runSteps(
    steps.map((step) => ({ ...step, commands: here(step.commands, key) })),
    // A run of tests inside of this one must not make its servers' databases anew.
    { ...own, HOLDFAST_TEST_SERVERS: 'none', PATH: `${folder}:${own['PATH']}` },
  );
}

describe('the commands of the pages', () => {
  testAsWarning(
    'the commands of the pages are in code blocks whose language says how they are tested',
    () => {
      const others = pages.flatMap((page) =>
        parseFences(textOf(page)).flatMap(({ language, text }) =>
          languages.includes(language) ? [] : [`${page}: ${language} ${text}`],
        ),
      );
      expect(others).toEqual([]);
    },
  );

  testAsWarning('the commands of the pages give a reason where no test runs them, and these are few', () => {
    const kept = pages.flatMap((page) =>
      parseFences(textOf(page)).filter(({ language }) => language === 'console'),
    );
    expect(kept.filter(({ reason }) => reason.length < 10)).toEqual([]);
    expect(kept.length).toBeLessThan(16);
  });

  testMoreInWhole.each(withCommands)('%s have the result that the page shows', async (page) => {
    const written = parseSteps(textOf(page));
    const needsInspector = written.some(({ commands }) => callsInspector(commands));
    if (needsInspector && isHere('the inspector')) await givenInspector(folder);
    const steps = written.filter(({ commands }) => isHere('the inspector') || !callsInspector(commands));
    // Names are given out once a workspace, and several pages begin with the same workflow.
    const { key } = await stack.givenWorkspace(page);
    const printed = await run(steps, key);
    const other = steps.flatMap(({ commands, prints }, i) => {
      const text = printed[i] ?? '';
      if (prints !== undefined) return isAsSaid(text, here(prints, key)) ? [] : [{ commands, prints, text }];
      return refusalsIn(text).map((refusal) => ({ commands, prints: 'no refusal', text: refusal }));
    });
    expect(other).toEqual([]);
  });
});

describe('the runner', () => {
  test('the runner fails with a command that fails, and keeps the outputs of the blocks apart', async () => {
    expect(await run([{ commands: 'A=1; echo a' }, { commands: 'echo "$A"' }])).toEqual(['a', '1']);
    await expect(run([{ commands: 'echo before\nfalse\necho after' }])).rejects.toThrow(/1:[^]*before/);
  });

  test('the runner finds a difference between the printed and the expected output', () => {
    expect(isAsSaid('{"a":1,"b":2}\n', '{"a":...}\n')).toBe(true);
    expect(isAsSaid('{"a":1}', '{"b":...}')).toBe(false);
    expect(refusalsIn('{"error":"No.","code":"X","requestId":"req_1"}\n{"error":null}')).toHaveLength(1);
  });
});
