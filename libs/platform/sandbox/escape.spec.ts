import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Isolation } from './isolation.ts';
import { abuses, escapes } from './support/escapes.ts';
import { givenSandbox, outcomeOf } from './support/given.ts';

const treasure = 'the-treasure-of-the-host';
const folder = mkdtempSync(join(tmpdir(), 'tripwire-'));
const file = join(folder, 'treasure');
let listener: Server;
let calls = 0;

beforeAll(async () => {
  process.env['TRIPWIRE'] = treasure;
  writeFileSync(file, treasure, { mode: 0o666 });
  listener = createServer((socket) => {
    calls += 1;
    socket.destroy();
  }).listen(0);
  await once(listener, 'listening');
});

afterAll(() => {
  delete process.env['TRIPWIRE'];
  rmSync(folder, { recursive: true });
  listener.close();
});

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Expressions that would reach the host through one of its globals. */
function wants(): string[] {
  const port = portOf(listener);
  return [
    'process.env.TRIPWIRE',
    'process.version',
    'process.pid',
    `process.mainModule.require("fs").readFileSync(${JSON.stringify(file)}, "utf8")`,
    `require("fs").readFileSync(${JSON.stringify(file)}, "utf8")`,
    `std.loadFile(${JSON.stringify(file)})`,
    `fetch("http://127.0.0.1:${port}/")`,
    `new WebSocket("ws://127.0.0.1:${port}/")`,
    `require("net").connect(${port})`,
    `require("fs").writeFileSync(${JSON.stringify(file)}, "gone")`,
    'require("child_process").execSync("id").toString()',
  ];
}

/** A program that calls what the expression finds in every way that could reach the host. */
function program(expression: string, wanted = wants()): string {
  return `const found = ${expression};
    const loot = [typeof process, typeof require, typeof fetch, typeof setTimeout, typeof WebAssembly].filter((t) => t !== 'undefined');
    const use = async (attempt) => {
      try {
        let got = await attempt();
        if (typeof got?.next === 'function') got = (await got.next()).value;
        if (got !== undefined) loot.push(String(got));
      } catch {}
    };
    for (const text of ${JSON.stringify(wanted)}) {
      await use(() => found('return ' + text)());
      await use(() => found.constructor('return ' + text)());
      await use(() => found.eval(text));
    }
    for (const name of ['process', 'require', 'fetch', 'readFileSync', 'execSync', 'loadFile', 'exec']) await use(() => found[name]);
    return loot;`;
}

// Without the outer isolation, only the engine stops a program, so these tests find a hole in the engine.
const without: Isolation[] = ['bubblewrap', 'namespaces'];

describe('code that looks for a way out', () => {
  const sandbox = givenSandbox({ without, concurrency: 3, waiting: 100 });

  test(`finds nothing in ${escapes.length} ways`, async () => {
    const outcomes = await Promise.all(
      escapes.map(
        async (way) => [way, await outcomeOf(sandbox, { code: program(way), input: { a: 1 } })] as const,
      ),
    );
    const rich = outcomes.filter(
      ([, outcome]) => !('output' in outcome) || JSON.stringify(outcome.output) !== '[]',
    );
    // A failed attempt throws. An attempt that throws for another reason would test nothing.
    expect(rich.filter(([, outcome]) => Object(outcome).code !== 'CODE_THREW')).toEqual([]);
    expect(JSON.stringify(outcomes)).not.toMatch(hostWords);
    expect([calls, readFileSync(file, 'utf8')]).toEqual([0, treasure]);
    expect(escapes.length).toBeGreaterThanOrEqual(60);
  });

  test('would be noticed: the same program finds the treasure when it runs in this process, without a wall', async () => {
    expect(JSON.stringify(await plainly(program('Function', ['process.env.TRIPWIRE'])))).toContain(treasure);
    await once(connect(portOf(listener)).resume(), 'close');
    expect(calls).toBe(1);
    calls = 0;
  });

  test(`gains nothing by ${abuses.length} abuses of the prelude and the pipe`, async () => {
    const outcomes = await Promise.all(abuses.map((code) => outcomeOf(sandbox, { code })));
    expect(outcomes.filter((outcome) => Object(outcome).code === 'SANDBOX_CRASHED')).toEqual([]);
    expect(JSON.stringify(outcomes)).not.toMatch(hostWords);
    for (const outcome of outcomes) expect(JSON.stringify(outcome).length).toBeLessThan(300_000);
  });
});

/** No result may contain this: the treasure, or the path of the child's program. */
const hostWords = /the-treasure|\/libs\/sandbox|node_modules|file:\/\//;

/** Runs the program in this process, without any isolation. */
function plainly(code: string): Promise<unknown> {
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  return AsyncFunction('input', code)({ a: 1 });
}

describe('two runs', () => {
  const sandbox = givenSandbox({ concurrency: 1, warm: 1 });

  test('never share a process: no run sees the leftovers of another run', async () => {
    const code = `const seen = [globalThis.canary, Object.prototype.canary, Array.canary, console.canary];
      globalThis.canary = Object.prototype.canary = Array.canary = console.canary = input;
      return seen.filter((value) => value !== undefined)`;
    for (let round = 0; round < 12; round++) {
      expect(await outcomeOf(sandbox, { code, input: round })).toEqual({ output: [], logs: [] });
    }
  });
});
