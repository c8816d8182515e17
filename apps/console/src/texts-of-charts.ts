import { many } from './many.ts';

const hour = new Intl.DateTimeFormat('en', { weekday: 'short', hour: 'numeric', minute: '2-digit' });
const shortHour = new Intl.DateTimeFormat('en', { weekday: 'short', hour: 'numeric' });
const day = new Intl.DateTimeFormat('en', { timeZone: 'UTC', day: 'numeric', month: 'short' });

/** The texts of charts, which no first page loads. */
export const textsOfCharts = {
  title: 'Executions over time',
  range: 'Shown',
  ranges: {
    day: 'The last 24 hours',
    week: 'The last 7 days, by hour',
    month: 'The last 30 days',
  } as Record<string, string>,
  total: (runs: number, failed: number) =>
    runs === 0
      ? 'No execution was accepted in this time.'
      : `${many(runs, 'execution')}, of which ${failed.toLocaleString('en')} failed. Tests of drafts are not counted.`,
  runs: { hour: 'Executions by hour', day: 'Executions by day' },
  all: 'All',
  failed: 'Failed',
  noRuns: 'No execution was accepted in this time.',
  durations: 'Duration',
  p50: 'Half took at most',
  p95: '95 of 100 took at most',
  noDurations: 'None has ended, or none took as long as a millisecond.',
  cost: 'Cost',
  noCost: 'Nothing was booked.',
  asTable: 'As a table',
  heads: { hour: 'Hour', day: 'Day' },
  highest: (value: string) => `The highest bar is ${value}.`,
  /** A day is one of UTC, as it was counted; an hour is told in the zone of the reader. */
  momentOf: (moment: string, unit: 'hour' | 'day') => (unit === 'day' ? day : hour).format(new Date(moment)),
  /** The label below an axis. */
  labelOf: (moment: string, unit: 'hour' | 'day') =>
    (unit === 'day' ? day : shortHour).format(new Date(moment)),
};
