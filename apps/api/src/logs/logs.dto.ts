import type { Json, JsonObject } from '#libs/platform/json/json';
import { executionStatuses } from '#libs/runs/executions/execution.entity';
import type { VisitWithCost } from '#libs/runs/executions/read/block-log';
import { levels } from '#libs/runs/history/filters';
import { type LogStats, statUnits } from '#libs/runs/history/log-stats';
import type { FullLogEntry, LogEntry } from '#libs/runs/history/logs';
import { LogBlockView, TraceSpanView, VisitView } from '../executions/block-log.dto.ts';
import { LimitsView } from '../executions/executions.dto.ts';
import { PageCursor, PageLimit } from '../http/cursor-query.ts';
import { Anything, Bool, Int, ListOf, Num, Obj, One, OneOf, Text, Time } from '../http/fields.ts';
import { type TraceSpan, buildSpans } from '../executions/trace-spans.ts';
import { DurationMs, EndedAt, IsTest, origins, StartedAt } from '../executions/execution-fields.ts';

export const toLogId = (executionId: string) => executionId.replace(/^exec_/, 'log_');

const list = { optional: true, max: 5000 };
const day = 'ISO 8601, inclusive. A date without a time is the whole day in UTC.';

/** The filters of logs. Lists use commas; `all` in a list means no filter. */
export class LogSelection {
  @Text({ ...list, description: 'Ids of workflows, separated by commas.' }) workflowIds?: string;
  @Text({ ...list, description: 'Paths of folders, separated by commas. A folder includes its subfolders.' })
  folderIds?: string;
  @Text({
    ...list,
    description: 'Origins, separated by commas: `api`, `mcp`, `workflow`, or the kind of a trigger.',
  })
  triggers?: string;
  @Text({ ...list, description: 'Ids of the triggers that started them, separated by commas.' })
  triggerIds?: string;
  @Text({ ...list, description: `States, separated by commas: ${executionStatuses.join(', ')}.` })
  status?: string;
  @OneOf(levels, { optional: true, description: '`error`: failed executions. `info`: all others.' })
  level?: (typeof levels)[number];
  @Text({ ...list, description: 'Codes of the failure, separated by commas.' })
  failureCodes?: string;
  @Time({ optional: true, description: `Only executions accepted at this time or later. ${day}` })
  startDate?: string;
  @Time({ optional: true, description: `Only executions accepted at this time or before. ${day}` })
  endDate?: string;
  @Text({ optional: true, max: 100, description: 'The id of an execution, of its log, or of a resume.' })
  executionId?: string;
  @Text({ optional: true, max: 100, description: 'The id of the parent execution.' })
  parentExecutionId?: string;
  @Int({ query: true, optional: true, min: 0, description: 'The minimum duration in milliseconds.' })
  minDurationMs?: number;
  @Int({ query: true, optional: true, min: 0, description: 'The maximum duration in milliseconds.' })
  maxDurationMs?: number;
  @Num({ query: true, optional: true, min: 0, max: 1_000_000_000, description: 'The minimum cost.' })
  minCost?: number;
  @Num({ query: true, optional: true, min: 0, max: 1_000_000_000, description: 'The maximum cost.' })
  maxCost?: number;
  @Text({ optional: true, max: 200, description: 'A model that an llm block of the execution used.' })
  model?: string;
  @Text({
    optional: true,
    min: 2,
    max: 200,
    description:
      'Text in the id, the title, the inputs, the failure or the output, in upper or lower case. There are no wildcards.',
  })
  search?: string;
}

/** The filters of a list, and how it is shown. */
export class LogFilterQuery extends LogSelection {
  @Text({
    optional: true,
    max: 100,
    description: 'The id of a workspace. Left out: all workspaces that the key may read.',
  })
  workspaceId?: string;
  @OneOf(['asc', 'desc'], {
    optional: true,
    default: 'desc',
    description: 'The order by time of acceptance.',
  })
  order: 'asc' | 'desc' = 'desc';
  @OneOf(['basic', 'full'], {
    optional: true,
    default: 'basic',
    description: '`full` adds the workflow and the blocks.',
  })
  details: 'basic' | 'full' = 'basic';
  @Bool({ query: true, optional: true, default: false, description: 'Adds the output, with `details=full`.' })
  includeFinalOutput: boolean = false;
  @Bool({
    query: true,
    optional: true,
    default: false,
    description: 'Adds the blocks as a tree of spans, with `details=full`.',
  })
  includeTraceSpans: boolean = false;
}

