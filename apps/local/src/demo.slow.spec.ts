import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removePostgres } from './postgres.ts';

const run = promisify(execFile);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-demo-'));
});
afterEach(() => {
  removePostgres(join(folder, 'demo/postgres'));
  rmSync(folder, { recursive: true, force: true });
});

test('npm run demo -- mcp brings all it needs, has an agent call a workflow whose person decides, and stops it again', async () => {
  const { NODE_OPTIONS: _, LLM_BASE_URL: __, ...env } = process.env;
  const { stdout, stderr } = await run(process.execPath, ['apps/local/run.mjs', 'demo', 'mcp'], {
    env: { ...env, HOLDFAST_DATA: folder, NO_COLOR: '1' },
  });
  const shown = stdout + stderr;
  const checks = [...shown.matchAll(/^ +(ok|FAILED) +(.+)$/gm)].map(([, state, what]) => `${state} ${what}`);
  expect(checks).toEqual([
    'ok handle_complaint is among the tools',
    'ok the model alone has decided the small order',
    'ok a person has decided the large order, and the agent has got their decision',
    'ok the agent was sent to one page (1)',
    'ok two calls are two runs, both completed (completed, completed)',
  ]);
  expect(readdirSync(join(folder, 'demo/logs'))).toEqual(expect.arrayContaining(['api.log', 'temporal.log']));
  // The API is the worker too.
  expect(readdirSync(join(folder, 'demo/logs'))).not.toContain('worker.log');
  // Its servers are gone with it.
  const url = /^.*Ready +(\S+)/m.exec(shown)?.[1] ?? '';
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});
