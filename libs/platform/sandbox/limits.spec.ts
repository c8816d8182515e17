import { readFileSync } from 'node:fs';
import type { Sandbox } from './sandbox.ts';
import {
  disposableSandbox,
  givenSandbox,
  mark,
  noneAfterKilling,
  outcomeOf,
  listProcesses,
} from './support/given.ts';
import { soon } from '#libs/platform/settings/support/soon';

const limitMs = 300;

describe('code that outlives every time-out inside its process', () => {
  const memoryBytes = mark();
  const sandbox = givenSandbox({ warm: 0, concurrency: 1, memoryBytes });

  test.each([
    'for (;;);',
    'const a = []; a.length = 4294967295; a.indexOf(1)',
    'const a = []; a.length = 4294967295; a.includes(1)',
    'Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)',
  ])(
    'code that outlives every time-out inside its process is stopped at its limit, and its process is killed from outside: %s',
    async (code) => {
      await outcomeOf(sandbox, { code: 'return 1' });
      const outcome = await outcomeOf(sandbox, { code, timeoutMs: limitMs });
      expect(outcome).toMatchObject({ message: `The code ran longer than ${limitMs} ms.` });
      await soon(() => listProcesses(memoryBytes).length === 0);
    },
  );
});

describe('code that never ends', () => {
  const sandbox = givenSandbox({ concurrency: 4 });

  const endless = [
    'for (;;) await null',
    'const again = () => Promise.resolve().then(again); await again()',
    'return { toJSON() { for (;;); } }',
    'return new Proxy({}, { ownKeys() { for (;;); } })',
    'throw { get message() { for (;;); } }',
    'console.log({ get stack() { for (;;); } })',
    '/^(a+)+$/.test("a".repeat(40) + "b")',
    'let n = 3n; for (;;) n *= n',
    'for (;;) try { (function f() { f() })() } catch {}',
    'for (;;) console.log("x".repeat(1000))',
    'Array.from({ length: 2 ** 53 - 1 }, () => 0)',
    'new Array(4294967295).join("x")',
    '}); for (;;); (function () {',
  ];

  test(`code that never ends is stopped, in ${endless.length} ways`, async () => {
    const outcomes = await Promise.all(
      endless.map((code) => outcomeOf(sandbox, { code, timeoutMs: limitMs })),
    );
    const kinds = outcomes.map((outcome, at) => [endless[at], Object(outcome).code]);
    const expected = ['CODE_TIMEOUT', 'CODE_OUT_OF_MEMORY', 'CODE_THREW'];
    expect(kinds.filter(([, kind]) => !expected.includes(kind))).toEqual([]);
    expect(kinds.filter(([, kind]) => kind === 'CODE_TIMEOUT').length).toBeGreaterThan(8);
  });
});

describe('code that needs too much', () => {
  const sandbox = givenSandbox({ concurrency: 2, memoryBytes: 16 * 1024 * 1024 });

  test.each([
    'const a = []; for (;;) a.push(new Uint8Array(1e6))',
    'const a = []; for (;;) a.push("x".repeat(1e6) + a.length)',
    'const a = []; for (;;) a.push({})',
    'const m = new Map(); for (;;) m.set({}, {})',
    'return new ArrayBuffer(1e9).byteLength',
    'return "x".padEnd(2 ** 29)',
    'return new Array(1e8).fill(0)',
    'let s = "x"; for (;;) s += s + "y"; ',
    // The limit and what the engine leaves of its own memory: twice the limit would let it pass.
    'return new Uint8Array(32 * 1024 * 1024).length',
  ])('code that needs too much fails cleanly at the memory limit: %s', async (code) => {
    const { code: kind } = Object(await outcomeOf(sandbox, { code, timeoutMs: 10_000 }));
    expect(['CODE_OUT_OF_MEMORY', 'CODE_THREW']).toContain(kind);
    expect(await outcomeOf(sandbox, { code: 'return "well"' })).toEqual({ output: 'well', logs: [] });
  });

  test.each([
    ['function f() { return f() } return f()', 'InternalError: stack overflow'],
    ['const p = new Proxy({}, { get: (t, k, r) => r[k] }); return p.x', 'InternalError: stack overflow'],
    ['let a = []; for (let i = 0; i < 5e3; i++) a = [a]; return a', ''],
    ['return JSON.parse("[".repeat(1e5) + "]".repeat(1e5))', ''],
    ['return eval("(".repeat(1e5))', ''],
    [
      'let a = []; for (let i = 0; i < 129; i++) a = [a]; return a',
      'The result is nested deeper than 128 levels.',
    ],
  ])('code that needs too much fails cleanly at the stack limit: %s', async (code, message) => {
    const outcome = Object(await outcomeOf(sandbox, { code }));
    expect(outcome.code).toMatch(/^CODE_/);
    expect(outcome.message).toContain(message);
  });
});

