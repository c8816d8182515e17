import { SandboxError } from './sandbox-error.ts';

interface Waiter {
  go: () => void;
  stop: (reason: unknown) => void;
}

/** A counted door with a bounded line in front of it: `free` may pass, `waitingMax` may wait, the next is sent away. */
export class Slots {
  private readonly line: Waiter[] = [];

  constructor(
    private free: number,
    private readonly waitingMax: number,
  ) {}

  /** Holds when a slot is ours. Throws `SANDBOX_BUSY` at once when the line is full, the signal's reason when it aborts. */
  take(signal?: AbortSignal): Promise<void> {
    if (this.free > 0) {
      this.free -= 1;
      return Promise.resolve();
    }
    if (this.line.length >= this.waitingMax)
      return Promise.reject(busy('Too many runs wait for the sandbox.'));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.line.splice(this.line.indexOf(waiter), 1);
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
      this.line.push(waiter);
    });
  }

  give(): void {
    const next = this.line.shift();
    if (next) next.go();
    else this.free += 1;
  }

  /** Sends everybody in the line away. */
  close(): void {
    for (const waiter of this.line.splice(0)) waiter.stop(busy('The sandbox is closed.'));
  }
}

function busy(message: string): SandboxError {
  return new SandboxError('SANDBOX_BUSY', message);
}
