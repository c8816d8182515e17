import { KeyedSemaphore, type SlowBound } from '#libs/platform/semaphore/keyed-semaphore';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import type { Json } from '#libs/platform/json/json';
import type { ProbeReport } from './messages.ts';
import { GuestProcess } from './guest-process.ts';
import { type GuestSource, runInGuest, type SandboxResult } from './run.ts';
import { SandboxError } from './sandbox-error.ts';
import { launchers, type Isolation, type Launcher } from './isolation.ts';

export { ResultText, type SandboxResult } from './run.ts';
export { SandboxError } from './sandbox-error.ts';

/**
 * Sizes in bytes. Up to `warm` processes that served nobody are ready; at most `concurrency` run, `perWorkspace` of them for one
 * workspace; there are never more than twice `concurrency`.
 */
export interface SandboxOptions {
  warm: number;
  concurrency: number;
  perWorkspace: number;
  /** Bounds the places of a workspace whose code runs long, while others have code to run. */
  slow: SlowBound;
  /** A run waits so long for its place, in milliseconds; without it, as long as its signal lets it. */
  waitMs?: number;
  /** The default time-out of a run, in milliseconds from the hand-over of its code. */
  timeoutMs: number;
  /** The longest time-out of a run, in milliseconds. */
  timeoutMsMax: number;
  memoryBytes: number;
  outputBytesMax: number;
  /** A process that was idle for so long ends. So does one after this number of calls, and one that has had more memory. */
  idleMs: number;
  callsMax: number;
  residentBytesMax: number;
  /** A self-test starts processes and keeps a core busy, so its result is good for so long. */
  testedForMs: number;
  /** Kinds of isolation that the sandbox must not use, for hosts where one is broken. */
  without: Isolation[];
}

export interface SandboxRun {
  /** The body of an async function of one parameter, `input`. */
  code: string;
  input: Json;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** A longer result, in characters, comes as its text. By default every result is read here. */
  charsHereMax?: number;
  /** The workspace of the code. The workspaces that wait take turns. Without one, the process is used once. */
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
/** Code that ran so long is slow, and its workspace for a minute: the longest time that code may run, so that others get a place meanwhile. */
const slowAfterMs = 5_000;
const slowForMs = 60_000;

/**
 * Runs user code in QuickJS in WebAssembly, in processes that are killed from outside. A process serves one workspace. Each run has an
 * instance of the engine of its own.
 */
export class Sandbox {
  private readonly options: SandboxOptions;
  private readonly slots: KeyedSemaphore;
  private readonly living = new Set<GuestProcess>();
  /** The processes that have served nobody. */
  private idle: GuestProcess[] = [];
  /** The idle processes that have served a workspace. The one that ended its work first is first. */
  private readonly kept = new Map<GuestProcess, { workspaceId: string; timer: NodeJS.Timeout }>();
  private launcher?: Promise<Launcher>;
  private refill?: NodeJS.Timeout;
  private closed = false;
  private lastTest: { walls: Promise<SandboxIsolation>; until: number } | undefined;
  private lastWorks = false;

  constructor(options: Partial<SandboxOptions> = {}) {
    const concurrency = options.concurrency ?? Math.max(2, availableParallelism());
    const perWorkspace = options.perWorkspace ?? Math.max(1, concurrency - 1);
    this.options = {
      warm: concurrency,
      slow: { most: Math.ceil(perWorkspace / 4), afterMs: slowAfterMs, forMs: slowForMs },
      timeoutMs: 5_000,
      timeoutMsMax: 60_000,
      memoryBytes: 64 * 1024 * 1024,
      outputBytesMax: 1024 * 1024,
      idleMs: 60_000,
      callsMax: 1_000,
      residentBytesMax: 160 * 1024 * 1024,
      testedForMs: 10_000,
      without: [],
      ...options,
      concurrency,
      perWorkspace,
    };
    this.options.outputBytesMax = Math.min(this.options.outputBytesMax, outputBytesCap);
    this.options.memoryBytes = Math.min(this.options.memoryBytes, memoryBytesCap);
    const { slow, waitMs } = this.options;
    this.slots = new KeyedSemaphore({
      most: perWorkspace,
      slow,
      all: concurrency,
      ...(waitMs === undefined ? {} : { waitMs }),
      refuse: () => new SandboxError('SANDBOX_BUSY', 'The sandbox has no place for the run.'),
    });
  }

  /** Runs code. Throws `SandboxError`, or the reason of the signal after an abort. A run cannot see data of another run. */
  async runCode(run: SandboxRun): Promise<SandboxResult> {
    const { workspaceId = '', signal } = run;
    return this.slots.run(workspaceId, () => this.runInPlace(run), signal ? { signal } : {});
  }

  private runInPlace(run: SandboxRun): Promise<SandboxResult> {
    const input = JSON.stringify(run.input);
    const { memoryBytes, outputBytesMax, timeoutMsMax } = this.options;
    const timeoutMs = Math.min(run.timeoutMs ?? this.options.timeoutMs, timeoutMsMax);
    const order = { code: run.code, memoryBytes, stackBytes, outputBytesMax };
    const { signal, workspaceId, charsHereMax } = run;
    const source: GuestSource = {
      take: () => this.take(workspaceId),
      giveBack: (guest) => this.keep(guest, workspaceId),
    };
    const job = { order, input, timeoutMs, signal, ...(charsHereMax ? { charsHereMax } : {}) };
    return runInGuest(source, job).finally(() => this.fillSoon());
  }

