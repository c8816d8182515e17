interface Waiter {
  places: number;
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
  /** The places that the work takes, 1 by default and at most all that a key may have. */
  places?: number;
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
 * At most `all` places of all keys are taken at the same time. The keys that wait take turns, so a long queue of one key delays no other.
 */
export class KeyedSemaphore {
  /** The key that began work last is last. */
  private readonly keys = new Map<string, Places>();
  /** The places of all keys that are taken. */
  private taken = 0;
  /** The pieces of work that wait for more than one place. */
  private manyWaiting = 0;
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
    return this.keys.get(key)?.waiting.length ? null : this.begin(key, {});
  }

  async run<T>(key: string, work: () => Promise<T>, options: LineOptions = {}): Promise<T> {
    // Work begins at once when there is a place.
    const leave = this.begin(key, options) ?? (await this.beginLater(key, options));
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Waits for places. Resolves to the function that frees them; call it once. */
  async enter(key: string, options: LineOptions = {}): Promise<() => void> {
    return this.begin(key, options) ?? this.beginLater(key, options);
  }

  /** Takes places at once. Returns null when there are not enough. */
  private begin(key: string, options: LineOptions): (() => void) | null {
    const { isPatient = false, signal } = options;
    const count = this.countPlaces(options);
    signal?.throwIfAborted();
    const places = this.placesOf(key);
    if (this.isHeldBack(places) || !this.hasRoom(count)) return null;
    if (!this.hasOwnPlace(key, places, isPatient, count)) return null;
    this.take(key, places, count);
    return this.noteBegun(key, places, isPatient, count);
  }

  private async beginLater(key: string, options: LineOptions): Promise<() => void> {
    const count = this.countPlaces(options);
    const places = this.placesOf(key);
    this.keys.set(key, places);
    try {
      await this.wait(places, { ...options, places: count });
    } catch (error) {
      if (count > 1) this.admitWaiting(key, places);
      this.forget(key, places);
      throw error;
    }
    return this.noteBegun(key, places, options.isPatient ?? false, count);
  }

  private placesOf(key: string): Places {
    return this.keys.get(key) ?? { taken: 0, patient: 0, waiting: [] };
  }

  private countPlaces({ places = 1 }: LineOptions): number {
    return Math.min(places, this.bounds.most);
  }

  private noteBegun(key: string, places: Places, isPatient: boolean, count: number): () => void {
    if (isPatient) places.patient += count;
    const begunAt = this.noteBegin(key);
    return () => {
      if (isPatient) places.patient -= count;
      else this.noteEnd(key, begunAt);
      this.leave(key, places, count);
    };
  }

  /** Frees places and gives them to work that waits. */
  private leave(key: string, places: Places, count: number): void {
    places.taken -= count;
    this.taken -= count;
    this.admitWaiting(key, places);
    this.forget(key, places);
  }

  private admitWaiting(key: string, places: Places): void {
    if (this.bounds.all === undefined) this.admitNext(key, places);
    else for (const isUrgent of [true, false]) this.admitInTurn(isUrgent);
  }

  /** Rejects all waiting work with this reason. */
  refuseWaiting(reason: Error): void {
    for (const { waiting } of this.keys.values()) while (waiting[0]) waiting[0].refuse(reason);
  }

  /** True when the bound of all keys together lets the work begin. */
  private hasRoom(count: number): boolean {
    return this.taken + count <= (this.bounds.all ?? Infinity);
  }

  /** True when the bounds of the key itself let the work begin. */
  private hasOwnPlace(key: string, { taken, patient }: Places, isPatient: boolean, count: number): boolean {
    const isWithinMost = taken + count <= this.bounds.most;
    return isWithinMost && (isPatient || taken - patient + count <= this.slowMost(key));
  }

  /** True when work that takes many places waits for others to end. Nobody overtakes it, or it would wait for ever. */
  private isHeldBack(own: Places): boolean {
    if (this.manyWaiting === 0) return false;
    return (
      own.waiting.length > 0 ||
      [...this.keys].some(([key, places]) =>
        places.waiting.some((next) => this.hasOwnPlace(key, places, next.isPatient, next.places)),
      )
    );
  }

  /** Starts waiting work while there are places, in the order of the queue. */
  private admitNext(key: string, places: Places): void {
    for (const next of places.waiting.slice()) {
      if (places.taken >= this.bounds.most) return;
      if (!this.hasOwnPlace(key, places, next.isPatient, next.places)) continue;
      this.take(key, places, next.places);
      next.enter();
    }
  }

  /** Starts the first piece of work of each key that waits, and then the next, while there are places. */
  private admitInTurn(isUrgent: boolean): void {
    for (const [key, places] of this.keys) {
      const next = places.waiting.find((waiter) => waiter.isUrgent === isUrgent);
      if (!next || !this.hasOwnPlace(key, places, next.isPatient, next.places)) continue;
      if (!this.hasRoom(next.places)) return;
      this.take(key, places, next.places);
      next.enter();
    }
  }

  private take(key: string, places: Places, count: number): void {
    places.taken += count;
    this.taken += count;
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
    { places = 1, isPatient = false, isUrgent = false, signal }: LineOptions,
  ): Promise<void> {
    const { waitMs, waitingMax = Infinity, refuse } = this.bounds;
    if (waiting.length >= waitingMax) return Promise.reject(refuse());
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        if (places > 1) this.manyWaiting -= 1;
        waiting.splice(waiting.indexOf(waiter), 1);
      };
      if (places > 1) this.manyWaiting += 1;
      const waiter: Waiter = {
        places,
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
