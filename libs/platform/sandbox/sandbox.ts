import { KeyedSemaphore } from '#libs/platform/semaphore/keyed-semaphore';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import type { Json } from '#libs/platform/json/json';
import type { ProbeReport } from './messages.ts';
import { GuestProcess } from './guest-process.ts';
import { runInGuest, type SandboxResult } from './run.ts';
import { SandboxError } from './sandbox-error.ts';
import { launchers, type Isolation, type Launcher } from './isolation.ts';

export type { SandboxResult } from './run.ts';
export { SandboxError } from './sandbox-error.ts';

/** Sizes in bytes. Up to `warm` processes are ready for work; at most `concurrency` run; at most `waiting` callers of one workspace wait. */
export interface SandboxOptions {
  warm: number;
  concurrency: number;
  waiting: number;
  /** The default time-out of a run, in milliseconds from the hand-over of its code. */
  timeoutMs: number;
  /** The longest time-out of a run, in milliseconds. */
  timeoutMsMax: number;
  memoryBytes: number;
  outputBytesMax: number;
  /** Kinds of isolation that the sandbox must not use, for hosts where one is broken. */
  without: Isolation[];
}

export interface SandboxRun {
  /** The body of an async function of one parameter, `input`. */
  code: string;
  input: Json;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** The workspace of the code. The workspaces that wait take turns. */
  workspaceId?: string;
}

/** The isolation of the engine, as found by trying it from inside. No code may run when `works` is false. */
export interface SandboxIsolation {
  works: boolean;
  isolation: Isolation | 'none';
  hostFilesHidden: boolean;
  networkCut: boolean;
  programsRefused: boolean;
  unprivileged: boolean;
  environmentEmpty: boolean;
  killedFromOutside: boolean;
}

const stackBytes = 256 * 1024;
const outputBytesCap = 10 * 1024 * 1024;
const memoryBytesCap = 512 * 1024 * 1024;
/** The pause before new processes start, in milliseconds. A start uses about 60 ms of CPU time, and code that comes soon would wait for it. */
const refillAfterMs = 50;

/** Runs user code in QuickJS in WebAssembly. Each run has a process of its own, which is killed from outside. */
export class Sandbox {
  private readonly options: SandboxOptions;
  private readonly slots: KeyedSemaphore;
  private readonly living = new Set<GuestProcess>();
  private idle: GuestProcess[] = [];
  private launcher?: Promise<Launcher>;
  private refill?: NodeJS.Timeout;
  private closed = false;

  constructor(options: Partial<SandboxOptions> = {}) {
    const concurrency = options.concurrency ?? Math.max(2, availableParallelism());
    this.options = {
      warm: concurrency,
      waiting: concurrency * 16,
      timeoutMs: 5_000,
      timeoutMsMax: 60_000,
      memoryBytes: 64 * 1024 * 1024,
      outputBytesMax: 1024 * 1024,
      without: [],
      ...options,
      concurrency,
    };
    this.options.outputBytesMax = Math.min(this.options.outputBytesMax, outputBytesCap);
    this.options.memoryBytes = Math.min(this.options.memoryBytes, memoryBytesCap);
    this.slots = new KeyedSemaphore({
      most: concurrency,
      all: concurrency,
      waitingMax: this.options.waiting,
      refuse: () => new SandboxError('SANDBOX_BUSY', 'Too many runs wait for the sandbox.'),
    });
  }

  /** Runs code. Throws `SandboxError`, or the reason of the signal after an abort. A run cannot see data of another run. */
  async runCode(run: SandboxRun): Promise<SandboxResult> {
    run.signal?.throwIfAborted();
    const input = JSON.stringify(run.input);
    const { memoryBytes, outputBytesMax, timeoutMsMax } = this.options;
    const timeoutMs = Math.min(run.timeoutMs ?? this.options.timeoutMs, timeoutMsMax);
    const order = { code: run.code, memoryBytes, stackBytes, outputBytesMax };
    const { signal } = run;
    const work = () => runInGuest(() => this.guest(), { order, input, timeoutMs, signal });
    return this.slots.run(run.workspaceId ?? '', () => work().finally(() => this.fillSoon()), { signal });
  }

