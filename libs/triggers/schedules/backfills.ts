import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { forgetRows, TurnBounds } from '#libs/platform/database/bounded-deletion';
import { Cursors, type Page } from '#libs/platform/cursors/cursor';
import { Database, send } from '#libs/platform/database/database';
import { Conflict, Invalid, NotFound } from '#libs/platform/errors/errors';
import type { Principal, ScheduleSettings, Trigger } from '../trigger.entity.ts';
import { findNextMoment } from './moments.ts';

/** What a backfill does at a moment while an earlier execution of its schedule is open: it waits, or starts beside it. */
export const backfillOverlaps = ['buffer_all', 'allow_all'] as const;
export type BackfillOverlap = (typeof backfillOverlaps)[number];

/** A range of moments, without its end. */
export interface BackfillWish {
  from: Date;
  to: Date;
  again: boolean;
  /** Null follows the schedule: it waits, unless the schedule allows all. */
  overlap: BackfillOverlap | null;
  /** The most moments that start in a second; null without a limit. */
  perSecond: number | null;
}

/** The moments of a range. */
export interface MomentCounts {
  moments: number;
  /** Those that have started an execution already. */
  alreadyRan: number;
  first: Date | null;
  last: Date | null;
}

export interface Backfill {
  id: string;
  triggerId: string;
  from: Date;
  to: Date;
  again: boolean;
  overlap: BackfillOverlap;
  perSecond: number | null;
  status: 'running' | 'completed' | 'aborted';
  total: number;
  started: number;
  alreadyRan: number;
  refused: number;
  nextAt: Date | null;
  waitsFor: string | null;
  actor: Principal;
  createdAt: Date;
  endedAt: Date | null;
}

type BackfilledSchedule = Trigger & { schedule: ScheduleSettings };

/** One backfill takes at most so many moments. */
export const momentsMax = 10_000;
/** A workspace has at most so many backfills under way. */
const runningMax = 20;
/** So many moments are counted before others get their turn in this process. */
const countedAtOnce = 200;

/** Jobs that start a schedule at each of its moments in a range of the past. `BackfillOutbox` carries them out. */
@Injectable()
export class Backfills {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
  ) {}

  /** Counts what a backfill would meet, and writes nothing. Throws for a range that holds too many moments. */
  async countMoments(trigger: Trigger, wish: BackfillWish): Promise<MomentCounts> {
    const moments = await listMoments(requireRange(trigger, wish).schedule, wish);
    const [row] = await this.database.statement<{ n: number }>(trigger.workspaceId, countAccepted, [
      trigger.id,
      moments.map((moment) => moment.toISOString()),
    ]);
    const [first = null, last = null] = [moments[0], moments.at(-1)];
    return { moments: moments.length, alreadyRan: row?.n ?? 0, first, last };
  }

  /** Accepts a backfill. A repeated id makes no second one. */
  async createBackfill(
    trigger: Trigger,
    id: string,
    wish: BackfillWish,
    actor: Principal,
  ): Promise<{ backfill: Backfill; counts: MomentCounts }> {
    const counts = await this.countMoments(trigger, wish);
    if (counts.moments === 0)
      throw Invalid.field('from', 'must begin a range that holds a moment of the schedule', 'range');
    const { schedule } = requireRange(trigger, wish);
    const overlap = wish.overlap ?? (schedule.overlap === 'allow_all' ? 'allow_all' : 'buffer_all');
    const { workspaceId } = trigger;
    await this.database.within(workspaceId, async (tx) => {
      await requirePlace(tx, workspaceId);
      await send(tx, insertBackfill, [
        id,
        workspaceId,
        trigger.id,
        wish.from,
        wish.to,
        wish.again,
        overlap,
        JSON.stringify(schedule),
        counts.moments,
        counts.first,
        JSON.stringify(actor),
        wish.perSecond,
      ]);
    });
    return { backfill: await this.getBackfill(trigger, id), counts };
  }

  async getBackfill({ id: triggerId, workspaceId }: Trigger, id: string): Promise<Backfill> {
    const [found] = await this.database.statement<Backfill>(
      workspaceId,
      `select ${columns} from backfills b where b.trigger_id = $1 and b.id = $2`,
      [triggerId, id],
    );
    if (!found) throw new NotFound('backfill');
    return found;
  }

  /** Newest first. */
  async listBackfills(
    { id: triggerId, workspaceId }: Trigger,
    { limit, cursor }: { limit: number; cursor?: string },
  ): Promise<Page<Backfill>> {
    const scope = `backfills ${triggerId}`;
    const after = this.cursors.open(cursor, scope);
    const values = [triggerId, after?.at ?? null, after?.id ?? null, limit + 1];
    const rows = await this.database.statement<Backfill>(workspaceId, pageOfBackfills, values);
    return this.cursors.page(rows, limit, scope, ({ createdAt, id }) => ({
      at: createdAt.toISOString(),
      id,
    }));
  }

  /** Ends a backfill after the moment in hand. What it has started goes on. Throws when it has ended. */
  async abortBackfill(trigger: Trigger, id: string): Promise<Backfill> {
    const rows = await this.database.statement(trigger.workspaceId, abort, [trigger.id, id]);
    const backfill = await this.getBackfill(trigger, id);
    if (rows.length === 0 && backfill.status !== 'aborted')
      throw new Conflict(`The backfill is ${backfill.status} already.`, 'BACKFILL_ENDED');
    return backfill;
  }

  /** Deletes backfills that ended long ago. */
  async forgetEndedBackfills(bounds = new TurnBounds()): Promise<void> {
    await forgetRows(this.database, { ...endedBackfills, values: [], rowsMax: countedAtOnce }, bounds);
  }
}

