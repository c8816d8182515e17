const surrogate = /[\uD800-\uDFFF]/;

/** The number of characters (Unicode code points) of a text, which is how all lengths and positions are counted. */
export function sizeOf(text: string): number {
  return surrogate.test(text) ? Array.from(text).length : text.length;
}

/** A plus in an address stands for a space, so `+02:00` arrives as ` 02:00`. */
export function plusHint(text: string): string {
  return / \d\d:?\d\d$/.test(text) ? '; in an address write the + of a zone as %2B' : '';
}
