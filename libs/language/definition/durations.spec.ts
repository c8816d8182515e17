import { durationMs, momentMs } from './durations.ts';

test.each([
  [1.5, 1500],
  [0, 0],
  ['PT30S', 30_000],
  ['PT0.25S', 250],
  ['PT1H30M', 5_400_000],
  ['P3D', 259_200_000],
  ['P1W', 604_800_000],
  ['P1DT1S', 86_401_000],
  ['P1M', 30 * 86_400_000],
  ['P1Y', 365 * 86_400_000],
])('the duration %s is %d ms', (value, ms) => {
  expect(durationMs(value)).toBe(ms);
});

test.each(['', 'P', 'PT', 'P1DT', '30s', '1', 'P-1D', 'PT1S ', -1, NaN, Infinity, null, {}, 'P99999999Y'])(
  '%j is not a duration',
  (value) => {
    expect(durationMs(value)).toBeUndefined();
  },
);

test.each([
  ['1970-01-02', 86_400_000],
  ['1970-01-01T01:00', 3_600_000],
  ['1970-01-01T01:00:00.5Z', 3_600_500],
  ['1970-01-01T01:00:00+01:00', 0],
  ['1972-02-29', Date.UTC(1972, 1, 29)],
  ['0004-02-29', Date.parse('0004-02-29')],
])('the moment %s is %d ms after the epoch, on every machine', (value, ms) => {
  expect(momentMs(value)).toBe(ms);
});

test.each([
  '',
  'now',
  '2026-13-01',
  '2026-02-30',
  '1971-02-29',
  '2026-01-01 10:00',
  '2026-01-01T25:00',
  '2026-01-01T24:00',
  '2100-02-29',
  '0000-02-29',
  5,
  null,
])('%j is no moment', (value) => {
  expect(momentMs(value)).toBeUndefined();
});
