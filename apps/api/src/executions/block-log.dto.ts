import type { Json } from '#libs/platform/json/json';
import type { Failure, SentValue } from '#libs/language/engine/effects';
import type { VisitRow } from '#libs/runs/executions/execution.entity';
import type { VisitWithCost } from '#libs/runs/executions/read/block-log';
import { PageCursor } from '../http/cursor-query.ts';
import { Anything, Bool, Int, ListOf, Num, One, OneOf, Text, Texts, Time } from '../http/fields.ts';
import { type TraceSpan, buildSpans } from './trace-spans.ts';

export class FailureView {
  @Text({ description: 'A stable upper-case word for programs, as on the page Codes.' }) code!: string;
  @Text({ description: 'The failure, in a sentence for people.' }) message!: string;
  @Text({
    optional: true,
    description: 'The id of the block that is to blame; absent when the run failed as a whole.',
  })
  blockId?: string;
  @Text({ optional: true, description: 'The name of that block.' }) blockName?: string;
  @Anything({
    optional: true,
    description: 'More about the failure, whose form depends on the code; absent when there is nothing more.',
  })
  details?: Json;
}

export class BlockLogQuery {
  @Int({ query: true, optional: true, min: 1, max: 1000, default: 1000, description: 'Blocks of one page.' })
  limit: number = 1000;
  @PageCursor() cursor?: string;
}

export class TracedBlockLogQuery extends BlockLogQuery {
  @Bool({
    query: true,
    optional: true,
    default: false,
    description: 'Adds the blocks of the page as `logs` and as `traceSpans`, and `totalDuration`.',
  })
  includeTraceSpans: boolean = false;
}

/** A block of a log, without its output. */
export class LogBlockView {
  @Text({
    description:
      'The path of the visit: the id of the block and the passes around it, for example `call@each[2]`.',
  })
  path!: string;
  @Text({ description: 'The id of the block in the definition.' }) blockId!: string;
  @Text({ description: 'The name of the block; its id when it has none.' }) name!: string;
  @Text({ description: 'The type of the block, for example `http`.' }) type!: string;
  @Text({
    description:
      'The state of the visit: `running`, `waiting` for the release of a hold or for the limit of a host, or `paused` while it lasts, then `completed`, `failed`, `skipped` or `cancelled`.',
  })
  status!: string;
  @Time({ description: 'The start time, in ISO 8601 and UTC.' }) startedAt!: string;
  @Time({ nullable: true, description: 'The end time, in ISO 8601 and UTC; null while the block runs.' })
  endedAt!: string | null;
  @Int({ nullable: true, description: 'Milliseconds from start to end; null while it runs.' }) duration!:
    | number
    | null;
  @Int({ description: 'The number of attempts; 0 for a block without an effect.' })
  attempts!: number;
  @Text({
    nullable: true,
    description:
      'The port by which the run left the block; null while the block runs and when there was no port.',
  })
  port!: string | null;
  @One(() => FailureView, {
    nullable: true,
    description: 'The failure of the block; null when it did not fail.',
  })
  failure!: Failure | null;

  static of(
    visit: Omit<VisitRow, 'output' | 'sent' | 'executionId' | 'workspaceId'> & { isHeld?: boolean },
  ): LogBlockView {
    const { path, blockId, name, type, status, startedAt, endedAt, attempts, port, failure } = visit;
    return {
      path,
      blockId,
      name,
      type,
      status: visit.isHeld ? 'waiting' : status,
      attempts,
      port,
      failure,
      startedAt: startedAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
      duration: endedAt ? endedAt.getTime() - startedAt.getTime() : null,
    };
  }
}

export class ValueReferenceView {
  @Text({ description: 'The id of the value.' }) $payload!: string;
  @Int({ description: 'The size of the value as JSON, in bytes.' }) bytes!: number;
}

export class SentPartView {
  @Anything({
    description: 'What was sent, secrets as `[secret]`. When `cut`, the first 4,096 characters of its JSON.',
  })
  value!: Json;
  @Int({ description: 'The length of the whole JSON text, in characters.' }) chars!: number;
  @Bool({ description: 'True when `value` is only the beginning.' }) cut!: boolean;

  static of({ value, chars, isCut }: SentValue): SentPartView {
    return { value, chars, cut: isCut === true };
  }
}

export class SentView extends SentPartView {
  @One(() => ValueReferenceView, {
    nullable: true,
    description:
      'A reference to the whole value when it is cut: *Read a large value of an execution* gives it. Null when nothing is cut.',
  })
  whole!: ValueReferenceView | null;
}

export class VisitView extends LogBlockView {
  @Anything({
    description:
      'The output of the block. When the page already has 2 MB of outputs, a large output is a reference: `$payload` is its id, `bytes` its size.',
  })
  output!: Json;

  @One(() => SentView, {
    nullable: true,
    description:
      'What the block has sent: its parameters with their values; of a condition, the values that it has read. Null when it sent nothing, when the workspace keeps no values, and for callers who may not write.',
  })
  sent!: SentView | null;

  @Texts({
    nullable: true,
    description: 'The lines that a function wrote to its console; null when there are none.',
  })
  logs!: string[] | null;

  @Num({
    nullable: true,
    description:
      'The cost of its calls and models, by the prices of the operator; null when nothing was booked.',
  })
  cost!: number | null;

  static override of(visit: VisitWithCost): VisitView {
    const { output, sent, logs, cost } = visit;
    return {
      ...LogBlockView.of(visit),
      output,
      sent: sent && { ...SentPartView.of(sent), whole: sent.whole ?? null },
      logs,
      cost,
    };
  }
}

/** A block as a span. The blocks that ran inside it are its children. */
export class TraceSpanView {
  @Text({ description: 'The path of the visit, which is unique in the execution.' }) id!: string;
  @Text({ description: 'The id of the block in the definition.' }) blockId!: string;
  @Text({ description: 'The name of the block; its id when it has none.' }) name!: string;
  @Text({ description: 'The type of the block, for example `http`.' }) type!: string;
  @OneOf(['success', 'error', 'running', 'cancelled'], {
    description: '`success` for a block that completed or was skipped, `error` for one that failed.',
  })
  status!: string;
  @Time({ description: 'The start time, in ISO 8601 and UTC.' }) startTime!: string;
  @Time({ nullable: true, description: 'The end time, in ISO 8601 and UTC; null while the block runs.' })
  endTime!: string | null;
  @Int({ nullable: true, description: 'Milliseconds from start to end; null while it runs.' }) duration!:
    | number
    | null;
  @ListOf(() => TraceSpanView, {
    description: 'The visits inside a loop or parallel, in order; empty for every other block.',
  })
  children!: TraceSpan[];
}

/** The data of a run that published clients show beside its output. */
export class TraceView {
  @ListOf(() => VisitView, {
    optional: true,
    description: 'On request: the block log, a hundred blocks at most.',
  })
  logs?: VisitView[];
  @ListOf(() => TraceSpanView, { optional: true, description: 'On request: the blocks of `logs` as a tree.' })
  traceSpans?: TraceSpan[];
  @Int({
    optional: true,
    nullable: true,
    description: 'On request: milliseconds from start to end, or to now.',
  })
  totalDuration?: number | null;
}

export function toTraceView(visits: VisitWithCost[], totalDuration: number | null): TraceView {
  return { logs: visits.map((visit) => VisitView.of(visit)), traceSpans: buildSpans(visits), totalDuration };
}
