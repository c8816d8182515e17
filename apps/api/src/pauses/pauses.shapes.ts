import { approves } from '#libs/definition/blocks/approvals';
import type { Json, JsonObject } from '#libs/definition/values';
import type { FormField } from '#libs/engine/effects';
import type { InboxItem } from '#libs/pauses/inbox';
import type { CallerLinks, LinkTarget } from '#libs/pauses/links';
import { pausedStatuses, resumeStatuses, type PausePoint, type ResumeEntry } from '#libs/pauses/pause.entity';
import type { PausedDetail, PausedWithPoints } from '#libs/pauses/pauses';
import type { TrailEntry } from '#libs/pauses/trail';
import { Anything, Bool, Int, ListOf, Num, Obj, One, OneOf, Text, Texts, Time } from '../http/fields.ts';
import { CursorQuery, WorkspaceCursorQuery } from '../http/cursor-query.ts';

/** Which pause a path names. */
export interface PauseParams {
  workflowId: string;
  executionId: string;
  contextId: string;
}

export class ResumeLinksView {
  @Text() apiUrl!: string;
  @Text({
    nullable: true,
    description:
      'The page where the caller, and whoever has this link, can answer; null for a caller who may not.',
  })
  uiUrl!: string | null;
  @Text() contextId!: string;
  @Text() executionId!: string;
  @Text() workflowId!: string;
}

export class DisplayFieldView {
  @Text() label!: string;
  @Anything() value!: Json;
  @Text({ optional: true }) format?: string;
}

export class DisplayView {
  @Text() title!: string;
  @Text() message!: string;
  @ListOf(() => DisplayFieldView) fields!: DisplayFieldView[];
}

export class OptionView {
  @Text() label!: string;
  @Text() value!: string;
}

export class FormFieldView {
  @Text() name!: string;
  @Text() type!: string;
  @Text() label!: string;
  @Text({ optional: true }) description?: string;
  @Text({ optional: true }) placeholder?: string;
  @Bool() required!: boolean;
  @ListOf(() => OptionView, { optional: true }) options?: OptionView[];
  @Anything({ optional: true }) default?: Json;
  @Num({ optional: true }) min?: number;
  @Num({ optional: true }) max?: number;
  @Text({ optional: true }) pattern?: string;
}

export class PauseResponseView {
  @One(() => DisplayView) displayData!: DisplayView;
  @ListOf(() => FormFieldView) formFields!: FormField[];
}

export class ResumeEntryView {
  @Text() id!: string;
  @Text() pausedExecutionId!: string;
  @Text() parentExecutionId!: string;
  @Text() newExecutionId!: string;
  @Text() contextId!: string;
  @Anything() resumeInput!: Json;
  @OneOf(['pending', 'claimed', 'completed', 'failed']) status!: string;
  @Time() queuedAt!: string;
  @Time({ nullable: true }) claimedAt!: string | null;
  @Time({ nullable: true }) completedAt!: string | null;
  @Text({ nullable: true }) failureReason!: string | null;
  @Obj({ description: 'Who answered.' }) actor!: JsonObject;

  static of(entry: ResumeEntry): ResumeEntryView {
    const { id, pausedExecutionId, newExecutionId, contextId, answers, status, failureReason, actor } = entry;
    return {
      id,
      pausedExecutionId,
      newExecutionId,
      contextId,
      resumeInput: answers,
      status,
      failureReason,
      actor,
      parentExecutionId: entry.executionId,
      queuedAt: entry.queuedAt.toISOString(),
      claimedAt: entry.claimedAt?.toISOString() ?? null,
      completedAt: entry.completedAt?.toISOString() ?? null,
    };
  }
}

export class ParallelScopeView {
  @Text() parallelId!: string;
  @Int() branchIndex!: number;
  @Int() branchTotal!: number;
}

export class LoopScopeView {
  @Text() loopId!: string;
  @Int() iteration!: number;
}

