import { Injectable } from '@nestjs/common';
import { Settings } from '#libs/platform/settings/settings';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import type { HostedWorker } from '#libs/runs/temporal-workers/hosted-worker';
import type { ImportActivities } from '#temporal/activities';
import { activityWorker } from '../activity-worker.ts';
import { ImportWork } from './import-work.ts';

/** The number of imports at a time. Each keeps one connection to the database busy. */
const slots = 2;
/** Another worker continues an import, so a stop need not wait for its end. */
const graceMs = 1000;

/** Carries out imports on a queue of its own, so that a large file delays no block. */
@Injectable()
export class ImportHost {
  readonly worker: HostedWorker;

  constructor(temporal: TemporalClient, { queue }: Settings, work: ImportWork) {
    const activities: ImportActivities = {
      importRows: (key) => work.importRows(key),
      failImport: (key, message) => work.failImport(key, message),
    };
    this.worker = activityWorker(temporal, {
      queue: `${queue}-imports`,
      activities: { ...activities },
      slots,
      graceMs,
    });
  }
}
