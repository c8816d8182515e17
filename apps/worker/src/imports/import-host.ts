import { Injectable } from '@nestjs/common';
import { Settings } from '#libs/platform/settings/settings';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import type { HostedWorker } from '#libs/runs/temporal-workers/hosted-worker';
import type { ImportActivities } from '#temporal/activities';
import { activityWorker } from '../activity-worker.ts';
import { ImportWork } from './import-work.ts';

/** Imports at a time: each keeps one connection to the database busy. */
const slots = 2;
/** Another worker goes on with an import, so a stop need not wait for its end. */
const graceMs = 1000;

/** Carries out imports, on a queue of its own: a large file keeps no block waiting. */
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
