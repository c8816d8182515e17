import { Injectable, Logger } from '@nestjs/common';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { Database, send } from '#libs/platform/database/database';
import { TurnBounds } from '#libs/platform/database/bounded-deletion';
import { ApiError, TooMany } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import { ExecutionStarter, TriggerChanged } from '#libs/runs/executions/accept/start-execution';
import { Executions } from '#libs/runs/executions/executions';
import { isGranted } from '#libs/workspace/auth/caller';
import type { Role } from '#libs/workspace/auth/people.entity';
import { buildScheduleInputs } from '../event-inputs.ts';
import { toMomentDelivery } from '../new-delivery.ts';
import { toStarter } from '../principal.ts';
import { logRefused, type RefusedDelivery } from '../refused-delivery.ts';
import type { ScheduleSettings, Trigger } from '../trigger.entity.ts';
import { roleOfPrincipal } from '../principal.ts';
import { type RefusedVerdict, requireOpen, toVerdict } from '../verdict.ts';
import { scheduleOf } from './calendars.ts';
import { countRunsLeft, findNextMoment, renewNextMoment, toFireAt } from './moments.ts';
import { readStanding } from './standing.ts';

type DueSchedule = Pick<
  Trigger,
  | 'id'
  | 'workspaceId'
  | 'workflowId'
  | 'status'
  | 'note'
  | 'actor'
  | 'inputs'
  | 'revision'
  | 'nextAt'
  | 'waiting'
  | 'runs'
> & {
  schedule: ScheduleSettings;
  plan: string;
  role: Role | null;
  /** The next moment as the row has it. */
  storedAt: Date | null;
  /** Moments that start nothing. They are logged in the transaction that stores what was decided. */
  refused?: RefusedDelivery[];
};

/** A worker takes so many due schedules at a time, and works on so many at once. */
const [batch, atOnce] = [64, 8];
/** A schedule that a worker has in hand is left to it for this long, in seconds. */
const claimS = 30;
/** One look at a schedule decides on so many moments at most; the next look does the rest. */
const momentsMax = 100;
/** Moments that wait for an open execution. */
const waitingMax = 1000;
/** A schedule with a waiting moment is looked at again after this time. */
const waitMs = 1000;

/**
 * Starts executions at the moments of schedules. The row of the trigger says which moment is next, and a moment is accepted like a
 * delivery of which it is the id. So each moment starts one execution or is logged with the reason, whatever stops in between.
 */
@Injectable()
export class Schedules {
  readonly due = `exists (select from triggers d where ${isDue})`;
  private readonly log = new Logger(Schedules.name);

  constructor(
    private readonly database: Database,
    private readonly executions: Executions,
    private readonly starter: ExecutionStarter,
  ) {}

