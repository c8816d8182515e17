import { describeInterval, listZoned } from './zone-times.ts';

const now = Date.parse('2026-10-23T12:00:00Z');

test('moments are written on the clocks of their zone, and the first after a change of the clocks is marked', () => {
  const moments = ['2026-10-24T07:00:00.000Z', '2026-10-25T08:00:00.000Z', '2026-10-26T08:00:00.000Z'];
  const shown = listZoned(moments, 'Europe/Berlin', now);
  expect(shown.map(({ text, offset }) => `${text} ${offset}`)).toEqual([
    'Sat 24 Oct 2026, 09:00 +02:00',
    'Sun 25 Oct 2026, 09:00 +01:00',
    'Mon 26 Oct 2026, 09:00 +01:00',
  ]);
  expect(shown.map(({ formerOffset }) => formerOffset)).toEqual([undefined, '+02:00', undefined]);
});

test('the first moment is marked when the clocks change before it', () => {
  const [first] = listZoned(['2026-11-01T09:00:00.000Z'], 'Europe/Berlin', now);
  expect(first?.formerOffset).toBe('+02:00');
});

test.each(['UTC', 'Mars/Olympus'])('a moment of the zone %s has the offset of UTC', (zone) => {
  const [first] = listZoned(['2026-11-01T09:00:07.000Z'], zone, now);
  expect(`${first?.text} ${first?.offset}`).toBe('Sun 1 Nov 2026, 09:00:07 +00:00');
});

test.each([
  [1, 'every second'],
  [900, 'every 15 minutes'],
  [3_600, 'every hour'],
  [90_061, 'every 1 day 1 hour 1 minute 1 second'],
])('an interval of %i s is written as %s', (seconds, text) => {
  expect(describeInterval(seconds)).toBe(text);
});