export class VoteView {
  @Text() person!: string;
  @Bool() approved!: boolean;
  @Time() at!: string;
}

export class ApprovalsView {
  @Int({ description: 'So many must say yes.' }) required!: number;
  @Bool({ description: 'One no is enough.' }) veto!: boolean;
  @Bool() allowStarter!: boolean;
  @Texts() assignees!: string[];
  @Texts() roles!: string[];
  @Text({ description: 'The field that says yes or no.' }) decision!: string;
  @ListOf(() => VoteView, { optional: true, description: 'So far; not in lists.' })
  votes?: VoteView[];
}

export class PausePointView {
  @Text() contextId!: string;
  @Text() blockId!: string;
  @Time() registeredAt!: string;
  @OneOf(resumeStatuses) resumeStatus!: string;
  @Bool() snapshotReady!: boolean;
  @One(() => ResumeLinksView) resumeLinks!: ResumeLinksView;
  @One(() => PauseResponseView, { nullable: true }) response!: PauseResponseView | null;
  @Time({ nullable: true }) expiresAt!: string | null;
  @Int({ optional: true, nullable: true, description: 'Only when one execution is read.' }) queuePosition?:
    | number
    | null;
  @One(() => ResumeEntryView, {
    optional: true,
    nullable: true,
    description: 'Only when one execution is read.',
  })
  latestResumeEntry?: ResumeEntryView | null;
  @One(() => ApprovalsView, { optional: true, description: 'Where only certain people may answer.' })
  approvals?: ApprovalsView;
  @One(() => ParallelScopeView, { optional: true }) parallelScope?: ParallelScopeView;
  @One(() => LoopScopeView, { optional: true }) loopScope?: LoopScopeView;

  /** With `entries` it has the votes among them. */
  static of(
    point: PausePoint,
    workflowId: string,
    links: CallerLinks,
    entries?: ResumeEntry[],
  ): PausePointView {
    const {
      contextId,
      blockId,
      rootId: executionId,
      workspaceId,
      registeredAt,
      resumeStatus,
      display,
      form,
      expiresAt,
      asking,
    } = point;
    const target: LinkTarget = { workspaceId, workflowId, executionId, contextId };
    return {
      contextId,
      blockId,
      resumeStatus,
      registeredAt: registeredAt.toISOString(),
      // The commit that makes a pause point visible also holds the snapshot.
      snapshotReady: true,
      resumeLinks: {
        apiUrl: links.apiUrl(target),
        uiUrl: links.uiUrl(target, point),
        contextId,
        executionId,
        workflowId,
      },
      response: {
        displayData: { title: display.title, message: display.message, fields: display.fields },
        formFields: form,
      },
      expiresAt: expiresAt?.toISOString() ?? null,
      ...(asking?.approvals ? { approvals: { ...asking.approvals, ...votesOf(point, entries) } } : {}),
      ...display.scopes,
    };
  }
}

export class PausedExecutionView {
  @Text() id!: string;
  @Text() workflowId!: string;
  @Text() executionId!: string;
  @OneOf(pausedStatuses) status!: string;
  @Int() totalPauseCount!: number;
  @Int() resumedCount!: number;
  @Time() pausedAt!: string;
  @Time() updatedAt!: string;
  @Time({ nullable: true }) expiresAt!: string | null;
  @Obj({ nullable: true }) metadata!: JsonObject | null;
  @Texts({ description: 'The blocks that paused.' }) triggerIds!: string[];
  @ListOf(() => PausePointView, { description: 'In a list, 20 at most: the open ones first.' })
  pausePoints!: PausePointView[];

  static of(
    { paused, points }: PausedWithPoints,
    links: CallerLinks,
    entries?: ResumeEntry[],
  ): PausedExecutionView {
    const { id, workflowId, executionId, status, totalPauseCount, resumedCount, metadata } = paused;
    return {
      id,
      workflowId,
      executionId,
      status,
      totalPauseCount,
      resumedCount,
      metadata,
      pausedAt: paused.pausedAt.toISOString(),
      updatedAt: paused.updatedAt.toISOString(),
      expiresAt: paused.expiresAt?.toISOString() ?? null,
      triggerIds: [...new Set(points.map(({ blockId }) => blockId))],
      pausePoints: points.map((point) => PausePointView.of(point, workflowId, links, entries)),
    };
  }
}

