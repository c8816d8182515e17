import { Injectable } from '@nestjs/common';
import { Settings } from '#libs/platform/settings/settings';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import type { HostedWorker } from '#libs/runs/temporal-workers/hosted-worker';
import type { IngestionActivities } from '#temporal/activities';
import { activityWorker } from '../activity-worker.ts';
import { DocumentWork } from './document-work.ts';

/** Another worker continues a step, so a stop need not wait for its end. */
const graceMs = 1000;

/** The slots of steps that write only one row. */
const shortSlots = 10;

/**
 * Processes documents on queues of its own, so that a long document delays no block. Reading, embedding and the short
 * steps have a queue each. Otherwise reading one document would wait for the embedding of others.
 */
@Injectable()
export class IngestionHost {
  readonly workers: HostedWorker[];

  constructor(temporal: TemporalClient, settings: Settings, work: DocumentWork) {
    const activities: IngestionActivities = {
      readDocument: (key) => work.readDocument(key),
      embedDocument: (key) => work.embedDocument(key),
      showDocument: (key, characters) => work.showDocument(key, characters),
      failDocument: (key, code, message) => work.failDocument(key, code, message),
    };
    const hosted = (kind: string, slots: number) =>
      activityWorker(temporal, {
        queue: `${settings.queue}-${kind}`,
        activities: { ...activities },
        slots,
        graceMs,
      });
    const { knowledgeSlots } = settings;
    this.workers = [
      // Workflows of an earlier version run all of their steps on this queue.
      hosted('knowledge', knowledgeSlots),
      hosted('knowledge-embed', knowledgeSlots),
      hosted('knowledge-short', shortSlots),
    ];
  }
}
