import type { Json } from '#libs/platform/json/json';
import { Sandbox, SandboxError } from './sandbox.ts';
import { givenSandbox, outcomeOf } from './support/given.ts';
import { soon } from '#libs/platform/settings/support/soon';

describe('run', () => {
  const sandbox = givenSandbox();

  test.each<[code: string, output: Json]>([
    ['return input', { a: [1, 'é\u0000\u2028🔑', null, true, 1.5e300] }],
    ['return input.a.length', 5],
    ['', null],
    ['return', null],
    ['return undefined', null],
    ['return { a: undefined, b: [undefined] }', { b: [null] }],
    ['return new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['return await Promise.resolve(1)', 1],
    ['return Promise.all([1, Promise.resolve(2)])', [1, 2]],
    ['for await (const x of [Promise.resolve(3)]) return x', 3],
    ['return { then: (done) => done(4) }', 4],
    ['// a comment', null],
    ['return 5 // a comment', 5],
    ['return -0', 0],
    ['return [new Number(1.5), new String("a"), new Boolean(false), new Number(-0)]', [1.5, 'a', false, 0]],
    ['return [, 1]', [null, 1]],
    ['return { toJSON: () => null }', null],
    ['return { a: { toJSON: () => new Date(1) } }', { a: '1970-01-01T00:00:00.001Z' }],
    ['return { get due() { return new Date(8.64e15) } }', { due: '+275760-09-13T00:00:00.000Z' }],
    ['class Price { euros = 3; #cents = 5 }; return [new Price(), Object.create(null)]', [{ euros: 3 }, {}]],
    ['return Object.assign(Object.create({ [Symbol.toStringTag]: "Map" }), { a: 1 })', { a: 1 }],
    ['BigInt.prototype.toJSON = function () { return String(this) }; return [1n]', ['1']],
    ['Map.prototype.toJSON = function () { return [...this] }; return new Map([[1, 2]])', [[1, 2]]],
    ['return new TypeError("no price")', { name: 'TypeError', message: 'no price' }],
    [
      'const cause = Object.assign(new Error("down"), { code: 7 }); return [new RangeError("late", { cause })]',
      [{ name: 'RangeError', message: 'late', cause: { name: 'Error', message: 'down', code: 7 } }],
    ],
    [
      'return Promise.any([Promise.reject(new Error("a"))]).catch((e) => ({ e }))',
      {
        e: {
          name: 'AggregateError',
          message: expect.any(String),
          errors: [{ name: 'Error', message: 'a' }],
        },
      },
    ],
    [
      'const e = new Error("a"); return [e, e]',
      [
        { name: 'Error', message: 'a' },
        { name: 'Error', message: 'a' },
      ],
    ],
    ['const e = new Error("a"); e.toJSON = () => "own"; return e', 'own'],
    ['return JSON.parse(\'{"__proto__":{"a":1},"b":2}\')', { b: 2 }],
    ['return JSON.parse(\'[{"__proto__":1}]\')', [{}]],
  ])('%s', async (code, output) => {
    expect(
      await outcomeOf(sandbox, { code, input: { a: [1, 'é\u0000\u2028🔑', null, true, 1.5e300] } }),
    ).toEqual({
      output,
      logs: [],
    });
  });
});

describe('logs and sizes', () => {
  const sandbox = givenSandbox();

  test('the log of the code is kept', async () => {
    const code =
      'console.log("a", 1, { b: [2] }, undefined, null); console.error(new TypeError("bad")); return 1';
    expect(await outcomeOf(sandbox, { code })).toEqual({
      output: 1,
      logs: ['a 1 {"b":[2]} undefined null', 'TypeError: bad'],
    });
  });

  test('the log of code shows what JSON cannot hold', async () => {
    const code =
      'console.log(NaN, new Date("soon"), [1n, -Infinity, new Map()], { e: new Error("bad"), f() {}, d: new Date(0), big: 2 ** 60 })';
    const { logs } = await sandbox.runCode({ code, input: null });
    expect(logs).toEqual([
      'NaN "Invalid Date" ["1","-Infinity","[object Map]"] {"e":{"name":"Error","message":"bad"},"d":"1970-01-01T00:00:00.000Z","big":1152921504606847000}',
    ]);
  });

  test('the log of code that fails or is killed is kept', async () => {
    // The time that the killed code gets must suffice for its first line on a loaded machine.
    for (const [end, timeoutMs] of [
      ['throw 1', 5000],
      ['for (;;);', 2000],
    ] as const) {
      const run = sandbox.runCode({ code: `console.log("here"); ${end}`, input: null, timeoutMs });
      const error = await run.catch((thrown: unknown) => thrown);
      expect(error instanceof SandboxError && error.details.logs).toEqual(['here']);
    }
  });

  test('a log is cut at its bound', async () => {
    const code = 'for (let i = 0; i < 1000; i++) console.log("x".repeat(10_000))';
    const { logs } = await sandbox.runCode({ code, input: null });
    expect(logs.join('').length).toBeLessThan(300_000);
    expect(logs.length).toBeLessThanOrEqual(201);
  });

  test('an input of 5 MB is taken', async () => {
    const input = Array.from({ length: 100_000 }, (_, id) => ({ id, name: `a name that is long ${id}` }));
    const code = 'return [input.length, input.at(-1).id]';
    expect(await outcomeOf(sandbox, { code, input })).toEqual({ output: [100_000, 99_999], logs: [] });
  });

  test('a result is taken up to its bound', async () => {
    const large = new Sandbox({ warm: 0, outputBytesMax: 8 * 1024 * 1024 });
    const code = 'return "é".repeat(input)';
    const { output } = await large.runCode({ code, input: 4 * 1024 * 1024 - 1 });
    expect(String(output).length).toBe(4 * 1024 * 1024 - 1);
    expect(await outcomeOf(large, { code, input: 4 * 1024 * 1024 })).toEqual({
      code: 'CODE_OUTPUT_TOO_LARGE',
      message: 'The result is longer than 8388608 bytes.',
    });
    await large.close();
  });
});

describe('errors', () => {
  const sandbox = givenSandbox();

  test.each<[code: string, outcome: { code: string; message: string; line?: number }]>([
    ['throw new Error("bad")', { code: 'CODE_THREW', message: 'bad', line: 1 }],
    ['\n\n  null.x', { code: 'CODE_THREW', message: "TypeError: cannot read property 'x' of null", line: 3 }],
    [
      'const f = () => { throw new RangeError("r") }\n\nf()',
      { code: 'CODE_THREW', message: 'RangeError: r', line: 1 },
    ],
    [
      'await null;\nawait Promise.reject(new Error("late"))',
      { code: 'CODE_THREW', message: 'late', line: 2 },
    ],
    ['throw "text"', { code: 'CODE_THREW', message: 'text' }],
    ['throw { a: 1 }', { code: 'CODE_THREW', message: '{"a":1}' }],
    ['throw null', { code: 'CODE_THREW', message: 'null' }],
    [
      'await new Promise(() => {})',
      { code: 'CODE_THREW', message: 'The code awaits something that never comes.' },
    ],
    [
      'process.exit()',
      {
        code: 'CODE_THREW',
        message: "ReferenceError: 'process' is not defined: a function has no modules and nothing of Node.",
        line: 1,
      },
    ],
    [
      'return await fetch("https://example.com")',
      {
        code: 'CODE_THREW',
        message:
          "ReferenceError: 'fetch' is not defined: a function has no network; let an http block call, and pass its data as input.",
        line: 1,
      },
    ],
    ['nope()', { code: 'CODE_THREW', message: "ReferenceError: 'nope' is not defined", line: 1 }],
    [
      'return { id: 7615917337495251231 }',
      {
        code: 'CODE_OUTPUT_INVALID',
        message:
          'The result holds under "id" a whole number beyond 2^53, which loses digits unless it is text.',
      },
    ],
    ['return NaN', { code: 'CODE_OUTPUT_INVALID', message: 'The result is NaN, which JSON cannot hold.' }],
    [
      'return -1 / 0',
      { code: 'CODE_OUTPUT_INVALID', message: 'The result is -Infinity, which JSON cannot hold.' },
    ],
    [
      'return () => 1',
      { code: 'CODE_OUTPUT_INVALID', message: 'The result is a function, which JSON cannot hold.' },
    ],
    [
      'return { a: [1n] }',
      {
        code: 'CODE_OUTPUT_INVALID',
        message: 'The result holds under "0" a bigint, which JSON cannot hold.',
      },
    ],
    [
      'return { a: new Map() }',
      { code: 'CODE_OUTPUT_INVALID', message: 'The result holds under "a" a Map, which JSON cannot hold.' },
    ],
    [
      'const a = {}; a.a = a; return a',
      { code: 'CODE_OUTPUT_INVALID', message: 'The result is not JSON: TypeError: circular reference' },
    ],
  ])('%s', async (code, outcome) => {
    expect(await outcomeOf(sandbox, { code })).toEqual(outcome);
  });
});

describe('a result that JSON cannot hold', () => {
  const sandbox = givenSandbox();

  test.each([
    ['return { due: new Date("soon") }', '"due" an invalid Date'],
    ['return [{ at: [0, new Date(8.64e15 + 1)] }]', '"1" an invalid Date'],
    ['class Day extends Date {}; return { day: new Day(NaN) }', '"day" an invalid Date'],
    ['return { get due() { return new Date(NaN) } }', '"due" an invalid Date'],
    ['return { a: { toJSON: () => new Date(NaN) } }', '"a" an invalid Date'],
    ['return { n: new Number(NaN) }', '"n" NaN'],
    ['return { a: [new Number(-1 / 0)] }', '"0" -Infinity'],
    ['return { n: Object(1n) }', '"n" a BigInt'],
    ['return { s: Object(Symbol()) }', '"s" a Symbol'],
    ['return { s: [Symbol()] }', '"0" a symbol'],
    ['return { a: { toJSON: () => 0 / 0 } }', '"a" NaN'],
    ['return { m: [new Set()] }', '"0" a Set'],
    ['class Own extends Map {}; return { m: new Own() }', '"m" a Map'],
    ['return { keys: new Map([[1, 2]]).keys() }', '"keys" an Iterator'],
    ['return { all: (function* () { yield 1 })() }', '"all" an Iterator'],
    ['return { all: (async function* () {})() }', '"all" an AsyncIterator'],
    ['return [1].map(async (n) => n)', '"0" a Promise that is not awaited'],
    ['return { bytes: new Uint8Array([1]) }', '"bytes" a Uint8Array'],
    ['return { bytes: new ArrayBuffer(1) }', '"bytes" an ArrayBuffer'],
    ['return { bytes: new DataView(new ArrayBuffer(1)) }', '"bytes" a DataView'],
    ['return { r: /a/ }', '"r" a RegExp'],
    ['return { r: new WeakRef({}) }', '"r" a WeakRef'],
    ['return new Error("a", { cause: NaN })', '"cause" NaN'],
  ])('%s', async (code, kind) => {
    expect(await outcomeOf(sandbox, { code })).toEqual({
      code: 'CODE_OUTPUT_INVALID',
      message: `The result holds under ${kind}, which JSON cannot hold.`,
    });
  });

  test.each([
    ['return new Date(NaN)', 'The result is an invalid Date, which JSON cannot hold.'],
    [
      'return [new Number(2 ** 60)]',
      'The result holds under "0" a whole number beyond 2^53, which loses digits unless it is text.',
    ],
    ['return { get a() { throw new Error("no") } }', 'The result is not JSON: no'],
    [
      'const a = new Error("a"); a.self = a; return a',
      'The result is not JSON: TypeError: circular reference',
    ],
  ])('%s', async (code, message) => {
    expect(await outcomeOf(sandbox, { code })).toMatchObject({ code: 'CODE_OUTPUT_INVALID', message });
  });
});

describe('a locale or options', () => {
  const sandbox = givenSandbox();

  test.each([
    ['(1234.5).toLocaleString("de")', 'toLocaleString'],
    ['(1234.5).toLocaleString(undefined, { style: "currency", currency: "EUR" })', 'toLocaleString'],
    ['12345n.toLocaleString("en")', 'toLocaleString'],
    ['[1234.5].toLocaleString("de")', 'toLocaleString'],
    ['new Float64Array([1234.5]).toLocaleString("de")', 'toLocaleString'],
    ['new Date(0).toLocaleString("de", { timeZone: "Europe/Berlin", hour12: false })', 'toLocaleString'],
    ['new Date(0).toLocaleDateString("de")', 'toLocaleDateString'],
    ['new Date(0).toLocaleTimeString(undefined, { hour12: false })', 'toLocaleTimeString'],
    ['"ä".localeCompare("z", "de")', 'localeCompare'],
    ['"a10".localeCompare("a9", undefined, { numeric: true })', 'localeCompare'],
    ['"i".toLocaleUpperCase("tr")', 'toLocaleUpperCase'],
    ['"ή".toLocaleUpperCase(["el-GR", "en"])', 'toLocaleUpperCase'],
    ['"I".toLocaleLowerCase("AZ-Latn")', 'toLocaleLowerCase'],
  ])('%s is refused, because its text would be wrong', async (code, name) => {
    expect(await outcomeOf(sandbox, { code: `return ${code}` })).toEqual({
      code: 'CODE_THREW',
      message: expect.stringMatching(
        `^TypeError: ${name} knows no such locale and no options in a function: (?:.*your code|replace)`,
      ),
      line: 1,
    });
  });

  test('Intl is refused with its reason', async () => {
    expect(await outcomeOf(sandbox, { code: 'return new Intl.NumberFormat("de").format(1234.5)' })).toEqual({
      code: 'CODE_THREW',
      message:
        "ReferenceError: 'Intl' is not defined: a function knows no locales and no time zones; let your code make the text.",
      line: 1,
    });
  });

  test.each<[code: string, output: Json]>([
    ['(1234.5).toLocaleString()', '1234.5'],
    ['12345n.toLocaleString(undefined, undefined)', '12345'],
    ['new Date(0).toLocaleString()', '01/01/1970, 12:00:00 AM'],
    ['[1234.5, , null, ["a"], new Date(0)].toLocaleString()', '1234.5,,,a,01/01/1970, 12:00:00 AM'],
    ['["a", [null, "b"]].toLocaleString("de")', 'a,,b'],
    ['["b", "ä", "a", "C"].sort((one, other) => one.localeCompare(other))', ['C', 'a', 'b', 'ä']],
    ['"é".localeCompare("e\u0301")', 0],
    ['["straße".toLocaleUpperCase("de"), "I".toLocaleLowerCase("trv")]', ['STRASSE', 'i']],
    ['["ΣΊΣΥΦΟΣ".toLocaleLowerCase("el"), "ﬁ".normalize("NFKC")]', ['σίσυφος', 'fi']],
  ])('%s is answered', async (code, output) => {
    expect(await outcomeOf(sandbox, { code: `return ${code}` })).toEqual({ output, logs: [] });
  });
});

describe('syntax errors and stacks', () => {
  const sandbox = givenSandbox();

  test.each([
    ['return 1;\nreturn (', 2],
    ['const a = 1;\nconst a = 2;', 2],
    ['}', 1],
    ['import x from "fs"', 1],
  ])('%j is told as a syntax error', async (code, line) => {
    const outcome = Object(await outcomeOf(sandbox, { code }));
    expect(outcome.code).toBe('CODE_SYNTAX');
    expect(outcome.message).toMatch(/^SyntaxError: /);
    expect(Math.abs(outcome.line - line)).toBeLessThanOrEqual(1);
  });

  test('syntax errors and stacks name the column and the stack of the code, and no file of the host', async () => {
    const code = 'function inner() { throw new Error("x") }\ninner()';
    const error = await sandbox.runCode({ code, input: null }).catch((thrown: unknown) => thrown);
    expect(error instanceof SandboxError && { ...error.details, durationMs: 0 }).toEqual({
      line: 1,
      column: 35,
      stack: 'at inner (code.js:1:35)\nat <anonymous> (code.js:2:6)',
      logs: [],
      durationMs: 0,
    });
  });
});

describe('selfTest', () => {
  test('selfTest tries the walls from inside', async () => {
    const walls = await givenOnce({ warm: 1 });
    expect(walls).toMatchObject({
      works: true,
      hostFilesHidden: true,
      programsRefused: true,
      environmentEmpty: true,
      killedFromOutside: true,
    });
    expect(walls.networkCut).toBe(walls.isolation !== 'process');
  });

  test('selfTest says so when an outer wall is missing', async () => {
    const walls = await givenOnce({ warm: 0, without: ['bubblewrap', 'namespaces'] });
    expect(walls).toMatchObject({
      works: true,
      isolation: 'process',
      networkCut: false,
      killedFromOutside: true,
    });
  });

  test('selfTest is made again when its result is too old, so that a sandbox which no longer works is noticed', async () => {
    const sandbox = new Sandbox({ warm: 0, testedForMs: 0 });
    expect(sandbox.works).toBe(false);
    await soon(() => sandbox.works);
    await sandbox.close();
    await soon(() => !sandbox.works);
  });

  test('selfTest says so when nothing can be started, and then no code runs', async () => {
    const sandbox = new Sandbox({ without: ['bubblewrap', 'namespaces', 'process'] });
    expect(await sandbox.selfTest()).toMatchObject({
      works: false,
      isolation: 'none',
      killedFromOutside: false,
    });
    expect(await outcomeOf(sandbox, { code: 'return 1' })).toMatchObject({ code: 'SANDBOX_CRASHED' });
    await sandbox.close();
  });
});

async function givenOnce(options: ConstructorParameters<typeof Sandbox>[0]) {
  const sandbox = new Sandbox(options);
  try {
    return await sandbox.selfTest();
  } finally {
    await sandbox.close();
  }
}
