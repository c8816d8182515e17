import type { RepeatedVisit, RetryPlan } from '#libs/runs/executions/control/run-retries';
import type { Json, JsonObject } from '#libs/platform/json/json';
import type { Fork, ForkedVisit, ForkedVisits } from '#libs/runs/executions/control/run-forks';
import { Anything, Bool, Int, ListOf, Obj, One, Text, versionBounds } from '../http/fields.ts';
import { AcknowledgementView } from './executions.dto.ts';

export class RetryBody {
  @Bool({ optional: true, default: false, description: 'Only answer what a retry would do.' })
  dryRun?: boolean;
}

export class RepeatedVisitView {
  @Text({ description: 'The execution of the visit: the retried one, or a child of it.' })
  executionId!: string;
  @Text({ description: 'The path of the visit in the block log.' }) path!: string;
  @Text({ description: 'The id of the block.' }) blockId!: string;
  @Text({ description: 'The name of the block.' }) name!: string;
  @Text({ description: 'The type of the block.' }) type!: string;
  @Int({ description: 'The attempts that the visit has had. They go on counting.' }) attempts!: number;
  @Bool({
    description:
      'True when its call is sent with a new `Idempotency-Key`, so that its receiver does it again. False for a child, which goes on from its own failed visit.',
  })
  newKey!: boolean;
  @Text({ nullable: true, description: 'The new key of its call; null for a child.' }) key!: string | null;

  static of({ key, ...visit }: RepeatedVisit): RepeatedVisitView {
    return { ...visit, newKey: key !== null, key };
  }
}

export class KeptCallView {
  @Text({ description: 'The execution of the visit: the retried one, or a child of it.' })
  executionId!: string;
  @Text({ description: 'The path of the visit in the block log.' }) path!: string;
  @Text({
    nullable: true,
    description: 'The key that its call had; null when the execution that made it was deleted.',
  })
  key!: string | null;
}

export class RetryView {
  @Text({ description: 'The id of the execution, which begins with `exec_`.' }) executionId!: string;
  @Bool({ description: 'True when nothing was changed.' }) dryRun!: boolean;
  @Int({ description: 'The completed visits whose results are kept.' }) kept!: number;
  @ListOf(() => KeptCallView, {
    description: 'With `dryRun` the calls that are not made again, each with its key; otherwise empty.',
  })
  keptCalls!: KeptCallView[];
  @ListOf(() => RepeatedVisitView, { description: 'The visits that run anew.' })
  repeated!: RepeatedVisitView[];

  static of({ executionId, kept, keptCalls, repeated }: RetryPlan, dryRun: boolean): RetryView {
    return {
      executionId,
      dryRun,
      kept,
      keptCalls,
      repeated: repeated.map((visit) => RepeatedVisitView.of(visit)),
    };
  }
}

export class ForkBody {
  @Text({
    optional: true,
    max: 2000,
    description:
      'The `path` of the visit from which the run goes on anew, as the block log has it. Absent: everything runs anew.',
  })
  from?: string;
  @Int({
    optional: true,
    ...versionBounds,
    description: 'The version to run; absent: that of the execution.',
  })
  version?: number;
  @Obj({ optional: true, description: 'Inputs in the place of those of the execution.' }) inputs?: JsonObject;
  @Anything({
    optional: true,
    description:
      'The output of the visit `from`, which is then not carried out: of a call its output, of a pause the answers of its form.',
  })
  output?: Json;
  @Obj({
    optional: true,
    description:
      'Values in the place of parameters of the visit `from`, which is carried out with them; null takes one away. They are checked as in a definition, and are no templates. It needs the permission to write the workflow.',
  })
  input?: JsonObject;
  @Bool({ optional: true, default: false, description: 'Only answer what a fork would do.' })
  dryRun?: boolean;
}

export class ForkedVisitView {
  @Text({ description: 'The path of the visit in the block log.' }) path!: string;
  @Text({ description: 'The id of the block.' }) blockId!: string;
  @Text({ description: 'The name of the block.' }) name!: string;
  @Text({ description: 'The type of the block.' }) type!: string;
  @Bool({
    description:
      'True for a call that its receiver gets again, with an `Idempotency-Key` of the fork (its id, `/` and the path), and for a child, whose calls are all made again. False for what is kept and what only computes.',
  })
  newKey!: boolean;
  @Text({
    nullable: true,
    description:
      'The key of its call: of what is kept the one that it had, of what runs anew the one that it gets. With `dryRun` the id of the fork is not known yet, and `{id of the fork}` stands for it. Null for a child, whose calls have keys of their own, for what makes no call, and when the execution that made it was deleted.',
  })
  key!: string | null;

  static of({ repeatsCalls, ...visit }: ForkedVisit): ForkedVisitView {
    return { ...visit, newKey: repeatsCalls };
  }
}

export class ForkView {
  @Bool({ description: 'True when nothing was made.' }) dryRun!: boolean;
  @Text({ description: 'The execution that the fork goes on from.' }) madeFrom!: string;
  @Int({ description: 'The version that the fork runs.' }) version!: number;
  @ListOf(() => ForkedVisitView, {
    description: 'The visits whose results the fork takes over: their calls are not made again.',
  })
  kept!: ForkedVisitView[];
  @ListOf(() => ForkedVisitView, {
    description:
      'The visits with which the fork goes on, also those that only its version has, and then the visits of the original that are carried out anew when the run comes to them. Calls happen again, with the keys of the fork.',
  })
  repeated!: ForkedVisitView[];
  @Obj({
    nullable: true,
    description:
      'The parameters with which the visit `from` is carried out: as written, with those of `input` in their place. Null without `input`.',
  })
  input!: JsonObject | null;
  @One(() => AcknowledgementView, {
    nullable: true,
    description: 'The accepted execution, as a job; null for a dry run.',
  })
  execution!: AcknowledgementView | null;

  static of(
    { madeFrom, version, edited }: Fork,
    { kept, repeated }: ForkedVisits,
    execution: AcknowledgementView | null,
  ): ForkView {
    const dryRun = execution === null;
    const toViews = (visits: ForkedVisit[]) => visits.map((visit) => ForkedVisitView.of(visit));
    const visits = { kept: toViews(kept), repeated: toViews(repeated) };
    return {
      dryRun,
      madeFrom: madeFrom.executionId,
      version,
      ...visits,
      input: edited?.params ?? null,
      execution,
    };
  }
}
