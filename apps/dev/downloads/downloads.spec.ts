import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, isHere, testWith } from '#libs/platform/binaries/support/needs';

const before = { ...process.env };
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'holdfast-downloads-'))));
afterEach(() => {
  process.env = { ...before };
  rmSync(folder, { recursive: true, force: true });
});

test('a machine without Python, Go, npm and a browser is told what it cannot have, each with its reason', () => {
  const warnings = join(folder, 'warnings');
  const env = {
    PATH: folder,
    HOLDFAST_CACHE: folder,
    HOLDFAST_TEST_BROWSER: join(folder, 'none'),
    HOLDFAST_TEST_WARNINGS: warnings,
  };
  execFileSync(process.execPath, ['dist/apps/dev/downloads/main.js', '--whole'], { env, stdio: 'ignore' });
  const said = readFileSync(warnings, 'utf8').trim().split('\n');
  const missing = said.map((line) => JSON.parse(line) as { title: string; message: string });
  expect(Object.fromEntries(missing.map(({ title, message }) => [title, message]))).toEqual({
    'a browser': expect.stringContaining('HOLDFAST_TEST_BROWSER'),
    'a server of buckets': expect.stringContaining('go ENOENT'),
    'the agent in Python': expect.stringContaining('python3 ENOENT'),
    'the clients of others': expect.stringContaining('npm ENOENT'),
    'the clients of others in wheels': expect.stringContaining('python3 ENOENT'),
    'the collector of traces': expect.stringContaining('python3 ENOENT'),
    'the conformance suite': expect.stringContaining('npm ENOENT'),
    'the embedding model': expect.stringContaining('no pip is installed'),
    'the inspector': expect.stringContaining('npm ENOENT'),
    'the libraries of webhook senders': expect.stringContaining('npm ENOENT'),
    'the tools of the Python client': expect.stringContaining('no python3 from 3.10 on'),
    promtool: expect.stringContaining('apt-get ENOENT'),
  });
});

test('a test that needs what the machine cannot have is left out, and the others are not', () => {
  process.env['HOLDFAST_TEST_MISSING'] = '["promtool"]';
  expect([isHere('promtool'), isHere('a browser')]).toEqual([false, true]);
  expect([testWith('promtool'), describeWith('promtool')]).toEqual([test['skip'], describe['skip']]);
  expect([testWith('a browser'), describeWith('a browser')]).toEqual([test, describe]);
});
