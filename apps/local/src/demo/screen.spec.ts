import { formatLines } from './screen.ts';

describe('formatLines', () => {
  test('formatLines aligns columns under their names, numbers to the right', () => {
    const rows = [
      { block: 'Deliver', ms: 7 },
      { block: 'Ask', ms: 1200 },
    ];
    expect(formatLines(rows)).toEqual(['block       ms', 'Deliver      7', 'Ask       1200']);
  });

  test('formatLines gives one empty line for no rows', () => {
    expect(formatLines([])).toEqual(['']);
  });
});
