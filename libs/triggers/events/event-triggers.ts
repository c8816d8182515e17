import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { ApiError, Conflict, TooMany } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import type { Json, JsonObject } from '#libs/platform/json/json';
import type { DeliveryRow } from '#libs/runs/executions/accept/accept.sql';
import { ExecutionStarter } from '#libs/runs/executions/accept/start-execution';
import { isGranted } from '#libs/workspace/auth/caller';
import type { Role } from '#libs/workspace/auth/people.entity';
import { buildEventInputs, passesFilter } from '../event-inputs.ts';
import { newDelivery } from '../new-delivery.ts';
import { toStarter } from '../principal.ts';
import { logRefused, type RefusedDelivery } from '../refused-delivery.ts';
import type { Trigger } from '../trigger.entity.ts';
import { roleOfPrincipal } from '../principal.ts';
import { requireOpen, toVerdict } from '../verdict.ts';

/** An event for one trigger. */
export interface EventForTrigger {
  id: string;
  triggerId: string;
  at: Date;
  /** The body as a receiver of the event gets it. */
  body: JsonObject;
  /** The execution that the event tells of, or that has written the row. */
  executionId: string | null;
  /** True when a refusal by a limit is the last one. */
  isLast: boolean;
}

type StartedTrigger = Pick<
  Trigger,
  'id' | 'workspaceId' | 'workflowId' | 'status' | 'note' | 'actor' | 'inputs' | 'filter' | 'revision'
> & { plan: string; role: Role | null; chain: string[] | null };

/** Triggers that may follow each other, each started by an event of the execution before. */
const chainMax = 8;

/** Starts the workflows of triggers on events. Each event starts one execution of a trigger, or is logged with the reason. */
@Injectable()
export class EventTriggers {
  constructor(
    private readonly database: Database,
    private readonly starter: ExecutionStarter,
  ) {}

  /**
   * Starts an execution for an event, once for each trigger, however often it is called. Throws when a limit or a fault of ours keeps
   * it from being decided, so that the caller tries again.
   */
  async startOnEvent(event: EventForTrigger): Promise<void> {
    const [trigger] = await this.database.systemUnflushed<StartedTrigger>(findTrigger, [
      event.triggerId,
      event.executionId,
    ]);
    if (!trigger) return;
    const delivery = newDelivery(trigger.id, {
      revision: trigger.revision,
      sender_id: event.id,
      body: JSON.stringify(event.body),
      content_type: 'application/json',
    });
    try {
      await this.start(trigger, event, delivery);
    } catch (error) {
      const verdict = error instanceof TooMany && !event.isLast ? null : toVerdict(error);
      if (verdict === null || !(error instanceof ApiError)) throw error;
      const { code, message } = error;
      await this.logOnce({
        workspaceId: trigger.workspaceId,
        delivery,
        verdict,
        error: { code, message },
      });
    }
  }

  private async start(trigger: StartedTrigger, event: EventForTrigger, delivery: DeliveryRow): Promise<void> {
    const { role, workspaceId, workflowId } = trigger;
    const chain = [...(trigger.chain ?? []), trigger.id];
    requireOpen({ ...trigger, mayExecute: role !== null && isGranted(role, 'execute') });
    requireNoLoop(chain);
    const received = {
      id: delivery.id,
      body: event.body as Json,
      headers: {},
      query: {},
      receivedAt: event.at.toISOString(),
    };
    if (!passesFilter(trigger.filter, received))
      return this.logOnce({ workspaceId, delivery, verdict: 'filtered', error: null });
    const inputs = buildEventInputs(trigger.inputs, received);
    const call = { trigger: 'event', mode: 'async', activeMsMax: null, inputs, delivery, chain } as const;
    const once = { id: newId('exec'), isRetry: false };
    await this.starter.startExecution(toStarter(trigger), workflowId, once, call);
  }

  /** Logs a refusal, but not again when the process ends before the event is marked as decided. */
  private async logOnce(refused: RefusedDelivery): Promise<void> {
    await this.database.batch(refused.workspaceId, logRefused(refused, 'once'));
  }
}

/** Throws when a trigger would start itself again, or when too many have followed each other. */
function requireNoLoop(chain: string[]): void {
  const isRepeated = new Set(chain).size < chain.length;
  if (!isRepeated && chain.length <= chainMax) return;
  const reason = isRepeated
    ? 'This trigger has led to the event itself, so it would go on for ever.'
    : `${chainMax} triggers have followed each other, which is the most.`;
  throw new Conflict(`${reason} The chain is ${chain.join(', ')}.`, 'EVENT_LOOP');
}

/** $1 trigger, $2 the execution behind the event. The chain is that of its outermost execution. */
const findTrigger = /* sql */ `
select t.id, t.workspace_id as "workspaceId", t.workflow_id as "workflowId", t.status, t.note, t.actor, t.inputs, t.filter, t.revision,
  w.plan, ${roleOfPrincipal('t')} as role,
  (select r.actor -> 'chain' from executions e join executions r on r.id = coalesce(e.root_id, e.id) where e.id = $2) as chain
from triggers t join workspaces w on w.id = t.workspace_id where t.id = $1 and t.left_out_at is null`;
