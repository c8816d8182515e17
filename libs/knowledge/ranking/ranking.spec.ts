import { fc } from '#libs/platform/text/support/random';
import { indexedWords, nearness, rarity, score, storedWords } from './ranking.ts';
import { stem } from './stem.ts';

describe('indexedWords', () => {
  test('indexedWords keeps names with joints as they are written, and their parts', () => {
    expect(indexedWords('set hnsw.ef_search of KX-1042')).toEqual([
      'set',
      'hnsw.ef_search',
      'hnsw',
      'ef',
      'search',
      'kx-1042',
      'kx',
      '1042',
    ]);
  });

  test('indexedWords finds a word whatever invisible characters break it', () => {
    expect(indexedWords('Ge\u00ADsamt\u200Bkonzept')).toEqual(indexedWords('Gesamtkonzept'));
  });

  test('indexedWords leaves out stop words, and gives no word twice', () => {
    expect(indexedWords('How do I retry? The retries of a RETRY.')).toEqual(['retry']);
    expect(indexedWords('?? !! …')).toEqual([]);
  });

  test('indexedWords is bounded for every text', () => {
    const words = indexedWords(Array.from({ length: 10_000 }, (_, n) => `w${n}`).join(' '));
    expect(words).toHaveLength(4096);
    expect(indexedWords('x'.repeat(1_000_000))[0]).toHaveLength(64);
  });
});

describe('storedWords', () => {
  test('storedWords marks the frequent words of a text', () => {
    expect(storedWords('Retry, retries and a retry: call, call.')).toEqual(['retry', 'call', 'retry*']);
  });

  test('storedWords is bounded for every text', () => {
    const text = Array.from({ length: 10_000 }, (_, n) => `w${n} w${n} w${n}`).join(' ');
    expect(storedWords(text)).toHaveLength(2 * 4096);
  });
});

describe('stem', () => {
  test.each([
    ['retries', 'retry'],
    ['validating', 'validation'],
    ['validates', 'validator'],
    ['stopping', 'stops'],
    ['connections', 'connect'],
    ['classes', 'class'],
    ['caches', 'cached'],
  ])('stem gives %s and %s the same stem', (one, other) => {
    expect(stem(one)).toBe(stem(other));
  });

  test.each([
    ['status', 'state'],
    ['string', 'strip'],
    ['process', 'procedure'],
    ['fst_err', 'fst_errs'],
  ])('stem tells %s from %s', (one, other) => {
    expect(stem(one)).not.toBe(stem(other));
  });
});

describe('score', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,4}$/), { maxLength: 10 });
  const cosine = fc.double({ min: -1.5, max: 1.5 });

  test('score lies between 0 and 1, is no lower than the cosine, and equals it when no word is there', () => {
    fc.assert(
      fc.property(cosine, words, words, (near, query, chunk) => {
        const idf = (word: string) => rarity(100, word.length * 10);
        const got = score(near, query, (word) => chunk.includes(word), idf);
        const bare = Math.min(1, Math.max(0, Number.isNaN(near) ? 0 : near));
        expect(got).toBeGreaterThanOrEqual(bare);
        expect(got).toBeLessThanOrEqual(1);
        expect(score(near, query, () => false, idf)).toBeCloseTo(bare, 12);
      }),
    );
  });

  test('score grows with the cosine and with each word that is there, by its rarity', () => {
    const idf = (word: string) => rarity(100, word === 'rare' ? 1 : 50);
    const of = (near: number, ...chunk: string[]) =>
      score(near, ['rare', 'common'], (word) => chunk.includes(word), idf);
    expect(of(0.6)).toBeGreaterThan(of(0.5));
    expect(of(0.5, 'common')).toBeGreaterThan(of(0.5));
    expect(of(0.5, 'rare')).toBeGreaterThan(of(0.5, 'common'));
    expect(of(0.5, 'rare', 'common')).toBeGreaterThan(of(0.5, 'rare'));
  });

  test('score takes the second nearest vector of a chunk into account, where it has one', () => {
    expect(nearness(0.8)).toBe(0.8);
    expect(nearness(0.8, 0.6)).toBeGreaterThan(nearness(0.8, 0.4));
    expect(nearness(0.8, 0.6)).toBeLessThan(0.8);
  });

  test('score lifts a name more than a question', () => {
    const of = (query: string[]) =>
      score(
        0.5,
        query,
        () => 'titled',
        () => 1,
      );
    expect(of(['ef_search'])).toBeGreaterThan(of(['what', 'answers', 'this']));
  });

  test('score prefers the chunk whose title has the word, or that has it often, to one that mentions it', () => {
    const of = (has: boolean | 'often' | 'titled') =>
      score(
        0.5,
        ['word'],
        () => has,
        () => 1,
      );
    expect(of('titled')).toBeGreaterThan(of(true));
    expect(of('often')).toBeGreaterThan(of(true));
    expect(of(true)).toBeGreaterThan(of(false));
  });

  test('score prefers the shorter of two chunks that mention a word', () => {
    const of = (tokens: number) =>
      score(
        0.5,
        ['word'],
        () => true,
        () => 1,
        tokens,
      );
    expect(of(100)).toBeGreaterThan(of(1000));
    expect(of(100_000)).toBeGreaterThan(0.5);
    expect(of(0)).toBe(
      score(
        0.5,
        ['word'],
        () => true,
        () => 1,
      ),
    );
  });

  test('score counts a word as rarer, the fewer chunks have it', () => {
    expect(rarity(100, 1)).toBeGreaterThan(rarity(100, 2));
    expect(rarity(100, 100)).toBeGreaterThan(0);
    expect(rarity(100, 200)).toBe(rarity(100, 100));
  });
});
