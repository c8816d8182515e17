/** A piece of a string parameter: plain text, or the source of an expression between `{{` and `}}`. */
export type TemplatePiece = { text: string } | { source: string };

/** Thrown for a `{{` without its `}}`, or with nothing between them. */
export class TemplateError extends Error {}

/**
 * Splits a string parameter at its expressions. Braces of map literals and of string literals inside an expression
 * do not end it. A string without `{{` is one text.
 */
export function split(template: string): TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  let at = 0;
  for (;;) {
    const open = template.indexOf('{{', at);
    if (open < 0) break;
    if (open > at) pieces.push({ text: template.slice(at, open) });
    const close = closing(template, open + 2);
    if (close < 0) throw new TemplateError('a {{ has no matching }}');
    const source = template.slice(open + 2, close).trim();
    if (!source) throw new TemplateError('there is no expression between {{ and }}');
    pieces.push({ source });
    at = close + 2;
  }
  if (at < template.length || pieces.length === 0) pieces.push({ text: template.slice(at) });
  return pieces;
}

function closing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '"' || char === "'") at = literalEnd(text, at);
    else if (char === '/' && text[at + 1] === '/') at = lineEnd(text, at);
    else if (char === '{') depth++;
    else if (char === '}') {
      if (depth === 0) return text[at + 1] === '}' ? at : -1;
      depth--;
    }
  }
  return -1;
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** The index of the last quote of the string literal that starts at `at`; escapes are skipped, as the lexer does. */
export function literalEnd(text: string, at: number): number {
  const quote = text.charAt(at);
  const mark = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  for (let i = at + mark.length; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text.startsWith(mark, i)) return i + mark.length - 1;
  }
  return text.length;
}
