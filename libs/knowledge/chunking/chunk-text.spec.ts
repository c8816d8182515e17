import { fc, lessOften } from '#libs/platform/text/support/random';
import { chunkText, type ChunkingConfig } from './chunk-text.ts';
import { markdownHeadings } from '../parsing/markdown.ts';
import { cpuMs } from '#libs/platform/text/support/cpu';

const counters: Record<string, (text: string) => number> = {
  words: (text) => text.match(/\S+/g)?.length ?? 0,
  quarters: (text) => Math.ceil(text.length / 4),
  characters: (text) => [...text].length,
};

const word = fc.stringMatching(/^[a-z]{1,12}$/);
const sentence = fc.array(word, { minLength: 2, maxLength: 12 }).map((words) => {
  const [first = '', ...rest] = words;
  return `${first.charAt(0).toUpperCase()}${first.slice(1)} ${rest.join(' ')}.`;
});
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 8 }).map((all) => all.join(' '));
const heading = fc
  .tuple(fc.integer({ min: 1, max: 4 }), word)
  .map(([level, title]) => `${'#'.repeat(level)} ${title}`);
const block = fc.oneof({ weight: 4, arbitrary: paragraph }, { weight: 1, arbitrary: heading });
const prose = fc.array(block, { maxLength: 20 }).map((blocks) => blocks.join('\n\n'));
/** Random text: runs without spaces, characters of two UTF-16 units, control characters, and all kinds of white space. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('\n\n', '\n', '\r\n\r\n', ' ', '\t', '\u2028', '\u00a0', '😀', '# x\n', '- ', '. '),
      fc.stringMatching(/^[a-z]{100,900}$/),
      prose,
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const config = fc
  .record({
    maxSize: fc.integer({ min: 20, max: 300 }),
    minSize: fc.integer({ min: 1, max: 400 }),
    share: fc.double({ min: 0, max: 0.99, noNaN: true }),
  })
  .map(({ maxSize, minSize, share }): ChunkingConfig => {
    return { maxSize, minSize, overlap: Math.floor(maxSize * share) };
  });
const counter = fc.constantFrom(...Object.keys(counters));

function cut(text: string, chunking: ChunkingConfig, count = 'words') {
  return chunkText({ text, headings: markdownHeadings(text) }, chunking, counters[count] ?? (() => 0));
}

describe('chunkText', () => {
  test('chunkText cuts any text into pieces of it that keep to the cap, in order, and leaves nothing out but white space', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, prose), config, counter, (text, chunking, name) => {
        const chunks = cut(text, chunking, name);
        let reached = 0;
        for (const [at, { index, start, end, content, tokenCount }] of chunks.entries()) {
          expect(index).toBe(at);
          expect(text.slice(start, end)).toBe(content);
          expect(content).toBe(content.trim());
          expect(content).not.toBe('');
          expect(tokenCount).toBe(counters[name]?.(content));
          expect(tokenCount).toBeLessThanOrEqual(chunking.maxSize);
          expect(text.slice(reached, start).trim()).toBe('');
          expect(end).toBeGreaterThan(reached);
          reached = end;
        }
        expect(text.slice(reached).trim()).toBe('');
      }),
      { numRuns: lessOften(400) },
    );
  });

  test('chunkText begins and ends with whole sentences where each has room, also in the overlap', () => {
    fc.assert(
      fc.property(prose, config, (text, chunking) => {
        for (const { content } of cut(text, chunking)) {
          expect(content).toMatch(/^(#|[A-Z])/);
          expect(content).toMatch(/(\.|^#+ [a-z]+)$/m);
        }
      }),
      { numRuns: lessOften(300) },
    );
  });

  test('chunkText repeats no more than the overlap, and never across a heading', () => {
    fc.assert(
      fc.property(prose, config, (text, chunking) => {
        const chunks = cut(text, { ...chunking, minSize: 1 });
        for (const [at, chunk] of chunks.entries()) {
          const before = chunks[at - 1];
          if (!before || before.end <= chunk.start) continue;
          const repeated = text.slice(chunk.start, before.end);
          expect(counters['words']?.(repeated)).toBeLessThanOrEqual(chunking.overlap);
          expect(repeated).not.toMatch(/\n#/);
          expect(chunk.headingPath).toEqual(before.headingPath);
        }
      }),
      { numRuns: lessOften(300) },
    );
  });

  test('chunkText leaves a piece below the minimum only where its neighbour has no room for it', () => {
    fc.assert(
      fc.property(prose, config, (text, chunking) => {
        const roomy = { ...chunking, maxSize: 100_000, overlap: 0 };
        const chunks = cut(text, roomy);
        if (chunks.length < 2) return;
        for (const { content } of chunks) expect(content.length).toBeGreaterThanOrEqual(chunking.minSize);
      }),
      { numRuns: lessOften(200) },
    );
  });

  test('chunkText puts the titles above a chunk into its path, and each stays in its text', () => {
    const long = 'Some text that is long enough to stand alone.';
    const text = `# Guide\n\n${long}\n\n## Install\n\n${long}\n\n### Linux\n\n${long}\n\n## Use\n\n${long}`;
    const chunks = cut(text, { maxSize: 100, minSize: 20, overlap: 10 });
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([
      ['Guide'],
      ['Guide', 'Install'],
      ['Guide', 'Install', 'Linux'],
      ['Guide', 'Use'],
    ]);
    expect(chunks[2]?.content).toBe(`### Linux\n\n${long}`);
  });

  test('chunkText gives a lone title to the section below it, and small neighbours the title that they share', () => {
    const text =
      '# Guide\n\n## First\n\nOne.\n\n## Second\n\nTwo.\n\n## Third\n\nA longer text of this section.';
    const chunks = cut(text, { maxSize: 100, minSize: 40, overlap: 0 });
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([['Guide'], ['Guide', 'Third']]);
    expect(
      cut('# Guide\n\n## First\n\nA text that is long enough.', { maxSize: 100, minSize: 30, overlap: 0 }),
    ).toMatchObject([{ headingPath: ['Guide', 'First'] }]);
  });

  test('chunkText takes lines that were wrapped at a width as one text, and others as they are', () => {
    const wrapped =
      'This is a sentence that was wrapped by its\nauthor at a width of about forty characters.\nAnother one that goes on over the end of\nits line follows.';
    const ends = cut(wrapped, { maxSize: 20, minSize: 1, overlap: 0 }).map(({ content }) =>
      content.slice(-12),
    );
    expect(ends).toEqual([' characters.', 'ine follows.']);
    const list = '- the first thing\n- the second thing\n- the third thing\n- the fourth thing';
    expect(cut(list, { maxSize: 8, minSize: 1, overlap: 0 }).map(({ content }) => content)).toEqual([
      '- the first thing\n- the second thing',
      '- the third thing\n- the fourth thing',
    ]);
  });

  test('chunkText cuts between paragraphs rather than inside of one', () => {
    const [one, two] = ['One two three. Four five six.', 'Seven eight nine. Ten eleven twelve.'];
    const chunks = cut(`${one}\n\n${two}`, { maxSize: 10, minSize: 1, overlap: 0 });
    expect(chunks.map(({ content }) => content)).toEqual([one, two]);
  });

  test('chunkText evens out a small rest at the end, and repeats no part of a sentence', () => {
    const text = 'Alpha beta gamma delta. Epsilon zeta eta theta. Iota kappa.';
    const chunks = cut(text, { maxSize: 8, minSize: 20, overlap: 0 });
    expect(chunks.map(({ content }) => content)).toEqual([
      'Alpha beta gamma delta.',
      'Epsilon zeta eta theta. Iota kappa.',
    ]);
    const long = Array.from({ length: 40 }, (_, n) => `w${n}`).join(' ');
    const parts = cut(long, { maxSize: 20, minSize: 1, overlap: 10 });
    expect(parts.map(({ content }) => content).join(' ')).toBe(long);
  });

  test('chunkText takes a megabyte without spaces, and one of short lines, in a few seconds', () => {
    const begin = cpuMs();
    for (const text of ['x'.repeat(1_000_000), 'a b. c\n'.repeat(150_000), '# a\n'.repeat(200_000)]) {
      const chunks = cut(text, { maxSize: 500, minSize: 100, overlap: 50 }, 'quarters');
      expect(chunks.length).toBeGreaterThan(100);
    }
    expect(cpuMs() - begin).toBeLessThan(20_000);
  });
});
