import { setTimeout as pause } from 'node:timers/promises';
import type { Receiver } from '../receiver.ts';
import { queryRows, settle } from './rows.ts';
import { type CampaignStage, deploy, setStage } from '../stage.ts';
import type { Target } from '../target.ts';
import { Breaker } from '../troubles.ts';

/** A workflow has at most so many triggers. */
const triggersEach = 50;
/** The schedules have a moment each so many seconds. They are set back by an hour. */
const [everyS, backS] = [300, 3600];
const killEveryMs = 6_000;
/** The hour is under way for so long when Temporal goes, and so long after everything was killed at once. */
const [beforeMs, afterMs] = [10_000, 30_000];
const overlaps = ['skip', 'buffer_one', 'buffer_all', 'cancel_other', 'allow_all'];
const timezone = 'Europe/Berlin';

interface Options {
  schedules: number;
  awayMs: number;
  receiver: Receiver;
  say(line: string): void;
}

/** A schedule, and the moments that it must have met when its next one is `until`. */
interface Wish {
  schedule: { overlap: string; catchUpSeconds: number; [member: string]: unknown };
  firstMs: number;
  listMoments(untilMs: number): number[];
}

interface Scheduled extends Wish {
  id: string;
}

/** Sets schedules back by an hour or to a change of the clocks, while processes are killed, Temporal is away, and all restart. */
export async function runSchedules(target: Target, { schedules, awayMs, receiver, say }: Options) {
  const stage = await setStage(target, receiver.url, 0);
  const changes = findChanges(Date.now());
  const wishes = Array.from({ length: schedules }, (_, n) =>
    n % 10 === 9 ? wishAtChange(changes, Math.floor(n / 10)) : wishOfAnHour(n),
  );
  const made = await createSchedules(stage, wishes);
  say(`${made.length} schedules are made`);
  const breaker = new Breaker(target);
  await breaker.killWhile(killEveryMs, async () => {
    const rows = made.map(({ id, firstMs }) => ({ id, next_at: new Date(firstMs) }));
    await queryRows(target, setBack, [JSON.stringify(rows)]);
    await pause(beforeMs);
    say('Temporal goes away');
    await breaker.keepAway('temporal', awayMs);
    say('Everything is killed at once');
    await breaker.killAll();
    await pause(afterMs);
  });
  const ids = made.map(({ id }) => id);
  await settle(target, countOpen, [ids]);
  const states = new Map<string, State>();
  for (const state of await queryRows<State>(target, readStates, [ids])) states.set(state.id, state);
  const readAtMs = Date.now();
  const results = made.map((one) => compare(one, states.get(one.id), readAtMs));
  const verdicts: Record<string, number> = {};
  for (const verdict of results.flatMap((result) => result.verdicts))
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  return {
    faults: results.flatMap(({ faults }) => faults),
    figures: {
      schedules,
      ofClockChanges: wishes.filter(({ schedule }) => 'timezone' in schedule).length,
      moments: results.reduce((sum, { moments }) => sum + moments, 0),
      verdicts,
      kills: breaker.counts.kills,
      away: breaker.counts.away,
    },
  };
}

function wishOfAnHour(n: number): Wish {
  const catchUpSeconds = n % 3 === 0 ? backS / 2 : 24 * backS;
  const firstMs = Math.floor(Date.now() / 1000 / everyS) * everyS * 1000 - backS * 1000;
  return {
    schedule: { everySeconds: everyS, overlap: overlaps[n % overlaps.length] ?? '', catchUpSeconds },
    firstMs,
    listMoments: (untilMs) => range(firstMs, untilMs, everyS * 1000),
  };
}

/** The last changes of the clocks: the moment of each, and the day on which it is. */
interface Change {
  atMs: number;
  day: string;
  isForward: boolean;
}

/** Finds what the clocks of the zone did in the last year. */
function findChanges(nowMs: number): Change[] {
  const hourMs = 3_600_000;
  const hours = range(Math.ceil(nowMs / hourMs) * hourMs - 364 * 24 * hourMs, nowMs, hourMs);
  return hours
    .filter((ms) => offsetAt(ms) !== offsetAt(ms - hourMs))
    .map((atMs) => ({
      atMs,
      day: toLocal(atMs).slice(0, 10),
      isForward: offsetAt(atMs) > offsetAt(atMs - hourMs),
    }));
}

/** Half of these have each half hour of the day, the others the time that is skipped or comes twice. */
function wishAtChange(changes: Change[], n: number): Wish {
  const { atMs, day, isForward } = changes[n % changes.length] ?? { atMs: 0, day: '', isForward: false };
  const [, month, date] = day.split('-').map(Number);
  const isWhole = n % 4 < 2;
  const halfHours = range(atMs - 86_400_000, atMs + 2 * 86_400_000, 1_800_000).filter((ms) =>
    toLocal(ms).startsWith(day),
  );
  // What is skipped starts when the gap is over, and what comes twice at the first time.
  const one = isForward ? atMs : (halfHours.find((ms) => toLocal(ms).endsWith('02:30')) ?? 0);
  const moments = isWhole ? halfHours : [one];
  return {
    schedule: {
      cron: `${isWhole ? '*/30 *' : '30 2'} ${date} ${month} *`,
      timezone,
      overlap: 'buffer_all',
      catchUpSeconds: 31_536_000,
    },
    firstMs: moments[0] ?? 0,
    listMoments: () => moments,
  };
}

