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
  const digits = toDigits(text);
  if (!Number.isFinite(number) || (number === 0 && digits !== '')) return false;
  return Math.abs(number) < 2 ** 53 || digits === toDigits(String(number));
}

/** A whole number of JSON that JavaScript writes without an exponent. */
const plainWhole = /^-?(?:0|[1-9]\d{0,20})$/;

/** The digits without sign, point, exponent, and zeros at either end. */
function toDigits(text: string): string {
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

/** The begin of a text or a number in JSON. */
const token = /["\d-]/g;
const numberToken = /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/y;

/** Replaces the numbers of a well-formed JSON text for which `replace` returns another text. */
export function replaceNumbers(json: string, replace: (number: string) => string | undefined): string {
  const parts: string[] = [];
  let done = 0;
  token.lastIndex = 0;
  for (let found = token.exec(json); found; found = token.exec(json)) {
    if (found[0] === '"') {
      token.lastIndex = endOfText(json, found.index) + 1;
      continue;
    }
    numberToken.lastIndex = found.index;
    const [number = ''] = numberToken.exec(json) ?? [];
    token.lastIndex = found.index + Math.max(1, number.length);
    const replaced = number === '' ? undefined : replace(number);
    if (replaced === undefined) continue;
    parts.push(json.slice(done, found.index), replaced);
    done = found.index + number.length;
  }
  return parts.length === 0 ? json : parts.join('') + json.slice(done);
}

/** True when a well-formed JSON text has a number that a JavaScript number does not hold. */
export function holdsUnheldNumber(json: string): boolean {
  if (!mayLoseDigits(json)) return false;
  let found = false;
  replaceNumbers(json, (number) => {
    found ||= !isHeld(number);
    return undefined;
  });
  return found;
}

/** Returns the index of the quote that ends the text which begins at `start`. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end > 0; end = json.indexOf('"', end + 1)) {
    let slashes = 0;
    while (json[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end;
  }
  return json.length;
}
