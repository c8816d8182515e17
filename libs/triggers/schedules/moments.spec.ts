import { Invalid } from '#libs/platform/errors/errors';
import type { ScheduleSettings } from '../trigger.entity.ts';
import { findNextMoment, listNextMoments, requireSchedule, toFireAt } from './moments.ts';

const plain: ScheduleSettings = {
  cron: null,
  everySeconds: null,
  timezone: 'UTC',
  overlap: 'skip',
  catchUpSeconds: 600,
  jitterSeconds: 0,
  endsAt: null,
  maxRuns: null,
};

const momentsOf = (schedule: Partial<ScheduleSettings>, from: string, most = 3) => {
  const whole = { ...plain, ...schedule };
  return listNextMoments(whole, findNextMoment(whole, new Date(from)), most).map((one) =>
    one.toISOString().replace(':00.000Z', 'Z'),
  );
};

const newYork = 'America/New_York';

test.each([
  ['five fields', '30 9 * * *', 'UTC', '2026-01-06T12:00Z', ['2026-01-07T09:30Z', '2026-01-08T09:30Z']],
  [
    'six fields',
    '15 30 9 * * *',
    'UTC',
    '2026-01-06T12:00Z',
    ['2026-01-07T09:30:15.000Z', '2026-01-08T09:30:15.000Z'],
  ],
  ['names', '0 9 * JAN MON-TUE', 'UTC', '2026-01-06T12:00Z', ['2026-01-12T09:00Z', '2026-01-13T09:00Z']],
  ['the last day', '0 9 L * *', 'UTC', '2026-01-06T12:00Z', ['2026-01-31T09:00Z', '2026-02-28T09:00Z']],
  [
    'the second Monday',
    '0 9 * * MON#2',
    'UTC',
    '2026-01-06T12:00Z',
    ['2026-01-12T09:00Z', '2026-02-09T09:00Z'],
  ],
  ['a name of its own', '@daily', 'UTC', '2026-01-06T12:00Z', ['2026-01-07T00:00Z', '2026-01-08T00:00Z']],
  [
    'a time zone',
    '0 9 * * *',
    'Asia/Kolkata',
    '2026-01-06T12:00Z',
    ['2026-01-07T03:30Z', '2026-01-08T03:30Z'],
  ],
  [
    'a time that a change of the clock skips',
    '30 2 * * *',
    newYork,
    '2026-03-08T05:00Z',
    ['2026-03-08T07:00Z', '2026-03-09T06:30Z'],
  ],
  [
    'a time that a change of the clock repeats',
    '30 1 * * *',
    newYork,
    '2026-11-01T04:00Z',
    ['2026-11-01T05:30Z', '2026-11-02T06:30Z'],
  ],
  [
    'each hour of a day with a repeated hour',
    '0 * * * *',
    newYork,
    '2026-11-01T04:30Z',
    ['2026-11-01T05:00Z', '2026-11-01T06:00Z'],
  ],
  [
    'each hour of a day with a skipped hour',
    '0 * * * *',
    newYork,
    '2026-03-08T06:30Z',
    ['2026-03-08T07:00Z', '2026-03-08T08:00Z'],
  ],
])('a cron expression with %s has these moments', (_, cron, timezone, from, moments) => {
  expect(momentsOf({ cron, timezone }, from, 2)).toEqual(moments);
});

test('an interval is counted from 1970, so that it does not depend on when it was made', () => {
  expect(momentsOf({ everySeconds: 900 }, '2026-01-06T12:07Z', 2)).toEqual([
    '2026-01-06T12:15Z',
    '2026-01-06T12:30Z',
  ]);
});

test('a schedule of listed days comes at each of them in its order of time, on the clock of its zone', () => {
  const dates = ['2026-03-31T09:00', '2026-01-30T09:00', '2026-02-27T09:00'];
  expect(momentsOf({ dates, timezone: 'Europe/Berlin' }, '2026-01-06T12:00Z', 5)).toEqual([
    '2026-01-30T08:00Z',
    '2026-02-27T08:00Z',
    '2026-03-31T07:00Z',
  ]);
});

