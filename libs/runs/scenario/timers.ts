/** Something that happens at a moment, in milliseconds since the epoch. */
interface Timer {
  atMs: number;
  act: () => void;
}

/** What is due in a played run. Of two things at one moment the one that was added first comes first. */
export class Timers {
  private readonly timers: Timer[] = [];

  add(atMs: number, act: () => void): void {
    const at = this.timers.findLastIndex((timer) => timer.atMs <= atMs) + 1;
    this.timers.splice(at, 0, { atMs, act });
  }

  /** The moment of the next one; undefined when nothing is due any more. */
  get nextMs(): number | undefined {
    return this.timers[0]?.atMs;
  }

  take(): Timer | undefined {
    return this.timers.shift();
  }
}
