import { Postings } from './postings.ts';

/** A line of `postingsOf` for a segment of a document: its numbers, the number of bits, and the bits. */
function bytesOf(document: number, segment: number, bits: string): Buffer {
  const head = Buffer.alloc(20);
  head.writeBigInt64BE(BigInt(document));
  head.writeInt32BE(2, 8);
  head.writeInt32BE(segment, 12);
  head.writeInt32BE(bits.length, 16);
  const bytes = bits.match(/.{1,8}/g) ?? [];
  return Buffer.concat([head, Buffer.from(bytes.map((byte) => parseInt(byte.padEnd(8, '0'), 2)))]);
}

test('every bit of a line is the chunk at its position, with any line in front of it', () => {
  const pump = Buffer.concat([bytesOf(7, 0, '1100000110'), bytesOf(9_007_199, 3, '001')]);
  const green = bytesOf(7, 0, '00000001');
  const lines = new Map([
    ['pump', pump],
    ['green', green],
  ]);
  const postings = new Postings(
    lines,
    new Map([
      ['pump', 0.5],
      ['green', 0.25],
    ]),
  );
  const at = (document: string, index: number) => ({ document, generation: 2, index });
  const found = postings.from(0).map((place) => [place, postings.share(place)]);
  expect(found).toEqual([
    [at('7', 0), 0.5],
    [at('7', 1), 0.5],
    [at('7', 7), 0.75],
    [at('7', 8), 0.5],
    [at('9007199', 3 * 1024 + 2), 0.5],
  ]);
  expect(postings.from(0.6)).toEqual([at('7', 7)]);
  expect([0, 6, 7, 8, 9].map((index) => postings.has(at('7', index), 'pump'))).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
  expect([postings.computeShare(4) > 0.5, postings.computeShare(5)]).toEqual([true, 0]);
});

test('postings take memory in proportion to their chunks, also when each is a document of its own', () => {
  const documents = 20_000;
  const lines = Buffer.concat(Array.from({ length: documents }, (_, i) => bytesOf(i + 1, 0, '1')));
  const before = process.memoryUsage().arrayBuffers;
  const postings = new Postings(new Map([['pump', lines]]), new Map([['pump', 1]]));
  expect(postings.from(1)).toHaveLength(documents);
  const bytes = process.memoryUsage().arrayBuffers - before;
  expect(bytes / documents).toBeLessThan(100);
});
