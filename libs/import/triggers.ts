import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { parseNumber, toList, toText } from './values.ts';

/** A trigger as `POST /api/v1/workflows/{workflowId}/triggers` takes it. */
export interface ImportedTrigger {
  kind: 'webhook' | 'schedule' | 'form';
  name: string;
  webhook?: JsonObject;
  schedule?: JsonObject;
  form?: JsonObject;
  inputs?: JsonObject;
}

const whole = (value: Json | undefined, otherwise: number): number => {
  const number = parseNumber(value ?? null) ?? otherwise;
  return Number.isFinite(number) ? Math.trunc(number) : otherwise;
};

/** Returns a step of a cron field: every, or each so many from its first value. */
const eachOf = (step: number): string => (step <= 1 ? '*' : `*/${step}`);

/**
 * Returns the schedules of a node of n8n that starts by time, one for each of its rules. A rule that counts minutes and does not divide
 * the hour becomes an interval.
 */
export function readSchedules(type: string, parameters: JsonObject, timezone: string): JsonObject[] {
  const zone: JsonObject = timezone === '' || timezone === 'DEFAULT' ? {} : { timezone };
  const rules = type.endsWith('interval')
    ? [toInterval(whole(parameters['interval'], 1), toText(parameters['unit'], 'seconds'))]
    : type.endsWith('cron')
      ? toList(objectOf(parameters['triggerTimes'])['item']).filter(isObject).map(readOldRule)
      : toList(objectOf(parameters['rule'])['interval']).filter(isObject).map(readRule);
  return rules.map((rule) => ({ ...rule, ...('cron' in rule ? zone : {}) }));
}

const secondsBy = new Map([
  ['seconds', 1],
  ['minutes', 60],
  ['hours', 3600],
  ['days', 86_400],
  ['weeks', 604_800],
]);

const toInterval = (count: number, unit: string): JsonObject => ({
  everySeconds: Math.max(1, count) * (secondsBy.get(unit) ?? 1),
});

function readRule(rule: JsonObject): JsonObject {
  const [hour, minute] = [whole(rule['triggerAtHour'], 0), whole(rule['triggerAtMinute'], 0)];
  const field = toText(rule['field'], 'days');
  const every = (name: string) => whole(rule[name], 1);
  if (field === 'cronExpression') return { cron: toText(rule['expression']) };
  if (field === 'seconds') return toInterval(whole(rule['secondsInterval'], 30), 'seconds');
  if (field === 'minutes') {
    const minutes = whole(rule['minutesInterval'], 5);
    return 60 % minutes === 0 ? { cron: `${eachOf(minutes)} * * * *` } : toInterval(minutes, 'minutes');
  }
  if (field === 'hours') return { cron: `${minute} ${eachOf(every('hoursInterval'))} * * *` };
  if (field === 'weeks') {
    const days = toList(rule['triggerAtDay']).map((day) => toText(day));
    return { cron: `${minute} ${hour} * * ${days.length > 0 ? days.join(',') : '0'}` };
  }
  if (field === 'months')
    return {
      cron: `${minute} ${hour} ${whole(rule['triggerAtDayOfMonth'], 1)} ${eachOf(every('monthsInterval'))} *`,
    };
  return { cron: `${minute} ${hour} ${eachOf(every('daysInterval'))} * *` };
}

function readOldRule(rule: JsonObject): JsonObject {
  const [hour, minute] = [whole(rule['hour'], 14), whole(rule['minute'], 0)];
  const modes: Record<string, JsonObject> = {
    everyMinute: { cron: '* * * * *' },
    everyHour: { cron: `${minute} * * * *` },
    everyDay: { cron: `${minute} ${hour} * * *` },
    everyWeek: { cron: `${minute} ${hour} * * ${toText(rule['weekday'], '1')}` },
    everyMonth: { cron: `${minute} ${hour} ${whole(rule['dayOfMonth'], 1)} * *` },
    everyX: toInterval(whole(rule['value'], 2), toText(rule['unit'], 'hours')),
    custom: { cron: toText(rule['cronExpression']) },
  };
  return (
    new Map(Object.entries(modes)).get(toText(rule['mode'], 'everyDay')) ?? {
      cron: `${minute} ${hour} * * *`,
    }
  );
}

/** Returns the schedule of a block of Sim; undefined for a form that is not known. */
export function readSimSchedule(fields: JsonObject): JsonObject | undefined {
  const text = (name: string, otherwise: string) => toText(fields[name], otherwise) || otherwise;
  const at = (name: string) => {
    const [hour = '9', minute = '0'] = text(name, '09:00').split(':');
    return `${Number(minute)} ${Number(hour)}`;
  };
  const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
  const weekday = days.findIndex((day) => text('weeklyDay', 'MON').toLowerCase().startsWith(day));
  const minutes = whole(fields['minutesInterval'], 15);
  const rules: Record<string, JsonObject> = {
    minutes: 60 % minutes === 0 ? { cron: `${eachOf(minutes)} * * * *` } : toInterval(minutes, 'minutes'),
    hourly: { cron: `${whole(fields['hourlyMinute'], 0)} * * * *` },
    daily: { cron: `${at('dailyTime')} * * *` },
    weekly: {
      cron: `${at('weeklyDayTime')} * * ${weekday < 0 ? 1 : weekday}`,
    },
    monthly: { cron: `${at('monthlyTime')} ${whole(fields['monthlyDay'], 1)} * *` },
    custom: { cron: text('cronExpression', '') },
  };
  const rule = new Map(Object.entries(rules)).get(text('scheduleType', 'daily'));
  if (!rule || rule['cron'] === '') return undefined;
  return 'cron' in rule ? { ...rule, timezone: text('timezone', 'UTC') } : rule;
}
