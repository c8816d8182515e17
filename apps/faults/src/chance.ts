/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Chance {
  constructor(private state: number) {}

  /** From 0 up to 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  of<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)] as T; // The list is not empty.
  }
}
