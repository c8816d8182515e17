import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EmbeddingReply, EmbeddingTask } from './embedding-process.ts';

const program = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts')
      ? '../../../dist/libs/knowledge/embedder/embedding-process.js'
      : './embedding-process.js',
    import.meta.url,
  ),
);

interface Waiting {
  tokens: number[];
  resolve(vector: Float32Array): void;
  reject(error: Error): void;
}

/** A process with the model in its memory, and what it is at. */
interface Seat {
  child: ChildProcess;
  at: Waiting | null;
}

/**
 * Computes vectors in processes beside this one, because a text keeps a processor busy for up to half a second. They start
 * when there is work and stay. Not threads: the native library cannot be loaded again once the last thread that had it has
 * ended, and where it breaks it takes its process along.
 */
export class EmbeddingProcesses {
  private readonly urgent: Waiting[] = [];
  private readonly waiting: Waiting[] = [];
  private readonly seats = new Set<Seat>();
  private closed = false;

  constructor(
    private readonly weights: string,
    private readonly seatsMax: number,
  ) {}

  /** Urgent texts pass those that wait, and wait only for the one that is being computed. */
  vector(tokens: number[], urgent: boolean): Promise<Float32Array> {
    return new Promise((resolve, reject) => {
      (urgent ? this.urgent : this.waiting).push({ tokens, resolve, reject });
      this.advance();
    });
  }

  /** Ends the processes; what is not computed yet is refused. */
  close(): void {
    this.closed = true;
    for (const seat of this.seats) this.leave(seat, 'The embedder is closed.');
    this.advance();
  }

  private advance(): void {
    const queue = this.urgent.length > 0 ? this.urgent : this.waiting;
    if (queue.length === 0) return;
    if (this.closed) {
      for (const { reject } of queue.splice(0)) reject(new Error('The embedder is closed.'));
      return this.advance();
    }
    const seat = [...this.seats].find(({ at }) => at === null) ?? this.open();
    const next = seat && queue.shift();
    if (!next) return;
    seat.at = next;
    seat.child.ref();
    seat.child.channel?.ref();
    const task: EmbeddingTask = { id: 0, tokens: next.tokens };
    seat.child.send(task, (error) => error && this.leave(seat, error.message));
    this.advance();
  }

  private open(): Seat | null {
    if (this.seats.size >= this.seatsMax) return null;
    const child = fork(program, [this.weights], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // It computes and needs nothing of this process, least of all its secrets.
      env: { PATH: process.env['PATH'], SystemRoot: process.env['SystemRoot'] },
      execArgv: [],
    });
    const seat: Seat = { child, at: null };
    this.seats.add(seat);
    child.on('message', (reply: EmbeddingReply) => this.settle(seat, reply));
    child.on('error', (error) => this.leave(seat, error.message));
    child.on('exit', (code, signal) => this.leave(seat, `It ended with ${signal ?? `code ${code}`}.`));
    return seat;
  }

  private settle(seat: Seat, reply: EmbeddingReply): void {
    const { at } = seat;
    seat.at = null;
    // An idle process keeps no program from ending.
    seat.child.unref();
    seat.child.channel?.unref();
    if ('error' in reply) {
      at?.reject(new Error(`The local embedder gives no vector: ${reply.error}`));
      // It may come up better another time, as when its memory is free again.
      this.leave(seat, reply.error);
    } else at?.resolve(reply.vector);
    this.advance();
  }

  private leave(seat: Seat, why: string): void {
    if (!this.seats.delete(seat)) return;
    seat.child.kill('SIGKILL');
    seat.at?.reject(new Error(`The process that embeds is gone. ${why}`));
    seat.at = null;
    this.advance();
  }
}
