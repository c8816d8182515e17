import { Injectable } from '@nestjs/common';
import { Settings } from '#libs/settings/settings';
import { TemporalClient } from '#libs/temporal-client/temporal-client';
import type { HostedWorker } from '#libs/temporal-workers/hosted-worker';
import type { IngestionActivities } from '#temporal/activities';
import { activityWorker } from '../activity-worker.ts';
import { DocumentWork } from './document-work.ts';

/** Another worker goes on with a step, so a stop need not wait for its end. */
const graceMs = 1000;

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
    const slots = settings.knowledgeSlots;
    this.worker = activityWorker(temporal, { queue, activities: { ...activities }, slots, graceMs });
  }
}
