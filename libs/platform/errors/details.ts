import type { Detail } from './errors.ts';

/** The most faults in the list of one request. Further faults are only counted. */
export const detailsMax = 100;

/** The faults of one request, or of one definition: the first hundred, and how many more there are. */
export class Details<One extends Detail = Detail> {
  private readonly listed: One[] = [];
  private more = 0;

  get none(): boolean {
    return this.listed.length === 0;
  }

  /** Adds a fault. Calls `make` only while the list has room. */
  add(make: () => One): void {
    if (this.listed.length < detailsMax) this.listed.push(make());
    else this.more++;
  }

  /** The listed faults. If there are more, a last entry gives their number. */
  get all(): (One | Detail)[] {
    if (this.more === 0) return [...this.listed];
    const message = `There are ${this.more} more faults.`;
    return [...this.listed, { path: '', code: 'too_many_faults', message }];
  }
}

/** Limits a list to a hundred faults. A list from `Details` is short enough already and stays as it is. */
export function capped(details: Detail[]): Detail[] {
  if (details.length <= detailsMax + 1) return details;
  const all = new Details();
  for (const detail of details) all.add(() => detail);
  return all.all;
}
