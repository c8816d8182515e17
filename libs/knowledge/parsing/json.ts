/**
 * Formats JSON in lines. A blank line between the members of the top level lets the chunking cut there. Numbers keep their digits.
 * Returns null when the text is no JSON.
 */
export function parseJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  return new Indented(text).lines();
}

/** Formats JSON in a single pass without recursion, because a text may be nested very deeply. */
class Indented {
  private readonly parts: string[] = [];
  private depth = 0;

  constructor(private readonly json: string) {}

  lines(): string {
    for (const [token] of this.json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/gs))
      this.take(token);
    return this.parts.join('');
  }

  private take(token: string): void {
    if (token === '{' || token === '[') {
      this.depth++;
      this.parts.push(token, this.lineEnd());
    } else if (token === '}' || token === ']') {
      this.depth--;
      this.parts.push(this.lineEnd(), token);
    } else if (token === ',') this.parts.push(token, this.depth === 1 ? '\n' : '', this.lineEnd());
    else if (token === ':') this.parts.push(': ');
    else this.parts.push(token.startsWith('"') ? readable(token) : token);
  }

  /** A line end with indentation for the depth, up to ten levels. Deeper indentation would only need room. */
  private lineEnd(): string {
    return `\n${'  '.repeat(Math.min(this.depth, 10))}`;
  }
}

/** Replaces escapes such as `\u00e4` by their letters, and those of soft hyphens and the like, which are left out later. Others stay. */
function readable(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|.)/g, (escape, hex?: string) => {
    if (hex === undefined) return escape;
    const letter = String.fromCharCode(parseInt(hex, 16));
    return /[\p{L}\p{M}\u00AD\u200B\u2060\uFEFF]/u.test(letter) && letter > '\u007f' ? letter : escape;
  });
}
