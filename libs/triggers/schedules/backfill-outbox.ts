import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { Database, send, type Statement } from '#libs/platform/database/database';
import { claimInTurn, isAnyDue } from '#libs/platform/database/fair-claim';
import { lagOver, Outbox } from '#libs/platform/database/outbox';
import { ApiError, TooMany } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import type { JsonObject } from '#libs/platform/json/json';
import { terminal } from '#libs/runs/executions/execution.entity';
import { Executions } from '#libs/runs/executions/executions';
import { ExecutionStarter, TriggerChanged } from '#libs/runs/executions/accept/start-execution';
import { isGranted } from '#libs/workspace/auth/caller';
import type { Role } from '#libs/workspace/auth/people.entity';
import { buildScheduleInputs } from '../event-inputs.ts';
import { toMomentDelivery } from '../new-delivery.ts';
import { toStarter } from '../principal.ts';
import { logRefused } from '../refused-delivery.ts';
import type { Principal, ScheduleSettings } from '../trigger.entity.ts';
import { roleOfPrincipal } from '../principal.ts';
import { requireOpen, toVerdict } from '../verdict.ts';
import { type BackfillOverlap, findMomentIn } from './backfills.ts';
import { readStanding } from './standing.ts';

/** A backfill that this process works on. */
interface ClaimedBackfill extends Record<string, unknown> {
  id: string;
  workspaceId: string;
  triggerId: string;
  workflowId: string;
  inputs: JsonObject | null;
  schedule: ScheduleSettings;
  to: Date;
  again: boolean;
  overlap: BackfillOverlap;
  perSecond: number | null;
  creditedAt: Date;
  nextAt: Date | null;
  actor: Principal;
  plan: string;
  role: Role | null;
}

/** Why a backfill waits, and for how long. Its rate is no reason to tell. */
interface Wait {
  why: string | null;
  forS: number;
}

/** What becomes of a moment: the column that counts it. */
type Outcome = 'started' | 'already_ran' | 'refused';

/** One turn works on a backfill for at most this time, in milliseconds, and then on that of another workspace. */
const turnMsMax = 5000;
/** A short execution is waited for, in milliseconds, so that the next moment follows at once. */
const shortMs = 250;
/** A backfill looks again after so many seconds, while an execution is open or a hold refuses. */
const waitS = 1;

/** Another process has decided on the moment, or the backfill was aborted. Nothing was started. */
class Settled extends Error {}

/**
 * Carries out backfills, each moment after the other. That a moment is done is committed with its execution, so a process that dies has done
 * both or neither. Workspaces take turns.
 */
@Injectable()
export class BackfillOutbox extends Outbox<ClaimedBackfill> {
  readonly due = isAnyDue(underWay);
  protected readonly claim = claimBackfills;
  protected readonly lagOf = backfillsLag;

  constructor(
    database: Database,
    private readonly starter: ExecutionStarter,
    private readonly executions: Executions,
  ) {
    super(database);
  }

  protected async deliver(backfill: ClaimedBackfill): Promise<void> {
    const endsAtMs = performance.now() + turnMsMax;
    let wait: Wait | null = null;
    try {
      while (backfill.nextAt && !wait && performance.now() < endsAtMs)
        wait = (await waitForRate(backfill)) ?? (await this.meet(backfill, backfill.nextAt));
    } catch (error) {
      // The trigger, the backfill or this moment is in other hands.
      if (!(error instanceof Settled) && !(error instanceof TriggerChanged)) throw error;
    }
    await this.database.statement(backfill.workspaceId, endTurn, [
      backfill.id,
      wait?.why ?? null,
      wait?.forS ?? 0,
    ]);
  }

