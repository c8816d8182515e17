import type { Json, JsonObject } from '#libs/platform/json/json';
import type { Failure } from '#libs/language/engine/effects';
import { executionStatuses } from '#libs/runs/executions/execution.entity';
import { FailureView } from '../executions/block-log.dto.ts';
import { PausedView } from '../executions/executions.dto.ts';
import { Anything, Bool, Int, Obj, One, OneOf, Text, Time } from '../http/fields.ts';

export class ResumeBody {
  @Obj({ optional: true, description: 'The answers, by the names of the form fields.' }) input?: JsonObject;
  @Bool({ optional: true, description: 'Answer at once with a job.' }) async?: boolean;
}

export class ResumeMetadataView {
  @Int({ description: 'Milliseconds from start to end, or to now.' }) duration!: number;
  @Time({ description: 'The time at which the answer was taken, in ISO 8601 and UTC.' }) startTime!: string;
  @Time({
    nullable: true,
    description: 'The time at which the run had ended or waited again; null until then.',
  })
  endTime!: string | null;
}

export class ResumeResultView {
  @Bool({
    description: 'False when the run failed or was cancelled after the answer; true when it waits again.',
  })
  success!: boolean;
  @OneOf(executionStatuses, { description: 'The state of the run after the answer.' }) status!: string;
  @Text({
    description: 'The id of this answer as an execution. Every path that takes an execution id takes it too.',
  })
  executionId!: string;
  @Anything({ description: 'The output of the workflow; an empty object until the run has completed.' })
  output!: Json;
  @Text({ nullable: true, description: 'The failure of the run, in a sentence; null when it did not fail.' })
  error!: string | null;
  @One(() => FailureView, {
    optional: true,
    description: 'The failure of the run; absent when it did not fail.',
  })
  failure?: Failure;
  @One(() => PausedView, {
    optional: true,
    description: 'The open pauses of the run now; absent when it does not wait.',
  })
  paused?: PausedView;
  @One(() => ResumeMetadataView, { description: 'The times at which the run went on and stopped.' })
  metadata!: ResumeMetadataView;
}

export class ResumeAcknowledgementView {
  @Bool({ description: 'Always true: the answer is committed.' }) success!: boolean;
  @Bool({ description: 'Always true. The answer of a run that has ended does not have it.' }) async!: boolean;
  @Text({ description: 'The id of the job of this execution, which begins with `job_`.' }) jobId!: string;
  @Text({
    description: 'The id of this answer as an execution. Every path that takes an execution id takes it too.',
  })
  executionId!: string;
  @Text({ description: 'The accepted work, in a sentence for people.' }) message!: string;
  @Text({ description: 'The absolute URL of the job. Read it with the key of this call.' })
  statusUrl!: string;
}