const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: timezone,
  dateStyle: 'short',
  timeStyle: 'short',
});
/** The clock of the zone, as `2026-03-29 03:00`. */
const toLocal = (ms: number): string => clock.format(ms);
const offsetAt = (ms: number): number => Date.parse(`${toLocal(ms)}Z`) - ms;

function range(from: number, until: number, step: number): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((until - from) / step)) }, (_, i) => from + i * step);
}

/** Every second workflow has a wait, so that Temporal runs it. */
async function createSchedules({ wide, kinds }: CampaignStage, wishes: Wish[]): Promise<Scheduled[]> {
  const made: Scheduled[] = [];
  for (let first = 0; first < wishes.length; first += triggersEach) {
    const kind = (first / triggersEach) % 2 === 0 ? 'nap' : 'pure';
    const workflowId = await deploy(wide, `${kind} by schedule ${first}`, kinds[kind]);
    const create = async (wish: Wish, i: number) => {
      const body = { kind: 'schedule', name: `s${i}`, schedule: wish.schedule, inputs: { n: 7 } };
      const reply = await wide.call('POST', `/api/v1/workflows/${workflowId}/triggers`, { body });
      if (reply.status !== 201) throw new Error(`A schedule was refused: ${JSON.stringify(reply.body)}`);
      return { ...wish, id: String(reply.body.data.id) };
    };
    made.push(...(await Promise.all(wishes.slice(first, first + triggersEach).map(create))));
  }
  return made;
}

interface State {
  id: string;
  nextAt: Date | null;
  executions: number;
  log: { moment: string; verdict: string; executionId: string | null; status: string | null }[];
}

/** Each moment until now must have started one execution that has ended, or be in the log with a reason that its schedule allows. A later one must not. */
function compare({ id, schedule, listMoments }: Scheduled, state: State | undefined, readAtMs: number) {
  const log = state?.log ?? [];
  const moments = listMoments(Math.min(state?.nextAt?.getTime() ?? 0, readAtMs));
  const { overlap, catchUpSeconds } = schedule;
  const allowed = new Set([
    'accepted',
    ...(overlap.endsWith('_all') ? [] : ['overlapped']),
    ...(catchUpSeconds < backS ? ['missed'] : []),
  ]);
  const ends = overlap === 'cancel_other' ? ['completed', 'cancelled'] : ['completed'];
  const faults = moments.flatMap((ms) => {
    const entries = log.filter(({ moment }) => Date.parse(moment) === ms);
    const [first] = entries;
    const isRight =
      entries.length === 1 &&
      first &&
      allowed.has(first.verdict) &&
      (first.verdict !== 'accepted' || ends.includes(first.status ?? ''));
    const said = entries.map(({ verdict, status }) => `${verdict} ${status ?? ''}`.trim()).join(', ');
    return isRight ? [] : [`${id} (${overlap}) at ${new Date(ms).toISOString()}: ${said || 'nothing'}.`];
  });
  const others = log.filter(({ moment }) => !moments.includes(Date.parse(moment)));
  const accepted = log.filter(({ verdict }) => verdict === 'accepted').length;
  return {
    moments: moments.length,
    verdicts: log.map(({ verdict }) => verdict),
    faults: [
      ...faults,
      ...others.map(({ moment, verdict }) => `${id} has no moment at ${moment}, which is ${verdict}.`),
      ...(accepted === state?.executions
        ? []
        : [`${id} has ${state?.executions} executions of ${accepted}.`]),
    ],
  };
}

/** $1 a list of schedules, each with its next moment */
const setBack = /* sql */ `
update triggers t set next_at = r.next_at, due_at = now(), claimed_until = null
from json_to_recordset($1::json) as r (id text, next_at timestamptz) where t.id = r.id`;

/** Counts moments that have come, moments that wait, and open executions. $1 triggers */
const countOpen = /* sql */ `
select (
  select coalesce(sum(coalesce((next_at <= now())::int, 0) + json_array_length(waiting)), 0) from triggers where id = any($1))::int + (
  select count(*) from executions e join trigger_deliveries d on d.execution_id = e.id
  where d.trigger_id = any($1) and e.status in ('queued', 'running'))::int as n`;

/** $1 triggers */
const readStates = /* sql */ `
select t.id, t.next_at as "nextAt", (
  select count(*)::int from executions e where e.workflow_id = t.workflow_id and e.actor ->> 'triggerId' = t.id) as executions, coalesce((
  select json_agg(json_build_object('moment', d.sender_id, 'verdict', d.verdict, 'executionId', d.execution_id, 'status', e.status))
  from trigger_deliveries d left join executions e on e.id = d.execution_id where d.trigger_id = t.id), '[]') as log
from triggers t where t.id = any($1)`;
