import { readClockMs } from '#libs/platform/clock/database-clock';
import type { Json, JsonObject } from '#libs/platform/json/json';
import type { Failure } from '#libs/language/engine/effects';
import {
  executionStatuses,
  type MadeFrom,
  terminal,
  type Execution,
} from '#libs/runs/executions/execution.entity';
import type { ExecutionDetail } from '#libs/runs/executions/read/block-log';
import type { LimitStatus } from '#libs/workspace/limits/limits';
import { FailureView, TraceView, VisitView } from './block-log.dto.ts';
import { PausePointView } from '../pauses/pauses.dto.ts';
import {
  ActorField,
  Anything,
  Bool,
  Int,
  ListOf,
  Num,
  Obj,
  One,
  OneOf,
  Text,
  Texts,
  Time,
} from '../http/fields.ts';
import {
  DurationMs,
  EndedAt,
  Held,
  BatchedInto,
  type HeldView,
  IsTest,
  origins,
  StartedAt,
  WaitsFor,
  WaitsForView,
} from './execution-fields.ts';

const RunFailure = () =>
  One(() => FailureView, {
    optional: true,
    description: 'The failure of the run, with its code and its block; absent when it did not fail.',
  });

/** The documented body of an execute call. `readCall` also takes the other published forms. */
export class ExecuteBody {
  @Obj({ optional: true, description: 'Inputs as the start block declares them.' }) inputs?: JsonObject;
  @Bool({ optional: true, default: false, description: 'Answer at once with a job.' }) async?: boolean;
  @Bool({
    optional: true,
    default: false,
    description: 'With Accept: text/event-stream, stream the progress.',
  })
  stream?: boolean;
  @Text({
    optional: true,
    max: 2000,
    description:
      'An address that hears of the end and of each pause of this execution, signed with the secret `CALLBACK_SECRET` of the workspace.',
  })
  callbackUrl?: string;
}

export class BucketView {
  @Int({ description: 'The number of tokens that the bucket gains in a minute.' }) requestsPerMinute!: number;
  @Int({ description: 'The maximum number of tokens in the bucket, and so of calls at once.' })
  maxBurst!: number;
  @Int({ description: 'The number of tokens left now. A call takes one token.' }) remaining!: number;
  @Time({ description: 'The time at which the bucket is full again if no call comes, in ISO 8601 and UTC.' })
  resetAt!: string;
}

export class ExecutionRateView {
  @One(() => BucketView, { description: 'The bucket of synchronous executions.' }) sync!: BucketView;
  @One(() => BucketView, { description: 'The bucket of asynchronous executions, which are jobs.' })
  async!: BucketView;
}

export class UsageView {
  @Num({
    description:
      'The cost of the workspace in this calendar month, in the currency of the prices of the operator.',
  })
  currentPeriodCost!: number;
  @Num({ description: 'The cost limit for a month. Above it, executions are refused with 402.' })
  limit!: number;
  @Text({ description: 'The name of the workspace plan.' }) plan!: string;
  @Bool({ description: 'True when the cost of the month has reached the limit.' }) isExceeded!: boolean;
}

/** The rate limits and the usage in every answer to an execute call. */
export class LimitsView {
  @One(() => ExecutionRateView, { description: 'The two buckets of executions.' })
  workflowExecutionRateLimit!: ExecutionRateView;
  @One(() => UsageView, { description: 'The cost of the month and its limit.' }) usage!: UsageView;

  static of({ buckets, usage }: LimitStatus): LimitsView {
    return { workflowExecutionRateLimit: { sync: buckets.sync, async: buckets.async }, usage };
  }
}

export class RunMetadataView {
  @Text({ description: 'The id of the execution, which begins with `exec_`.' }) executionId!: string;
  @OneOf(executionStatuses, {
    description: 'The state of the execution. `completed`, `failed` and `cancelled` are final.',
  })
  status!: string;
  @Int({ nullable: true, description: 'Milliseconds from start to end, or to now.' }) duration!:
    | number
    | null;
  @StartedAt() startTime!: string | null;
  @EndedAt() endTime!: string | null;

  static of(row: Execution): RunMetadataView {
    const end = row.completedAt ?? null;
    return {
      executionId: row.id,
      status: row.status,
      duration: row.startedAt
        ? Math.max(0, (end ?? new Date(readClockMs())).getTime() - row.startedAt.getTime())
        : null,
      startTime: row.startedAt?.toISOString() ?? null,
      endTime: end?.toISOString() ?? null,
    };
  }
}

/** The pauses at which a run waits for people. */
export class PausedView {
  @Text({ description: 'The id under which the execution is listed as paused.' }) pausedExecutionId!: string;
  @ListOf(() => PausePointView, {
    description: 'The open pauses, in the order of their paths: that of branch 2 before that of branch 10.',
  })
  pausePoints!: PausePointView[];
}