/** Returns the schedule. Throws for another trigger, and for a range that is none or not over. */
function requireRange(trigger: Trigger, { from, to }: BackfillWish): BackfilledSchedule {
  const { schedule, kind } = trigger;
  if (!schedule)
    throw new Conflict(`A trigger of kind ${kind} has no moments to backfill.`, 'NOT_A_SCHEDULE');
  if (to <= from) throw Invalid.field('to', 'must be after from', 'range');
  if (to.getTime() > readClockMs())
    throw Invalid.field(
      'to',
      'must not be in the future: the moments of the future come by themselves',
      'range',
    );
  return { ...trigger, schedule };
}

/** Returns the moments of a range. Throws when they are too many. */
async function listMoments(schedule: ScheduleSettings, { from, to }: BackfillWish): Promise<Date[]> {
  const moments: Date[] = [];
  let next = findMomentIn(schedule, new Date(from.getTime() - 1), to);
  for (; next; next = findMomentIn(schedule, next, to)) {
    if (moments.push(next) > momentsMax)
      throw Invalid.field(
        'to',
        `makes a range of more than ${momentsMax} moments, which is the most for one backfill: choose a shorter one`,
        'range',
      );
    if (moments.length % countedAtOnce === 0) await setImmediate();
  }
  return moments;
}

/** The first moment after a time, and before the end of a range; null when there is none. */
export function findMomentIn(schedule: ScheduleSettings, after: Date, to: Date): Date | null {
  const next = findNextMoment(schedule, after);
  return next && next < to ? next : null;
}

async function requirePlace(tx: EntityManager, workspaceId: string): Promise<void> {
  const [row] = await send<{ n: number }>(tx, countRunning, [workspaceId]);
  if ((row?.n ?? 0) >= runningMax)
    throw new Conflict(
      `The workspace has ${runningMax} backfills under way, which is the most. Wait for one, or abort one.`,
      'BACKFILLS_FULL',
    );
}

const columns = `b.id, b.trigger_id as "triggerId", b.from_at as "from", b.to_at as "to", b.again, b.overlap, b.per_second as "perSecond", b.status, b.total, b.started,
  b.already_ran as "alreadyRan", b.refused, b.next_at as "nextAt", b.waits_for as "waitsFor", b.actor, b.created_at as "createdAt",
  b.ended_at as "endedAt"`;

/** $1 workspace */
const countRunning = `select count(*)::int as n from backfills where workspace_id = $1 and status = 'running'`;

/** $1 trigger, $2 moments */
const countAccepted = /* sql */ `
select count(*)::int as n from trigger_deliveries where trigger_id = $1 and verdict = 'accepted' and sender_id = any ($2)`;

const insertBackfill = /* sql */ `
insert into backfills (id, workspace_id, trigger_id, from_at, to_at, again, overlap, schedule, total, next_at, actor, per_second, credited_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, now() - make_interval(secs => coalesce(1 / $12::float8, 0))) on conflict (id) do nothing`;

/** $1 trigger, $2 and $3 the position of the last one before, $4 most */
const pageOfBackfills = /* sql */ `
select ${columns} from backfills b
where b.trigger_id = $1 and ($2::timestamptz is null or (b.created_at, b.id) < ($2::timestamptz, $3))
order by b.created_at desc, b.id desc limit $4`;

/** $1 trigger, $2 id */
const abort = /* sql */ `
update backfills set status = 'aborted', ended_at = now(), waits_for = null where trigger_id = $1 and id = $2 and status = 'running' returning id`;

const endedBackfills = {
  kind: 'backfill',
  table: 'backfills',
  id: 't.id',
  where: `t.ended_at < now() - interval '30 days'`,
  order: 't.ended_at',
} as const;
