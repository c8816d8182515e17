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
  if (plainWhole.test(text)) return Math.abs(number) < 2 ** 53 || String(number) === text;
  const digits = digitsOf(text);
  if (!Number.isFinite(number) || (number === 0 && digits !== '')) return false;
  return Math.abs(number) < 2 ** 53 || digits === digitsOf(String(number));
}

/** A whole number of JSON that JavaScript writes without an exponent. */
const plainWhole = /^-?(?:0|[1-9]\d{0,20})$/;

/** The digits without sign, point, exponent, and zeros at either end. */
function digitsOf(text: string): string {
  const digits = text
    .replace(/[eE].*/, '')
    .replaceAll(/\D/g, '')
    .replace(/^0+/, '');
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end--;
  return digits.slice(0, end);
}

/** Matches every text that may contain a number which JavaScript does not represent exactly, and a few other texts. A number of up to 15 digits is always exact. */
const suspicious = /[\d.]{16,}|\d[eE][-+]?\d/;

/** True when `JSON.parse` could lose digits of a number in the text. */
export function mayLoseDigits(text: string): boolean {
  return suspicious.test(text);
}
