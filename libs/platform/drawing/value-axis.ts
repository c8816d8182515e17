/** Returns the end of an axis that begins at zero: the next 1, 2 or 5 of a power of ten. 1 when there is nothing to show. */
export function roundUp(most: number): number {
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  // A product of decimals may be a trifle below what it should be.
  const step = [1, 2, 5, 10].find((one) => one * power >= most * (1 - 1e-9)) ?? 10;
  return Number((step * power).toPrecision(1));
}

/** Returns the places of labels below an axis: at most `most` of `count`, evenly spread from the first on. */
export function spreadLabels(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.ceil(count / step) }, (_, n) => n * step);
}