test.each([
  ['Europe/Berlin', '2027-03-28T02:30', '2027-03-28T01:00Z'],
  [newYork, '2027-03-14T02:30', '2027-03-14T07:00Z'],
  ['Australia/Lord_Howe', '2027-10-03T02:15', '2027-10-02T15:30Z'],
  ['Europe/Berlin', '2027-10-31T02:30', '2027-10-31T00:30Z'],
  ['Pacific/Kiritimati', '2028-02-29T00:00', '2028-02-28T10:00Z'],
  ['Pacific/Pago_Pago', '2028-02-29T23:59', '2028-03-01T10:59Z'],
])(
  'a listed moment on the clock of %s at %s comes when a cron expression would',
  (timezone, text, moment) => {
    expect(momentsOf({ dates: [text], timezone }, '2027-01-01T00:00Z')).toEqual([moment]);
  },
);

test.each([
  ['a cron expression', { cron: '30 9 * * *' }, ['2026-01-07T14:30Z', '2026-01-10T14:30Z']],
  ['an interval', { everySeconds: 43_200 }, ['2026-01-07T12:00Z', '2026-01-08T00:00Z', '2026-01-10T12:00Z']],
  ['listed days', { dates: ['2026-01-08T10:00', '2026-01-11T10:00'] }, ['2026-01-11T15:00Z']],
])(
  'a schedule by %s leaves out the days that are excepted, on the clock of its zone',
  (_, schedule, moments) => {
    const except = ['2026-01-08', '2026-01-09'];
    const found = momentsOf({ ...schedule, except, timezone: newYork }, '2026-01-07T05:00Z', moments.length);
    expect(found).toEqual(moments);
  },
);

test('a schedule has no moment after its end', () => {
  expect(momentsOf({ everySeconds: 900, endsAt: '2026-01-06T12:30:00Z' }, '2026-01-06T12:07Z')).toEqual([
    '2026-01-06T12:15Z',
    '2026-01-06T12:30Z',
  ]);
});

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
/** Has its next moment in a year, because that of this year was yesterday. */
const oncePassed = `0 0 ${inDays(-1).getUTCDate()} ${inDays(-1).getUTCMonth() + 1} *`;

test.each([
  ['cron', { cron: 'every day' }],
  ['cron', { cron: '61 * * * *' }],
  ['cron', { cron: '0 9 * *' }],
  ['cron', { cron: '0 0 0 1 1 * 2027' }],
  ['cron', { cron: '2027-01-01T00:00:00' }],
  ['cron', { cron: '0 0 30 2 *' }],
  ['cron', { cron: oncePassed, endsAt: inDays(1).toISOString() }],
  ['cron', {}],
  ['everySeconds', { cron: '0 9 * * *', everySeconds: 60 }],
  ['dates', { dates: ['2999-01-01T09:00'], everySeconds: 60 }],
  ['dates', { dates: [] }],
  ['dates', { dates: ['2020-01-01T09:00'] }],
  ['dates', { dates: Array.from({ length: 367 }, () => '2999-01-01T09:00') }],
  ['dates.1', { dates: ['2999-01-01T09:00', '2999-02-30T09:00'] }],
  ['dates.0', { dates: ['2999-01-01'] }],
  ['except.0', { everySeconds: 60, except: ['Christmas'] }],
  ['timezone', { cron: '0 9 * * *', timezone: 'Mars/Base' }],
  ['timezone', { cron: '0 9 * * *', timezone: '+02:00' }],
  ['endsAt', { everySeconds: 60, endsAt: '2020-01-01T00:00:00Z' }],
])('a schedule is refused for its %s: %j', (field, schedule) => {
  const check = () => requireSchedule({ ...plain, ...schedule });
  expect(check).toThrow(Invalid);
  expect(check).toThrow(
    expect.objectContaining({ details: [expect.objectContaining({ path: `schedule.${field}` })] }),
  );
});

test('the jitter of a moment is always the same, within its bound, and before the next moment', () => {
  const schedule = { ...plain, everySeconds: 60, jitterSeconds: 3600 };
  const moment = new Date('2026-01-06T12:00:00Z');
  const delays = Array.from(
    { length: 200 },
    (_, i) => toFireAt(schedule, `trg_${i}`, moment).getTime() - moment.getTime(),
  );
  expect(toFireAt(schedule, 'trg_7', moment).getTime() - moment.getTime()).toBe(delays[7]);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...delays)).toBeLessThan(60_000);
  expect(new Set(delays).size).toBeGreaterThan(150);
  expect(toFireAt({ ...schedule, jitterSeconds: 0 }, 'trg_1', moment)).toEqual(moment);
});
