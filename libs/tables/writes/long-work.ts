import { Injectable } from '@nestjs/common';
import { KeyedSemaphore } from '#libs/platform/semaphore/keyed-semaphore';
import { Unavailable } from '#libs/platform/errors/errors';
import { Settings } from '#libs/platform/settings/settings';

/** The maximum number of calls with long work of one workspace that wait in this process. Further calls would wait too long. */
const waitingMax = 100;

/** The workspace has reached its limit of long work, and the call has waited its maximum time. Nothing was changed. */
export class LongWorkTaken extends Unavailable {
  constructor() {
    super(
      'This workspace has reached its limit of imports and column changes at once; send the request again after the seconds in Retry-After.',
      5,
    );
  }
}

/**
 * Limits the long work of each workspace in this process: changes of columns that read all rows, and imports within a call.
 * A workspace may use an eighth of the connections of the process for it. Each long statement occupies a processor of the database, and
 * the short statements of other workspaces wait for this processor.
 */
@Injectable()
export class LongWork {
  private readonly places: KeyedSemaphore;

  constructor({ databasePoolMax, databaseWaitMs }: Settings) {
    this.places = new KeyedSemaphore({
      most: Math.max(1, Math.floor(databasePoolMax / 8)),
      waitMs: databaseWaitMs,
      waitingMax,
      refuse: () => new LongWorkTaken(),
    });
  }

  /** Runs the work within the limit. Throws `LongWorkTaken` when the call waits longer than a call may wait for a connection. */
  runLongWork<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    return this.places.run(workspaceId, work);
  }
}
