import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Isolation } from './walls.ts';
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

/** What a host's global would be good for. */
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

/** Uses what the expression finds in every way that a host would answer to. */
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

// Bubblewrap off: what holds a program back here is the engine alone, so that no outer wall hides a hole in it.
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
    // A way that is none throws; one that throws for another reason than its own would test nothing.
    expect(rich.filter(([, outcome]) => Object(outcome).code !== 'CODE_THREW')).toEqual([]);
    expect(JSON.stringify(outcomes)).not.toMatch(hostWords);
    expect([calls, readFileSync(file, 'utf8')]).toEqual([0, treasure]);
    expect(escapes.length).toBeGreaterThanOrEqual(60);
  });

  test('is watched by wires that do trip: this very process, without a wall, finds the treasure', async () => {
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

/** What no answer may hold: the treasure, and where on this machine the child's program lies. */
const hostWords = /the-treasure|\/libs\/sandbox|node_modules|file:\/\//;

/** The planted fault: the program as this very process would run it, without any wall. */
function plainly(code: string): Promise<unknown> {
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  return AsyncFunction('input', code)({ a: 1 });
}

describe('two runs', () => {
  const sandbox = givenSandbox({ concurrency: 1, warm: 1 });

  test('never share a process: what one leaves behind, no other sees', async () => {
    const code = `const seen = [globalThis.canary, Object.prototype.canary, Array.canary, console.canary];
      globalThis.canary = Object.prototype.canary = Array.canary = console.canary = input;
      return seen.filter((value) => value !== undefined)`;
    for (let round = 0; round < 12; round++) {
      expect(await outcomeOf(sandbox, { code, input: round })).toEqual({ output: [], logs: [] });
    }
  });
});
