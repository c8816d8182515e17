import type { Json, JsonObject } from '#libs/platform/json/json';
import { executionStatuses } from '#libs/runs/executions/execution.entity';
import type { VisitWithCost } from '#libs/runs/executions/read/block-log';
import { levels } from '#libs/runs/history/filters';
import type { FullLogEntry, LogEntry } from '#libs/runs/history/logs';
import { LogBlockView, TraceSpanView, VisitView } from '../executions/block-log.shapes.ts';
import { LimitsView } from '../executions/executions.shapes.ts';
import { Anything, Bool, Int, ListOf, Num, Obj, One, OneOf, Text, Time } from '../http/fields.ts';
import { type Span, spansOf } from '../executions/trace-spans.ts';

export const logIdOf = (executionId: string) => executionId.replace(/^exec_/, 'log_');

const list = { optional: true, max: 5000 };
const day = 'ISO 8601, inclusive. A date without a time is the whole day in UTC.';

/** The filters of logs. Lists use commas; `all` in a list means no filter. */
export class LogFilterQuery {
  @Text({
    optional: true,
    max: 100,
    description: 'The one workspace; every one that the key may read without it.',
  })
  workspaceId?: string;
  @Text({ ...list, description: 'Ids of workflows, by comma.' }) workflowIds?: string;
  @Text({ ...list, description: 'Paths of folders, by comma; what lies below one is in it.' })
  folderIds?: string;
  @Text({ ...list, description: 'What started them, by comma: `api`, `mcp` or `workflow`.' })
  triggers?: string;
  @Text({ ...list, description: `By comma: ${executionStatuses.join(', ')}.` }) status?: string;
  @OneOf(levels, { optional: true, description: '`error` are those that failed, `info` all others.' })
  level?: (typeof levels)[number];
  @Time({ optional: true, description: `Accepted at this moment or later. ${day}` }) startDate?: string;
  @Time({ optional: true, description: `Accepted at this moment or before. ${day}` }) endDate?: string;
  @Text({ optional: true, max: 100, description: 'The id of the execution, of its log, or of a resume.' })
  executionId?: string;
  @Text({ optional: true, max: 100, description: 'The id of the execution that began them.' })
  parentExecutionId?: string;
  @Int({ query: true, optional: true, min: 0, description: 'Lasted at least so many milliseconds.' })
  minDurationMs?: number;
  @Int({ query: true, optional: true, min: 0, description: 'Lasted at most so many milliseconds.' })
  maxDurationMs?: number;
  @Num({ query: true, optional: true, min: 0, max: 1_000_000_000, description: 'Cost at least so much.' })
  minCost?: number;
  @Num({ query: true, optional: true, min: 0, max: 1_000_000_000, description: 'Cost at most so much.' })
  maxCost?: number;
  @Text({ optional: true, max: 200, description: 'A model that an llm block says it used.' }) model?: string;
  @Text({
    optional: true,
    min: 2,
    max: 200,
    description: 'Text in the failure or the output, in any case. Every character stands for itself.',
  })
  search?: string;
  @OneOf(['asc', 'desc'], { optional: true, default: 'desc', description: 'By the moment of acceptance.' })
  order: 'asc' | 'desc' = 'desc';
  @OneOf(['basic', 'full'], {
    optional: true,
    default: 'basic',
    description: '`full` adds the workflow and the blocks.',
  })
  details: 'basic' | 'full' = 'basic';
  @Bool({ query: true, optional: true, default: false, description: 'With `full`: adds the output.' })
  includeFinalOutput: boolean = false;
  @Bool({
    query: true,
    optional: true,
    default: false,
    description: 'With `full`: adds the blocks as a tree of spans.',
  })
  includeTraceSpans: boolean = false;
}

export class LogsQuery extends LogFilterQuery {
  @Int({
    query: true,
    optional: true,
    min: 1,
    max: 1000,
    default: 100,
    description: 'At most 100 with `full`.',
  })
  limit: number = 100;
  @Text({
    optional: true,
    max: 1000,
    description: 'The `nextCursor` of the page before, with the same filters.',
  })
  cursor?: string;
}

export class CostView {
  @Num({ description: 'What was booked for the execution and the calls in it.' }) total!: number;
}

export class LogWorkflowView {
  @Text({ description: 'The id of the workflow.' }) id!: string;
  @Text({ description: 'Its name as it is now, or as it was when it was deleted.' }) name!: string;
  @Text({ description: 'What it is for; empty when nobody has said.' }) description!: string;
  @Text({ description: 'A path, as `sales/eu`; empty at the top.' }) folder!: string;
  @Bool({ description: 'True when the workflow is not there any more.' }) deleted!: boolean;
}