export class SyncResultView extends TraceView {
  @Bool({
    description:
      'False when the run failed or was cancelled, although the call is answered with 200; true for a paused run.',
  })
  success!: boolean;
  @Anything({ description: 'The output of the workflow; an empty object until the run has ended.' })
  output!: Json;
  @One(() => LimitsView, {
    description: 'The rate limits and the usage of the caller after this call.',
  })
  limits!: LimitsView;
  @Text({ description: 'The id of the execution, which begins with `exec_`.' }) executionId!: string;
  @Text({ description: 'The id of the job of this execution, which begins with `job_`.' }) jobId!: string;
  @OneOf(['completed', 'failed', 'paused', 'cancelled'], {
    description: 'The state of the run; `paused` when it waits for a person.',
  })
  status!: string;
  @Text({ nullable: true, description: 'The failure of the run, in a sentence; null when it did not fail.' })
  error!: string | null;
  @RunFailure()
  failure?: Failure;
  @One(() => PausedView, {
    optional: true,
    description: 'The open pauses of the run; absent when it does not wait.',
  })
  paused?: PausedView;
  @One(() => RunMetadataView, { description: 'The start and the end of the run.' })
  metadata!: RunMetadataView;
  @Texts({
    optional: true,
    description:
      'The sent inputs that the workflow does not declare, a sentence each; absent when there are none.',
  })
  warnings?: string[];
}

export class JobLinksView {
  @Text({ description: 'The absolute URL of the job.' }) status!: string;
}

export class AcknowledgementView {
  @Bool({ description: 'Always true: the execution is committed.' }) success!: boolean;
  @Bool({ description: 'Always true. The answer of a run that has ended does not have it.' }) async!: boolean;
  @Text({ description: 'The id of the job of this execution, which begins with `job_`.' }) jobId!: string;
  @Text({ description: 'Equal to jobId.' }) taskId!: string;
  @Text({ description: 'The id of the execution, which begins with `exec_`.' }) executionId!: string;
  @OneOf(['queued'], { description: 'Always `queued`. Read the job for its state.' }) status!: string;
  @Text({ description: 'The absolute URL of the job. Read it with the key of this call.' })
  statusUrl!: string;
  @One(() => JobLinksView, { description: 'The URL of the job, in the form that some clients read.' })
  links!: JobLinksView;
  @Text({ description: 'The accepted work, in a sentence for people.' }) message!: string;
  @Time({ description: 'The time of acceptance, in ISO 8601 and UTC.' }) createdAt!: string;
  @One(() => LimitsView, {
    description: 'The rate limits and the usage of the caller after this call.',
  })
  limits!: LimitsView;
  @Held() held?: HeldView;
  @WaitsFor() waitsFor?: WaitsForView;
  @Texts({
    optional: true,
    description:
      'The sent inputs that the workflow does not declare, a sentence each; absent when there are none.',
  })
  warnings?: string[];
}

export const jobStatuses = ['queued', 'processing', 'completed', 'failed'] as const;

/** The job status of a run. The interface has four: a cancelled run has failed, and a paused one is processing. */
export function toJobStatus({ status }: Pick<Execution, 'status'>): (typeof jobStatuses)[number] {
  if (status === 'queued' || status === 'completed') return status;
  return terminal(status) ? 'failed' : 'processing';
}

export const toJobId = (executionId: string) => executionId.replace(/^exec_/, 'job_');

export class JobMetadataView {
  @Time({ description: 'The time of acceptance, in ISO 8601 and UTC.' }) createdAt!: string;
  @StartedAt() startedAt!: string | null;
  @EndedAt() completedAt!: string | null;
  @DurationMs() duration!: number | null;
}

export class JobView {
  @Bool({ description: 'Always true: the job was found. The state of the run is in `status`.' })
  success!: boolean;
  @Text({ description: 'Equal to jobId.' }) taskId!: string;
  @Text({ description: 'The id of the job of this execution, which begins with `job_`.' }) jobId!: string;
  @Text({ description: 'The id of the execution, which begins with `exec_`.' }) executionId!: string;
  @OneOf(jobStatuses, {
    description: '`processing` while the run works or waits for a person. A cancelled run is `failed` too.',
  })
  status!: string;
  @Anything({ optional: true, description: 'Only when completed: the output of the workflow itself.' })
  output?: Json;
  @Text({
    optional: true,
    description: 'The failure of the run, in a sentence; absent when it did not fail.',
  })
  error?: string;
  @RunFailure()
  failure?: Failure;
  @One(() => PausedView, {
    optional: true,
    description: 'The open pauses of the run; absent when it does not wait for people.',
  })
  paused?: PausedView;
  @Held() held?: HeldView;
  @WaitsFor() waitsFor?: WaitsForView;
  @BatchedInto() batchedInto?: string;
  @One(() => JobMetadataView, { description: 'The times of acceptance, start and end.' })
  metadata!: JobMetadataView;

