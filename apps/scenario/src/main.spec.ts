import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-scenario-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** The compiled program as a process; the test server is named in the environment. */
function command(...args: string[]): Promise<{ code: number | null; lines: string[] }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['dist/apps/scenario/src/main.js', ...args], (_, stdout) =>
      resolve({ code: child.exitCode, lines: stdout.trimEnd().split('\n') }),
    );
  });
}

const definition = {
  blocks: [
    { id: 'rest', type: 'wait', params: { duration: 'P2D' } },
    { id: 'done', type: 'response', params: { data: 'done' } },
  ],
  edges: [
    { from: 'start', to: 'rest' },
    { from: 'rest', to: 'done' },
  ],
};
const good = { name: 'it rests', expect: { status: 'completed', elapsed: 'P2D' } };
const bad = { name: 'it is over at once', expect: { status: 'completed', path: ['done'] } };

test('plays files one after the other, says why a scenario failed, and counts', async () => {
  const { code, lines } = await command(
    fileOf('mixed.json', { definition, scenarios: [good, bad] }),
    fileOf('broken.json', '{ "definition": '),
    fileOf('faulty.json', { definition: { blocks: [], edges: [] }, scenarios: [good] }),
    fileOf('more.json', { definition, scenarios: [good] }),
  );
  expect(code).toBe(1);
  const text = lines.join('\n');
  expect(text).toMatch(/^ok {6}it rests {2}\(2 d of workflow time in \d+\.\d s\)$/m);
  expect(text).toMatch(/^FAILED {2}it is over at once /m);
  expect(text).toContain('          path: expected done, got rest → done');
  expect(text).toMatch(/^ +\+0\.\d s +✔ rest wait +completed after 2 d/m);
  expect(text).toMatch(/^FAILED .*broken\.json cannot be read: /m);
  expect(text).toMatch(/^FAILED .*faulty\.json {2}The definition is not valid\.$/m);
  expect(text).toContain('          definition.blocks: ');
  expect(lines.at(-1)).toBe('2 passed, 3 failed');
});

test('plays only the scenario that is named, and fails when none matches', async () => {
  const file = fileOf('two.json', { definition, scenarios: [good, bad] });
  const some = await command(file, '--only', 'rests');
  expect([some.code, some.lines.at(-1)]).toEqual([0, '1 passed, 0 failed']);
  const none = await command(file, '--only', 'nothing like it');
  expect([none.code, ...none.lines]).toEqual([1, 'No scenario has such a name.', '0 passed, 0 failed']);
  const usage = await command();
  expect([usage.code, usage.lines[0]]).toEqual([1, 'npm run scenario -- FILE... [options]']);
});

/** Ids of the processes that a process has started. */
async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('leaves no test server behind when it is told to end', async () => {
  const tick = { id: 'tick', type: 'wait', params: { duration: 'PT1S' } };
  const body = { blocks: [tick], edges: [{ from: 'start', to: 'tick' }] };
  const spin = { id: 'spin', type: 'loop', params: { count: 10_000 }, body };
  const endless = { blocks: [spin], edges: [{ from: 'start', to: 'spin' }] };
  const file = fileOf('endless.json', { definition: endless, scenarios: [good, good] });
  const program = spawn(process.execPath, ['dist/apps/scenario/src/main.js', file], { stdio: 'pipe' });
  let text = '';
  program.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  let servers: number[] = [];
  while (servers.length === 0 && program.exitCode === null) servers = await childrenOf(program.pid ?? 0);
  program.kill('SIGTERM');
  await once(program, 'exit');
  expect(program.exitCode).toBe(1);
  expect(servers.filter(isAlive)).toEqual([]);
  expect(text).toContain('It was interrupted.');
  expect(text.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed');
});
