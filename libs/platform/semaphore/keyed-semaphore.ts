interface Waiter {
  isPatient: boolean;
  isUrgent: boolean;
  enter(): void;
  refuse(reason: unknown): void;
}

interface Places {
  taken: number;
  /** The places in `taken` with patient work, which may wait for a lock and uses no processor then. */
  patient: number;
  /** Urgent work first. */
  waiting: Waiter[];
}

/**
 * The limit for slow keys. After work that took longer than `afterMs`, its key has only `most` places for the next `forMs`. The limit
 * applies only if another key began work in the last `forMs`; otherwise nobody would profit from it.
 */
export interface SlowBound {
  most: number;
  afterMs: number;
  forMs: number;
}

export interface LineOptions {
  /** Patient work may wait for a lock. Only the general `most` limits it, and it never makes its key slow. */
  isPatient?: boolean;
  /** Urgent work starts before other waiting work of its key. */
  isUrgent?: boolean;
  /** An abort rejects waiting work with the reason of the signal. It does not stop work that has begun. */
  signal?: AbortSignal;
}

/**
 * Runs at most `most` tasks per key at the same time, in this process. At most `waitingMax` others
 * wait in a queue, each for at most `waitMs`. Work that waits longer, or finds the queue full, rejects with the error of `refuse`.
 * At most `all` pieces of all keys run at the same time. The keys that wait take turns, so a long queue of one key delays no other.
 */
export class KeyedSemaphore {
  /** The key that began work last is last. */
  private readonly keys = new Map<string, Places>();
  /** The pieces of work of all keys that run. */
  private taken = 0;
  /** When work of a key was last slow, and when a key last began work. Both are times by `now`, in milliseconds. */
  private readonly slowAt = new Map<string, number>();
  private readonly begunAt = new Map<string, number>();
  private readonly now: () => number;

  constructor(
    private readonly bounds: {
      most: number;
      all?: number;
      waitMs?: number;
      waitingMax?: number;
      slow?: SlowBound;
      now?: () => number;
      refuse(): Error;
    },
  ) {
    this.now = bounds.now ?? (() => performance.now());
  }

  /** Takes a place at once. Returns the function that frees it; null when there is none, or when others wait for one. */
  tryTake(key: string): (() => void) | null {
    const places = this.keys.get(key) ?? { taken: 0, patient: 0, waiting: [] };
    if (places.waiting.length > 0 || !this.hasPlace(key, places, false)) return null;
    this.take(key, places);
    const begunAt = this.noteBegin(key);
    return () => {
      this.noteEnd(key, begunAt);
      this.leave(key, places);
    };
  }

  async run<T>(key: string, work: () => Promise<T>, options: LineOptions = {}): Promise<T> {
    const { isPatient = false } = options;
    options.signal?.throwIfAborted();
    const places = this.keys.get(key) ?? { taken: 0, patient: 0, waiting: [] };
    this.keys.set(key, places);
    if (this.hasPlace(key, places, isPatient)) this.take(key, places);
    else
      try {
        await this.wait(places, options);
      } catch (error) {
        this.forget(key, places);
        throw error;
      }
    if (isPatient) places.patient += 1;
    const begunAt = this.noteBegin(key);
    try {
      return await work();
    } finally {
      if (isPatient) places.patient -= 1;
      else this.noteEnd(key, begunAt);
      this.leave(key, places);
    }
  }

  /** Frees a place and gives it to work that waits. */
  private leave(key: string, places: Places): void {
    places.taken -= 1;
    this.taken -= 1;
    if (this.bounds.all === undefined) this.admitNext(key, places);
    else for (const isUrgent of [true, false]) this.admitInTurn(isUrgent);
    this.forget(key, places);
  }

  /** Rejects all waiting work with this reason. */
  refuseWaiting(reason: Error): void {
    for (const { waiting } of this.keys.values()) while (waiting[0]) waiting[0].refuse(reason);
  }

  private hasPlace(key: string, { taken, patient }: Places, isPatient: boolean): boolean {
    const { most, all = Infinity } = this.bounds;
    return this.taken < all && taken < most && (isPatient || taken - patient < this.slowMost(key));
  }

  /** Starts waiting work while there are places, in the order of the queue. */
  private admitNext(key: string, places: Places): void {
    for (const next of places.waiting.slice()) {
      if (places.taken >= this.bounds.most) return;
      if (!this.hasPlace(key, places, next.isPatient)) continue;
      this.take(key, places);
      next.enter();
    }
  }

  /** Starts the first piece of work of each key that waits, and then the next, while there are places. */
  private admitInTurn(isUrgent: boolean): void {
    for (const [key, places] of this.keys) {
      const next = places.waiting.find((waiter) => waiter.isUrgent === isUrgent);
      if (!next || !this.hasPlace(key, places, next.isPatient)) continue;
      this.take(key, places);
      next.enter();
    }
  }

  private take(key: string, places: Places): void {
    places.taken += 1;
    this.taken += 1;
    // The key goes to the end of the line of keys.
    this.keys.delete(key);
    this.keys.set(key, places);
  }

  private forget(key: string, places: Places): void {
    const isUnused = places.taken === 0 && places.waiting.length === 0;
    if (isUnused && this.keys.get(key) === places) this.keys.delete(key);
  }

  /** The number of pieces of work of a key that may run at the same time, apart from patient work. */
  private slowMost(key: string): number {
    const { most, slow } = this.bounds;
    const slowAt = this.slowAt.get(key);
    if (!slow || slowAt === undefined) return most;
    const since = this.now() - slow.forMs;
    if (slowAt < since) {
      this.slowAt.delete(key);
      return most;
    }
    for (const [other, at] of this.begunAt) {
      if (other === key) continue;
      if (at >= since) return Math.min(most, slow.most);
      this.begunAt.delete(other);
    }
    return most;
  }

  private noteBegin(key: string): number {
    const at = this.now();
    if (!this.bounds.slow) return at;
    // The newest entry is last, so the oldest entry is first and can be deleted.
    this.begunAt.delete(key);
    this.begunAt.set(key, at);
    const [oldest] = this.begunAt;
    if (oldest && oldest[1] < at - this.bounds.slow.forMs) this.begunAt.delete(oldest[0]);
    return at;
  }

  private noteEnd(key: string, begunAt: number): void {
    const { slow } = this.bounds;
    const at = this.now();
    if (slow && at - begunAt > slow.afterMs) this.slowAt.set(key, at);
  }

  private wait(
    { waiting }: Places,
    { isPatient = false, isUrgent = false, signal }: LineOptions,
  ): Promise<void> {
    const { waitMs, waitingMax = Infinity, refuse } = this.bounds;
    if (waiting.length >= waitingMax) return Promise.reject(refuse());
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        waiting.splice(waiting.indexOf(waiter), 1);
      };
      const waiter: Waiter = {
        isPatient,
        isUrgent,
        enter: () => {
          leave();
          resolve();
        },
        refuse: (reason) => {
          leave();
          reject(reason);
        },
      };
      const abort = () => waiter.refuse(signal?.reason);
      signal?.addEventListener('abort', abort);
      const timer = waitMs === undefined ? undefined : setTimeout(() => waiter.refuse(refuse()), waitMs);
      const place = isUrgent ? waiting.findIndex((other) => !other.isUrgent) : -1;
      waiting.splice(place < 0 ? waiting.length : place, 0, waiter);
    });
  }
}
