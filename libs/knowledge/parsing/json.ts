/**
 * JSON in lines, with a blank line between the members of its top level, so that it is cut there. Numbers keep their digits.
 * Null when the text is no JSON.
 */
export function parseJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  return new Indented(text).lines();
}

/** A look at each character once: JSON may be nested as deep as it is long. */
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

  /** Indentation says where one is, up to a depth at which it only takes room. */
  private lineEnd(): string {
    return `\n${'  '.repeat(Math.min(this.depth, 10))}`;
  }
}

/** Letters instead of their numbers; what would be invisible stays as it is. */
function readable(text: string): string {
  return text.replace(/\\u([0-9a-fA-F]{4})/g, (escape, hex: string) => {
    const letter = String.fromCharCode(parseInt(hex, 16));
    return /[\p{L}\p{M}]/u.test(letter) && letter > '\u007f' ? letter : escape;
  });
}
