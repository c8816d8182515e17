import type { ApplicationFailure } from '@temporalio/common';
import { putOff } from './put-off.ts';

/** A task waits this long for a slot of its workspace; then Temporal hands it out again later. */
const waitMs = 1000;
const attemptsMax = 5;

interface Share {
  running: number;
  waiting: Set<() => void>;
}

/**
 * Gives each workspace at most `most` slots of a queue. A worker takes more tasks than that, so that slow calls of one
 * workspace never hold all slots: those that are left over turn away its further tasks, and take those of others.
 */
export class WorkspaceShare {
  private readonly shares = new Map<string, Share>();

  constructor(private readonly most: number) {}

  /** Runs the work in a slot of the workspace. `attempt` is Temporal's count, from 1: later ones are put off for longer. */
  async run<T>(workspaceId: string, attempt: number, work: () => Promise<T>): Promise<T> {
    const share = this.shares.get(workspaceId) ?? { running: 0, waiting: new Set() };
    this.shares.set(workspaceId, share);
    if (share.running >= this.most && !(await freed(share))) throw busy(attempt);
    share.running += 1;
    try {
      return await work();
    } finally {
      share.running -= 1;
      const [next] = share.waiting;
      next?.();
      if (share.running === 0 && share.waiting.size === 0) this.shares.delete(workspaceId);
    }
  }
}

/** Whether a slot became free in time. */
async function freed({ waiting }: Share): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (won: boolean) => {
      clearTimeout(timer);
      waiting.delete(wake);
      resolve(won);
    };
    const wake = () => end(true);
    const timer = setTimeout(() => end(false), waitMs);
    waiting.add(wake);
  });
}

const busy = (attempt: number): ApplicationFailure =>
  putOff('WORKSPACE_BUSY', attempt, {
    message: 'The workspace has all the slots that one may have on this worker.',
    attemptsMax,
  });
