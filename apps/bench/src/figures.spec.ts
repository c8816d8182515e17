import { summarise, table } from './figures.ts';

test('percentiles are durations that occurred, whatever their order', () => {
  const durationsMs = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(summarise({ durationsMs, wallMs: 2000 })).toEqual({
    runs: 100,
    p50Ms: 50,
    p95Ms: 95,
    p99Ms: 99,
    runsPerS: 50,
  });
});

test('no measurement gives zeros and does not divide by zero', () => {
  expect(summarise({ durationsMs: [], wallMs: 0 })).toEqual({
    runs: 0,
    p50Ms: 0,
    p95Ms: 0,
    p99Ms: 0,
    runsPerS: 0,
  });
});

test('numbers stand under their column heads', () => {
  expect(table(['', 'p50'], [['bare', 12.345]])).toBe('        p50\nbare  12.35');
});
