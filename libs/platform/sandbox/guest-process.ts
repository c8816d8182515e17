import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import {
  encodeMessage,
  MessageReader,
  type GuestMessage,
  type GuestUsage,
  type MessageKind,
  type ProbeReport,
} from './messages.ts';
import { NotBegun } from './sandbox-error.ts';
import type { Launcher } from './isolation.ts';

/** Extra bytes for frames other than the result: an error, its stack, one log line. */
const spareBytes = 64 * 1024;
/** A process that has not started within this time is killed. */
const bootTimeoutMs = 15_000;

/** A process that has used more is not given another call. */
export interface GuestBounds {
  calls: number;
  cpuMs: number;
  residentBytes: number;
}

/** One child process, from its start to SIGKILL. It runs one job at a time, each in an instance of the engine that is new. */
export class GuestProcess {
  /** Resolves once a new instance waits for a job. Rejects when the child ends, takes too long or has used too much before. */
  ready: Promise<void>;
  /** Resolves once the process and everything inside it are gone. */
  readonly gone: Promise<unknown>;
  ended = false;
  /** True once it was told to end. */
  killed = false;
  private calls = 0;
  /** True once the process id may belong to another process. */
  private closed = false;
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  private readonly reader: MessageReader;
  private onFrame: (frame: GuestMessage) => void = () => {};
  private onEnd: () => void = () => {};
  private lastWords = '';

  constructor(
    { file, args }: Launcher,
    outputBytesMax: number,
    private readonly bounds: GuestBounds,
  ) {
    this.reader = new MessageReader(outputBytesMax + spareBytes);
    // `detached` makes a process group. It can be killed as a whole, and Ctrl-C in a terminal reaches only the worker.
    this.child = spawn(file, args, { cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    this.gone = once(this.child, 'close').catch(() => {});
    this.child.on('error', () => this.end());
    this.child.on('close', () => {
      this.closed = true;
      this.end();
    });
    // If the child dies before it reads its input, the end of its output reports this.
    this.child.stdin.on('error', () => {});
    this.child.stdout.on('data', (part: Buffer) => this.take(part));
    this.child.stderr.on('data', (part: Buffer) => (this.lastWords = (this.lastWords + part).slice(-2_000)));
    this.ready = this.renewed();
    this.ready.catch(() => {});
  }

  /** Waits for the next instance. Call it with the last frame of a job, because the next frame may be in the same chunk. */
  renew(): void {
    this.calls += 1;
    this.ready = this.renewed();
    this.ready.catch(() => {});
  }

  /** Calls `onFrame` with each later frame, and `onEnd` once after the last frame. */
  listen(onFrame: (frame: GuestMessage) => void, onEnd: () => void): void {
    this.onFrame = onFrame;
    this.onEnd = onEnd;
    if (this.ended) onEnd();
  }

  send(kind: MessageKind, payload: string): void {
    this.child.stdin.write(encodeMessage(kind, payload));
  }

  /**
   * Kills the whole process group. If bubblewrap dies while it sets up its namespaces, a second process waits for it for ever and
   * keeps our pipes open (seen at every twentieth close).
   */
  kill(): void {
    this.killed = true;
    if (this.child.pid === undefined || this.closed) return;
    try {
      process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      this.child.kill('SIGKILL');
    }
  }

  /** Asks the child what it can reach. */
  async report(): Promise<ProbeReport> {
    return JSON.parse((await this.first()).payload.toString());
  }

  private async renewed(): Promise<void> {
    const timer = setTimeout(() => this.kill(), bootTimeoutMs);
    try {
      const { kind, payload } = await this.first();
      const usage: GuestUsage = JSON.parse(payload.toString());
      if (kind !== 'R' || !this.isFit(usage))
        throw new NotBegun('The process that runs code has done its share.');
    } catch (error) {
      this.kill();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** A process that has done nothing is always fit, because hosts may count memory in other ways. */
  private isFit({ cpuMs, residentBytes }: GuestUsage): boolean {
    const { bounds, calls } = this;
    if (calls === 0) return true;
    return cpuMs < bounds.cpuMs && residentBytes < bounds.residentBytes && calls < bounds.calls;
  }

  private first(): Promise<GuestMessage> {
    return new Promise((resolve, reject) => {
      const take = (frame: GuestMessage) => {
        // A process that says more than it is asked is not trusted with another job.
        this.onFrame = () => this.kill();
        resolve(frame);
      };
      this.listen(take, () => {
        const error = new NotBegun('The process that runs code did not start.');
        // Only for the operator's log, because the text may contain paths of this machine.
        error.cause = this.lastWords;
        reject(error);
      });
    });
  }

  private take(part: Buffer): void {
    try {
      for (const frame of this.reader.readMessages(part)) this.onFrame(frame);
    } catch {
      this.kill();
    }
  }

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    this.onEnd();
  }
}