export class LogsQuery extends LogFilterQuery {
  @PageLimit('executions', 100, { max: 1000, more: 'With `details=full` at most 100.' }) limit: number = 100;
  @PageCursor('Send it with the filters of that page.') cursor?: string;
}

export class LogStatsQuery {
  @Text({
    optional: true,
    max: 100,
    description: 'The id of a workspace. Left out: all workspaces that the key may read.',
  })
  workspaceId?: string;
  @Text({ ...list, description: 'Ids of workflows, separated by commas.' }) workflowIds?: string;
  @Time({
    optional: true,
    description: `Only executions accepted at this time or later. ${day} Left out: a day before the end, or 30 days with \`by=day\`.`,
  })
  startDate?: string;
  @Time({ optional: true, description: `Only executions accepted before. ${day} Left out: now.` })
  endDate?: string;
  @OneOf(statUnits, { optional: true, default: 'hour', description: 'What one line counts, in UTC.' })
  by: (typeof statUnits)[number] = 'hour';
}

export class LogStatsView {
  @Time({ description: 'The begin of the hour or day, in ISO 8601 and UTC.' }) at!: string;
  @Int({ description: 'The executions that were accepted in it.' }) runs!: number;
  @Int({ description: 'Those that have failed.' }) failed!: number;
  @Int({ description: 'Those that were cancelled.' }) cancelled!: number;
  @Int({ description: 'Those that have not ended.' }) open!: number;
  @Num({ nullable: true, description: 'Half of the ended ones took at most so many milliseconds.' })
  p50Ms!: number | null;
  @Num({ nullable: true, description: 'Of a hundred ended ones, 95 took at most so many milliseconds.' })
  p95Ms!: number | null;
  @Num({ description: 'Their booked cost.' }) cost!: number;

  static of({ at, ...counts }: LogStats): LogStatsView {
    return { at: at.toISOString(), ...counts };
  }
}

export class CostView {
  @Num({ description: 'The booked cost of the execution and its calls.' }) total!: number;
}

export class LogWorkflowView {
  @Text({ description: 'The id of the workflow.' }) id!: string;
  @Text({ description: 'The current name of the workflow, or its last name when it was deleted.' })
  name!: string;
  @Text({ description: 'The description of the workflow; empty when there is none.' }) description!: string;
  @Text({ description: 'The path of the folder, for example `sales/eu`; empty for the top.' })
  folder!: string;
  @Bool({ description: 'True when the workflow was deleted.' }) deleted!: boolean;
}

export class LogView {
  @Text({ description: 'The id of the log: the id of the execution with `log_` in front.' })
  id!: string;
  @Text({ description: 'The id of its workspace.' }) workspaceId!: string;
  @Text({ description: 'The id of the workflow.' }) workflowId!: string;
  @Text({ description: 'The current name of the workflow, or its last name when it was deleted.' })
  workflowName!: string;
  @Text({
    nullable: true,
    description:
      'The title: the template of the workflow with the inputs in it, or a line of the inputs. Null when these say nothing.',
  })
  title!: string | null;
  @Int({ description: 'The number of the version that the execution runs.' }) version!: number;
  @Text({ description: 'The id of the execution, which begins with `exec_`.' }) executionId!: string;
  @Text({
    nullable: true,
    description: 'The id of the deployed version; null when it was deleted with its workflow.',
  })
  deploymentVersionId!: string | null;
  @OneOf(levels, { description: '`error` for a failed execution, `info` for every other.' })
  level!: string;
  @OneOf(executionStatuses, {
    description: 'The state of the execution. `completed`, `failed` and `cancelled` are final.',
  })
  status!: string;
  @IsTest() isTest!: boolean;
  @Text({ description: origins }) trigger!: string;
  @Text({
    nullable: true,
    description: 'The trigger that started it, or the outermost run above it; null when a caller did.',
  })
  triggerId!: string | null;
  @Text({
    nullable: true,
    description:
      'The name of the user or of the key that started it, or for which its trigger acts; null after a deletion.',
  })
  startedBy!: string | null;
  @Text({ nullable: true, description: 'The id of that user or key.' }) startedById!: string | null;
  @Time({ description: 'The time of acceptance. Lists are in this order.' }) createdAt!: string;
  @StartedAt() startedAt!: string | null;
  @EndedAt() endedAt!: string | null;
  @DurationMs() totalDurationMs!: number | null;
  @One(() => CostView, { nullable: true, description: 'The cost; null while nothing is booked.' })
  cost!: CostView | null;
  @Text({ nullable: true, description: 'The reason of the failure or the cancel, in a sentence.' }) error!:
    | string
    | null;
  @Bool({ optional: true, description: 'True while a hold keeps it from starting; absent otherwise.' })
  held?: boolean;
  @Bool({
    optional: true,
    description: 'True while the execution waits in a line of flow control; absent when it does not.',
  })
  waits?: boolean;
  @One(() => LogWorkflowView, {
    optional: true,
    description: 'The executed workflow; only with `details=full`.',
  })
  workflow?: LogWorkflowView;
  @ListOf(() => LogBlockView, {
    optional: true,
    description: 'The first hundred blocks, without their outputs.',
  })
  blocks?: LogBlockView[];
  @Bool({ optional: true, description: 'True when there are more blocks. The log has them all, by pages.' })
  blocksCut?: boolean;
  @Anything({
    optional: true,
    description:
      'The output of the workflow. A large output is a reference: `$payload` is its id, `bytes` its size.',
  })
  finalOutput?: Json;
  @ListOf(() => TraceSpanView, {
    optional: true,
    description: 'The blocks as a tree; only on request, with `details=full`.',
  })
  traceSpans?: TraceSpan[];

