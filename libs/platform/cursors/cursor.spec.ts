import { fc } from '#libs/platform/text/support/random';
import { Settings } from '#libs/platform/settings/settings';
import { Cursors } from './cursor.ts';

const cursorsOf = (secret: string) =>
  new Cursors(new Settings({ DATABASE_URL: 'postgres://nowhere/none', HOLDFAST_SECRET: secret.repeat(32) }));
const cursors = cursorsOf('x');
const rows = Array.from({ length: 5 }, (_, n) => ({ at: `2026-01-0${5 - n}`, id: `row_${n}` }));
const refusal = expect.objectContaining({ message: expect.stringContaining('cursor') });

/** The cursor behind the first two rows of a list. */
function cursorOf(scope: string): string {
  const { nextCursor } = cursors.page(rows, 2, scope, (row) => row);
  if (!nextCursor) throw new Error('There is no next page.');
  return nextCursor;
}

describe('page', () => {
  test('page cuts the row that was asked for beyond the page, and points behind the last row that it gives', () => {
    const { items, nextCursor } = cursors.page(rows.slice(0, 3), 2, 'list', (row) => row);
    expect(items).toEqual(rows.slice(0, 2));
    expect(cursors.open(nextCursor ?? undefined, 'list')).toEqual(rows[1]);
  });

  test.each([0, 1, 2])('page has no cursor when %i rows fill no more than the page', (count) => {
    expect(cursors.page(rows.slice(0, count), 2, 'list', (row) => row)).toEqual({
      items: rows.slice(0, count),
      nextCursor: null,
    });
  });
});

describe('open', () => {
  test('open gives null for no cursor', () => {
    expect(cursors.open(undefined, 'list')).toBeNull();
  });

  test('open refuses the cursor of another list and of another installation', () => {
    expect(() => cursors.open(cursorOf('theirs'), 'list')).toThrow(refusal);
    expect(() => cursorsOf('y').open(cursorOf('list'), 'list')).toThrow(refusal);
  });

  test('open refuses a cursor with something behind it', () => {
    for (const more of ['.junk', '.', `.${cursorOf('list')}`])
      expect(() => cursors.open(cursorOf('list') + more, 'list')).toThrow(refusal);
  });

  test('open refuses a cursor in which one character was changed, added or left out', () => {
    const cursor = cursorOf('list');
    const place = fc.nat({ max: cursor.length - 1 });
    const character = fc.constantFrom(...'abcXYZ019-_.=+ ');
    fc.assert(
      fc.property(place, character, fc.constantFrom(0, 1), (at, put, cut) => {
        const changed = cursor.slice(0, at) + put + cursor.slice(at + cut);
        fc.pre(changed !== cursor);
        expect(() => cursors.open(changed, 'list')).toThrow(refusal);
      }),
    );
    for (let at = 0; at < cursor.length; at++)
      expect(() => cursors.open(cursor.slice(0, at) + cursor.slice(at + 1), 'list')).toThrow(refusal);
  });
});