  /** Starts the warm processes. Tests the isolation from inside, and that code which no inner time-out can stop is killed. */
  async selfTest(): Promise<SandboxIsolation> {
    try {
      const { isolation } = await this.way();
      const report = await this.probe();
      const endless = this.runCode({
        code: 'const a=[];a.length=4294967295;a.indexOf(1)',
        input: null,
        timeoutMs: 200,
      });
      const killedFromOutside = await endless.then(() => false, isTimeout);
      return {
        works: killedFromOutside && (await this.runCode({ code: 'return input + 1', input: 1 })).output === 2,
        isolation,
        hostFilesHidden: !report.readsHost,
        networkCut: !report.connects,
        programsRefused: !report.spawns,
        unprivileged: report.uid !== 0,
        environmentEmpty: report.environment === 0,
        killedFromOutside,
      };
    } catch {
      return none;
    }
  }

  /** Kills all processes, busy or waiting. Resolves when none is left. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.refill);
    this.slots.refuseWaiting(new SandboxError('SANDBOX_BUSY', 'The sandbox is closed.'));
    const living = [...this.living];
    for (const guest of living) guest.kill();
    await Promise.all(living.map((guest) => guest.gone));
  }

  /** Gives the oldest waiting process, or a new one. */
  private async guest(): Promise<GuestProcess> {
    const launcher = await this.way();
    this.idle = this.idle.filter((guest) => !guest.ended);
    const warm = this.idle.shift();
    // The host may have killed a waiting process, for example for its memory. A run must not fail because of this.
    if (warm && (await warm.ready.then(yes, no))) return warm;
    const guest = this.spawn(launcher);
    await guest.ready;
    return guest;
  }

  /** Starts new warm processes once no code has ended for `refillAfterMs`, or at once when no process is left. */
  private fillSoon(): void {
    if (this.idle.length === 0) return this.fill();
    this.refill ??= setTimeout(() => this.fill(), refillAfterMs);
    this.refill.refresh();
  }

  private fill(): void {
    clearTimeout(this.refill);
    delete this.refill;
    void this.launcher?.then((launcher) => {
      this.idle = this.idle.filter((guest) => !guest.ended);
      while (!this.closed && this.idle.length < this.options.warm) this.idle.push(this.spawn(launcher));
    }, no);
  }

  /** The launcher with the strongest isolation that this host allows. The search starts a process with each launcher, once. */
  private way(): Promise<Launcher> {
    this.launcher ??= this.search();
    this.launcher.catch(() => delete this.launcher);
    return this.launcher;
  }

  private async search(): Promise<Launcher> {
    const { timeoutMsMax, memoryBytes, without } = this.options;
    for (const launcher of launchers({ cpuS: Math.ceil(timeoutMsMax / 1000) + 2, memoryBytes }, without)) {
      const guest = this.spawn(launcher);
      if (!(await guest.ready.then(yes, no))) continue;
      this.idle.push(guest);
      return launcher;
    }
    throw new SandboxError('SANDBOX_CRASHED', 'No process that runs code can be started on this host.');
  }

  /** The report of a child. This process listens on the port that the child calls, so only the isolation can stop the connection. */
  private async probe(): Promise<ProbeReport> {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const guest = await this.guest();
    try {
      const address = server.address();
      guest.send('P', String(typeof address === 'object' ? address?.port : 0));
      return await guest.report();
    } finally {
      guest.kill();
      server.close();
      this.fill();
    }
  }

  private spawn(launcher: Launcher): GuestProcess {
    if (this.closed) throw new SandboxError('SANDBOX_BUSY', 'The sandbox is closed.');
    const guest = new GuestProcess(launcher, this.options.outputBytesMax);
    this.living.add(guest);
    void guest.gone.then(() => this.living.delete(guest));
    return guest;
  }
}

const yes = (): boolean => true;
const no = (): boolean => false;

function isTimeout(error: unknown): boolean {
  return error instanceof SandboxError && error.code === 'CODE_TIMEOUT';
}

const none: SandboxIsolation = {
  works: false,
  isolation: 'none',
  hostFilesHidden: false,
  networkCut: false,
  programsRefused: false,
  unprivileged: false,
  environmentEmpty: false,
  killedFromOutside: false,
};
