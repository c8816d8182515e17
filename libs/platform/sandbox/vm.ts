import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten';
import { cutText } from '#libs/platform/text/whole-text';
import type { GuestError, CodeOrder } from './messages.ts';
import { engineBytes, type GuestMemory } from './memory.ts';
import { prelude } from './prelude.ts';

export type GuestOutcome = { output: string } | { fault: GuestError };

interface Thrown {
  name: string;
  message: string;
  stack: string;
}

const linesMax = 200;
const lineCharsMax = 4 * 1024;
/** Reserved memory. It is freed to read the error of a guest that ran out of memory. */
const reserveBytes = 128 * 1024;

/** A QuickJS context for one run. Nothing is freed afterwards, because the whole instance of the engine is dropped. */
export class SandboxVm {
  private readonly runtime: QuickJSRuntime;
  private readonly context: QuickJSContext;
  private readonly tools: QuickJSHandle;
  private readonly reserve: QuickJSHandle;

  private order: CodeOrder = { code: '', memoryBytes: 4096, stackBytes: 0, outputBytesMax: 0 };

  constructor(
    quickjs: QuickJSWASMModule,
    private readonly memory: GuestMemory,
    log: (line: string) => void,
  ) {
    this.runtime = quickjs.newRuntime();
    this.context = this.runtime.newContext();
    const wrapped = this.context.unwrapResult(this.context.evalCode(prelude, 'prelude.js'));
    this.tools = this.context.unwrapResult(
      this.context.callFunction(wrapped, this.context.undefined, this.logger(log)),
    );
    this.reserve = this.context.newArrayBuffer(new ArrayBuffer(reserveBytes));
  }

  /** Runs some code before a caller waits: V8 compiles a WASM function at its first call, which takes 25 ms in all. */
  warmUp(): void {
    const code = 'console.log(1); return await { ...input, at: [1.5, "x"] };';
    this.runCode({ ...this.order, code, outputBytesMax: 1_000 }, '{"a":{"b":null}}');
  }

  /** Runs the code as the body of an async function over `input`, which is JSON text. */
  runCode(order: CodeOrder, input: string): GuestOutcome {
    this.order = order;
    // Above 256 KiB an endless recursion does not throw but breaks the whole WASM module (measured at 512 KiB).
    this.runtime.setMaxStackSize(order.stackBytes);
    // The text is in memory twice, as bytes and as a string, before it is parsed; a failed copy would write to address 0.
    if (Buffer.byteLength(input) + Buffer.byteLength(order.code) > order.memoryBytes / 3)
      return this.exhausted();
    try {
      return this.tried(input);
    } catch (error) {
      // Deep recursion in native code (JSON.stringify of a deep list) reaches V8's stack limit before QuickJS's own limit.
      if (!(error instanceof RangeError)) throw error;
      return { fault: { code: 'CODE_THREW', message: 'The code or its result nests too deeply.' } };
    }
  }

  private tried(input: string): GuestOutcome {
    // The head has its own line, so line numbers of the guest differ by one and columns do not change.
    const body = this.context.evalCode(`(async function (input) {\n${this.order.code}\n})`, file);
    if (body.error) return this.failed(body.error, 'CODE_SYNTAX');
    const value = this.call('parse', this.context.newString(input));
    if (value.error) return this.failed(value.error);
    const started = this.context.callFunction(body.value, this.context.undefined, value.value);
    if (started.error) return this.failed(started.error);
    return this.settled(started.value);
  }

  private settled(promise: QuickJSHandle): GuestOutcome {
    for (;;) {
      const state = this.context.getPromiseState(promise);
      if (state.type === 'fulfilled') return this.output(state.value);
      if (state.type === 'rejected') return this.failed(state.error);
      if (!this.runtime.hasPendingJob()) {
        return { fault: { code: 'CODE_THREW', message: 'The code awaits something that never comes.' } };
      }
      const jobs = this.runtime.executePendingJobs();
      if (jobs.error) return this.failed(jobs.error);
    }
  }

