import { Worker, type WorkerOptions } from '@temporalio/worker';
import type { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import { activityScope } from '#libs/runs/temporal-workers/activity-scope';
import { HostedWorker } from '#libs/runs/temporal-workers/hosted-worker';

/** After the grace activities are told to stop, and have this long to do so; another worker goes on with what it can. */
const cancelMs = 3000;

interface Hosting {
  queue: string;
  activities: NonNullable<WorkerOptions['activities']>;
  /** Activities at a time. */
  slots: number;
  graceMs: number;
}

/** A worker that carries out the activities of one queue, and runs no workflows. */
export function activityWorker(
  temporal: TemporalClient,
  { queue, activities, slots, graceMs }: Hosting,
): HostedWorker {
  return new HostedWorker(queue, temporal, (connection) =>
    Worker.create({
      connection,
      namespace: temporal.namespace,
      dataConverter: temporal.dataConverter,
      taskQueue: queue,
      activities,
      interceptors: { activity: [activityScope] },
      maxConcurrentActivityTaskExecutions: slots,
      shutdownGraceTime: graceMs,
      shutdownForceTime: graceMs + cancelMs,
    }),
  );
}
