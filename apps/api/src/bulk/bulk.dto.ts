import type { JsonObject } from '#libs/platform/json/json';
import {
  type BulkCounts,
  type BulkItem,
  type BulkJob,
  bulkJobVerbs,
  bulkOutcomes,
  type BulkVerb,
  bulkVerbs,
} from '#libs/runs/bulk/bulk-jobs';
import { ActorField, Bool, Int, Num, Obj, One, OneOf, Text, Time } from '../http/fields.ts';
import { PageCursor, PageLimit } from '../http/cursor-query.ts';
import { WorkspaceId } from '../http/workspace-query.ts';
import { LogSelection } from '../logs/logs.dto.ts';

const verbText =
  '`retry`: failed executions go on from where they failed. `cancel`: those that have not ended. `answer`: the open pause of each takes the same answers. `fork`: those that have ended run again. `delete`: those that have ended.';

const rate = {
  optional: true,
  min: 0.1,
  max: 100,
  description: 'How many executions a second at most. Left out: 50.',
};

export class CreateBulkBody {
  @WorkspaceId() workspaceId?: string;
  @OneOf(bulkVerbs, { description: verbText }) verb!: BulkVerb;
  @One(() => LogSelection, {
    description: 'Which executions, as in the list of logs. At most 10,000; an empty filter is all.',
  })
  filter!: LogSelection;
  @OneOf(['start', 'failure'], {
    optional: true,
    default: 'start',
    description:
      'Of a fork. `failure`: it keeps what was done before the visit that failed, and goes on there.',
  })
  from?: 'start' | 'failure';
  @OneOf(['live', 'same'], {
    optional: true,
    default: 'live',
    description: 'Of a fork. `live`: it runs the live version. `same`: that of its execution.',
  })
  version?: 'live' | 'same';
  @Obj({
    optional: true,
    description: 'Of an answer, and required for it: the members of the form, as a person fills it.',
  })
  answers?: JsonObject;
  @Text({
    optional: true,
    max: 200,
    description:
      'Of an answer: the id of the block whose pause is meant. Left out, an execution with more than one open pause is refused.',
  })
  block?: string;
  @Num(rate) perSecond?: number;
  @Bool({ optional: true, default: false, description: 'Only count what the job would do.' })
  dryRun?: boolean;
}

export class UndoBulkBody {
  @WorkspaceId() workspaceId?: string;
  @Num(rate) perSecond?: number;
  @Bool({ optional: true, default: false, description: 'Only count what can be undone.' })
  dryRun?: boolean;
}

export class BulkCountsView {
  @Int({ description: 'The executions that the filter finds.' }) found!: number;
  @Int({
    description:
      'Those to which the verb can be done, as far as it can be told before. For an answer: whose one open pause, or that of `block`, has a form that takes the answers.',
  })
  eligible!: number;
  @Obj({ description: 'What the filter finds, by state.' }) byStatus!: Record<string, number>;
}

export class BulkJobView {
  @Text({ description: 'The id of the job, which begins with `bulk_`.' }) id!: string;
  @Text({ description: 'The id of its workspace.' }) workspaceId!: string;
  @OneOf(bulkJobVerbs, { description: `${verbText} \`undo\`: what another job has done is taken back.` })
  verb!: string;
  @Obj({ description: 'The filter that found its executions.' }) filter!: JsonObject;
  @Obj({
    description:
      'Of a fork: `from` and `version`. Of an answer: `answers` and `block`. Of an undo: the `job` and its verb.',
  })
  options!: object;
  @OneOf(['running', 'completed', 'aborted'], {
    description: '`completed` when every execution has its outcome, `aborted` when a person ended it.',
  })
  status!: string;
  @Int({ description: 'The executions of the job.' }) total!: number;
  @Int({ description: 'Those to which it was done.' }) done!: number;
  @Int({ description: 'Those that refused it; the items say why.' }) refused!: number;
  @Int({ description: 'Those that another job has undone.' }) undone!: number;
  @Num({ description: 'How many executions a second at most.' }) perSecond!: number;
  @Text({
    nullable: true,
    description: 'Why the job waits, for example for the release of a hold; null while it works.',
  })
  waitsFor!: string | null;
  @ActorField('The user or the key for which it acts.') actor!: JsonObject;
  @Time({ description: 'The time of its acceptance.' }) createdAt!: string;
  @Time({ nullable: true, description: 'The time of its end; null while it runs.' }) endedAt!: string | null;

  static of({ createdAt, endedAt, ...job }: BulkJob): BulkJobView {
    const { id, workspaceId, verb, filter, options, status, total, done, refused, undone, perSecond } = job;
    return {
      id,
      workspaceId,
      verb,
      filter,
      options,
      status,
      total,
      done,
      refused,
      undone,
      perSecond,
      waitsFor: job.waitsFor,
      actor: job.actor,
      createdAt: createdAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
    };
  }
}

export class CreatedBulkView {
  @Bool({ description: 'True when nothing was accepted.' }) dryRun!: boolean;
  @One(() => BulkCountsView, { description: 'What the filter finds.' }) counts!: BulkCounts;
  @One(() => BulkJobView, { nullable: true, description: 'The accepted job; null for a dry run.' })
  job!: BulkJobView | null;
}

export class BulkItemsQuery {
  @OneOf(bulkOutcomes, { optional: true, description: 'Only executions with this outcome.' })
  outcome?: (typeof bulkOutcomes)[number];
  @PageLimit('executions', 100, { max: 1000 }) limit: number = 100;
  @PageCursor() cursor?: string;
  @WorkspaceId() workspaceId?: string;
}

export class BulkItemView {
  @Text({ description: 'The id of the execution.' }) executionId!: string;
  @Text({ nullable: true, description: 'The execution that a fork has made; null for every other.' })
  madeExecutionId!: string | null;
  @OneOf(bulkOutcomes, { nullable: true, description: 'What became of it; null while it waits.' })
  outcome!: string | null;
  @Text({ nullable: true, description: 'Why it was refused, as a stable word.' }) code!: string | null;
  @Text({ nullable: true, description: 'Why it was refused, in a sentence.' }) message!: string | null;
  @Time({ nullable: true, description: 'The time of the outcome.' }) at!: string | null;
  @Time({ nullable: true, description: 'The time at which another job has undone it.' })
  undoneAt!: string | null;

  static of({ executionId, madeId, outcome, code, message, at, undoneAt }: BulkItem): BulkItemView {
    const times = { at: at?.toISOString() ?? null, undoneAt: undoneAt?.toISOString() ?? null };
    return { executionId, madeExecutionId: madeId, outcome, code, message, ...times };
  }
}
