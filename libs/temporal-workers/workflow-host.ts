import { Injectable, Module } from '@nestjs/common';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { ExecutionsModule } from '#libs/executions/executions.module';
import { TemporalClient } from '#libs/temporal-client/temporal-client';
import { PausesModule } from '#libs/pauses/pauses';
import { Settings } from '#libs/settings/settings';
import { WorkflowsModule } from '#libs/workflows/workflows';
import { HostedWorker } from './hosted-worker.ts';
import { PauseActivities } from './pause-activities.ts';
import { RunActivities } from './run-activities.ts';

/** A run whose worker died is taken up by another after this. */
const stickyMs = 3000;

/** Runs workflow code in this process: in every worker, and in the API for eager starts. */
@Injectable()
export class WorkflowHost {
  readonly worker: HostedWorker;

  constructor(link: TemporalClient, settings: Settings, activities: RunActivities, pauses: PauseActivities) {
    this.worker = new HostedWorker('workflows', link, (connection) =>
      Worker.create({
        connection,
        namespace: link.namespace,
        dataConverter: link.dataConverter,
        ...versioned(settings),
        taskQueue: settings.queue,
        workflowBundle: { codePath: settings.workflowBundle },
        activities: { ...activities.table, ...pauses.table },
        // Effects have queues of their own: nothing but workflow tasks is to be had from this one.
        enableNonLocalActivities: false,
        stickyQueueScheduleToStartTimeout: stickyMs,
        maxCachedWorkflows: settings.cachedRunsMax,
        shutdownGraceTime: '3s',
        shutdownForceTime: '6s',
      }),
    );
  }
}

/** A run stays on the version that it started on, however long it pauses; nothing here makes a version current. */
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

@Module({
  imports: [ExecutionsModule, PausesModule, WorkflowsModule],
  providers: [WorkflowHost, RunActivities, PauseActivities],
  exports: [WorkflowHost],
})
export class TemporalWorkersModule {}