describe('the pool', () => {
  /** Runs endless code of a workspace until the signal aborts. */
  const hold = (sandbox: Sandbox, signal: AbortSignal) =>
    outcomeOf(sandbox, { code: 'for (;;);', timeoutMs: 60_000, workspaceId: 'ws_hostile', signal }).catch(
      () => 'ended' as const,
    );

  test('the pool keeps a place from a workspace that would take all', async () => {
    const stop = new AbortController();
    await using sandbox = disposableSandbox({ warm: 0, concurrency: 2 });
    const hostile = [1, 2, 3].map(() => hold(sandbox, stop.signal));
    const honest = outcomeOf(sandbox, { code: 'return 1', workspaceId: 'ws_honest' });
    expect(await Promise.race([honest, ...hostile])).toEqual({ output: 1, logs: [] });
    stop.abort();
    await Promise.all(hostile);
  });

  test('the pool keeps places from two workspaces whose code runs long, while a third has code to run', async () => {
    const slow = { most: 1, afterMs: 100, forMs: 600_000 };
    await using sandbox = disposableSandbox({ warm: 0, concurrency: 3, perWorkspace: 2, slow });
    const run = (workspaceId: string, timeoutMs: number, signal?: AbortSignal) =>
      outcomeOf(sandbox, { code: 'for (;;);', timeoutMs, workspaceId, signal }).catch(() => 'ended' as const);
    await Promise.all(['ws_first', 'ws_second'].map((workspaceId) => run(workspaceId, limitMs)));
    const stop = new AbortController();
    const hostile = ['ws_first', 'ws_second', 'ws_first', 'ws_second'].map((workspaceId) =>
      run(workspaceId, 60_000, stop.signal),
    );
    const honest = outcomeOf(sandbox, { code: 'return 1', workspaceId: 'ws_honest' });
    expect(await Promise.race([honest, ...hostile])).toEqual({ output: 1, logs: [] });
    stop.abort();
    await Promise.all(hostile);
  });

  test('the pool refuses a run that has waited too long for a place, and tests itself without one', async () => {
    const stop = new AbortController();
    await using sandbox = disposableSandbox({ warm: 0, concurrency: 1, waitMs: 50 });
    const hostile = hold(sandbox, stop.signal);
    const honest = await outcomeOf(sandbox, { code: 'return 1', workspaceId: 'ws_honest' });
    expect(honest).toMatchObject({ code: 'SANDBOX_BUSY' });
    expect(await sandbox.selfTest()).toMatchObject({ works: true });
    stop.abort();
    await hostile;
    expect(await outcomeOf(sandbox, { code: 'return 1' })).toMatchObject({ output: 1 });
  });

  test('the pool takes the workspaces that wait in turn', async () => {
    await using sandbox = disposableSandbox({ warm: 0, concurrency: 1 });
    const ended: string[] = [];
    const runs = ['first', 'ws_a', 'ws_a', 'ws_a', 'ws_b'].map(async (workspaceId) => {
      await sandbox.runCode({ code: 'return 1', input: null, workspaceId });
      ended.push(workspaceId);
    });
    await Promise.all(runs);
    expect(ended).toEqual(['first', 'ws_a', 'ws_b', 'ws_a', 'ws_a']);
  });

  test('the pool kills the run of a caller who gives up, and keeps none waiting', async () => {
    const memoryBytes = mark();
    await using sandbox = disposableSandbox({ warm: 0, concurrency: 1, memoryBytes });
    const stop = new AbortController();
    const endless = { code: 'for (;;);', input: null, timeoutMs: 30_000, signal: stop.signal };
    const runs = [sandbox.runCode(endless), sandbox.runCode(endless)].map((run) =>
      run.catch((error: unknown) => error),
    );
    await soon(() => listProcesses(memoryBytes).length > 0);
    const reason = new Error('enough');
    stop.abort(reason);
    expect(await Promise.all(runs)).toEqual([reason, reason]);
    await expect(sandbox.runCode(endless)).rejects.toBe(reason);
    await sandbox.close();
    expect(listProcesses(memoryBytes)).toEqual([]);
  });

  test('the pool runs on when the host kills the processes that wait', async () => {
    const memoryBytes = mark();
    await using sandbox = disposableSandbox({ warm: 2, concurrency: 1, memoryBytes });
    for (let round = 0; round < 3; round++) {
      await soon(() => noneAfterKilling(memoryBytes));
      const output = await outcomeOf(sandbox, { code: 'return input', input: round });
      expect(output).toEqual({ output: round, logs: [] });
    }
  });
});

