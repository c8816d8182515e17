import type { Calendar } from '#libs/triggers/schedules/calendars';
import { Text, Texts, Time } from '../http/fields.ts';

const nameText =
  'The name that schedules use: lower case letters, digits and hyphens, as `bank-holidays`. It does not change.';
const datesText = 'Days, as `2026-12-25`. At most 366.';
const weekdaysText = 'Days of each week, as `saturday`.';

export class CreateCalendarBody {
  @Text({ min: 1, max: 63, description: nameText }) name!: string;
  @Texts({ optional: true, description: `${datesText} Left out: none.` }) dates?: string[];
  @Texts({ optional: true, description: `${weekdaysText} Left out: none.` }) weekdays?: string[];
}

export class UpdateCalendarBody {
  @Texts({ optional: true, description: `${datesText} Left out: no change.` }) dates?: string[];
  @Texts({ optional: true, description: `${weekdaysText} Left out: no change.` }) weekdays?: string[];
}

export class CalendarView {
  @Text({ description: 'The id of the calendar, which begins with `cal_`.' }) id!: string;
  @Text({ description: 'The id of its workspace.' }) workspaceId!: string;
  @Text({ description: nameText }) name!: string;
  @Texts({ description: 'Days, as `2026-12-25`.' }) dates!: string[];
  @Texts({ description: weekdaysText }) weekdays!: string[];
  @Time({ description: 'The time of creation, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ description: 'The time of the last change, in ISO 8601 and UTC.' }) updatedAt!: string;

  static of({ createdAt, updatedAt, ...calendar }: Calendar): CalendarView {
    return { ...calendar, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  }
}
