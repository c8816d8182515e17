import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-scenario-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** The compiled program as a process. */
function command(...args: string[]): Promise<{ code: number | null; lines: string[] }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['dist/apps/cli/src/main.js', 'scenario', ...args],
      (_, stdout) => resolve({ code: child.exitCode, lines: stdout.trimEnd().split('\n') }),
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

test('holdfast scenario plays files one after the other, says why a scenario failed, and counts', async () => {
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

test('holdfast scenario plays only the scenario that is named, and fails when none matches', async () => {
  const file = fileOf('two.json', { definition, scenarios: [good, bad] });
  const some = await command(file, '--only', 'rests');
  expect([some.code, some.lines.at(-1)]).toEqual([0, '1 passed, 0 failed']);
  const none = await command(file, '--only', 'nothing like it');
  expect([none.code, ...none.lines]).toEqual([1, 'No scenario has such a name.', '0 passed, 0 failed']);
  expect((await command()).code).toBe(2);
});

test('holdfast scenario reads files of YAML, and prints results as JSON', async () => {
  fileOf(
    'rest.yaml',
    `blocks:\n  - { id: rest, type: wait, params: { duration: P2D } }\nedges: [{ from: start, to: rest }]\n`,
  );
  const file = fileOf(
    'rest.scenario.yaml',
    `definition: rest.yaml\nscenarios:\n  - { name: it rests, expect: { status: completed, elapsed: P2D } }\n`,
  );
  const { code, lines } = await command(file, '--json');
  expect(code).toBe(0);
  expect(JSON.parse(lines.join('\n'))).toMatchObject({
    passed: 1,
    failed: 0,
    faults: [],
    results: [{ name: 'it rests', passed: true, status: 'completed', visits: [{ path: 'rest' }] }],
  });
});

test('holdfast scenario shows how far a run came when it is told to end', async () => {
  const tick = { id: 'tick', type: 'wait', params: { duration: 'PT1S' } };
  const spin = (id: string, inner: { id: string }) => ({
    id,
    type: 'loop',
    params: { count: 10_000 },
    body: { blocks: [inner], edges: [{ from: 'start', to: inner.id }] },
  });
  const endless = {
    blocks: [spin('years', spin('days', tick))],
    edges: [{ from: 'start', to: 'years' }],
  };
  const begun = { name: 'it has begun', until: 'PT1M', expect: { status: 'running' } };
  const file = fileOf('endless.json', { definition: endless, scenarios: [begun, good, good] });
  const program = spawn(process.execPath, ['dist/apps/cli/src/main.js', 'scenario', file], {
    stdio: 'pipe',
  });
  let text = '';
  program.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (text.includes(begun.name) && !program.killed) program.kill('SIGTERM');
  });
  await once(program, 'exit');
  expect(program.exitCode).toBe(1);
  expect(text).toContain('It was interrupted.');
  expect(text.trimEnd().split('\n').at(-1)).toBe('1 passed, 1 failed');
});
