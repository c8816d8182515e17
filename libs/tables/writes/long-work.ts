import { Injectable } from '@nestjs/common';
import { KeyedSemaphore } from '#libs/platform/semaphore/keyed-semaphore';
import { Unavailable } from '#libs/platform/errors/errors';
import { Settings } from '#libs/platform/settings/settings';

/** Pieces of long work of one workspace that wait in this process; a longer line would only be answered too late. */
const waitingMax = 100;

/** The workspace has as much long work under way as one may, for longer than a call waits. Nothing was changed. */
export class LongWorkTaken extends Unavailable {
  constructor() {
    super(
      'This workspace has reached its limit of imports and column changes at once; send the request again after the seconds in Retry-After.',
      5,
    );
  }
}

/**
 * Changes of columns that read all rows, and imports within a call. A workspace has an eighth of the connections for them in each process: such
 * statements take a processor of the database each, and the short ones of others wait for it.
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

  /** Throws `LongWorkTaken` when the workspace gets no place in the time that a call waits for a connection. */
  runLongWork<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    return this.places.run(workspaceId, work);
  }
}
