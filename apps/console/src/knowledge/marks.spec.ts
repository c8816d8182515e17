import { markWords, wordsOf } from './marks.ts';

const marked = (text: string, query: string) =>
  markWords(text, query)
    .filter(({ isMarked }) => isMarked)
    .map((part) => part.text);

describe('the marks of a query in a text', () => {
  test('the marks of a query in a text are on the words with a meaning, with any character after them', () => {
    expect(wordsOf('How do I start the P-100?')).toEqual(['start', 'p-100']);
    expect(marked('The pump P-100 is started. Do not restart it.', 'How do I start the P-100?')).toEqual([
      'P-100',
      'started',
    ]);
    expect(marked('go on', 'go')).toEqual(['go']);
  });

  test('the marks of a query in a text leave the text whole, also with signs that a pattern would read', () => {
    const text = 'a (b) [c] <i>cost</i> 5$';
    const parts = markWords(text, '(b) cost [c] .* $');
    expect(parts.map((part) => part.text).join('')).toBe(text);
    expect(markWords(text, '?!')).toEqual([{ text, isMarked: false }]);
  });
});