export class LogView {
  @Text({ description: 'The id of the log, which is that of the execution with `log_` before it.' })
  id!: string;
  @Text({ description: 'The id of the workspace that it belongs to.' }) workspaceId!: string;
  @Text({ description: 'The id of the workflow.' }) workflowId!: string;
  @Text({ description: 'The name of the workflow; the one that it had, when it was deleted.' })
  workflowName!: string;
  @Int({ description: 'The number of the version that runs, or ran.' }) version!: number;
  @Text({ description: 'The id of the execution, which begins with `exec_`.' }) executionId!: string;
  @Text({ nullable: true, description: 'Null when it was deleted with its workflow.' })
  deploymentVersionId!: string | null;
  @OneOf(levels, { description: '`error` for an execution that failed, `info` for every other.' })
  level!: string;
  @OneOf(executionStatuses, {
    description: 'The state of the execution; `completed`, `failed` and `cancelled` are ends.',
  })
  status!: string;
  @Text({ description: 'What started it: `api`, or `workflow` for a child of another execution.' })
  trigger!: string;
  @Time({ description: 'When it was accepted, by which lists are ordered.' }) createdAt!: string;
  @Time({ nullable: true, description: 'When it began, in ISO 8601 and UTC; null while it is queued.' })
  startedAt!: string | null;
  @Time({ nullable: true, description: 'When it ended, in ISO 8601 and UTC; null until then.' }) endedAt!:
    | string
    | null;
  @Int({ nullable: true, description: 'Milliseconds from start to end; null until it has ended.' })
  totalDurationMs!: number | null;
  @One(() => CostView, { nullable: true, description: 'Null while nothing is booked.' })
  cost!: CostView | null;
  @Text({ nullable: true, description: 'Why it failed or was cancelled.' }) error!: string | null;
  @One(() => LogWorkflowView, {
    optional: true,
    description: 'The workflow that ran; only with `details=full`.',
  })
  workflow?: LogWorkflowView;
  @ListOf(() => LogBlockView, { optional: true, description: 'The first hundred, without their outputs.' })
  blocks?: LogBlockView[];
  @Bool({ optional: true, description: 'There are more blocks; the detail has them all, by pages.' })
  blocksCut?: boolean;
  @Anything({
    optional: true,
    description: 'A large output is a reference: `$payload` is its id, `bytes` its size.',
  })
  finalOutput?: Json;
  @ListOf(() => TraceSpanView, {
    optional: true,
    description: 'The blocks as a tree; only when asked for with `details=full`.',
  })
  traceSpans?: Span[];

  static of(entry: LogEntry): LogView {
    const { executionId, workspaceId, workflowId, deploymentId, status, trigger } = entry;
    return {
      id: logIdOf(executionId),
      workspaceId,
      workflowId,
      workflowName: entry.workflow.name,
      version: entry.version,
      executionId,
      deploymentVersionId: deploymentId,
      level: status === 'failed' ? 'error' : 'info',
      status,
      trigger,
      createdAt: entry.createdAt.toISOString(),
      ...timesOf(entry),
      cost: costOf(entry),
      error: entry.failure?.message ?? null,
    };
  }

  static ofFull(
    entry: FullLogEntry,
    {
      includeFinalOutput,
      includeTraceSpans,
    }: Pick<LogFilterQuery, 'includeFinalOutput' | 'includeTraceSpans'>,
  ): LogView {
    return {
      ...LogView.of(entry),
      workflow: entry.workflow,
      blocks: entry.blocks.map((block) => LogBlockView.of(block)),
      blocksCut: entry.blocksCut,
      ...(includeFinalOutput ? { finalOutput: entry.output } : {}),
      ...(includeTraceSpans ? { traceSpans: spansOf(entry.blocks) } : {}),
    };
  }
}

const costOf = ({ cost }: LogEntry) => (cost === null ? null : { total: cost });

function timesOf({ startedAt, endedAt }: LogEntry) {
  return {
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    totalDurationMs: startedAt && endedAt ? endedAt.getTime() - startedAt.getTime() : null,
  };
}

export class ExecutionDataView {
  @Anything({ description: 'What the workflow answered; null until the run has completed.' })
  finalOutput!: Json;
  @ListOf(() => VisitView, { description: 'One page of the block log, with outputs.' }) blocks!: VisitView[];
  @ListOf(() => TraceSpanView, { description: 'The same blocks as a tree.' }) traceSpans!: Span[];
  @Text({ nullable: true, description: 'The `cursor` of the next page of blocks; null on the last page.' })
  nextCursor!: string | null;

  static of({
    output,
    visits,
    nextCursor,
  }: {
    output: Json;
    visits: VisitWithCost[];
    nextCursor: string | null;
  }) {
    return {
      finalOutput: output,
      blocks: visits.map((visit) => VisitView.of(visit)),
      traceSpans: spansOf(visits),
      nextCursor,
    };
  }
}

export class LogDetailView extends LogView {
  @One(() => ExecutionDataView, { description: 'The output and the blocks of the execution.' })
  executionData!: ExecutionDataView;
}

export class LogMetadataView {
  @OneOf(executionStatuses, {
    description: 'The state of the execution; `completed`, `failed` and `cancelled` are ends.',
  })
  status!: string;
  @Text({ description: 'What started it: `api`, or `workflow` for a child of another execution.' })
  trigger!: string;
  @Time({ nullable: true, description: 'When it began, in ISO 8601 and UTC; null while it is queued.' })
  startedAt!: string | null;
  @Time({ nullable: true, description: 'When it ended, in ISO 8601 and UTC; null until then.' }) endedAt!:
    | string
    | null;
  @Int({ nullable: true, description: 'Milliseconds from start to end; null until it has ended.' })
  totalDurationMs!: number | null;
  @One(() => CostView, { nullable: true, description: 'What was booked for it; null while nothing is.' })
  cost!: CostView | null;
}

export class LogStateView {
  @Text({ description: 'The id of the execution, which begins with `exec_`.' }) executionId!: string;
  @Text({ description: 'The id of the workflow.' }) workflowId!: string;
  @Obj({
    nullable: true,
    description: 'The definition that ran; null when it was deleted with its workflow.',
  })
  workflowState!: JsonObject | null;
  @One(() => LogMetadataView, { description: 'How the execution stands, when it ran and what it cost.' })
  executionMetadata!: LogMetadataView;
  @One(() => LimitsView, {
    description: 'The rate limits and the usage of whoever called, as they are after this call.',
  })
  limits!: LimitsView;

  static of(entry: LogEntry, workflowState: JsonObject | null, limits: LimitsView): LogStateView {
    const { executionId, workflowId, status, trigger } = entry;
    const executionMetadata = { status, trigger, ...timesOf(entry), cost: costOf(entry) };
    return { executionId, workflowId, workflowState, executionMetadata, limits };
  }
}
