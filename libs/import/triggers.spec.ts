import type { JsonObject } from '#libs/platform/json/json';
import { readSchedules, readSimSchedule } from './triggers.ts';

describe('a rule of n8n', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['without members', {}, { cron: '0 0 * * *' }],
    [
      'of days',
      { field: 'days', daysInterval: 2, triggerAtHour: 9, triggerAtMinute: 30 },
      { cron: '30 9 */2 * *' },
    ],
    ['of weeks', { field: 'weeks', triggerAtDay: [1, 5], triggerAtHour: 8 }, { cron: '0 8 * * 1,5' }],
    [
      'of months',
      { field: 'months', monthsInterval: 3, triggerAtDayOfMonth: 15, triggerAtHour: 7 },
      { cron: '0 7 15 */3 *' },
    ],
    ['of hours', { field: 'hours', hoursInterval: 6, triggerAtMinute: 5 }, { cron: '5 */6 * * *' }],
    ['of minutes that divide the hour', { field: 'minutes', minutesInterval: 15 }, { cron: '*/15 * * * *' }],
    ['of minutes that do not', { field: 'minutes', minutesInterval: 7 }, { everySeconds: 420 }],
    ['of seconds', { field: 'seconds', secondsInterval: 10 }, { everySeconds: 10 }],
    [
      'with an expression',
      { field: 'cronExpression', expression: '0 9 * * MON-FRI' },
      { cron: '0 9 * * MON-FRI' },
    ],
  ])('a rule of n8n %s becomes a schedule', (_, rule, wanted) => {
    const [schedule] = readSchedules('scheduleTrigger', { rule: { interval: [rule] } }, '');
    expect(schedule).toEqual(wanted);
  });

  test('a node of n8n with two rules becomes two schedules in the zone of the workflow', () => {
    const interval: JsonObject[] = [{ field: 'days' }, { field: 'seconds', secondsInterval: 5 }];
    const rule = { interval };
    expect(readSchedules('scheduleTrigger', { rule }, 'Europe/Berlin')).toEqual([
      { cron: '0 0 * * *', timezone: 'Europe/Berlin' },
      { everySeconds: 5 },
    ]);
  });

  test.each<[string, string, JsonObject, JsonObject]>([
    [
      'a cron node',
      'cron',
      { triggerTimes: { item: [{ mode: 'everyWeek', hour: 6, weekday: '2' }] } },
      { cron: '0 6 * * 2' },
    ],
    [
      'a cron node of hours',
      'cron',
      { triggerTimes: { item: [{ mode: 'everyX', value: 3, unit: 'hours' }] } },
      { everySeconds: 10_800 },
    ],
    ['an interval node', 'interval', { interval: 2, unit: 'minutes' }, { everySeconds: 120 }],
  ])('%s of n8n becomes a schedule', (_, type, parameters, wanted) => {
    expect(readSchedules(`n8n-nodes-base.${type}`, parameters, '')).toEqual([wanted]);
  });
});

describe('a schedule of Sim', () => {
  test.each<[string, JsonObject, JsonObject | undefined]>([
    [
      'each quarter of an hour',
      { scheduleType: 'minutes', minutesInterval: '15' },
      { cron: '*/15 * * * *', timezone: 'UTC' },
    ],
    ['each hour', { scheduleType: 'hourly', hourlyMinute: '20' }, { cron: '20 * * * *', timezone: 'UTC' }],
    [
      'each day',
      { scheduleType: 'daily', dailyTime: '08:05', timezone: 'Europe/Paris' },
      { cron: '5 8 * * *', timezone: 'Europe/Paris' },
    ],
    [
      'each week',
      { scheduleType: 'weekly', weeklyDay: 'FRI', weeklyDayTime: '17:00' },
      { cron: '0 17 * * 5', timezone: 'UTC' },
    ],
    [
      'each month',
      { scheduleType: 'monthly', monthlyDay: '3', monthlyTime: '10:30' },
      { cron: '30 10 3 * *', timezone: 'UTC' },
    ],
    [
      'by an expression',
      { scheduleType: 'custom', cronExpression: '0 0 * * 0' },
      { cron: '0 0 * * 0', timezone: 'UTC' },
    ],
    ['without its expression', { scheduleType: 'custom' }, undefined],
    ['of an unknown type', { scheduleType: 'lunar' }, undefined],
    ['of a type that every object has', { scheduleType: 'constructor' }, undefined],
  ])('a schedule of Sim %s is read', (_, fields, wanted) => {
    expect(readSimSchedule(fields)).toEqual(wanted);
  });
});
