import { readFileSync } from 'node:fs';
import { describeWith } from '#libs/platform/binaries/support/needs';
import { modelFiles } from './model.ts';
import { WordPiece } from './wordpiece.ts';

const recorded = JSON.parse(
  readFileSync(new URL('support/recorded-tokens.json', import.meta.url), 'utf8'),
) as { text: string; ids: number[] }[];
let tokenizer: WordPiece;
beforeAll(async () => {
  tokenizer = await WordPiece.read((await modelFiles()).tokenizer);
});

describeWith('the embedding model')('WordPiece', () => {
  test.each(recorded)('WordPiece gives the numbers that the reference gives: $text', ({ text, ids }) => {
    expect(tokenizer.encode(text, 512)).toEqual(ids);
  });

  test('WordPiece cuts at the length that the model reads, and ends as every text does', () => {
    const ids = tokenizer.encode('word '.repeat(1000), 512);
    expect(ids).toHaveLength(512);
    expect(ids.at(-1)).toBe(tokenizer.encode('', 512).at(-1));
  });

  test('WordPiece counts the tokens that it encodes, and more than one for a long word', () => {
    expect(tokenizer.count('How do I set a retry limit?')).toBe(
      tokenizer.encode('How do I set a retry limit?', 512).length - 2,
    );
    expect(tokenizer.count('A'.repeat(1_000_000))).toBeGreaterThan(100_000);
  });
});
