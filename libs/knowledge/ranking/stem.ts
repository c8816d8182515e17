const plainWord = /^[a-z]{4,}$/;
/** Endings that are removed, because they do not change the subject of a word. At least `restMin` letters must remain. */
const endings = ['ation', 'ator', 'ment', 'able', 'ive', 'ate', 'ion', 'er', 'or', 'ly', 'al'];
const restMin = 4;

/**
 * The common part of the forms of an English word, such as `retries` and `retry`, or `validating` and `validation`.
 * Words with digits, punctuation or other letters stay as they are. So a search finds a name only as it is written.
 */
export function stem(word: string): string {
  if (!plainWord.test(word)) return word;
  const base = withoutTense(singular(word));
  const ending = endings.find((one) => base.endsWith(one) && base.length - one.length >= restMin);
  return withoutE(ending ? base.slice(0, -ending.length) : base);
}

function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(ss|us|is)$/.test(word)) return word;
  if (/(x|ch|sh|ss|z)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

function withoutTense(word: string): string {
  const ending = ['ing', 'ed'].find((one) => word.endsWith(one));
  if (!ending) return word;
  const base = word.slice(0, -ending.length);
  if (base.length < 3 || !/[aeiouy]/.test(base)) return word;
  // `stopping` comes from `stop`, and `passing` from `pass`.
  if (/([bdfgmnprt])\1$/.test(base)) return base.slice(0, -1);
  // `validating` comes from `validate`, and `repeating` from `repeat`.
  return /[^e]at$/.test(base) ? `${base}e` : base;
}

function withoutE(word: string): string {
  return word.endsWith('e') && word.length > 4 ? word.slice(0, -1) : word;
}
