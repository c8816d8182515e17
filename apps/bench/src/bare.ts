import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { launch, stopProcess } from '#apps/local/src/processes';
import { branches, calls, empty, emptyReady, go, ready, waiting } from './bare-workflows.ts';
import { workflowsPath } from './bare-worker.ts';
import type { Subject } from './rounds.ts';

const queue = 'bare';
const eagerQueue = 'bare-eager';

/** Temporal without Holdfast, on the same server: the cost of every run before we add anything. */
export class Bare {
  private constructor(
    readonly workerPid: number,
    private readonly client: Client,
    private readonly eager: { client: Client; worker: Worker; ended: Promise<void> },
  ) {}

  static async start(address: string, log: string): Promise<Bare> {
    const program = fileURLToPath(new URL('./bare-worker.js', import.meta.url));
    const env = { ...process.env, TEMPORAL_ADDRESS: address, TASK_QUEUE: queue };
    const child = launch({ command: process.execPath, args: ['--enable-source-maps', program], env, log });
    const client = new Client({ connection: await Connection.connect({ address }) });
    // An eager start gives the first task to a worker on the same connection, so this process has a worker.
    const connection = await NativeConnection.connect({ address });
    const worker = await Worker.create({ connection, taskQueue: eagerQueue, workflowsPath });
    const ended = worker.run().then(() => connection.close());
    const bare = new Bare(child.pid ?? 0, client, { client: new Client({ connection }), worker, ended });
    await bare.start.once();
    return bare;
  }

  /** Start, then wait for the result: the measure of `execute`. */
  readonly start: Subject = {
    name: 'bare start',
    once: async () => {
      const options = { workflowId: randomUUID(), taskQueue: queue };
      const handle = await this.client.workflow.start(empty, options);
      await handle.result();
    },
  };

  /** Starts a run and waits for an update in one call, for information. */
  readonly updateWithStart: Subject = {
    name: 'bare update-with-start',
    once: () => this.startWith(emptyReady),
  };

  /** A start that returns the first task, for information. */
  readonly eagerStart: Subject = {
    name: 'bare eager start',
    once: async () => {
      const options = { workflowId: randomUUID(), taskQueue: eagerQueue, requestEagerStart: true };
      const handle = await this.eager.client.workflow.start(empty, options);
      await this.client.workflow.getHandle(handle.workflowId).result();
    },
  };

  /** An update that lets a waiting run end, then its result: the measure of `resume`. */
  get update(): Subject {
    const waits: string[] = [];
    return {
      name: 'bare update',
      prepare: async (runs) => {
        for (let i = 0; i < runs; i++) {
          const workflowId = randomUUID();
          await this.startWith(waiting, workflowId);
          waits.push(workflowId);
        }
      },
      once: async () => {
        const handle = this.client.workflow.getHandle(waits.pop() ?? '');
        await handle.executeUpdate(go);
        await handle.result();
      },
    };
  }

  /** The run of the last `calls`. */
  lastCalls = '';

  /** The milliseconds for `count` activities one after the other, each with one HTTP call. */
  async calls(count: number, url: string): Promise<number> {
    const begin = performance.now();
    this.lastCalls = randomUUID();
    const options = { workflowId: this.lastCalls, taskQueue: queue, args: [count, url] as [number, string] };
    await (await this.client.workflow.start(calls, options)).result();
    return performance.now() - begin;
  }

  /** The milliseconds for `count` activities, at most `window` at a time, each with one HTTP call. */
  async branches(count: number, window: number, url: string): Promise<number> {
    const begin = performance.now();
    const args: [number, number, string] = [count, window, url];
    await (
      await this.client.workflow.start(branches, { workflowId: randomUUID(), taskQueue: queue, args })
    ).result();
    return performance.now() - begin;
  }

  async history(workflowId: string) {
    return this.client.workflow.getHandle(workflowId).fetchHistory();
  }

  /** The number of events in the history of a run, ours or bare. */
  async historyLength(workflowId: string): Promise<number> {
    return (await this.client.workflow.getHandle(workflowId).describe()).historyLength;
  }

  async stop(): Promise<void> {
    this.eager.worker.shutdown();
    await this.eager.ended;
    await this.client.connection.close();
    await stopProcess(this.workerPid, 'SIGTERM', 5000);
  }

  private async startWith(workflow: () => Promise<number>, workflowId: string = randomUUID()): Promise<void> {
    const startWorkflowOperation = new WithStartWorkflowOperation(workflow, {
      workflowId,
      taskQueue: queue,
      workflowIdConflictPolicy: 'FAIL',
    });
    await this.client.workflow.executeUpdateWithStart(ready, { startWorkflowOperation });
  }
}
