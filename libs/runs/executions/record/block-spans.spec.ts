import { parseContainer } from './block-spans.ts';

test.each([
  ['call', undefined],
  ['call@each[3]', 'each'],
  ['call@each[3]/fan[0]', 'fan@each[3]'],
  ['call@each[3]/fan[0]/deep[12]', 'deep@each[3]/fan[0]'],
  ['call@each[3]#2', 'each'],
])('the visit %s is in %s', (path, container) => {
  expect(parseContainer(path)).toBe(container);
});
