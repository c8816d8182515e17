/** A piece of a text, by offsets. */
export interface TextSpan {
  start: number;
  end: number;
}

/** The span without the white space around it. */
export function trimmed(text: string, { start, end }: TextSpan): TextSpan {
  while (start < end && isSpace(text, start)) start++;
  while (end > start && isSpace(text, end - 1)) end--;
  return { start, end };
}

export function isBlank(text: string, span: TextSpan): boolean {
  const { start, end } = trimmed(text, span);
  return start === end;
}

/** The characters that `trim` removes. */
function isSpace(text: string, at: number): boolean {
  return text.charAt(at).trim() === '';
}
