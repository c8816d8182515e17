const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });

/** A number, or an amount in the currency of the operator's prices, to the millionth that is stored. */
export const numberText = (value: number): string => numbers.format(value);
