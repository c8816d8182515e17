import { effectQueues } from '#libs/language/definition/blocks/kind';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { indexedTypes } from '#libs/platform/temporal-client/indexed-types';
import { FakeActivities } from './fake-activities.ts';
import { Clock } from './clock.ts';

const queue = 'scenario';

/** The files of a test server. By default they are where the build and the tests put them. */
export interface StageOptions {
  /** The program of Temporal's time-skipping test server. */
  testServer?: string;
  /** The bundled workflow code. */
  bundle?: string;
}

/**
 * A Temporal server of its own whose clock skips time. Its workers run the product's workflow code with people and
 * effects in memory.
 */
export class TestServer {
  readonly clock: Clock;
  private readonly running: Promise<unknown>;

  private constructor(
    private readonly env: TestWorkflowEnvironment,
    readonly cast: FakeActivities,
    private readonly workers: Worker[],
  ) {
    this.clock = new Clock(env);
    this.running = Promise.all(workers.map((worker) => worker.run()));
    // `close` awaits this promise; until then the patience of each scenario ends a run that hangs.
    this.running.catch(() => undefined);
  }

  static async open({ testServer, bundle = bundleFile() }: StageOptions): Promise<TestServer> {
    const path = testServer ?? process.env['HOLDFAST_TEST_TIMESKIPPING'];
    if (!path) throw new Error('Give the program of the test server, or set HOLDFAST_TEST_TIMESKIPPING.');
    const env = await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path } },
    });
    try {
      // This server refuses search attributes that were not added to it.
      await env.connection.operatorService.addSearchAttributes({
        namespace: 'default',
        searchAttributes: indexedTypes,
      });
      const cast = new FakeActivities();
      return new TestServer(env, cast, await workersOf(env, cast, bundle));
    } catch (error) {
      await env.teardown();
      throw error;
    }
  }

  get client() {
    return this.env.client.workflow;
  }

  get queue(): string {
    return queue;
  }

  async close(): Promise<void> {
    await this.clock.close();
    for (const worker of this.workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    try {
      await this.running;
    } finally {
      await this.env.teardown();
    }
  }
}

async function workersOf(
  env: TestWorkflowEnvironment,
  cast: FakeActivities,
  bundle: string,
): Promise<Worker[]> {
  const common = { connection: env.nativeConnection, namespace: 'default', shutdownForceTime: '3s' } as const;
  const runs = Worker.create({
    ...common,
    taskQueue: queue,
    workflowBundle: { codePath: bundle },
    activities: { ...cast.locals },
    enableNonLocalActivities: false,
  });
  const effects = effectQueues.map((name) =>
    Worker.create({ ...common, taskQueue: `${queue}-${name}`, activities: { ...cast.effects } }),
  );
  return Promise.all([runs, ...effects]);
}

/** The file where the build puts it, both from the sources and from `dist`. */
function bundleFile(from: string = import.meta.dirname): string {
  const file = join(from, 'dist/temporal/workflows.bundle.js');
  if (existsSync(file)) return file;
  if (dirname(from) === from)
    throw new Error('There is no bundle of the workflow code. Run the build first.');
  return bundleFile(dirname(from));
}
