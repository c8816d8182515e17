import type { Detail } from './errors.ts';

/** So many faults of one request are listed; what comes after is only counted. */
export const detailsMax = 100;

/** The faults of one request, or of one definition: the first hundred, and how many more there are. */
export class Details<One extends Detail = Detail> {
  private readonly listed: One[] = [];
  private more = 0;

  get none(): boolean {
    return this.listed.length === 0;
  }

  /** Takes what makes the fault, and calls it only while the list has room. */
  add(make: () => One): void {
    if (this.listed.length < detailsMax) this.listed.push(make());
    else this.more++;
  }

  /** The listed faults; the last line tells how many more there are. */
  get all(): (One | Detail)[] {
    if (this.more === 0) return [...this.listed];
    const message = `There are ${this.more} more faults.`;
    return [...this.listed, { path: '', code: 'too_many_faults', message }];
  }
}

/** Cuts the list to at most a hundred errors. A list that `Details` has made stays as it is. */
export function capped(details: Detail[]): Detail[] {
  if (details.length <= detailsMax + 1) return details;
  const all = new Details();
  for (const detail of details) all.add(() => detail);
  return all.all;
}