  static of(entry: LogEntry): LogView {
    const { executionId, workspaceId, workflowId, deploymentId, status, trigger, triggerId } = entry;
    return {
      id: toLogId(executionId),
      workspaceId,
      workflowId,
      workflowName: entry.workflow.name,
      title: entry.title,
      version: entry.version,
      executionId,
      deploymentVersionId: deploymentId,
      level: status === 'failed' ? 'error' : 'info',
      status,
      isTest: entry.isTest,
      trigger,
      triggerId,
      startedBy: entry.startedBy,
      startedById: entry.startedById,
      createdAt: entry.createdAt.toISOString(),
      ...toTimes(entry),
      cost: toCost(entry),
      error: entry.failure?.message ?? null,
      ...(entry.held ? { held: true } : {}),
      ...(entry.waits ? { waits: true } : {}),
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
      ...(includeTraceSpans ? { traceSpans: buildSpans(entry.blocks) } : {}),
    };
  }
}

const toCost = ({ cost }: LogEntry) => (cost === null ? null : { total: cost });

function toTimes({ startedAt, endedAt }: LogEntry) {
  return {
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    totalDurationMs: startedAt && endedAt ? endedAt.getTime() - startedAt.getTime() : null,
  };
}

export class ExecutionDataView {
  @Anything({ description: 'The output of the workflow; null until the run has completed.' })
  finalOutput!: Json;
  @ListOf(() => VisitView, { description: 'One page of the block log, with outputs.' }) blocks!: VisitView[];
  @ListOf(() => TraceSpanView, { description: 'The blocks of the page as a tree.' }) traceSpans!: TraceSpan[];
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
      traceSpans: buildSpans(visits),
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
    description: 'The state of the execution. `completed`, `failed` and `cancelled` are final.',
  })
  status!: string;
  @Text({ description: origins }) trigger!: string;
  @StartedAt() startedAt!: string | null;
  @EndedAt() endedAt!: string | null;
  @DurationMs() totalDurationMs!: number | null;
  @One(() => CostView, {
    nullable: true,
    description: 'The cost of the execution; null while nothing is booked.',
  })
  cost!: CostView | null;
}

export class LogStateView {
  @Text({ description: 'The id of the execution, which begins with `exec_`.' }) executionId!: string;
  @Text({ description: 'The id of the workflow.' }) workflowId!: string;
  @Obj({
    nullable: true,
    description: 'The executed definition; null when it was deleted with its workflow.',
  })
  workflowState!: JsonObject | null;
  @One(() => LogMetadataView, { description: 'The state, the times and the cost of the execution.' })
  executionMetadata!: LogMetadataView;
  @One(() => LimitsView, {
    description: 'The rate limits and the usage of the caller after this call.',
  })
  limits!: LimitsView;

  static of(entry: LogEntry, workflowState: JsonObject | null, limits: LimitsView): LogStateView {
    const { executionId, workflowId, status, trigger } = entry;
    const executionMetadata = { status, trigger, ...toTimes(entry), cost: toCost(entry) };
    return { executionId, workflowId, workflowState, executionMetadata, limits };
  }
}
