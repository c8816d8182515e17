import { distanceOf, lengthOf } from './moments.ts';

test.each([
  [0, '0 ms'],
  [820, '820 ms'],
  [4_200, '4.2 s'],
  [59_960, '1 min'],
  [185_000, '3 min 5 s'],
  [3_600_000, '1 h'],
  [187_200_000, '2 d 4 h'],
])('%i ms are written as %s', (ms, text) => {
  expect(lengthOf(ms)).toBe(text);
});

test.each([
  [-2_000, 'just now'],
  [-30_000, '30 sec. ago'],
  [-185_000, '3 min. ago'],
  [7_300_000, 'in 2 hr.'],
  [-86_400_000, 'yesterday'],
])('a moment %i ms from now is %s', (distance, text) => {
  expect(distanceOf(1_000_000_000_000 + distance, 1_000_000_000_000)).toBe(text);
});