  static of(row: Execution, jobId: string, paused: PausedView | null): JobView {
    const { createdAt, startedAt, completedAt } = row;
    return {
      success: true,
      taskId: jobId,
      jobId,
      executionId: row.id,
      status: toJobStatus(row),
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

/** The large value of an execution in a path. */
export interface ValueParams {
  workflowId: string;
  executionId: string;
  valueId: string;
}

export class StoredValueView {
  @Anything({ description: 'The value, as the block gave it.' }) data!: Json;
}

export class MadeFromView {
  @Text({ description: 'The id of the original execution.' }) executionId!: string;
  @Text({
    nullable: true,
    description: 'The visit from which the run went on anew; null when everything ran anew.',
  })
  path!: string | null;
  @Texts({
    optional: true,
    description: 'The parameters of that visit that were replaced. Absent when none was.',
  })
  input?: string[];
}

export class ExecutionView extends TraceView {
  @Text({ description: 'The id of the execution, which begins with `exec_`.' }) executionId!: string;
  @Text({ description: 'The id of the job of this execution, which begins with `job_`.' }) jobId!: string;
  @Text({ description: 'The id of the workflow.' }) workflowId!: string;
  @Text({ description: 'The name of the workflow when the execution was accepted.' }) workflowName!: string;
  @Text({
    nullable: true,
    description:
      'The title: the template of the workflow with the inputs in it, or a line of the inputs. Null when these say nothing.',
  })
  title!: string | null;
  @Int({ description: 'The version of the workflow that the execution is pinned to.' }) version!: number;
  @OneOf(executionStatuses, {
    description: 'The state of the execution. `completed`, `failed` and `cancelled` are final.',
  })
  status!: string;
  @OneOf(['sync', 'async'], {
    description: '`sync` when the caller waited, `async` when the caller asked for a job.',
  })
  mode!: string;
  @IsTest() isTest!: boolean;
  @Text({ description: origins }) trigger!: string;
  @ActorField(
    'The user or the key that started the execution, or for which its trigger acts. `triggerId` is the trigger.',
  )
  actor!: JsonObject;
  @Obj({ description: 'The inputs, with the defaults of the start block.' }) inputs!: JsonObject;
  @Anything({ description: 'The output of the workflow; null until the run has completed.' }) output!: Json;
  @Text({ nullable: true, description: 'The failure of the run, in a sentence; null when it did not fail.' })
  error!: string | null;
  @One(() => FailureView, {
    nullable: true,
    description: 'The failure of the run, with its code and its block; null when it did not fail.',
  })
  failure!: Failure | null;
  @One(() => PausedView, {
    nullable: true,
    description: 'The open pauses of the run; null when it does not wait for people.',
  })
  paused!: PausedView | null;
  @Held() held?: HeldView;
  @WaitsFor() waitsFor?: WaitsForView;
  @BatchedInto() batchedInto?: string;
  @Bool({ description: 'True when a cancel was asked for.' }) cancelRequested!: boolean;
  @Text({
    nullable: true,
    description:
      'The time at which a person retried the execution last, in ISO 8601 and UTC; null when nobody did.',
  })
  retriedAt!: string | null;
  @One(() => MadeFromView, {
    nullable: true,
    description: 'The execution that this one is a fork of; null for one that was executed.',
  })
  madeFrom!: MadeFrom | null;
  @ListOf(() => VisitView, { description: 'One page of the block log, in the order of the visits.' })
  blocks!: VisitView[];
  @Text({ nullable: true, description: 'The `cursor` of the next page; null on the last page.' })
  nextCursor!: string | null;
  @Text({ nullable: true, description: 'The run in the Temporal UI.' }) temporalUrl!: string | null;
  @One(() => JobMetadataView, { description: 'The times of acceptance, start and end.' })
  metadata!: JobMetadataView;

  static of(row: ExecutionDetail, paused: PausedView | null, temporalUrl: string | null): ExecutionView {
    const { workflowId, workflowName, version, status, mode, trigger, actor, inputs, output, failure } = row;
    return {
      executionId: row.id,
      jobId: toJobId(row.id),
      workflowId,
      workflowName,
      title: row.title,
      version,
      status,
      mode,
      isTest: row.isTest,
      trigger,
      actor,
      inputs,
      output,
      failure,
      paused,
      temporalUrl,
      error: failure?.message ?? null,
      cancelRequested: row.cancelRequestedAt !== null,
      retriedAt: row.retriedAt?.toISOString() ?? null,
      madeFrom: row.madeFrom,
      blocks: row.visits.map((visit) => VisitView.of(visit)),
      nextCursor: row.nextCursor,
      metadata: JobView.of(row, '', null).metadata,
    };
  }
}

export class CancelView {
  @Bool({ description: 'Always true: the request to end is committed.' }) success!: boolean;
  @Text({ description: 'The id of the execution, which begins with `exec_`.' }) executionId!: string;
  @OneOf(executionStatuses, { description: 'The state of the execution at the time of this call.' })
  status!: string;
  @Text({ description: 'The next step, in a sentence for people.' }) message!: string;
}
