import {
  type HoldMode,
  holdModes,
  type HoldReach,
  holdReaches,
  type ShownHold,
} from '#libs/runs/executions/accept/holds';
import type { JsonObject } from '#libs/platform/json/json';
import { ActorField, Bool, Int, Num, OneOf, Text, Time } from '../http/fields.ts';

const reasonMax = 500;
const mode =
  '`queue`: executions are accepted and start after the release. `refuse`: they get 409, and nothing is stored.';

const reaches =
  '`starts`: only new executions wait. `effects`: executions that have started wait too, each before its next effect.';
const heldHost = 'The host to which calls are held; null when all effects or starts are.';

export class CreateHoldBody {
  @Text({
    optional: true,
    nullable: true,
    max: 100,
    description: 'The id of the workflow to hold. Null or left out: every workflow of the workspace.',
  })
  workflowId?: string | null;
  @Text({
    optional: true,
    nullable: true,
    max: 100,
    description: 'The id of the trigger to hold, without `workflowId`: only what it starts is kept back.',
  })
  triggerId?: string | null;
  @Text({
    optional: true,
    nullable: true,
    max: 253,
    description:
      'The host of outgoing calls to hold, as `api.example.com`, without `workflowId` and `triggerId`. It stops effects, and no start.',
  })
  host?: string | null;
  @OneOf(holdReaches, {
    optional: true,
    description: `${reaches} Left out: \`starts\`, and \`effects\` for a host.`,
  })
  stops?: HoldReach;
  @Text({ min: 1, max: reasonMax, description: 'Why, in a sentence. Callers see it.' }) reason!: string;
  @OneOf(holdModes, { optional: true, default: 'queue', description: mode }) mode?: HoldMode;
}

export class UpdateHoldBody {
  @Text({ optional: true, min: 1, max: reasonMax, description: 'The new reason. Left out: no change.' })
  reason?: string;
  @OneOf(holdModes, { optional: true, description: mode }) mode?: HoldMode;
  @OneOf(holdReaches, {
    optional: true,
    description: `${reaches} With \`starts\`, effects that waited go on at once.`,
  })
  stops?: HoldReach;
}

export class ReleaseHoldBody {
  @Num({
    optional: true,
    min: 0.1,
    max: 1000,
    description: 'How many executions start a second at most. Left out: all of them start at once.',
  })
  perSecond?: number;
}

export class HoldView {
  @Text({ description: 'The id of the hold, which begins with `hold_`.' }) id!: string;
  @Text({ description: 'The id of the workspace.' }) workspaceId!: string;
  @Bool({
    description:
      'True when the operator holds all workspaces of the installation. Only the operator releases it.',
  })
  byOperator!: boolean;
  @Text({ nullable: true, description: 'The workflow that is held; null when all are.' })
  workflowId!: string | null;
  @Text({ nullable: true, description: 'The trigger whose starts are held; null when all starts are.' })
  triggerId!: string | null;
  @Text({ nullable: true, description: heldHost }) host!: string | null;
  @OneOf(holdReaches, { description: reaches }) stops!: HoldReach;
  @OneOf(holdModes, { description: mode }) mode!: HoldMode;
  @Text({ description: 'Why, in a sentence.' }) reason!: string;
  @ActorField('The user or the key that holds it.') actor!: JsonObject;
  @Time({ description: 'Since when it is held.' }) heldAt!: string;
  @Time({ nullable: true, description: 'Since when it is being released; null while it holds.' })
  releasedAt!: string | null;
  @Num({ nullable: true, description: 'The rate of the release; null when there is none.' })
  perSecond!: number | null;
  @Int({ description: 'The number of executions that wait, counted to 10,000.' }) waiting!: number;

  static of(hold: ShownHold, workspaceId: string): HoldView {
    const { id, workflowId, triggerId, host, stops, reason, actor, perSecond, waiting } = hold;
    return {
      id,
      workspaceId,
      byOperator: hold.workspaceId === null,
      workflowId,
      triggerId,
      host,
      stops,
      mode: hold.mode,
      reason,
      actor,
      heldAt: hold.heldAt.toISOString(),
      releasedAt: hold.releasedAt?.toISOString() ?? null,
      perSecond,
      waiting,
    };
  }
}