  /** Returns the result of a self-test that is at most `testedForMs` old. Callers during a test wait for its result. */
  testedWalls(): Promise<SandboxIsolation> {
    if (!this.lastTest || this.lastTest.until < performance.now()) {
      const mine = { walls: this.selfTest(), until: Infinity };
      this.lastTest = mine;
      void mine.walls.then(({ works }) => {
        this.lastWorks = works;
        mine.until = performance.now() + this.options.testedForMs;
      });
    }
    return this.lastTest.walls;
  }

  /** True when the last self-test found that code may run. Begins another one when that is too old. */
  get works(): boolean {
    void this.testedWalls();
    return this.lastWorks;
  }

  /**
   * Starts the warm processes. Tests the isolation from inside, and that code which no inner time-out can stop is killed. Waits for no
   * place, because the sandbox works also while all are taken.
   */
  async selfTest(): Promise<SandboxIsolation> {
    try {
      const { isolation } = await this.way();
      const report = await this.probe();
      const endless = this.runInPlace({
        code: 'const a=[];a.length=4294967295;a.indexOf(1)',
        input: null,
        timeoutMs: 200,
      });
      const killedFromOutside = await endless.then(() => false, isTimeout);
      return {
        works:
          killedFromOutside && (await this.runInPlace({ code: 'return input + 1', input: 1 })).output === 2,
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
    for (const guest of living) this.forget(guest);
    for (const guest of living) guest.kill();
    await Promise.all(living.map((guest) => guest.gone));
  }

  /** Gives an idle process of the workspace, else one that has served nobody, else a new one. */
  private async take(workspaceId?: string): Promise<GuestProcess> {
    const launcher = await this.way();
    // The host may have killed a waiting process, for example for its memory. A run must not fail because of this.
    for (let own = this.lastOf(workspaceId); own; own = this.lastOf(workspaceId)) {
      this.forget(own);
      if ((await own.ready.then(yes, no)) && isUsable(own)) return own;
    }
    this.idle = this.idle.filter(isUsable);
    const warm = this.idle.shift();
    if (warm && (await warm.ready.then(yes, no))) return warm;
    if (!this.hasRoom) this.giveUpOldest();
    const guest = this.spawn(launcher);
    await guest.ready;
    return guest;
  }

  /** The process of the workspace that ended its work last. */
  private lastOf(workspaceId?: string): GuestProcess | undefined {
    return [...this.kept].findLast(([, kept]) => kept.workspaceId === workspaceId)?.[0];
  }

  /** Keeps a process for the next run of its workspace. */
  private keep(guest: GuestProcess, workspaceId?: string): void {
    if (this.closed || workspaceId === undefined) return guest.kill();
    const timer = setTimeout(() => {
      this.forget(guest);
      guest.kill();
    }, this.options.idleMs);
    this.kept.set(guest, { workspaceId, timer: timer.unref() });
  }

  private forget(guest: GuestProcess): void {
    clearTimeout(this.kept.get(guest)?.timer);
    this.kept.delete(guest);
  }

  /** Ends the process that has been idle for the longest time. */
  private giveUpOldest(): void {
    const [oldest] = this.kept.keys();
    if (!oldest) return;
    this.forget(oldest);
    oldest.kill();
  }

  private get hasRoom(): boolean {
    return [...this.living].filter(({ killed }) => !killed).length < 2 * this.options.concurrency;
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
      this.idle = this.idle.filter(isUsable);
      const { warm } = this.options;
      // A workspace that comes new finds a process, because an idle one of another workspace gives way to it.
      if (this.idle.length < Math.min(warm, 1) && !this.hasRoom) this.giveUpOldest();
      while (!this.closed && this.idle.length < warm && this.hasRoom) this.idle.push(this.spawn(launcher));
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
    // A process that has used half of it gets no further run, so the other half is enough for each run.
    const cpuS = 2 * (Math.ceil(timeoutMsMax / 1000) + 2);
    for (const launcher of launchers({ cpuS, memoryBytes }, without)) {
      const guest = this.spawn(launcher);
      if (!(await guest.ready.then(yes, no))) continue;
      this.idle.push(guest);
      return launcher;
    }
    throw new SandboxError('SANDBOX_CRASHED', 'No process that runs code can be started on this host.');
  }

  /** The report of a child. This process listens on the port that the child calls, so only the isolation can stop the connection. */
  private async probe(): Promise<ProbeReport> {
    const guest = await this.take();
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
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
    const {
      outputBytesMax,
      timeoutMsMax: cpuMs,
      callsMax: calls,
      residentBytesMax: residentBytes,
    } = this.options;
    const guest = new GuestProcess(launcher, outputBytesMax, { calls, cpuMs, residentBytes });
    this.living.add(guest);
    void guest.gone.then(() => {
      this.living.delete(guest);
      this.forget(guest);
    });
    return guest;
  }
}

const isUsable = ({ killed, ended }: GuestProcess): boolean => !killed && !ended;
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
