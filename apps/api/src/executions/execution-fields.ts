import type { FlowPlace } from '#libs/runs/executions/accept/flows';
import type { HostWait } from '#libs/runs/executions/control/host-limits';
import type { HoldNotice } from '#libs/runs/executions/accept/holds';
import type { JsonObject } from '#libs/platform/json/json';
import { ActorField, Bool, Int, One, Text, Time } from '../http/fields.ts';

/** The description of `trigger`. */
export const origins =
  'The origin: `api`, `mcp` for an agent, `webhook`, `schedule` or `event` for a trigger, `test` for a test of a draft, or `workflow` for a child of another execution.';

/** The fields that the views of an execution share, under the names that the interface gives them. */
export const StartedAt = () =>
  Time({
    nullable: true,
    description: 'The start time, in ISO 8601 and UTC; null while the execution is queued.',
  });

export const EndedAt = () =>
  Time({
    nullable: true,
    description: 'The end time, in ISO 8601 and UTC; null until the execution has ended.',
  });

export const DurationMs = () =>
  Int({ nullable: true, description: 'Milliseconds from start to end; null until it has ended.' });

/** Why an execution does not start yet, or does not go on. */
export class HeldView {
  @Text({ nullable: true, description: 'The workflow that is held; null when the whole workspace is.' })
  workflowId!: string | null;
  @Text({ nullable: true, description: 'The trigger whose starts are held; null when all starts are.' })
  triggerId!: string | null;
  @Text({ nullable: true, description: 'The host to which calls are held; null when all are.' })
  host!: string | null;
  @Text({ description: 'Why, in a sentence.' }) reason!: string;
  @ActorField('The user or the key that holds it.') actor!: JsonObject;
  @Time({ description: 'Since when it is held.' }) since!: string;

  static of({ workflowId, triggerId, host, reason, actor, heldAt }: HoldNotice): HeldView {
    return { workflowId, triggerId, host, reason, actor, since: new Date(heldAt).toISOString() };
  }
}

/** The place in a line: of flow control, or of a host with a limit. */
export class WaitsForView {
  @Text({
    nullable: true,
    description: 'The key of the line; null when all executions of the workflow are in one, and for a host.',
  })
  key!: string | null;
  @Text({
    nullable: true,
    description: 'The host whose limit a call of the execution waits for; null while it waits for its start.',
  })
  host!: string | null;
  @Int({ description: 'The place in the line; 1 is next.' }) place!: number;
  @Time({
    nullable: true,
    description: 'For a debounced execution the time at which it starts, unless a newer one replaces it.',
  })
  startsAt!: string | null;

  static of({ key, place, notBefore }: FlowPlace): WaitsForView {
    return {
      key,
      host: null,
      place,
      startsAt: notBefore === null ? null : new Date(notBefore).toISOString(),
    };
  }

  static ofHost({ host, place }: HostWait): WaitsForView {
    return { key: null, host, place, startsAt: null };
  }
}

export const WaitsFor = () =>
  One(() => WaitsForView, {
    optional: true,
    description:
      'The line in which the execution waits for its start, or for a call; absent when it does not wait in one.',
  });

export const BatchedInto = () =>
  Text({
    optional: true,
    description:
      'The execution that runs with the inputs of this one, in one batch; absent for an execution that runs itself.',
  });

export const Held = () =>
  One(() => HeldView, {
    optional: true,
    description:
      'The hold that keeps the execution from starting, or from its next effect; absent when none does.',
  });

export const IsTest = () =>
  Bool({ description: 'True for a test of a draft, and for the children of one. A test has `version` 0.' });
