import type { ApplicationFailure } from '@temporalio/common';
import { KeyedSemaphore } from '#libs/platform/semaphore/keyed-semaphore';
import { retryLater } from './retry-later.ts';

/**
 * A task waits this long for a slot of its workspace, and its code for a place in the sandbox. Then Temporal repeats it later. It is less than
 * the time that an attempt has beyond that of its block.
 */
export const slotWaitMs = 1000;
const delayMsMax = 10_000;

/**
 * Gives each workspace at most `most` slots of a queue. A worker takes more tasks than that, so slow calls of one
 * workspace never hold all slots. The further slots reject tasks of that workspace and take those of others.
 */
export class WorkspaceShare {
  private readonly slots: KeyedSemaphore;

  /** `all` bounds the slots of all workspaces together. */
  constructor(most: number, all?: number) {
    const bounds = all === undefined ? { most } : { most, all };
    this.slots = new KeyedSemaphore({ ...bounds, waitMs: slotWaitMs, refuse: () => new NoSlot() });
  }

  /**
   * Runs the work in a slot of the workspace. `attempt` is Temporal's count, from 1. A rejected task waits longer with
   * each attempt.
   */
  async runForWorkspace<T>(workspaceId: string, attempt: number, work: () => Promise<T>): Promise<T> {
    try {
      return await this.slots.run(workspaceId, work);
    } catch (error) {
      throw error instanceof NoSlot ? busy(attempt) : error;
    }
  }

  /** Takes a slot of the workspace at once. Returns the function that frees it; null when none is free. */
  tryTake(workspaceId: string): (() => void) | null {
    return this.slots.tryTake(workspaceId);
  }

  /** Like `tryTake`, and waits for a slot for at most `waitMs`. */
  takeSoon(workspaceId: string, waitMs: number): Promise<(() => void) | null> {
    return this.slots.enter(workspaceId, { signal: AbortSignal.timeout(waitMs) }).catch(() => null);
  }
}

/** The slots of all workspaces together: a quarter more than one workspace may have. */
export const slotsOfAll = (most: number): number => most + Math.ceil(most / 4);

/** The workspace has no free slot, thread or process, and the work has waited as long as it may. */
export class NoSlot extends Error {}

export const busy = (attempt: number): ApplicationFailure =>
  retryLater('WORKSPACE_BUSY', attempt, {
    message: 'The workspace uses all of its slots on this worker.',
    delayMsMax,
  });
