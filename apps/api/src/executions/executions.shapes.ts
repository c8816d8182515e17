import type { Json, JsonObject } from '#libs/definition/values';
import type { Failure } from '#libs/engine/effects';
import { executionStatuses, terminal, type Execution } from '#libs/executions/execution.entity';
import type { ExecutionDetail } from '#libs/executions/block-log';
import type { LimitStatus } from '#libs/limits/limits';
import { FailureView, TraceView, VisitView } from './block-log.shapes.ts';
import { PausePointView } from '../pauses/pauses.shapes.ts';
import { Anything, Bool, Int, ListOf, Num, Obj, One, OneOf, Text, Time } from '../http/fields.ts';

/** The body of an execute call as the interface shows it; `readCall` also takes the other published forms. */
export class ExecuteBody {
  @Obj({ optional: true, description: 'Inputs as the start block declares them.' }) inputs?: JsonObject;
  @Bool({ optional: true, default: false, description: 'Answer at once with a job.' }) async?: boolean;
  @Bool({
    optional: true,
    default: false,
    description: 'With Accept: text/event-stream, stream the progress.',
  })
  stream?: boolean;
}

export class BucketView {
  @Int() requestsPerMinute!: number;
  @Int() maxBurst!: number;
  @Int() remaining!: number;
  @Time() resetAt!: string;
}

export class ExecutionRateView {
  @One(() => BucketView) sync!: BucketView;
  @One(() => BucketView) async!: BucketView;
}

export class UsageView {
  @Num() currentPeriodCost!: number;
  @Num() limit!: number;
  @Text() plan!: string;
  @Bool() isExceeded!: boolean;
}

/** The rate limits and the usage, which every answer to an execute call carries. */
export class LimitsView {
  @One(() => ExecutionRateView) workflowExecutionRateLimit!: ExecutionRateView;
  @One(() => UsageView) usage!: UsageView;

  static of({ buckets, usage }: LimitStatus): LimitsView {
    return { workflowExecutionRateLimit: { sync: buckets.sync, async: buckets.async }, usage };
  }
}

export class RunMetadataView {
  @Text() executionId!: string;
  @OneOf(executionStatuses) status!: string;
  @Int({ nullable: true, description: 'Milliseconds from start to end, or to now.' }) duration!:
    | number
    | null;
  @Time({ nullable: true }) startTime!: string | null;
  @Time({ nullable: true }) endTime!: string | null;

  static of(row: Execution): RunMetadataView {
    const end = row.completedAt ?? null;
    return {
      executionId: row.id,
      status: row.status,
      duration: row.startedAt ? Math.max(0, (end ?? new Date()).getTime() - row.startedAt.getTime()) : null,
      startTime: row.startedAt?.toISOString() ?? null,
      endTime: end?.toISOString() ?? null,
    };
  }
}

/** The pauses at which a run waits for people. */
export class PausedView {
  @Text() pausedExecutionId!: string;
  @ListOf(() => PausePointView) pausePoints!: PausePointView[];
}

export class SyncResultView extends TraceView {
  @Bool() success!: boolean;
  @Anything({ description: 'What the workflow answers; an empty object until the run has ended.' })
  output!: Json;
  @One(() => LimitsView) limits!: LimitsView;
  @Text() executionId!: string;
  @Text() jobId!: string;
  @OneOf(['completed', 'failed', 'paused', 'cancelled']) status!: string;
  @Text({ nullable: true }) error!: string | null;
  @One(() => FailureView, { optional: true }) failure?: Failure;
  @One(() => PausedView, { optional: true }) paused?: PausedView;
  @One(() => RunMetadataView) metadata!: RunMetadataView;
}

export class JobLinksView {
  @Text() status!: string;
}

export class AcknowledgementView {
  @Bool() success!: boolean;
  @Bool() async!: boolean;
  @Text() jobId!: string;
  @Text({ description: 'Equals jobId.' }) taskId!: string;
  @Text() executionId!: string;
  @OneOf(['queued']) status!: string;
  @Text() statusUrl!: string;
  @One(() => JobLinksView) links!: JobLinksView;
  @Text() message!: string;
  @Time() createdAt!: string;
  @One(() => LimitsView) limits!: LimitsView;
}

export const jobStatuses = ['queued', 'processing', 'completed', 'failed'] as const;

