export interface Passage {
  text: string;
  isMarked: boolean;
}

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The words of a query that say something: long ones and those with digits; all of them where there are no such. */
export function wordsOf(query: string): string[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+(?:[._-]+[\p{L}\p{N}]+)*/gu) ?? [])];
  const telling = words.filter((word) => word.length > 3 || /\p{N}/u.test(word));
  return telling.length > 0 ? telling : words;
}

/** The parts of a text. A part is marked when it begins like a word of the query. */
export function markWords(text: string, query: string): Passage[] {
  const words = wordsOf(query);
  if (words.length === 0) return [{ text, isMarked: false }];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.map(escaped).join('|')})[\\p{L}\\p{N}]*`, 'giu');
  const parts: Passage[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (index > at) parts.push({ text: text.slice(at, index), isMarked: false });
    parts.push({ text: found, isMarked: true });
    at = index + found.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isMarked: false });
  return parts;
}
