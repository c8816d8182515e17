import { many } from './many.ts';

/** The texts of the calendars of a workspace. */
export const textsOfCalendars = {
  calendars: 'Calendars',
  calendarsText:
    'Days with a name, as your holidays. A schedule leaves them out with "except", or starts on them with "dates". A day begins and ends in the zone of the schedule.',
  newCalendar: 'New calendar',
  noCalendars: 'There is no calendar yet.',
  name: 'Name, as bank-holidays',
  days: 'Days, one on each line, as 2030-12-25',
  weekdays: 'Days of each week',
  dayNames: {
    monday: 'Monday',
    tuesday: 'Tuesday',
    wednesday: 'Wednesday',
    thursday: 'Thursday',
    friday: 'Friday',
    saturday: 'Saturday',
    sunday: 'Sunday',
  } as Record<string, string>,
  each: (day: string) => `each ${day}`,
  more: (count: number) => `and ${many(count, 'more day')}`,
  changed: 'changed',
  changedHint: 'It holds for the moments of schedules that have not come.',
  made: 'Schedules can name the calendar from now on.',
  kept: 'The schedules that name it follow it from now on.',
  change: 'Change',
  changeOf: (name: string) => `Change ${name}`,
  deleteOf: (name: string) => `Delete ${name}`,
  deleteTitle: (name: string) => `Delete the calendar ${name}?`,
  deleteText: 'It is refused while a schedule names it.',
  deleted: 'The calendar was deleted.',
};