/** The job status of a run: the interface has four, so a cancelled run has failed and a paused one is processing. */
export function jobStatusOf({ status }: Pick<Execution, 'status'>): (typeof jobStatuses)[number] {
  if (status === 'queued' || status === 'completed') return status;
  return terminal(status) ? 'failed' : 'processing';
}

export const jobIdOf = (executionId: string) => executionId.replace(/^exec_/, 'job_');

export class JobMetadataView {
  @Time() createdAt!: string;
  @Time({ nullable: true }) startedAt!: string | null;
  @Time({ nullable: true }) completedAt!: string | null;
  @Int({ nullable: true }) duration!: number | null;
}

export class JobView {
  @Bool() success!: boolean;
  @Text() taskId!: string;
  @Text() jobId!: string;
  @Text() executionId!: string;
  @OneOf(jobStatuses) status!: string;
  @Anything({ optional: true, description: 'Only when completed: the output of the workflow itself.' })
  output?: Json;
  @Text({ optional: true }) error?: string;
  @One(() => FailureView, { optional: true }) failure?: Failure;
  @One(() => PausedView, { optional: true }) paused?: PausedView;
  @One(() => JobMetadataView) metadata!: JobMetadataView;

  static of(row: Execution, jobId: string, paused: PausedView | null): JobView {
    const { createdAt, startedAt, completedAt } = row;
    return {
      success: true,
      taskId: jobId,
      jobId,
      executionId: row.id,
      status: jobStatusOf(row),
      ...(row.status === 'completed' ? { output: row.output } : {}),
      ...(row.failure ? { error: row.failure.message, failure: row.failure } : {}),
      ...(paused ? { paused } : {}),
      metadata: {
        createdAt: createdAt.toISOString(),
        startedAt: startedAt?.toISOString() ?? null,
        completedAt: completedAt?.toISOString() ?? null,
        duration: startedAt && completedAt ? completedAt.getTime() - startedAt.getTime() : null,
      },
    };
  }
}

export class JobQuery {
  @Int({ query: true, optional: true, min: 0, max: 60, description: 'Seconds to wait for the end.' })
  wait?: number;
}

/** Which large value of an execution a path names. */
export interface ValueParams {
  workflowId: string;
  executionId: string;
  valueId: string;
}

export class StoredValueView {
  @Anything() data!: Json;
}

export class ExecutionView extends TraceView {
  @Text() executionId!: string;
  @Text() jobId!: string;
  @Text() workflowId!: string;
  @Text() workflowName!: string;
  @Int() version!: number;
  @OneOf(executionStatuses) status!: string;
  @OneOf(['sync', 'async']) mode!: string;
  @Text() trigger!: string;
  @Obj({ description: 'Who started it.' }) actor!: JsonObject;
  @Obj() inputs!: JsonObject;
  @Anything() output!: Json;
  @Text({ nullable: true }) error!: string | null;
  @One(() => FailureView, { nullable: true }) failure!: Failure | null;
  @One(() => PausedView, { nullable: true }) paused!: PausedView | null;
  @Bool({ description: 'A cancel was asked for.' }) cancelRequested!: boolean;
  @ListOf(() => VisitView, { description: 'One page of the block log, in the order of the visits.' })
  blocks!: VisitView[];
  @Text({ nullable: true, description: 'The `cursor` of the next page; null on the last page.' })
  nextCursor!: string | null;
  @Text({ nullable: true, description: 'The run in the Temporal UI.' }) temporalUrl!: string | null;
  @One(() => JobMetadataView) metadata!: JobMetadataView;

  static of(row: ExecutionDetail, paused: PausedView | null, temporalUrl: string | null): ExecutionView {
    const { workflowId, workflowName, version, status, mode, trigger, actor, inputs, output, failure } = row;
    return {
      executionId: row.id,
      jobId: jobIdOf(row.id),
      workflowId,
      workflowName,
      version,
      status,
      mode,
      trigger,
      actor,
      inputs,
      output,
      failure,
      paused,
      temporalUrl,
      error: failure?.message ?? null,
      cancelRequested: row.cancelRequestedAt !== null,
      blocks: row.visits.map((visit) => VisitView.of(visit)),
      nextCursor: row.nextCursor,
      metadata: JobView.of(row, '', null).metadata,
    };
  }
}

export class CancelView {
  @Bool() success!: boolean;
  @Text() executionId!: string;
  @OneOf(executionStatuses) status!: string;
  @Text() message!: string;
}