export class SnapshotView {
  @Text({ description: 'JSON text of the public state of the run.' }) snapshot!: string;
  @Texts() triggerIds!: string[];
}

export class PausedDetailView extends PausedExecutionView {
  @One(() => SnapshotView) executionSnapshot!: SnapshotView;
  @ListOf(() => ResumeEntryView, { description: 'The answers to these pauses, the oldest first.' })
  queue!: ResumeEntryView[];
  @Text({ nullable: true, description: 'The `cursor` of the next page of pauses; null on the last page.' })
  nextCursor!: string | null;

  static ofDetail(detail: PausedDetail, links: CallerLinks): PausedDetailView {
    const base = PausedExecutionView.of(detail, links, detail.entries);
    const pausePoints = base.pausePoints.map((point) => {
      const latest = detail.entries.findLast(({ contextId }) => contextId === point.contextId);
      const position = detail.waiting.indexOf(point.contextId);
      return {
        ...point,
        queuePosition: position < 0 ? null : position + 1,
        latestResumeEntry: latest ? ResumeEntryView.of(latest) : null,
      };
    });
    return {
      ...base,
      pausePoints,
      executionSnapshot: {
        snapshot: JSON.stringify(detail.paused.snapshot ?? {}),
        triggerIds: base.triggerIds,
      },
      queue: detail.entries.map((entry) => ResumeEntryView.of(entry)),
      nextCursor: detail.nextCursor,
    };
  }
}

function votesOf({ contextId, asking }: PausePoint, entries?: ResumeEntry[]): { votes?: VoteView[] } {
  const approvals = asking?.approvals;
  if (!approvals || !entries) return {};
  const votes = entries.flatMap(({ person, status, answers, queuedAt, ...entry }) => {
    if (!person || status === 'failed' || entry.contextId !== contextId) return [];
    return [{ person: person.id, approved: approves(approvals, answers), at: queuedAt.toISOString() }];
  });
  return { votes };
}

export class InboxItemView extends PausePointView {
  @Text() workflowId!: string;
  @Text() workflowName!: string;
  @Text() executionId!: string;
  @Bool({ description: 'Put to whoever asks, and waiting for their word.' }) mine!: boolean;

  static ofItem(item: InboxItem, links: CallerLinks): InboxItemView {
    const { workflowId, workflowName, rootId: executionId, mine } = item;
    return { ...PausePointView.of(item, workflowId, links), workflowId, workflowName, executionId, mine };
  }
}

export class InboxListQuery extends WorkspaceCursorQuery {
  @Bool({ query: true, optional: true, default: false, description: 'Only what is put to whoever asks.' })
  mine: boolean = false;
}

export class DelegateBody {
  @Text({ min: 3, max: 320, description: 'The e-mail address or user id of whoever is to answer instead.' })
  to!: string;
  @Text({ optional: true, max: 1000 }) note?: string;
}

export class TrailEntryView {
  @Time() at!: string;
  @Text() event!: string;
  @Text({ nullable: true }) who!: string | null;
  @Text() note!: string;

  static of({ at, ...rest }: TrailEntry): TrailEntryView {
    return { ...rest, at: at.toISOString() };
  }
}

export class PausedQuery extends CursorQuery {
  @Text({ optional: true, max: 200, description: `A comma list of ${pausedStatuses.join(', ')}.` })
  status?: string;
}

export class PausePointsQuery {
  @Int({ query: true, optional: true, min: 1, max: 100, default: 100, description: 'Pauses of one page.' })
  limit: number = 100;
  @Text({ optional: true, max: 1000, description: 'The `nextCursor` of the page before.' })
  cursor?: string;
}