  /** Decides on a moment, and goes on to the next. Returns why it must wait instead. */
  private async meet(backfill: ClaimedBackfill, moment: Date): Promise<Wait | null> {
    const { id, workspaceId, triggerId, schedule, to, again, overlap } = backfill;
    const text = moment.toISOString();
    const delivery = {
      ...toMomentDelivery(triggerId, text, again ? `${text} ${id}` : text),
      source: 'backfill' as const,
    };
    const next = findMomentIn(schedule, moment, to);
    const settle = (outcome: Outcome): Statement => [settleMoment(outcome), [id, moment, next]];
    const goOn = async (outcome: Outcome, log: Statement[] = []) => {
      await this.database.within(workspaceId, async (tx) => {
        if ((await send(tx, ...settle(outcome))).length === 0) throw new Settled();
        for (const statement of log) await send(tx, ...statement);
      });
      backfill.nextAt = next;
      return null;
    };
    const { isDone, open } = await readStanding(
      this.database,
      { id: triggerId, workspaceId },
      delivery.sender_id ?? text,
    );
    if (isDone) return goOn('already_ran');
    const [before] = overlap === 'buffer_all' ? open : [];
    if (before !== undefined) {
      const { status } = await this.executions.waitUntilEnded(workspaceId, before, shortMs);
      return terminal(status) ? null : { why: `The execution ${before} has not ended.`, forS: waitS };
    }
    const mayExecute = backfill.role !== null && isGranted(backfill.role, 'execute');
    try {
      requireOpen({ status: 'active', note: null, mayExecute });
      const event = {
        scheduledAt: text,
        startedAt: new Date(readClockMs()).toISOString(),
        timezone: schedule.timezone,
      };
      const { first } = await this.starter.startExecution(
        toStarter(backfill),
        backfill.workflowId,
        { id: newId('exec'), isRetry: false },
        {
          trigger: 'schedule',
          mode: 'async',
          activeMsMax: null,
          delivery,
          inputs: buildScheduleInputs(backfill.inputs, event),
          store: async (tx) => {
            const [settled] = await send<{ creditedAt: Date }>(tx, ...settle('started'));
            if (!settled) throw new Settled();
            backfill.creditedAt = settled.creditedAt;
          },
        },
      );
      if (first) return await goOn('already_ran');
      backfill.nextAt = next;
      return null;
    } catch (error) {
      if (error instanceof TooMany) return { why: error.message, forS: Math.min(60, error.retryAfterS) };
      const verdict = toVerdict(error);
      if (verdict === null || !(error instanceof ApiError)) throw error;
      // A hold ends by a person.
      if (verdict === 'held') return { why: error.message, forS: waitS };
      const { code, message } = error;
      return goOn('refused', logRefused({ workspaceId, delivery, verdict, error: { code, message } }));
    }
  }
}

/** Waits for the turn of the next moment by the rate. Returns a wait that is too long for this turn. */
async function waitForRate({ perSecond, creditedAt }: ClaimedBackfill): Promise<Wait | null> {
  if (perSecond === null) return null;
  const waitMs = creditedAt.getTime() + 1000 / perSecond - readClockMs();
  if (waitMs > shortMs) return { why: null, forS: waitMs / 1000 };
  if (waitMs > 0) await pause(waitMs);
  return null;
}

/** A process that is lost leaves its backfill for so long. $1 most */
const underWay = { table: 'backfills', id: 'id', at: 'due_at', waits: [`status = 'running'`] };

const claimBackfills = /* sql */ `
update backfills b set due_at = now() + interval '30 seconds'
from (${claimInTurn(underWay)}) due
  join backfills c on c.id = due.id join triggers t on t.id = c.trigger_id join workspaces w on w.id = c.workspace_id
where b.id = due.id
returning b.id, b.workspace_id as "workspaceId", b.trigger_id as "triggerId", t.workflow_id as "workflowId", t.inputs, b.schedule,
  b.to_at as "to", b.again, b.overlap, b.per_second as "perSecond", b.credited_at as "creditedAt", b.next_at as "nextAt", b.actor, w.plan, ${roleOfPrincipal('b')} as role`;

const backfillsLag = lagOver(
  `select due_at as since from backfills where status = 'running' and due_at < now() limit 10000`,
);

/** Counts a moment once, and only while the backfill runs: an abort waits for it. A start uses the rate, which saves up a second at most. $1 backfill, $2 moment, $3 next moment or null */
const settleMoment = (outcome: Outcome) => /* sql */ `
update backfills set ${outcome} = ${outcome} + 1, credited_at = ${outcome === 'started' ? `greatest(credited_at + make_interval(secs => coalesce(1 / per_second, 0)), now() - interval '1 second')` : 'credited_at'}, next_at = $3, waits_for = null, due_at = now() + interval '30 seconds',
  status = case when $3::timestamptz is null then 'completed' else status end, ended_at = case when $3 is null then now() end
where id = $1 and status = 'running' and next_at = $2 returning credited_at as "creditedAt"`;

/** $1 backfill, $2 why it waits or null, $3 seconds until its next turn */
const endTurn = /* sql */ `
update backfills set waits_for = $2, due_at = now() + make_interval(secs => $3) where id = $1 and status = 'running'`;
