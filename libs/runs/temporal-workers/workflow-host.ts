import { Injectable } from '@nestjs/common';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import { Settings } from '#libs/platform/settings/settings';
import { activityScope } from './activity-scope.ts';
import { HostedWorker } from './hosted-worker.ts';
import { LocalActivityTable } from './local-activities.ts';

/** When a run's worker does not take its task within this time, another worker does. */
const stickyMs = 3000;

/** Runs workflow code in this process: in every worker, and in the API for eager starts. */
@Injectable()
export class WorkflowHost {
  readonly worker: HostedWorker;

  constructor(temporal: TemporalClient, settings: Settings, activities: LocalActivityTable) {
    this.worker = new HostedWorker('workflows', temporal, (connection) =>
      Worker.create({
        connection,
        namespace: temporal.namespace,
        dataConverter: temporal.dataConverter,
        ...versioned(settings),
        taskQueue: settings.queue,
        workflowBundle: { codePath: settings.workflowBundle },
        activities: activities.byName,
        interceptors: { activity: [activityScope] },
        // Effects have queues of their own, so this queue has only workflow tasks.
        enableNonLocalActivities: false,
        stickyQueueScheduleToStartTimeout: stickyMs,
        maxCachedWorkflows: settings.cachedRunsMax,
        shutdownGraceTime: '3s',
        shutdownForceTime: '6s',
      }),
    );
  }
}

/** Pins a run to the version that it started on, for its whole life. This code makes no version current. */
function versioned({ deployment }: Settings): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (!deployment) return {};
  return {
    workerDeploymentOptions: {
      version: deployment,
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'PINNED',
    },
  };
}
