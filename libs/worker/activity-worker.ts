import { Worker, type WorkerOptions } from '@temporalio/worker';
import type { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import { activityScope } from '#libs/runs/temporal-workers/activity-scope';
import { HostedWorker } from '#libs/runs/temporal-workers/hosted-worker';

/**
 * After the grace time activities are cancelled and have this long to stop. Another worker continues the repeatable
 * ones.
 */
const cancelMs = 3000;

interface Hosting {
  queue: string;
  activities: NonNullable<WorkerOptions['activities']>;
  /** The number of activities at a time. */
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
