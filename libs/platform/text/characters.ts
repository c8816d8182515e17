const surrogate = /[\uD800-\uDFFF]/;

/** Returns the number of characters (Unicode code points) of a text, which is how all lengths and positions are counted. */
export function countCharacters(text: string): number {
  if (!surrogate.test(text)) return text.length;
  let size = 0;
  for (let at = 0; at < text.length; at = next(text, at)) size++;
  return size;
}

/** Returns JavaScript's index of a position that counts characters. It is the length of the text for a position behind its end. */
export function toIndex(text: string, position: number): number {
  let index = 0;
  for (let left = position; left > 0 && index < text.length; left--) index = next(text, index);
  return index;
}

const next = (text: string, at: number) => at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

/** A plus in an address stands for a space, so `+02:00` arrives as ` 02:00`. */
export function plusHint(text: string): string {
  return / \d\d:?\d\d$/.test(text) ? '; in an address write the + of a zone as %2B' : '';
}
