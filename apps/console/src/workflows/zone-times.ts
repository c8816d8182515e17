import type { Schemas } from '../api/client.ts';
import { many } from '../many.ts';
import { textsOfTriggers } from '../texts-of-triggers.ts';

/** A moment on the clocks of a zone. */
export interface ZonedMoment {
  at: string;
  text: string;
  offset: string;
  /** The offset before, when the clocks change between this moment and the one before it. */
  formerOffset: string | undefined;
}

/** Writes moments on the clocks of a zone, in their order. The first one is compared with `now`. */
export function listZoned(moments: string[], zone: string, now: number): ZonedMoment[] {
  const format = buildFormat(zone);
  let former = readZoned(format, now).offset;
  return moments.map((at) => {
    const { text, offset } = readZoned(format, Date.parse(at));
    const formerOffset = offset === former ? undefined : former;
    former = offset;
    return { at, text, offset, formerOffset };
  });
}

/** Writes an interval in all units that it has: "every 15 minutes", "every hour". */
export function describeInterval(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'day'],
    [Math.floor(seconds / 3_600) % 24, 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ] as const;
  const had = parts.filter(([count]) => count > 0);
  const [first] = had;
  if (had.length === 1 && first?.[0] === 1) return `every ${first[1]}`;
  return `every ${had.map(([count, unit]) => many(count, unit)).join(' ')}`;
}

/** Says when a schedule has its moments: its expression, its interval, or the number of its dates. */
export function describeRhythm(schedule: Schemas['ScheduleView'] | null): string {
  if (!schedule) return '';
  const { cron, everySeconds, dates } = schedule;
  if (everySeconds !== null) return describeInterval(everySeconds);
  return cron ?? textsOfTriggers.schedule.onDates(dates?.length ?? 0);
}

/** The state of the badge that looks like that of a trigger. */
export const looksOfTriggers: Record<string, string> = {
  active: 'up',
  paused: 'paused',
  disabled: 'down',
  ended: 'skipped',
};

function buildFormat(timeZone: string): Intl.DateTimeFormat {
  const parts = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  } as const;
  try {
    return new Intl.DateTimeFormat('en-GB', { ...parts, timeZone });
  } catch {
    // The zones of a browser may be older than those of the installation.
    return new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' });
  }
}

function readZoned(format: Intl.DateTimeFormat, moment: number): { text: string; offset: string } {
  const all = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const seconds = all['second'] === '00' ? '' : `:${all['second']}`;
  const text = `${all['weekday']} ${all['day']} ${all['month']} ${all['year']}, ${all['hour']}:${all['minute']}${seconds}`;
  return { text, offset: all['timeZoneName']?.replace('GMT', '') || '+00:00' };
}
