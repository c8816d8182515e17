import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { frameOf, FrameReader, type Frame, type FrameKind, type ProbeReport } from './frames.ts';
import { NotBegun } from './sandbox-error.ts';
import type { Launcher } from './walls.ts';

/** Room for the frames that are not the result: an error, its stack, one log line. */
const spareBytes = 64 * 1024;
/** A host that needs longer than this to start a process has other troubles. */
const bootTimeoutMs = 15_000;

/** One child, from start to SIGKILL. It is used for one order at most and never waits to be asked twice to die. */
export class GuestProcess {
  /** Holds once the child has loaded its engine. Rejects when it ends or dawdles before. */
  readonly ready: Promise<void>;
  /** Holds once the process and everything inside it are gone. */
  readonly gone: Promise<unknown>;
  ended = false;
  /** From then on the process id may be another's. */
  private closed = false;
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  private readonly reader: FrameReader;
  private onFrame: (frame: Frame) => void = () => {};
  private onEnd: () => void = () => {};
  private lastWords = '';

  constructor({ file, args }: Launcher, outputBytesMax: number) {
    this.reader = new FrameReader(outputBytesMax + spareBytes);
    // Detached, so a group of its own: it is killed as one, and a Ctrl-C in a terminal is for the worker alone.
    this.child = spawn(file, args, { cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    this.gone = once(this.child, 'close').catch(() => {});
    this.child.on('error', () => this.end());
    this.child.on('close', () => {
      this.closed = true;
      this.end();
    });
    // A child that died with input unread: the end of its output says more.
    this.child.stdin.on('error', () => {});
    this.child.stdout.on('data', (part: Buffer) => this.take(part));
    this.child.stderr.on('data', (part: Buffer) => (this.lastWords = (this.lastWords + part).slice(-2_000)));
    this.ready = this.booted();
    this.ready.catch(() => {});
  }

  /** Every frame from now on goes to `onFrame`; `onEnd` is called once when there will be none any more. */
  listen(onFrame: (frame: Frame) => void, onEnd: () => void): void {
    this.onFrame = onFrame;
    this.onEnd = onEnd;
    if (this.ended) onEnd();
  }

  send(kind: FrameKind, payload: string): void {
    this.child.stdin.write(frameOf(kind, payload));
  }

  /**
   * The whole group: a bubblewrap that dies while it still builds its rooms leaves a second process that waits for it for
   * ever, holding our pipes (seen on every twentieth close).
   */
  kill(): void {
    if (this.child.pid === undefined || this.closed) return;
    try {
      process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      this.child.kill('SIGKILL');
    }
  }

  /** What the child says about its walls. */
  async report(): Promise<ProbeReport> {
    return JSON.parse((await this.first()).payload.toString());
  }

  private async booted(): Promise<void> {
    const timer = setTimeout(() => this.kill(), bootTimeoutMs);
    try {
      await this.first();
    } finally {
      clearTimeout(timer);
    }
  }

  private first(): Promise<Frame> {
    return new Promise((resolve, reject) => {
      this.listen(resolve, () => {
        const error = new NotBegun('The process that runs code did not start.');
        // For the operator's log: it may name paths of this machine.
        error.cause = this.lastWords;
        reject(error);
      });
    });
  }

  private take(part: Buffer): void {
    try {
      for (const frame of this.reader.take(part)) this.onFrame(frame);
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
