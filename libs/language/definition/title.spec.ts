import { validate } from './checks/validate.ts';
import { buildTitle } from './title.ts';

const inputs = { number: 7, customer: 'Ann', blank: ' \n', lines: [1, 2] };

test.each([
  ['Invoice {{ start.number }} of {{ start.customer }}', 'Invoice 7 of Ann'],
  ['{{ start.number }}', '7'],
  ['{{ start.missing }}', 'number: 7, customer: Ann'],
  ['{{ start.number / 0 }}', 'number: 7, customer: Ann'],
  ['{{ start.lines }}', 'number: 7, customer: Ann'],
  ['  a\n\tb ', 'a b'],
  ['   ', 'number: 7, customer: Ann'],
  ['{{ start.blank }}', 'number: 7, customer: Ann'],
])('the title %j becomes %j', (title, expected) => {
  expect(buildTitle({ title }, inputs)).toBe(expected);
});

test('a title without a template is a line of the short inputs, and none without them', () => {
  expect(buildTitle({}, inputs)).toBe('number: 7, customer: Ann');
  expect(buildTitle({}, { lines: [] })).toBeNull();
});

test('a title is cut, and holds nothing that a row cannot hold', () => {
  const title = buildTitle({ title: '{{ start.text }}' }, { text: '😀\0\ud800'.repeat(300) });
  expect([...(title ?? '')]).toHaveLength(201);
  expect(title?.isWellFormed()).toBe(true);
  expect(title).not.toContain('\0');
});

test.each(['{{ call.status }}', '{{ secrets.KEY }}', '{{ start.', '{{ now() + x }}'])(
  'a definition with the title %j is refused, and the title is named',
  (title) => {
    const { faults } = validate({ start: { title }, blocks: [], edges: [] });
    expect(faults.map(({ path }) => path)).toContain('start.title');
  },
);