  private output(value: QuickJSHandle): GuestOutcome {
    const { outputBytesMax } = this.order;
    const text = this.call('output', value);
    if (text.error) return this.unfit(text.error);
    const length = this.context.getNumber(this.context.getProp(text.value, 'length'));
    const output = length <= outputBytesMax ? this.context.getString(text.value) : undefined;
    // JSON text is never empty, so an empty text means that there was no memory for the copy.
    if (output === '') return this.exhausted();
    if (output !== undefined && Buffer.byteLength(output) <= outputBytesMax) return { output };
    return {
      fault: { code: 'CODE_OUTPUT_TOO_LARGE', message: `The result is longer than ${outputBytesMax} bytes.` },
    };
  }

  private unfit(error: QuickJSHandle): GuestOutcome {
    const outcome = this.failed(error, 'CODE_OUTPUT_INVALID');
    if (!('fault' in outcome) || outcome.fault.code !== 'CODE_OUTPUT_INVALID') return outcome;
    const refusal = this.call('refusal', this.context.undefined);
    const said = refusal.error ? '' : this.context.getString(refusal.value);
    return {
      fault: { ...outcome.fault, message: said || `The result is not JSON: ${outcome.fault.message}` },
    };
  }

  private failed(error: QuickJSHandle, code: GuestError['code'] = 'CODE_THREW'): GuestOutcome {
    if (this.reserve.alive) this.reserve.dispose();
    const described = this.call('describe', error);
    if (this.speechless(described.error ?? error)) return this.exhausted();
    if (described.error)
      return { fault: { code, message: 'The code threw something that cannot be shown.' } };
    const words = this.context.getString(described.value);
    if (words === '') return this.exhausted();
    const { name, message, stack }: Thrown = JSON.parse(words);
    if (name === 'InternalError' && message === 'out of memory') return this.exhausted();
    const whole = name && name !== 'Error' ? `${name}: ${message}` : message;
    return { fault: { code, message: withReason(whole), stack: ownLines(stack) } };
  }

  /**
   * True if QuickJS threw null because no memory was left for an error object. Code may throw null too, so this also checks that
   * more than half of the memory is in use.
   */
  private speechless(error: QuickJSHandle): boolean {
    const half = engineBytes + this.order.memoryBytes / 2;
    return this.context.eq(error, this.context.null) && this.memory.buffer.byteLength > half;
  }

  private exhausted(): GuestOutcome {
    const message = `The code needs more than ${this.order.memoryBytes} bytes of memory.`;
    return { fault: { code: 'CODE_OUT_OF_MEMORY', message } };
  }

  private call(tool: 'parse' | 'output' | 'refusal' | 'describe', value: QuickJSHandle) {
    return this.context.callFunction(this.context.getProp(this.tools, tool), this.context.undefined, value);
  }

  private logger(log: (line: string) => void): QuickJSHandle {
    let lines = 0;
    return this.context.newFunction('log', (line) => {
      lines += 1;
      if (lines <= linesMax) log(cutText(this.context.getString(line), lineCharsMax));
      if (lines === linesMax + 1) log('(more lines are left out)');
    });
  }
}

const file = 'code.js';

/** The stack frames of the user's code, with line numbers from its first line. */
function ownLines(stack: string): string {
  const own = stack.split('\n').filter((line) => line.includes(`${file}:`));
  return own
    .map((line) => line.replace(/code\.js:(\d+)/g, (_, at: string) => `${file}:${Number(at) - 1}`).trim())
    .join('\n');
}

const reasons: [string, string][] = [
  [
    'fetch XMLHttpRequest WebSocket',
    'a function has no network; let an http block call, and pass its data as input',
  ],
  ['require module exports process Buffer', 'a function has no modules and nothing of Node'],
  ['setTimeout setInterval setImmediate', 'a function has no timers; a wait block lets time pass'],
  ['Intl', 'a function knows no locales and no time zones; let your code make the text'],
  ['window document localStorage', 'a function runs in no browser'],
];

/** Adds the reason to a message about a missing name, for names that browsers or Node have. */
function withReason(message: string): string {
  const name = /^ReferenceError: '(\w{1,40})' is not defined$/.exec(message)?.[1];
  const reason = reasons.find(([names]) => name !== undefined && names.split(' ').includes(name))?.[1];
  return reason === undefined ? message : `${message}: ${reason}.`;
}
