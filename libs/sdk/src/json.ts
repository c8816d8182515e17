/** A text in quotes, which stays as it is, or a number of sixteen digits or more without an exponent. */
const textOrLargeNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d{16,}(?:\.\d+)?(?![\d.eE])/g;

/** Parses an answer. A number beyond 2^53 becomes its text, because a number of JavaScript would lose digits of it. */
export function parseAnswer(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(
    text.replaceAll(textOrLargeNumber, (found) =>
      found.startsWith('"') || Math.abs(Number(found)) < 2 ** 53 ? found : `"${found}"`,
    ),
  );
}
