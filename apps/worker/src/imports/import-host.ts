import { Injectable } from '@nestjs/common';
import { Worker } from '@temporalio/worker';
import { Settings } from '#libs/settings/settings';
import { TemporalClient } from '#libs/temporal-client/temporal-client';
import { HostedWorker } from '#libs/temporal-workers/hosted-worker';
import type { ImportActivities } from '#temporal/activities';
import { ImportWork } from './import-work.ts';

/** Imports at a time: each keeps one connection to the database busy. */
const slots = 2;
/** After the grace an import is told to stop, and has this long to do so; another worker goes on with it. */
const cancelMs = 3000;

/** Carries out imports, on a queue of its own: a large file keeps no block waiting. */
@Injectable()
export class ImportHost {
  readonly worker: HostedWorker;

  constructor(temporal: TemporalClient, { queue }: Settings, work: ImportWork) {
    const taskQueue = `${queue}-imports`;
    const activities: ImportActivities = {
      importRows: (key) => work.importRows(key),
      failImport: (key, message) => work.failImport(key, message),
    };
    this.worker = new HostedWorker(taskQueue, temporal, (connection) =>
      Worker.create({
        connection,
        namespace: temporal.namespace,
        dataConverter: temporal.dataConverter,
        taskQueue,
        activities: { ...activities },
        maxConcurrentActivityTaskExecutions: slots,
        shutdownGraceTime: 1000,
        shutdownForceTime: 1000 + cancelMs,
      }),
    );
  }
}
