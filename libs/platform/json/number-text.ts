const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** The number that a person or a file wrote in decimal digits; undefined for other text and for a number that is not held. */
export function parseDecimal(text: string): number | undefined {
  return decimal.test(text) && isHeld(text) ? Number(text) : undefined;
}

/**
 * True when a JavaScript number holds the number in a text: a whole number with each digit, and a fraction as closely as a
 * double can.
 */
export function isHeld(text: string): boolean {
  const number = Number(text);
  const digits = digitsOf(text);
  if (!Number.isFinite(number) || (number === 0 && digits !== '')) return false;
  return Math.abs(number) < 2 ** 53 || digits === digitsOf(String(number));
}

/** The digits without sign, point, exponent, and zeros at either end. */
function digitsOf(text: string): string {
  return text
    .replace(/[eE].*/, '')
    .replaceAll(/\D/g, '')
    .replaceAll(/^0+|0+$/g, '');
}
