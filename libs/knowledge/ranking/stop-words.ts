const stopWords = new Set(
  `a about after all also am an and any are as at be because been before being between both but by can could did do does doing
  done for from get had has have having he her here hers him his how i if in into is it its just like made make many may me might
  more most much must my no nor not of off on once one only or other our out over own s same she should so some such t than that
  the their them then there these they this those through to too under up use used uses using very want was way we were what
  when where which while who whom whose why will with without would you your`.split(/\s+/),
);

/** True when the word is so common in English that it says nothing about the subject of a question. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}
