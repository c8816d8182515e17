import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, send } from '#libs/platform/database/database';
import { guardName } from '#libs/platform/database/violations';
import { Conflict, Invalid, NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import { type CalendarDays, type ScheduleSettings, weekdays } from '../trigger.entity.ts';
import { calendarPattern, listCalendars, requireDays } from './moments.ts';

/** Days with a name, which schedules of the workspace refer to. */
export interface Calendar extends CalendarDays {
  id: string;
  workspaceId: string;
  name: string;
  createdAt: Date;
  updatedAt: Date;
}

/** A workspace has at most so many calendars. */
const calendarsMax = 50;
/** A refusal names at most so many schedules. */
const namedMax = 10;

/** The calendars of workspaces. Each schedule has a copy of those that it names, which a change of a calendar renews. */
@Injectable()
export class Calendars {
  constructor(private readonly database: Database) {}

  /** Lists all calendars by their names. */
  list(workspaceId: string): Promise<Calendar[]> {
    return this.database.statement<Calendar>(workspaceId, `${readCalendars} order by name`, [workspaceId]);
  }

  async get(workspaceId: string, id: string): Promise<Calendar> {
    const rows = await this.database.statement<Calendar>(workspaceId, `${readCalendars} and id = $2`, [
      workspaceId,
      id,
    ]);
    if (!rows[0]) throw new NotFound('calendar');
    return rows[0];
  }

  async create(workspaceId: string, name: string, days: CalendarDays): Promise<Calendar> {
    if (!calendarPattern.test(name))
      throw Invalid.field(
        'name',
        'must be lower case letters, digits and hyphens, as bank-holidays',
        'pattern',
      );
    requireCalendarDays(days);
    const id = newId('cal');
    await guardName({ constraint: 'calendars_name', thing: 'calendar', name }, () =>
      this.database.within(workspaceId, async (tx) => {
        const [found] = await send<{ calendars: number }>(tx, countCalendars, [workspaceId]);
        if (found && found.calendars >= calendarsMax)
          throw new Conflict(
            `A workspace has at most ${calendarsMax} calendars; delete one first.`,
            'TOO_MANY_CALENDARS',
          );
        await send(tx, insertCalendar, [id, workspaceId, name, ...toTexts(days)]);
      }),
    );
    return this.get(workspaceId, id);
  }

  /** Changes what is given, also for the moments of schedules that have not come. A worker finds their next moments anew. */
  async update(workspaceId: string, id: string, changes: Partial<CalendarDays>): Promise<Calendar> {
    await this.database.within(workspaceId, async (tx) => {
      const [row] = await send<Calendar>(tx, `${readCalendars} and id = $2 for update`, [workspaceId, id]);
      if (!row) throw new NotFound('calendar');
      const days = { dates: row.dates, weekdays: row.weekdays, ...changes };
      requireCalendarDays(days);
      await send(tx, updateCalendar, [id, ...toTexts(days)]);
      await send(tx, lockCopies, [workspaceId, row.name]);
      await send(tx, renewCopies, [workspaceId, row.name, JSON.stringify(days)]);
    });
    return this.get(workspaceId, id);
  }

  /** Deletes a calendar that no schedule names. */
  async delete(workspaceId: string, id: string): Promise<void> {
    await this.database.within(workspaceId, async (tx) => {
      const [row] = await send<Calendar>(tx, `${readCalendars} and id = $2 for update`, [workspaceId, id]);
      if (!row) throw new NotFound('calendar');
      const users = await send<{ name: string; workflow: string }>(tx, findUsers, [workspaceId, row.name]);
      if (users.length > 0) {
        const named = users.slice(0, namedMax).map(({ name, workflow }) => `"${name}" of "${workflow}"`);
        const more = users.length > namedMax ? ' and others' : '';
        throw new Conflict(
          `Schedules use the calendar "${row.name}": ${named.join(', ')}${more}.`,
          'CALENDAR_USED',
        );
      }
      await send(tx, 'delete from calendars where id = $1', [id]);
    });
  }
}

/** The days of calendars by their names. */
export type DaysByName = ReadonlyMap<string, CalendarDays>;

/**
 * Reads the calendars that these schedules name, which then do not change before the transaction ends. All who lock several rows lock
 * calendars before triggers, calendars by their names and triggers from the oldest on, so that nobody waits in a circle.
 */
export async function lockCalendars(
  tx: EntityManager,
  workspaceId: string,
  schedules: ScheduleSettings[],
): Promise<DaysByName> {
  const names = [...new Set(schedules.flatMap((one) => listCalendars(one).map(({ name }) => name)))];
  if (names.length === 0) return new Map();
  const rows = await send<Calendar>(tx, `${readCalendars} and name = any($2) order by name for share`, [
    workspaceId,
    names,
  ]);
  return new Map(rows.map((row) => [row.name, { dates: row.dates, weekdays: row.weekdays }]));
}

/** Gives a schedule the days of the calendars that it names. Throws for unknown ones. */
export function copyCalendars(schedule: ScheduleSettings, days: DaysByName): ScheduleSettings {
  const named = listCalendars(schedule);
  if (named.length === 0) return schedule;
  const unknown = named.filter(({ name }) => !days.has(name));
  if (unknown.length > 0)
    throw new Invalid(
      unknown.map(({ name, path }) => ({
        path: `schedule.${path}`,
        code: 'unknown',
        message: `names no calendar of the workspace: "${name}"`,
      })),
    );
  const calendars = Object.fromEntries(
    named.flatMap(({ name }) => {
      const found = days.get(name);
      return found ? [[name, found]] : [];
    }),
  );
  return { ...schedule, calendars };
}

const isWeekday = (day: string): boolean => weekdays.some((one) => one === day);

function requireCalendarDays({ dates, weekdays: given }: CalendarDays): void {
  if (dates.length === 0 && given.length === 0)
    throw Invalid.field('dates', 'must have a day, or weekdays must', 'required');
  requireDays('dates', dates);
  for (const [at, day] of given.entries())
    if (!isWeekday(day))
      throw Invalid.field(`weekdays.${at}`, `must be one of ${weekdays.join(', ')}`, 'one_of');
}

const toTexts = (days: CalendarDays) => [JSON.stringify(days.dates), JSON.stringify(days.weekdays)];

/** $1 workspace */
const readCalendars = /* sql */ `
select id, workspace_id as "workspaceId", name, dates, weekdays, created_at as "createdAt", updated_at as "updatedAt"
from calendars where workspace_id = $1`;

/** Locks the workspace, so that the count holds until the insert. $1 workspace */
const countCalendars = /* sql */ `
select (select count(*)::int from calendars where workspace_id = $1) as calendars from workspaces where id = $1 for no key update`;

const insertCalendar = `insert into calendars (id, workspace_id, name, dates, weekdays) values ($1, $2, $3, $4, $5)`;

const updateCalendar = `update calendars set dates = $2, weekdays = $3, updated_at = now() where id = $1`;

/** SQL for the schedule of the trigger in the row `alias`, with its calendars. */
export const scheduleOf = (alias: string) =>
  `case when ${alias}.calendars is null then ${alias}.schedule else (${alias}.schedule::jsonb || jsonb_build_object('calendars', ${alias}.calendars))::json end`;

/** SQL that is true for a schedule in the row `t` that has a copy of a calendar. $1 workspace, $2 name */
const hasCopy = `t.workspace_id = $1 and t.calendars is not null and t.calendars ? $2`;

/** Locks the schedules in the order in which a deploy locks its triggers. */
const lockCopies = `select t.id from triggers t where ${hasCopy} order by t.created_at, t.id for no key update`;

/** $3 days */
const renewCopies = /* sql */ `
update triggers t set calendars = t.calendars || jsonb_build_object($2::text, $3::jsonb), due_at = now(), claimed_until = null, revision = t.revision + 1
where ${hasCopy}`;

const findUsers = /* sql */ `
select t.name, w.name as workflow from triggers t join workflows w on w.id = t.workflow_id
where ${hasCopy} and t.left_out_at is null order by t.created_at limit ${namedMax + 1}`;
