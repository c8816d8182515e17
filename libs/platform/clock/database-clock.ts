/** A smaller difference is within what a round trip, or a machine with a time service, makes anyway. */
const differenceMsMin = 2000;

let behindMs = 0;

/** Notes the time that the database gave for a statement which was sent and answered at these times of this process. All are in milliseconds. */
export function noteDatabaseTime(databaseMs: number, sentMs: number, answeredMs: number): void {
  const differenceMs = Math.round(databaseMs - (sentMs + answeredMs) / 2);
  behindMs = Math.abs(differenceMs) < differenceMsMin + (answeredMs - sentMs) ? 0 : differenceMs;
}

/**
 * Returns the time at which something happens to a run, in milliseconds since the epoch: the database's, also where the clock of this
 * process is wrong. Timers count from it in other processes.
 */
export function readClockMs(): number {
  return Date.now() + behindMs;
}
