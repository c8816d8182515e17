import { fork, type ChildProcess } from 'node:child_process';
import { KeyedSemaphore } from '#libs/platform/semaphore/keyed-semaphore';
import { compiledProgram } from '#libs/platform/threads/compiled-program';
import type { EmbeddingReply, EmbeddingTask } from './embedding-process.ts';

const program = compiledProgram('embedding-process.js', import.meta.url);

const closedMessage = 'The embedder is closed.';

/** A process with a loaded model, and its current task; null when it is idle. */
interface ModelProcess {
  child: ChildProcess;
  task: { resolve(vector: Float32Array): void; reject(error: Error): void } | null;
}

/**
 * Computes vectors in child processes, because a text occupies a processor for up to half a second. The processes start with the first
 * work and stay. Threads would not do: after the last thread with the native library has ended, the library cannot be loaded again.
 * A crash of the library would also end this process.
 */
export class EmbeddingProcesses {
  private readonly queue: KeyedSemaphore;
  private readonly processes = new Set<ModelProcess>();
  private closed = false;

  constructor(
    private readonly weights: string,
    processesMax: number,
  ) {
    this.queue = new KeyedSemaphore({
      most: processesMax,
      all: processesMax,
      refuse: () => new Error(closedMessage),
    });
  }

  /**
   * The vector of a text, given by its token ids. An urgent text goes before waiting texts, and waits only for running work. The workspaces
   * whose texts wait take turns.
   */
  vector(workspaceId: string, tokens: number[], isUrgent: boolean): Promise<Float32Array> {
    return this.queue.run(workspaceId, () => this.compute(tokens), { isUrgent });
  }

  /** Ends the processes. Waiting and running texts fail with an error. */
  close(): void {
    this.closed = true;
    this.queue.refuseWaiting(new Error(closedMessage));
    for (const one of this.processes) this.end(one, closedMessage);
  }

  private compute(tokens: number[]): Promise<Float32Array> {
    if (this.closed) return Promise.reject(new Error(closedMessage));
    // The semaphore admits as many tasks as processes, so a process is idle, or another may start.
    const one = [...this.processes].find(({ task }) => task === null) ?? this.startProcess();
    return new Promise((resolve, reject) => {
      one.task = { resolve, reject };
      one.child.ref();
      one.child.channel?.ref();
      const task: EmbeddingTask = { id: 0, tokens };
      one.child.send(task, (error) => error && this.end(one, error.message));
    });
  }

  private startProcess(): ModelProcess {
    const child = fork(program, [this.weights], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // The child gets no environment of this process, which has secrets.
      env: { PATH: process.env['PATH'], SystemRoot: process.env['SystemRoot'] },
      execArgv: [],
    });
    const one: ModelProcess = { child, task: null };
    this.processes.add(one);
    child.on('message', (reply: EmbeddingReply) => this.settle(one, reply));
    child.on('error', (error) => this.end(one, error.message));
    child.on('exit', (code, signal) => this.end(one, `It ended with ${signal ?? `code ${code}`}.`));
    return one;
  }

  private settle(one: ModelProcess, reply: EmbeddingReply): void {
    const { task } = one;
    one.task = null;
    // An idle child must not stop this process from ending.
    one.child.unref();
    one.child.channel?.unref();
    if ('error' in reply) {
      task?.reject(new Error(`The local embedder gives no vector: ${reply.error}`));
      // A new process may succeed later, for example when more memory is free.
      this.end(one, reply.error);
    } else task?.resolve(reply.vector);
  }

  private end(one: ModelProcess, why: string): void {
    if (!this.processes.delete(one)) return;
    one.child.kill('SIGKILL');
    one.task?.reject(new Error(`The process that embeds is gone. ${why}`));
    one.task = null;
  }
}
