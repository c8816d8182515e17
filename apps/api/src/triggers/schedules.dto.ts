import { overlaps, type ScheduleSettings } from '#libs/triggers/trigger.entity';
import { countRunsLeft, listNextMoments, renewNextMoment } from '#libs/triggers/schedules/moments';
import type { TriggerState } from '#libs/triggers/triggers';
import { Int, OneOf, Text, Texts, Time } from '../http/fields.ts';
import { parseTime } from '../http/parse-time.ts';

/** The moments that a schedule shows. */
const nextMax = 5;

const cronText =
  'Five fields, or six with the seconds first: names as `MON-FRI`, `L` for the last day, `MON#2` for the second Monday; or `@daily`.';
const overlapText =
  'What happens at a moment while an earlier execution is open. `skip`: nothing starts. `buffer_one`: one moment waits. `buffer_all`: all wait. `cancel_other`: the earlier one is cancelled first. `allow_all`: it starts beside it. An execution that waits for a person is open.';

const datesText =
  'Days with a time on the clock of the zone, as `2026-01-30T09:00`, or a calendar with a time, as `month-endsT09:00`, in place of `cron` and `everySeconds`. At most 366.';
const exceptText =
  'Days of the zone on which nothing starts, as `2026-12-25`, and names of calendars, as `holidays`. At most 366.';

export class ScheduleBody {
  @Text({
    optional: true,
    nullable: true,
    min: 1,
    max: 100,
    description: `${cronText} Null for an interval.`,
  })
  cron?: string | null;
  @Int({
    optional: true,
    nullable: true,
    min: 1,
    max: 31_536_000,
    description:
      'The seconds between two moments, counted from the beginning of 1970. Null for a cron expression.',
  })
  everySeconds?: number | null;
  @Texts({ optional: true, nullable: true, description: datesText }) dates?: string[] | null;
  @Texts({ optional: true, nullable: true, description: exceptText }) except?: string[] | null;
  @Text({
    optional: true,
    min: 1,
    max: 64,
    description: 'The time zone of the cron expression and of days; UTC when left out.',
  })
  timezone?: string;
  @OneOf(overlaps, { optional: true, default: 'skip', description: overlapText })
  overlap?: ScheduleSettings['overlap'];
  @Int({
    optional: true,
    min: 10,
    max: 31_536_000,
    default: 600,
    description: 'A moment that is later than this many seconds, as after an outage, is not caught up.',
  })
  catchUpSeconds?: number;
  @Int({
    optional: true,
    min: 0,
    max: 3600,
    default: 0,
    description:
      'The most seconds by which a moment is delayed, so that many schedules do not start at once.',
  })
  jitterSeconds?: number;
  @Time({
    optional: true,
    nullable: true,
    description: 'No moment comes after this time. Null: without an end.',
  })
  endsAt?: string | null;
  @Int({
    optional: true,
    nullable: true,
    min: 1,
    max: 1_000_000,
    description: 'The most executions that it starts. Null: without a limit.',
  })
  maxRuns?: number | null;

  static toSettings(body: ScheduleBody): ScheduleSettings {
    const {
      cron = null,
      everySeconds = null,
      dates = null,
      except = null,
      timezone = 'UTC',
      overlap = 'skip',
    } = body;
    const { catchUpSeconds = 600, jitterSeconds = 0, maxRuns = null } = body;
    const endsAt = parseTime({ endsAt: body.endsAt ?? undefined }, 'endsAt')?.toISOString() ?? null;
    const days = { dates, except };
    return { cron, everySeconds, ...days, timezone, overlap, catchUpSeconds, jitterSeconds, endsAt, maxRuns };
  }
}

export class ScheduleView {
  @Text({ nullable: true, description: 'The cron expression; null for an interval.' }) cron!: string | null;
  @Int({ nullable: true, description: 'The seconds between two moments; null for a cron expression.' })
  everySeconds!: number | null;
  @Texts({ nullable: true, description: datesText }) dates!: string[] | null;
  @Texts({ nullable: true, description: exceptText }) except!: string[] | null;
  @Text({ description: 'The time zone of the cron expression and of days.' }) timezone!: string;
  @OneOf(overlaps, { description: 'What happens while an earlier execution is open.' }) overlap!: string;
  @Int({ description: 'A moment that is later than this many seconds is not caught up.' })
  catchUpSeconds!: number;
  @Int({ description: 'The most seconds by which a moment is delayed.' }) jitterSeconds!: number;
  @Time({ nullable: true, description: 'No moment comes after this time; null without an end.' })
  endsAt!: string | null;
  @Int({ nullable: true, description: 'The most executions that it starts; null without a limit.' })
  maxRuns!: number | null;
  @Int({ description: 'The executions that it has started.' }) runs!: number;
  @Texts({
    description:
      'The next five moments, in ISO 8601 and UTC, and no more than `maxRuns` leaves. Empty after the last one, and while it is paused.',
  })
  next!: string[];
  @Texts({ description: 'The moments that wait until an earlier execution ends.' }) waiting!: string[];

  static of(trigger: TriggerState): ScheduleView | null {
    const { schedule, nextAt, waiting, runs, status } = trigger;
    if (!schedule) return null;
    const { calendars, dates = null, except = null, ...settings } = schedule;
    const left = countRunsLeft(schedule, trigger);
    const first = calendars && left > 0 ? renewNextMoment(schedule, nextAt) : nextAt;
    const next = status === 'active' ? listNextMoments(schedule, first, Math.min(nextMax, left)) : [];
    return { ...settings, dates, except, runs, waiting, next: next.map((moment) => moment.toISOString()) };
  }
}
