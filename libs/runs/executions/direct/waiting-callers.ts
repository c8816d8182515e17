import { Injectable } from '@nestjs/common';

/** Measures how busy this process is: the share of the time in which a caller waits for a run. */
@Injectable()
export class WaitingCallers {
  private waiting = 0;
  private sinceMs = performance.now();
  private beganMs = 0;
  private busyMs = 0;

  /** Does work for which a caller waits. */
  async noteWait<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting++ === 0) this.beganMs = performance.now();
    try {
      return await work();
    } finally {
      if (--this.waiting === 0) this.busyMs += performance.now() - this.beganMs;
    }
  }

  /** Returns the share since the last call, from 0 to 1. */
  takeBusyShare(): number {
    const nowMs = performance.now();
    if (this.waiting > 0) {
      this.busyMs += nowMs - this.beganMs;
      this.beganMs = nowMs;
    }
    const share = Math.min(1, this.busyMs / Math.max(1, nowMs - this.sinceMs));
    this.sinceMs = nowMs;
    this.busyMs = 0;
    return share;
  }
}
