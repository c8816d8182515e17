import { readClockMs } from '#libs/platform/clock/database-clock';
import type { Statement } from '#libs/platform/database/statements';
import { toMomentDelivery } from '../new-delivery.ts';
import { logRefused } from '../refused-delivery.ts';
import type { ScheduleSettings, Trigger } from '../trigger.entity.ts';
import { findNextMoment } from './moments.ts';

/** Moments that are counted one by one. */
const countedMax = 1000;

/** The statements that log the newest moment that passed while a schedule was paused. It says how many there were, and none starts. */
export function logPassedMoments({ id, workspaceId, status, note, schedule, nextAt }: Trigger): Statement[] {
  const until = new Date(readClockMs());
  const first =
    status === 'paused' && schedule && nextAt && findNextMoment(schedule, new Date(nextAt.getTime() - 1));
  if (!first || first > until) return [];
  const newest = findNewest(schedule, first, until).toISOString();
  const count = countMoments(schedule, first, until);
  const many = `the newest of ${count > countedMax ? `more than ${countedMax}` : count} moments`;
  const which = `This is ${count === 1 ? 'the only moment' : many} that passed since ${first.toISOString()}.`;
  const message = ['The schedule was paused.', ...(note === null ? [] : [note]), which].join(' ');
  const delivery = toMomentDelivery(id, newest);
  const error = { code: 'TRIGGER_PAUSED', message };
  // Two calls that resume a schedule at once log one. A moment that a worker has logged before has its entry.
  return logRefused({ workspaceId, delivery, verdict: 'paused', error }, 'once');
}

/** Finds the last moment of a time that begins with a moment, by halving, because a schedule may have millions. */
function findNewest(schedule: ScheduleSettings, first: Date, until: Date): Date {
  let newest = first;
  for (let [from, to] = [first.getTime(), until.getTime()]; from < to;) {
    const middle = Math.floor((from + to) / 2);
    const next = findNextMoment(schedule, new Date(middle));
    if (next && next <= until) [newest, from] = [next, next.getTime()];
    else to = middle;
  }
  return newest;
}

function countMoments(schedule: ScheduleSettings, first: Date, until: Date): number {
  let count = 0;
  for (let next: Date | null = first; next && next <= until && count <= countedMax; count += 1)
    next = findNextMoment(schedule, next);
  return count;
}
