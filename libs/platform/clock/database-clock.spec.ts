import { noteDatabaseTime, readClockMs } from './database-clock.ts';

test('a process whose clock is an hour ahead reads the time of the database, and its own again when it is right', () => {
  const hourMs = 3_600_000;
  const ownMs = Date.now();
  noteDatabaseTime(ownMs - hourMs, ownMs - 5, ownMs + 5);
  expect(readClockMs() - Date.now()).toBe(-hourMs);
  noteDatabaseTime(ownMs + 1000, ownMs - 5, ownMs + 5);
  expect(readClockMs() - Date.now()).toBe(0);
});

test('an answer of the database that took long says nothing about a smaller difference', () => {
  const ownMs = Date.now();
  noteDatabaseTime(ownMs + 3000, ownMs - 5000, ownMs);
  expect(readClockMs() - Date.now()).toBe(0);
});
