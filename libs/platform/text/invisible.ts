/**
 * A soft hyphen that ends a line carries its word on into the next line. A zero width space may end a word of a script without spaces,
 * so it stays between two letters of such a script.
 */
const breaks =
  /\u00AD[^\S\n]*\n(?=\p{L})|[\u00AD\u2060\uFEFF]|(?<![\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}])\u200B+|\u200B+(?![\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\u200B])/gu;

/**
 * Returns a text without the invisible characters that only say where a line may end: soft hyphens, zero width spaces and word joiners.
 * Joiners of letters (U+200C, U+200D) stay, because words of Persian and Hindi, and emoji, differ by them.
 */
export function visibleText(text: string): string {
  return text.replace(breaks, '');
}

/** Returns a text with each run of white space as one space. U+FEFF counts as white space in JavaScript, and is none. */
export function spacedText(text: string): string {
  return text.replaceAll('\uFEFF', '').replace(/\s+/g, ' ');
}