describe('the process of a workspace', () => {
  const ended = (memoryBytes: number) => soon(() => listProcesses(memoryBytes).length === 0);

  test('a process of a workspace ends after its number of calls', async () => {
    const memoryBytes = mark();
    await using sandbox = disposableSandbox({ warm: 0, concurrency: 1, memoryBytes, callsMax: 2 });
    await outcomeOf(sandbox, { code: 'return 1' });
    const first = listProcesses(memoryBytes);
    expect(await outcomeOf(sandbox, { code: 'return 2' })).toMatchObject({ output: 2 });
    await ended(memoryBytes);
    expect(await outcomeOf(sandbox, { code: 'return 3' })).toMatchObject({ output: 3 });
    expect(listProcesses(memoryBytes)).not.toEqual(first);
  });

  test('a process of a workspace ends when it has been idle for a while', async () => {
    const memoryBytes = mark();
    await using sandbox = disposableSandbox({ warm: 0, concurrency: 1, memoryBytes, idleMs: 100 });
    await outcomeOf(sandbox, { code: 'return 1' });
    await ended(memoryBytes);
  });

  test('a process of a workspace ends when a call has taken much memory, also one that stayed within its bound', async () => {
    const memoryBytes = mark() + 64 * 1024 * 1024;
    // Versions of Node take different amounts for themselves.
    const bare = mark();
    await using measured = disposableSandbox({ warm: 0, concurrency: 1, memoryBytes: bare });
    await outcomeOf(measured, { code: 'return 1' });
    const [pid] = listProcesses(bare, process.execPath);
    const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const residentBytesMax = (Number(kib) + 30 * 1024) * 1024;
    await using sandbox = disposableSandbox({ warm: 0, concurrency: 1, memoryBytes, residentBytesMax });
    await outcomeOf(sandbox, { code: 'return 1' });
    const before = listProcesses(memoryBytes);
    await outcomeOf(sandbox, { code: 'return 2' });
    expect(listProcesses(memoryBytes)).toEqual(before);
    // The engine may give the memory back before the process measures it.
    for (let tries = 0; tries < 20 && listProcesses(memoryBytes).join() === before.join(); tries++)
      await outcomeOf(sandbox, { code: 'return new Uint8Array(6e7).fill(1).length' });
    expect(listProcesses(memoryBytes)).not.toEqual(before);
  });

  test('a process of a workspace ends when a call ran out of memory, which fails that call alone', async () => {
    const memoryBytes = mark();
    await using sandbox = disposableSandbox({ warm: 0, concurrency: 1, memoryBytes });
    const code = 'const a = []; for (;;) a.push(new Uint8Array(1e6))';
    expect(await outcomeOf(sandbox, { code })).toMatchObject({ code: 'CODE_OUT_OF_MEMORY' });
    await ended(memoryBytes);
    expect(await outcomeOf(sandbox, { code: 'return 1' })).toMatchObject({ output: 1 });
  });

  test('a process of a workspace fails its own call alone when the host kills it in the middle', async () => {
    const memoryBytes = mark();
    await using sandbox = disposableSandbox({ warm: 0, concurrency: 2, memoryBytes });
    expect(await outcomeOf(sandbox, { code: 'return 1' })).toMatchObject({ output: 1 });
    const killed = outcomeOf(sandbox, { code: 'for (;;);', timeoutMs: 30_000 });
    const other = outcomeOf(sandbox, { code: 'return 2', workspaceId: 'ws_other' });
    expect(await other).toMatchObject({ output: 2 });
    noneAfterKilling(memoryBytes);
    expect(await killed).toMatchObject({ code: 'SANDBOX_CRASHED' });
    expect(await outcomeOf(sandbox, { code: 'return 3', workspaceId: 'ws_other' })).toMatchObject({
      output: 3,
    });
  });
});

describe('close', () => {
  test('close leaves no process behind, with every kind of run', async () => {
    const memoryBytes = mark();
    await using sandbox = disposableSandbox({ warm: 3, concurrency: 2, memoryBytes });
    await sandbox.selfTest();
    const runs = [1, 2, 3].map(() => outcomeOf(sandbox, { code: 'for (;;);', timeoutMs: 30_000 }));
    await soon(() => listProcesses(memoryBytes).length > 2);
    await sandbox.close();
    expect(listProcesses(memoryBytes)).toEqual([]);
    const kinds = (await Promise.all(runs)).map((outcome) => Object(outcome).code);
    expect(kinds.every((kind) => String(kind).startsWith('SANDBOX_'))).toBe(true);
    expect(Object(await outcomeOf(sandbox, { code: 'return 1' })).code).toBe('SANDBOX_BUSY');
  });

  test('close leaves no process behind while the processes start', async () => {
    const memoryBytes = mark();
    for (let round = 0; round < 10; round++) {
      await using sandbox = disposableSandbox({ warm: 3, concurrency: 2, memoryBytes });
      await outcomeOf(sandbox, { code: 'return 1' });
      // After the run, three processes start. Each round closes the sandbox when more of them have their command line.
      await soon(() => listProcesses(memoryBytes).length >= round % 4);
      await sandbox.close();
      expect(listProcesses(memoryBytes)).toEqual([]);
    }
  });
});
