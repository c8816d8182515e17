import type { Json, JsonObject } from '#libs/platform/json/json';
import type { Failure } from '#libs/language/engine/effects';
import { executionStatuses } from '#libs/runs/executions/execution.entity';
import { FailureView } from '../executions/block-log.shapes.ts';
import { PausedView } from '../executions/executions.shapes.ts';
import { Anything, Bool, Int, Obj, One, OneOf, Text, Time } from '../http/fields.ts';

export class ResumeBody {
  @Obj({ optional: true, description: 'The answers, by the names of the form fields.' }) input?: JsonObject;
  @Bool({ optional: true, description: 'Answer at once with a job.' }) async?: boolean;
}

export class ResumeMetadataView {
  @Int({ description: 'Milliseconds from start to end, or to now.' }) duration!: number;
  @Time({ description: 'When the answer was taken, in ISO 8601 and UTC.' }) startTime!: string;
  @Time({ nullable: true, description: 'When the run had ended or waited again; null until then.' })
  endTime!: string | null;
}

export class ResumeResultView {
  @Bool({
    description: 'False when the run failed or was cancelled after the answer; true when it waits again.',
  })
  success!: boolean;
  @OneOf(executionStatuses, { description: 'How the run stands after the answer.' }) status!: string;
  @Text({ description: 'The id that this answer has as an execution of its own; every path takes it too.' })
  executionId!: string;
  @Anything({ description: 'What the workflow answers; an empty object until the run has completed.' })
  output!: Json;
  @Text({ nullable: true, description: 'Why the run failed, in a sentence; null when it did not.' }) error!:
    | string
    | null;
  @One(() => FailureView, { optional: true, description: 'Why the run failed; absent when it did not.' })
  failure?: Failure;
  @One(() => PausedView, { optional: true, description: 'Where the run waits now; absent when it does not.' })
  paused?: PausedView;
  @One(() => ResumeMetadataView, { description: 'When the run went on, and when it stopped.' })
  metadata!: ResumeMetadataView;
}

export class ResumeAcknowledgementView {
  @Bool({ description: 'Always true: the answer is committed.' }) success!: boolean;
  @Bool({ description: 'Always true, which tells this answer from that of a run.' }) async!: boolean;
  @Text({ description: 'The id of the same execution as a job, which begins with `job_`.' }) jobId!: string;
  @Text({ description: 'The id that this answer has as an execution of its own; every path takes it too.' })
  executionId!: string;
  @Text({ description: 'What was accepted, in a sentence for people.' }) message!: string;
  @Text({ description: 'The absolute URL of the job, to be asked with the same key.' }) statusUrl!: string;
}
