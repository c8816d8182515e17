import type { Json, JsonObject } from '#libs/platform/json/json';
import type { ShownDelivery } from '#libs/triggers/deliveries';
import { verdicts } from '#libs/triggers/trigger.entity';
import { CursorQuery, PageCursor } from '../http/cursor-query.ts';
import { Anything, Bool, Int, ListOf, Obj, One, OneOf, Text, Time } from '../http/fields.ts';

export class DeliveriesQuery extends CursorQuery {
  @OneOf(verdicts, { optional: true, description: 'Only deliveries with this verdict.' }) verdict?: string;
  @Time({ optional: true, description: 'Only deliveries from this time on.' }) from?: string;
  @Time({ optional: true, description: 'Only deliveries up to this time.' }) to?: string;
}

export class ReplayDeliveriesBody {
  @OneOf(verdicts.filter((verdict) => verdict !== 'forged'), {
    description: 'Replays deliveries with this verdict.',
  })
  verdict!: string;
  @Time({ optional: true, description: 'Only deliveries from this time on.' }) from?: string;
  @Time({ optional: true, description: 'Only deliveries up to this time.' }) to?: string;
  @Int({ optional: true, min: 1, max: 100, default: 50, description: 'The most deliveries of one call.' })
  limit?: number;
  @PageCursor('Without it, what was refused before is tried again first.') cursor?: string;
}

export class DeliveryErrorView {
  @Text({ description: 'A stable upper-case word for programs.' }) code!: string;
  @Text({ description: 'The reason, in a sentence for people.' }) message!: string;
}

export class DeliveryView {
  @Text({ description: 'The id of the delivery, which begins with `dlv_`.' }) id!: string;
  @Text({ description: 'The id of the trigger.' }) triggerId!: string;
  @OneOf(['sender', 'test', 'replay', 'backfill'], {
    description: 'Who made it: a sender or a schedule, a test, a replay, or a backfill.',
  })
  source!: string;
  @OneOf(verdicts, { description: 'What became of it. Only `accepted` started an execution.' })
  verdict!: string;
  @One(() => DeliveryErrorView, {
    nullable: true,
    description: 'Why it started nothing; null when it is accepted or filtered.',
  })
  error!: DeliveryErrorView | null;
  @Text({ nullable: true, description: 'The execution that it started; null when it started none.' })
  executionId!: string | null;
  @Bool({ description: 'True while a hold keeps its execution from starting.' }) isHeld!: boolean;
  @Text({ nullable: true, description: 'The id that the sender gave it; null when it gave none.' })
  senderId!: string | null;
  @Text({ nullable: true, description: 'The delivery that it replays; null for any other.' }) replayOf!:
    | string
    | null;
  @Time({ description: 'The time of its arrival, in ISO 8601 and UTC.' }) receivedAt!: string;

  static of(delivery: ShownDelivery): DeliveryView {
    const { id, triggerId, source, verdict, error, executionId, isHeld, senderId, replayOf, receivedAt } =
      delivery;
    const shown = { id, triggerId, source, verdict, error, executionId, isHeld, senderId, replayOf };
    return { ...shown, receivedAt: receivedAt.toISOString() };
  }
}

export class DeliveryDetailView extends DeliveryView {
  @Obj({ description: 'The headers. Signatures, tokens and cookies read `***`.' }) headers!: JsonObject;
  @Obj({ description: 'The query of the address.' }) query!: JsonObject;
  @Text({ nullable: true, description: 'The type of the body; null when the sender gave none.' })
  contentType!: string | null;
  @Text({ description: 'The body as it came. That of a forged delivery is cut.' }) body!: string;

  static ofDetail(delivery: ShownDelivery): DeliveryDetailView {
    const { headers, query, contentType, body } = delivery;
    return { ...DeliveryView.of(delivery), headers, query, contentType, body };
  }
}

export class StartedByHandView {
  @Text({ description: 'The id of the new delivery.' }) deliveryId!: string;
  @Text({ description: 'The execution that it started.' }) executionId!: string;
  @Text({ description: 'The address of its job.' }) statusUrl!: string;
}

export class ReplayedView {
  @Text({ description: 'The delivery that was replayed.' }) replayOf!: string;
  @Text({ nullable: true, description: 'The execution that the replay started; null when it started none.' })
  executionId!: string | null;
  @One(() => DeliveryErrorView, { nullable: true, description: 'Why the replay started nothing; else null.' })
  error!: DeliveryErrorView | null;
}

export class ReplaysView {
  @ListOf(() => ReplayedView, { description: 'The replays, in the order in which the deliveries came.' })
  replays!: ReplayedView[];
  @Bool({ description: 'True when more deliveries are left: send the call again.' }) hasMore!: boolean;
  @Text({
    nullable: true,
    description:
      'The `cursor` of the next call, behind what this one has replayed or could not; null when nothing is left, and when a limit refused the first.',
  })
  nextCursor!: string | null;
}

/** The answer to a sender. */
export class HookView {
  @Bool({ description: 'False for a run that has failed or was cancelled.' }) success!: boolean;
  @Text({ description: 'The id of the delivery. A repetition has that of the first.' }) deliveryId!: string;
  @OneOf(['accepted', 'filtered'], { description: 'What became of the delivery.' }) verdict!: string;
  @Text({ nullable: true, description: 'The execution; null for a filtered delivery.' }) executionId!:
    | string
    | null;
  @Text({ nullable: true, description: 'The job of the execution; null for a filtered delivery.' }) jobId!:
    | string
    | null;
  @Text({
    nullable: true,
    description: 'The address of the job, for callers with a key; null without an execution.',
  })
  statusUrl!: string | null;
  @Text({ optional: true, description: 'With `respond: result`: the state of the run.' }) status?: string;
  @Anything({ optional: true, description: 'With `respond: result`: the output of the run.' }) output?: Json;
  @Text({
    optional: true,
    nullable: true,
    description: 'With `respond: result`: the failure of the run, or null.',
  })
  error?: string | null;
}
