import type { Json, JsonObject } from '#libs/definition/values';
import type { Failure } from '#libs/engine/effects';
import { executionStatuses } from '#libs/executions/execution.entity';
import { FailureView } from '../executions/block-log.shapes.ts';
import { PausedView } from '../executions/executions.shapes.ts';
import { Anything, Bool, Int, Obj, One, OneOf, Text, Time } from '../http/fields.ts';

export class ResumeBody {
  @Obj({ optional: true, description: 'The answers, by the names of the form fields.' }) input?: JsonObject;
  @Bool({ optional: true, description: 'Answer at once with a job.' }) async?: boolean;
}

export class ResumeMetadataView {
  @Int() duration!: number;
  @Time() startTime!: string;
  @Time({ nullable: true }) endTime!: string | null;
}

export class ResumeResultView {
  @Bool() success!: boolean;
  @OneOf(executionStatuses) status!: string;
  @Text() executionId!: string;
  @Anything() output!: Json;
  @Text({ nullable: true }) error!: string | null;
  @One(() => FailureView, { optional: true, description: 'Why the run failed; absent when it did not.' })
  failure?: Failure;
  @One(() => PausedView, { optional: true, description: 'Where the run waits now; absent when it does not.' })
  paused?: PausedView;
  @One(() => ResumeMetadataView) metadata!: ResumeMetadataView;
}

export class ResumeAcknowledgementView {
  @Bool() success!: boolean;
  @Bool() async!: boolean;
  @Text() jobId!: string;
  @Text() executionId!: string;
  @Text() message!: string;
  @Text() statusUrl!: string;
}