  /** Works on the schedules that are due, until none is or the turn is over. Several workers may take turns at once. */
  async turn(bounds = new TurnBounds()): Promise<void> {
    while (!bounds.over) {
      const due = await this.database.system<DueSchedule>(claimDue, [batch, claimS]);
      const queue = [...due];
      const work = async () => {
        for (let one = queue.shift(); one; one = queue.shift()) await this.workOn(one);
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      if (due.length < batch) return;
    }
  }

  private async workOn(trigger: DueSchedule): Promise<void> {
    try {
      await this.decide(trigger);
      await this.startWaiting(trigger);
      await this.store(trigger, true);
    } catch (error) {
      // Another look finds the schedule as it is then.
      if (!(error instanceof TriggerChanged))
        this.log.warn(`${trigger.id} is looked at again: ${String(error)}`);
    }
  }

  /** Decides on each moment that has come. The row is stored before the next one; `workOn` stores it after the last. */
  private async decide(trigger: DueSchedule): Promise<void> {
    const { schedule, id } = trigger;
    if (schedule.calendars && !isEnded(trigger)) trigger.nextAt = renewNextMoment(schedule, trigger.nextAt);
    for (let decided = 0; decided < momentsMax && trigger.nextAt; decided += 1) {
      // A change of the schedule may have given it a moment after its last run.
      if (isEnded(trigger)) {
        trigger.nextAt = null;
        return;
      }
      const moment = trigger.nextAt;
      const lateMs = readClockMs() - toFireAt(schedule, id, moment).getTime();
      if (lateMs < 0) return;
      if (decided > 0) await this.store(trigger, false);
      if (lateMs > schedule.catchUpSeconds * 1000) this.skipMissed(trigger, moment);
      else {
        await this.meet(trigger, moment);
        trigger.nextAt = this.findNext(trigger, moment);
      }
    }
  }

  /** Starts an execution at a moment, or does what the overlap says while an earlier one is open. */
  private async meet(trigger: DueSchedule, moment: Date): Promise<void> {
    const { overlap } = trigger.schedule;
    const text = moment.toISOString();
    const { isDone, open } = await readStanding(this.database, trigger, text);
    // It was started by a worker that stopped before it could store so.
    if (isDone) trigger.runs += 1;
    if (isDone || trigger.waiting.includes(text)) return;
    const isOpen = open.length > 0 || trigger.waiting.length > 0;
    if (!isOpen || overlap === 'allow_all') return this.start(trigger, text);
    const waitsMax = overlap === 'buffer_all' ? waitingMax : overlap === 'skip' ? 0 : 1;
    if (overlap === 'cancel_other') {
      for (const executionId of open) await this.cancel(trigger, executionId);
      const [replaced] = trigger.waiting.splice(0);
      if (replaced !== undefined)
        this.refuse(trigger, replaced, 'overlapped', 'A later moment came before it could start.');
    }
    if (trigger.waiting.length < waitsMax) trigger.waiting.push(text);
    else this.refuse(trigger, text, 'overlapped', `The execution ${open[0] ?? 'before'} had not ended.`);
  }

  /** Starts the moment that waits first, when nothing is open. */
  private async startWaiting(trigger: DueSchedule): Promise<void> {
    const [first] = trigger.waiting;
    if (first === undefined) return;
    const { isDone, open } = await readStanding(this.database, trigger, first);
    if (!isDone && open.length > 0) return;
    if (isDone) trigger.runs += 1;
    else await this.start(trigger, first);
    trigger.waiting.shift();
    if (isEnded(trigger)) trigger.nextAt = null;
  }

  private async start(trigger: DueSchedule, moment: string): Promise<void> {
    const { id, workflowId, inputs, revision, role } = trigger;
    const event = {
      scheduledAt: moment,
      startedAt: new Date(readClockMs()).toISOString(),
      timezone: trigger.schedule.timezone,
    };
    const delivery = { ...toMomentDelivery(id, moment), revision };
    try {
      requireOpen({ ...trigger, mayExecute: role !== null && isGranted(role, 'execute') });
      const call = { trigger: 'schedule', mode: 'async', activeMsMax: null, delivery } as const;
      await this.starter.startExecution(
        toStarter(trigger),
        workflowId,
        { id: newId('exec'), isRetry: false },
        {
          ...call,
          inputs: buildScheduleInputs(inputs, event),
        },
      );
      trigger.runs += 1;
    } catch (error) {
      const lateMs = readClockMs() - Date.parse(moment);
      const mayWait = error instanceof TooMany && lateMs < trigger.schedule.catchUpSeconds * 1000;
      // Over a limit the moment is tried again when the claim of this worker ends.
      const verdict = mayWait ? null : toVerdict(error);
      if (verdict === null || !(error instanceof ApiError)) throw error;
      this.addRefused(trigger, moment, verdict, { code: error.code, message: error.message });
    }
  }

  private async cancel({ workspaceId, workflowId }: DueSchedule, executionId: string): Promise<void> {
    await this.executions.cancelExecution(workspaceId, executionId, workflowId).catch((error: unknown) => {
      // It has ended meanwhile, or was deleted.
      if (!(error instanceof ApiError)) throw error;
    });
  }

  /** Refuses the moments that are too late, the newest hundred each, and goes on with the first that is not. */
  private skipMissed(trigger: DueSchedule, first: Date): void {
    const { schedule } = trigger;
    const since = new Date(readClockMs() - schedule.catchUpSeconds * 1000);
    const missed: Date[] = [];
    let count = 0;
    let next: Date | null = first;
    for (; next && next < since && count < countedMax; next = findNextMoment(schedule, next)) {
      missed.push(next);
      count += 1;
      if (missed.length > momentsMax) missed.shift();
    }
    const reason = `It was more than ${schedule.catchUpSeconds} s too late when a worker came to it.`;
    const more = count - missed.length;
    const others =
      more > 0
        ? ` So were ${more} moments before it${next && next < since ? ', and others after them' : ''}.`
        : '';
    for (const [at, moment] of missed.entries())
      this.refuse(trigger, moment.toISOString(), 'missed', at === 0 ? reason + others : reason);
    trigger.nextAt = this.findNext(trigger, new Date(Math.max(since.getTime() - 1, first.getTime())));
  }

  private findNext(trigger: DueSchedule, after: Date): Date | null {
    return isEnded(trigger) ? null : findNextMoment(trigger.schedule, after);
  }

  /** Stores what was decided. Throws `TriggerChanged` when the trigger or its next moment was changed meanwhile: then nothing is logged either. */
  private async store(trigger: DueSchedule, isOver: boolean): Promise<void> {
    const { id, workspaceId, schedule, nextAt, waiting, runs, revision } = trigger;
    const fireAt = nextAt && toFireAt(schedule, id, nextAt);
    const again = waiting.length > 0 ? new Date(readClockMs() + waitMs) : null;
    const dueAt = again && fireAt ? (again < fireAt ? again : fireAt) : (again ?? fireAt);
    const values = [id, revision, nextAt, dueAt, JSON.stringify(waiting), runs, isOver, trigger.storedAt];
    const statements = (trigger.refused ?? []).flatMap((refused) => logRefused(refused));
    const requireStored = (stored: object[]) => {
      if (stored.length === 0) throw new TriggerChanged();
    };
    if (statements.length === 0)
      requireStored(await this.database.statement(workspaceId, storeSchedule, values));
    else
      await this.database.within(workspaceId, async (tx) => {
        requireStored(await send(tx, storeSchedule, values));
        for (const statement of statements) await send(tx, ...statement);
      });
    trigger.storedAt = nextAt;
    trigger.refused = [];
  }

  private refuse(trigger: DueSchedule, moment: string, verdict: RefusedVerdict, message: string): void {
    this.addRefused(trigger, moment, verdict, { code: verdict.toUpperCase(), message });
  }

  private addRefused(
    trigger: DueSchedule,
    moment: string,
    verdict: RefusedVerdict,
    error: { code: string; message: string },
  ): void {
    const { id, workspaceId, refused = [] } = trigger;
    const delivery = toMomentDelivery(id, moment);
    trigger.refused = [...refused, { workspaceId, delivery, verdict, error }];
  }
}

/** Missed moments that are counted one by one. */
const countedMax = 10_000;

const isEnded = (trigger: DueSchedule) => countRunsLeft(trigger.schedule, trigger) === 0;

/** $1 the most schedules, $2 seconds */
/** True for a trigger `d` at whose schedule a worker must look. */
const isDue = /* sql */ `
d.kind = 'schedule' and d.status = 'active' and d.left_out_at is null and d.due_at <= now() and (d.claimed_until is null or d.claimed_until < now())`;

const claimDue = /* sql */ `
update triggers t set claimed_until = now() + make_interval(secs => $2)
from workspaces w
where w.id = t.workspace_id and t.id in (
  select d.id from triggers d
  where ${isDue}
  order by d.due_at limit $1 for update skip locked)
returning t.id, t.workspace_id as "workspaceId", t.workflow_id as "workflowId", t.status, t.note, t.actor, t.inputs, ${scheduleOf('t')} as schedule, t.revision,
  t.next_at as "nextAt", t.next_at as "storedAt", t.waiting, t.runs, w.plan, ${roleOfPrincipal('t')} as role`;

/** $1 trigger, $2 revision, $3 next moment, $4 when to look, $5 waiting moments, $6 runs, $7 whether the worker has done with it, $8 the next moment that it found */
const storeSchedule = /* sql */ `
update triggers set next_at = $3, due_at = $4, waiting = $5, runs = $6, claimed_until = case when $7::boolean then null else claimed_until end
where id = $1 and revision = $2 and status = 'active' and next_at is not distinct from $8::timestamptz returning id`;
