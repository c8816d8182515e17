import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { Invalid } from '#libs/platform/errors/errors';
import { canonicalJson } from '#libs/platform/json/canonical';
import { type CalendarDays, type ScheduleSettings, weekdays } from '../trigger.entity.ts';

/** Five or six fields, or a name as `@daily`. A year or a single date would end by itself. */
const cronPattern = /^(@[a-z]+|\S+( +\S+){4,5})$/i;

const fault = (field: string, message: string, code: string): Invalid =>
  Invalid.field(`schedule.${field}`, message, code);

/** Throws `Invalid` for a schedule that cannot be understood, or that never comes. */
export function requireSchedule(schedule: ScheduleSettings): void {
  requireRecurrence(schedule);
  requireMoment(schedule);
}

/** Throws `Invalid` for a schedule that cannot be understood. */
export function requireRecurrence(schedule: ScheduleSettings): void {
  const { cron, everySeconds, dates, except, timezone } = schedule;
  const given = Object.entries({ cron, everySeconds, dates: dates ?? null }).filter(
    ([, one]) => one !== null,
  );
  if (given.length === 0)
    throw fault('cron', 'is required, or everySeconds or dates in its place', 'required');
  const [, second] = given;
  if (second) throw fault(second[0], `stands alone: give either it or ${given[0]?.[0]}`, 'conflict');
  if (dates?.length === 0) throw fault('dates', 'must have at least one day', 'required');
  if (!isZone(timezone))
    throw fault('timezone', `names no time zone, as Europe/Berlin: "${timezone}"`, 'timezone');
  const reason = cron === null ? null : findFault(cron.trim(), timezone);
  if (reason !== null) throw fault('cron', reason, 'cron');
  if (cron !== null && toCron(cron, timezone).nextRun(new Date(readClockMs())) === null)
    throw fault('cron', 'names a day that never comes', 'never');
  requireDays('schedule.dates', dates ?? [], 'time');
  requireDays('schedule.except', except ?? [], 'name');
}

/** The name of a calendar. It begins with a letter, so that it is no day. */
export const calendarPattern = /^[a-z][a-z0-9-]{0,62}$/;
/** Days of lists: alone, alone or as the name of a calendar, and either with a time. */
const listedDays = {
  day: { form: /^\d[\d-]{9}$/, message: 'must be a day without a time, as 2026-12-25' },
  name: {
    form: /^(\d[\d-]{9}|[a-z][a-z0-9-]{0,62})$/,
    message: 'must be a day without a time, as 2026-12-25, or the name of a calendar',
  },
  time: {
    form: /^(\d[\d-]{9}|[a-z][a-z0-9-]{0,62})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/,
    message: 'must be a day or the name of a calendar with a time, as 2026-01-30T09:00',
  },
};
/** A list has at most so many days. */
const daysMax = 366;
/** A schedule whose moments of so many days in a row are left out never comes. More than a list has. */
const leftOutMax = 400;

/** Throws `Invalid` for a list with too many days, and for a member that is no day. */
export function requireDays(path: string, days: string[], kind: keyof typeof listedDays = 'day'): void {
  const { form, message } = listedDays[kind];
  if (days.length > daysMax) throw Invalid.field(path, `must have at most ${daysMax} members`, 'too_many');
  for (const [at, text] of days.entries()) {
    const [day = ''] = text.split('T');
    if (!form.test(text) || !(calendarPattern.test(day) || isDay(day)))
      throw Invalid.field(`${path}.${at}`, message, 'pattern');
  }
}

/** The clock would take a day that there is not for one of the next month. */
function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/** The calendars that a schedule names, and where. */
export function listCalendars({ dates, except }: ScheduleSettings): { name: string; path: string }[] {
  return Object.entries({ dates, except })
    .flatMap(([field, days]) =>
      (days ?? []).map((text, at) => ({ name: text.split('T')[0] ?? '', path: `${field}.${at}` })),
    )
    .filter(({ name }) => calendarPattern.test(name));
}

/** Throws `Invalid` for a schedule that never comes from now on. */
export function requireMoment(schedule: ScheduleSettings): void {
  const { cron, dates, except, endsAt } = schedule;
  if (endsAt !== null && Date.parse(endsAt) <= readClockMs())
    throw fault('endsAt', 'must be in the future', 'range');
  if (findNextMoment(schedule, new Date(readClockMs())) === null)
    throw fault(
      dates ? 'dates' : cron === null ? 'everySeconds' : 'cron',
      `has no moment from now on${except?.length ? ' on a day that except leaves' : ''}${endsAt === null ? '' : ' and before endsAt'}`,
      'never',
    );
}

/** The first moment after a time; null when none comes. */
export function findNextMoment(schedule: ScheduleSettings, after: Date): Date | null {
  const { endsAt, timezone } = schedule;
  let next = findRecurrence(schedule, after);
  for (let days = 0; next && isLeftOut(schedule, toDay(next, timezone)); days += 1) {
    if (days === leftOutMax) return null;
    const midnight = toCron('0 0 * * *', timezone).nextRun(next);
    next = midnight && findRecurrence(schedule, new Date(midnight.getTime() - 1));
  }
  return next && (endsAt === null || next.getTime() <= Date.parse(endsAt)) ? next : null;
}

/** True for a day that the schedule lists, or a calendar that it names. */
function isLeftOut({ except, calendars = {} }: ScheduleSettings, day: string): boolean {
  const weekday = weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? '';
  return (except ?? []).some((text) => {
    const calendar = calendars[text];
    return text === day || calendar?.dates.includes(day) || calendar?.weekdays.includes(weekday);
  });
}

