import { Injectable } from '@nestjs/common';
import { Worker } from '@temporalio/worker';
import { Settings } from '#libs/settings/settings';
import { TemporalClient } from '#libs/temporal-client/temporal-client';
import { HostedWorker } from '#libs/temporal-workers/hosted-worker';
import type { IngestionActivities } from '#temporal/activities';
import { DocumentWork } from './document-work.ts';

/** After the grace a step is told to stop, and has this long to do so; another worker goes on with it. */
const cancelMs = 3000;

/** Processes documents, on a queue of its own: a long document keeps no block waiting. */
@Injectable()
export class IngestionHost {
  readonly worker: HostedWorker;

  constructor(temporal: TemporalClient, settings: Settings, work: DocumentWork) {
    const queue = `${settings.queue}-knowledge`;
    const activities: IngestionActivities = {
      readDocument: (key) => work.readDocument(key),
      embedDocument: (key) => work.embedDocument(key),
      showDocument: (key, characters) => work.showDocument(key, characters),
      failDocument: (key, code, message) => work.failDocument(key, code, message),
    };
    this.worker = new HostedWorker(queue, temporal, (connection) =>
      Worker.create({
        connection,
        namespace: temporal.namespace,
        dataConverter: temporal.dataConverter,
        taskQueue: queue,
        activities: { ...activities },
        maxConcurrentActivityTaskExecutions: settings.knowledgeSlots,
        shutdownGraceTime: 1000,
        shutdownForceTime: 1000 + cancelMs,
      }),
    );
  }
}
