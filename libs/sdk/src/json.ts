/** A text in quotes, which stays as it is, or a number. */
const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** Parses an answer. A number beyond 2^53 becomes its text, because a number of JavaScript would lose digits of it. */
export function parseAnswer(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text.replaceAll(textOrNumber, (found) => (isLarge(found) ? `"${found}"` : found)));
}

const isLarge = (found: string) => /^-?\d{16,}[\d.]*$/.test(found) && Math.abs(Number(found)) >= 2 ** 53;