/** The first moment after a time, whatever is left out. */
function findRecurrence(schedule: ScheduleSettings, after: Date): Date | null {
  const { cron, everySeconds, dates, timezone } = schedule;
  if (cron !== null) return toCron(cron, timezone).nextRun(after);
  if (!dates) return nextInterval(everySeconds ?? 1, after);
  const { moments, weekly } = readDates(schedule, dates);
  const next = [
    moments.find((ms) => ms > after.getTime()),
    ...weekly.map((one) => toCron(one, timezone).nextRun(after)?.getTime()),
  ].filter((ms) => ms !== undefined);
  return next.length === 0 ? null : new Date(Math.min(...next));
}

/** What listed days say: moments in their order, and cron expressions for the weekdays of calendars. */
interface ReadDates {
  moments: number[];
  weekly: string[];
}

/** Reads the listed days of a schedule. They are read once, because reading each costs time. */
function readDates(schedule: ScheduleSettings, dates: string[]): ReadDates {
  const known = datesOfSchedules.get(schedule);
  if (known) return known;
  const { timezone, calendars = {} } = schedule;
  const each = dates.map((text) => {
    const [name = '', time = ''] = text.split('T');
    const days: CalendarDays | undefined = calendars[name];
    if (!days) return { texts: calendarPattern.test(name) ? [] : [text], weekly: [] };
    const [hour, minute, second = '0'] = time.split(':');
    const week = days.weekdays.map((day) => weekdays.findIndex((one) => one === day)).join(',');
    return {
      texts: days.dates.map((day) => `${day}T${time}`),
      weekly: week ? [`${second} ${minute} ${hour} * * ${week}`] : [],
    };
  });
  const moments = each
    .flatMap(({ texts }) => texts)
    .map((text) => findTimeOfDay(text, timezone))
    .filter((ms) => ms !== undefined)
    .toSorted((one, other) => one - other);
  const read = { moments, weekly: each.flatMap(({ weekly }) => weekly) };
  datesOfSchedules.set(schedule, read);
  return read;
}

/** The moment of a day and a time on the clock of a zone. A time that a change of the clock skips comes when the gap is over, as in an expression. */
function findTimeOfDay(text: string, timezone: string): number | undefined {
  const [day = '', time = ''] = text.split('T');
  const [, month, date] = day.split('-').map(Number);
  const [hour, minute, second = '0'] = time.split(':');
  const before = new Date(Date.parse(`${day}T00:00:00Z`) - 1.5 * dayMs);
  return toCron(`${second} ${minute} ${hour} ${date} ${month} *`, timezone).nextRun(before)?.getTime();
}

const dayMs = 86_400_000;

const datesOfSchedules = new WeakMap<ScheduleSettings, ReadDates>();

/** The day of a moment on the clock of a zone. */
const toDay = (moment: Date, timezone: string): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(moment);

/** True when two schedules come at the same moments, whatever else they say. */
export const hasSameMoments = (one: ScheduleSettings, other: ScheduleSettings): boolean =>
  momentMembers.every((name) => canonicalJson(one[name] ?? null) === canonicalJson(other[name] ?? null));

const momentMembers = ['cron', 'everySeconds', 'dates', 'except', 'calendars', 'timezone', 'endsAt'] as const;

/**
 * The next moment of a schedule whose stored one is `next`. One that has not come is found anew, because a calendar may have changed.
 * A moment that has come stays.
 */
export function renewNextMoment(schedule: ScheduleSettings, next: Date | null): Date | null {
  const now = new Date(readClockMs());
  return next === null || next > now ? findNextMoment(schedule, now) : next;
}

/** How many executions a schedule may still start, beside the moments that wait. */
export const countRunsLeft = (
  { maxRuns }: ScheduleSettings,
  { runs, waiting }: { runs: number; waiting: string[] },
): number => Math.max(0, (maxRuns ?? Infinity) - runs - waiting.length);

/** The next moments, at most this many. */
export function listNextMoments(schedule: ScheduleSettings, from: Date | null, most: number): Date[] {
  const moments: Date[] = [];
  for (let next = from; next && moments.length < most; next = findNextMoment(schedule, next))
    moments.push(next);
  return moments;
}

/**
 * When a moment fires: the jitter of a moment is always the same, and never reaches the moment after it. So many schedules on one
 * minute do not start at once.
 */
export function toFireAt(schedule: ScheduleSettings, triggerId: string, moment: Date): Date {
  if (schedule.jitterSeconds === 0) return moment;
  const next = findNextMoment(schedule, moment);
  const gapMs = next ? next.getTime() - moment.getTime() - 1 : Infinity;
  const hash = createHash('sha256').update(`${triggerId} ${moment.toISOString()}`).digest();
  const share = hash.readUInt32BE(0) / 2 ** 32;
  return new Date(moment.getTime() + Math.floor(share * Math.min(schedule.jitterSeconds * 1000, gapMs)));
}

/** Intervals are counted from the beginning of 1970, so that a change of something else keeps their moments. */
function nextInterval(seconds: number, after: Date): Date {
  const ms = seconds * 1000;
  return new Date((Math.floor(after.getTime() / ms) + 1) * ms);
}

const toCron = (cron: string, timezone: string) =>
  new Cron(cron.trim(), { timezone, mode: '5-or-6-parts', paused: true });

function findFault(cron: string, timezone: string): string | null {
  if (!cronPattern.test(cron)) return 'must have five fields, or six with the seconds first';
  try {
    toCron(cron, timezone);
    return null;
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : '';
    return `is no cron expression: ${said}`;
  }
}

function isZone(timezone: string): boolean {
  if (!/^[A-Za-z]/.test(timezone)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone }).format();
    return true;
  } catch {
    return false;
  }
}
