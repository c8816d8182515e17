import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '#libs/platform/json/json';
import { soon } from '#libs/platform/settings/support/soon';
import type { Isolation } from './isolation.ts';
import { abuses, escapes } from './support/escapes.ts';
import {
  disposableSandbox,
  givenSandbox,
  mark,
  type Outcome,
  outcomeOf,
  listProcesses,
} from './support/given.ts';

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
  const sandbox = givenSandbox({ without, concurrency: 3 });

  test(`code that looks for a way out finds nothing in ${escapes.length} ways`, async () => {
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

  test('code that looks for a way out would be noticed: the same program finds the treasure when it runs in this process, without a wall', async () => {
    expect(JSON.stringify(await plainly(program('Function', ['process.env.TRIPWIRE'])))).toContain(treasure);
    await once(connect(portOf(listener)).resume(), 'close');
    expect(calls).toBe(1);
    calls = 0;
  });

  test(`code that looks for a way out gains nothing by ${abuses.length} abuses of the prelude and the pipe`, async () => {
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

describe('two runs of a workspace', () => {
  const memoryBytes = mark();
  // The first of the two processes serves the workspace, and the other waits for another one.
  const sandbox = givenSandbox({ concurrency: 1, warm: 1, memoryBytes });

  /** Runs the code in the process that ran the code before. */
  async function again(code: string, input: Json = null): Promise<Outcome> {
    const before = listProcesses(memoryBytes);
    const outcome = await outcomeOf(sandbox, { code, input });
    expect(listProcesses(memoryBytes)).toEqual(before);
    return outcome;
  }

  beforeAll(async () => {
    await outcomeOf(sandbox, { code: 'return 1' });
    // A process that has not become Node yet loses its command line for a moment.
    await soon(() => listProcesses(memoryBytes, process.execPath).length === 2);
  });

  test('two runs of a workspace share a process, and no run sees the leftovers of another run', async () => {
    const code = `const places = [globalThis, Object.prototype, Array.prototype, Function.prototype, Promise.prototype, Array, JSON, Math, console, console.log];
      const own = [...new Set(places.flatMap((place) => Reflect.ownKeys(place).map(String)))].length;
      const seen = places.map((place) => place.canary).filter((value) => value !== undefined);
      seen.push(...[Symbol.for('canary').description, new Error('x').canary, /x/.lastIndex].filter((value) => value && value !== 'canary'));
      for (const place of places) place.canary = input;
      JSON.parse = JSON.stringify = Promise.prototype.then = () => 'poisoned';
      Object.freeze(Object.prototype);
      return [own, seen]`;
    const first = await again(code, 0);
    expect(first).toMatchObject({ logs: [], output: [expect.any(Number), []] });
    for (let round = 1; round < 12; round++) expect(await again(code, round)).toEqual(first);
  });

  test('two runs of a workspace have a memory each, which holds nothing of the run before', async () => {
    // Half of the memory, so that two runs would not fit into one.
    const code = `let found = 0; globalThis.held ??= [];
      for (let i = 0; i < 10; i++) {
        const bytes = new Uint8Array(1e6);
        for (let at = 0; at < 1e6; at += 100) if (bytes[at]) found++;
        held.push(bytes.fill(0x5a));
      }
      return found`;
    for (let round = 0; round < 3; round++) expect(await again(code)).toEqual({ output: 0, logs: [] });
  });

  test('two runs of a workspace do not go on with the work or the lines of the run before', async () => {
    const late = `const again = () => Promise.resolve().then(() => { console.log('late'); return again; });
      Promise.resolve().then(again); console.log('D\\u0000\\u0000\\u0000\\u00011'); return 'first'`;
    expect(await again(late)).toMatchObject({ output: 'first' });
    expect(await again('return "second"')).toEqual({ output: 'second', logs: [] });
  });

  test(`two runs of a workspace stay apart after ${abuses.length} abuses of the prelude and the pipe`, async () => {
    for (const code of abuses) {
      expect(Object(await again(code)).code).not.toBe('SANDBOX_CRASHED');
      expect(await again('console.log("well"); return { input, keys: Object.keys(globalThis) }', 7)).toEqual({
        output: { input: 7, keys: ['console'] },
        logs: ['well'],
      });
    }
  });
});

test('two workspaces never share a process', async () => {
  const memoryBytes = mark();
  await using sandbox = disposableSandbox({ concurrency: 1, warm: 0, memoryBytes });
  const served = new Map<string, string[]>();
  for (const workspaceId of ['ws_a', 'ws_b', 'ws_c', 'ws_a']) {
    const before = listProcesses(memoryBytes);
    expect(await outcomeOf(sandbox, { code: 'return 1', workspaceId })).toMatchObject({ output: 1 });
    const started = listProcesses(memoryBytes).filter((pid) => !before.includes(pid));
    served.set(workspaceId, [...(served.get(workspaceId) ?? []), started.length > 0 ? 'new' : 'used']);
  }
  // There is room for two processes, so the third workspace takes the place of the first.
  expect(Object.fromEntries(served)).toEqual({ ws_a: ['new', 'new'], ws_b: ['new'], ws_c: ['new'] });
});
