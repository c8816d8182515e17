const number = /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/y;

/** Parses an answer. A number beyond 2^53 becomes its text, because a number of JavaScript would lose digits of it. */
export function parseAnswer(text: string): unknown {
  return JSON.parse(/\d{16}/.test(text) ? quoteLargeNumbers(text) : text);
}

function quoteLargeNumbers(text: string): string {
  let quoted = '';
  let done = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') at = endOfText(text, at);
    number.lastIndex = at;
    const [found] = number.exec(text) ?? [];
    if (found === undefined) continue;
    if (!/[eE]/.test(found) && Math.abs(Number(found)) >= 2 ** 53) {
      quoted += `${text.slice(done, at)}"${found}"`;
      done = at + found.length;
    }
    at += found.length - 1;
  }
  return quoted + text.slice(done);
}

/** The place of the quote that ends the text which begins there. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
