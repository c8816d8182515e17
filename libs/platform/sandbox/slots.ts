import { SandboxError } from './sandbox-error.ts';

interface Waiter {
  go: () => void;
  stop: (reason: unknown) => void;
}

/** A semaphore with a bounded queue: `free` callers hold a slot, `waitingMax` wait for one, and the next is refused. */
export class Slots {
  private readonly queue: Waiter[] = [];

  constructor(
    private free: number,
    private readonly waitingMax: number,
  ) {}

  /** Resolves when the caller has a slot. Throws `SANDBOX_BUSY` when the queue is full, the signal's reason on abort. */
  take(signal?: AbortSignal): Promise<void> {
    if (this.free > 0) {
      this.free -= 1;
      return Promise.resolve();
    }
    if (this.queue.length >= this.waitingMax)
      return Promise.reject(busy('Too many runs wait for the sandbox.'));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.queue.splice(this.queue.indexOf(waiter), 1);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        go: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
        stop: reject,
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.queue.push(waiter);
    });
  }

  give(): void {
    const next = this.queue.shift();
    if (next) next.go();
    else this.free += 1;
  }

  /** Refuses every caller in the queue. */
  close(): void {
    for (const waiter of this.queue.splice(0)) waiter.stop(busy('The sandbox is closed.'));
  }
}

function busy(message: string): SandboxError {
  return new SandboxError('SANDBOX_BUSY', message);
}
