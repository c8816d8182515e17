/** Thrown when an expression would do more work than its meter allows. Never thrown out of this room. */
export class CostExceeded extends Error {}

/** The most that one evaluation in workflow code may cost; about ten milliseconds at worst. */
export const costInline = 100_000;
/** The most that one evaluation may cost in an activity, where large stored values are read. */
export const costMax = 5_000_000;

/** Counts down the work of an evaluation. A unit is about one visited value, or 16 characters of text. */
export class Meter {
  private left: number;

  constructor(private readonly budget: number) {
    this.left = budget;
  }

  get spent(): number {
    return this.budget - this.left;
  }

  /** Throws when the work would exceed what is left. */
  spend(units: number): void {
    this.left -= units;
    if (this.left < 0) throw new CostExceeded('cost');
  }

  /**
   * True when the work was exceeded. The end of an evaluation checks it, because CEL's logic operators swallow an
   * error of one side.
   */
  get exceeded(): boolean {
    return this.left < 0;
  }

  /** Spends the work of visiting every value inside; shared parts count each time, as a comparison visits them. */
  weigh(value: unknown): void {
    if (typeof value === 'string') this.spend(1 + value.length / 16);
    else if (typeof value !== 'object' || value === null) this.spend(1);
    else {
      this.spend(1);
      for (const member of membersOf(value)) this.weigh(member);
    }
  }

  /** Spends the work of touching a value's outermost layer, as a concatenation or a function call does. */
  weighOuter(value: unknown): void {
    if (typeof value === 'string') this.spend(1 + value.length / 16);
    else if (Array.isArray(value)) this.spend(1 + value.length);
    else this.spend(1);
  }
}

let meter = new Meter(0);

/** The meter of the evaluation under way. Evaluation is synchronous and not re-entrant, so one is enough. */
export const running = (): Meter => meter;

/** Makes this the meter from which the functions of expressions spend. */
export function measure(by: Meter): void {
  meter = by;
}

function membersOf(value: object): Iterable<unknown> {
  if (Array.isArray(value)) return value;
  if (value instanceof Map) return value.values();
  return Object.values(value);
}
