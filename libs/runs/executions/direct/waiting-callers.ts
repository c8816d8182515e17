import { Injectable } from '@nestjs/common';

/** The bound is far from both kinds: a call each second is a share of about 0.01, a client without a pause 0.9. */
const busyShare = 0.3;
/** The next call often comes soon after the last. */
const lingerMs = 2000;

/** Measures whether callers wait for runs in this process most of the time. */
@Injectable()
export class WaitingCallers {
  private waiting = 0;
  private sinceMs = performance.now();
  private beganMs = 0;
  private busyMs = 0;
  private quietFromMs = 0;

  /** Does work for which a caller waits. */
  async noteWait<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting++ === 0) this.beganMs = performance.now();
    try {
      return await work();
    } finally {
      if (--this.waiting === 0) this.busyMs += performance.now() - this.beganMs;
    }
  }

  /** True while callers have waited for much of the time since the last call, and for two seconds after that. */
  isBusy(): boolean {
    const nowMs = performance.now();
    if (this.waiting > 0) {
      this.busyMs += nowMs - this.beganMs;
      this.beganMs = nowMs;
    }
    if (this.busyMs > busyShare * (nowMs - this.sinceMs)) this.quietFromMs = nowMs + lingerMs;
    this.sinceMs = nowMs;
    this.busyMs = 0;
    return nowMs < this.quietFromMs;
  }
}
