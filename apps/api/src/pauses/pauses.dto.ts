import { approves } from '#libs/language/definition/blocks/approvals';
import type { Json, JsonObject } from '#libs/platform/json/json';
import type { InboxItem } from '#libs/runs/pauses/inbox';
import type { CallerLinks, LinkTarget } from '#libs/runs/pauses/links';
import {
  pausedStatuses,
  resumeStatuses,
  type PausePoint,
  type ResumeEntry,
} from '#libs/runs/pauses/pause.entity';
import type { PausedDetail, PausedWithPoints } from '#libs/runs/pauses/pauses';
import type { PauseHistoryEntry } from '#libs/runs/pauses/pause-history';
import {
  ActorField,
  Anything,
  Bool,
  Int,
  ListOf,
  NameOf,
  Obj,
  One,
  OneOf,
  Text,
  Texts,
  Time,
} from '../http/fields.ts';
import { CursorQuery, PageCursor, PageLimit, WorkspaceCursorQuery } from '../http/cursor-query.ts';
import { PauseResponseView } from './question.dto.ts';

export interface PauseParams {
  workflowId: string;
  executionId: string;
  contextId: string;
}

export class ResumeLinksView {
  @Text({ description: 'The URL to which a program posts the answer, with a key.' }) apiUrl!: string;
  @Text({
    nullable: true,
    description:
      'The page where the caller, and everyone with this link, can answer; null for a caller who may not answer.',
  })
  uiUrl!: string | null;
  @Text({ description: 'The id of the pause.' }) contextId!: string;
  @Text({ description: 'The id of the execution that waits.' }) executionId!: string;
  @Text({ description: 'The id of the workflow.' }) workflowId!: string;
}

export class ResumeEntryView {
  @Text({ description: 'The id of the answer.' }) id!: string;
  @Text({ description: 'The id under which the execution is listed as paused.' }) pausedExecutionId!: string;
  @Text({ description: 'The id of the execution that was answered.' }) parentExecutionId!: string;
  @Text({
    description: 'The id of this answer as an execution. Every path that takes an execution id takes it too.',
  })
  newExecutionId!: string;
  @Text({ description: 'The id of the pause that was answered.' }) contextId!: string;
  @Anything({ description: 'The values by the names of the fields.' }) resumeInput!: Json;
  @OneOf(['pending', 'claimed', 'completed', 'failed'], {
    description:
      '`pending` until the run takes the answer, `completed` once it has, `failed` when the answer came too late.',
  })
  status!: string;
  @Time({ description: 'The time at which the answer was committed, in ISO 8601 and UTC.' })
  queuedAt!: string;
  @Time({ nullable: true, description: 'The time at which the run took the answer; null until then.' })
  claimedAt!: string | null;
  @Time({
    nullable: true,
    description: 'The time at which the run had processed the answer; null until then.',
  })
  completedAt!: string | null;
  @Text({
    nullable: true,
    description: 'The reason for which the answer did not count, in a sentence; null when it counted.',
  })
  failureReason!: string | null;
  @ActorField('The user, key or link that answered.') actor!: JsonObject;

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
  @Text({ description: 'The id of the parallel block.' }) parallelId!: string;
  @Int({ description: 'The index of the branch, from 0.' }) branchIndex!: number;
  @Int({ description: 'The number of branches.' }) branchTotal!: number;
}

export class LoopScopeView {
  @Text({ description: 'The id of the loop block.' }) loopId!: string;
  @Int({ description: 'The index of the pass, from 0.' }) iteration!: number;
}

export class VoteView {
  @Text({ description: 'The id of the person, or of the key, that voted.' }) person!: string;
  @NameOf('person') personName?: string | null;
  @Bool({ description: 'True for an approval.' }) approved!: boolean;
  @Time({ description: 'The time at which the vote was committed, in ISO 8601 and UTC.' }) at!: string;
}

export class ApprovalsView {
  @Int({ description: 'The number of approvals that are needed.' }) required!: number;
  @Bool({ description: 'True when one rejection is enough to reject.' }) veto!: boolean;
  @Bool({ description: 'True when the starter of the execution may vote too.' }) allowStarter!: boolean;
  @Bool({
    optional: true,
    description: 'True when links are refused: only a signed-in user or a personal key may answer.',
  })
  requireSignIn?: boolean;
  @Texts({
    description: 'The people who may answer, by user id or mail address; empty when roles decide alone.',
  })
  assignees!: string[];
  @Texts({ description: 'The roles whose members may answer; empty when assignees decide alone.' })
  roles!: string[];
  @Text({ description: 'The field that says yes or no.' }) decision!: string;
  @ListOf(() => VoteView, { optional: true, description: 'The votes so far; absent in lists.' })
  votes?: VoteView[];
}

export class PausePointView {
  @Text({ description: 'The id of the pause. Each visit of a block has a new id.' }) contextId!: string;
  @Text({ description: 'The id of the human block that asks.' }) blockId!: string;
  @Time({ description: 'The time at which the pause was opened, in ISO 8601 and UTC.' })
  registeredAt!: string;
  @OneOf(resumeStatuses, {
    description:
      '`paused` while an answer is awaited. `resumed`, `expired`, `cancelled` and `failed` are final.',
  })
  resumeStatus!: string;
  @Bool({ description: 'Always true: a pause that can be seen can be answered.' }) snapshotReady!: boolean;
  @One(() => ResumeLinksView, { description: 'The links to answer the pause.' })
  resumeLinks!: ResumeLinksView;
  @One(() => PauseResponseView, { nullable: true, description: 'The message and the form for a person.' })
  response!: PauseResponseView | null;
  @Time({
    nullable: true,
    description:
      'The time at which the pause ends without an answer, in ISO 8601 and UTC; null when it waits without end.',
  })
  expiresAt!: string | null;
  @Int({
    optional: true,
    nullable: true,
    description:
      'The position of the answer among the answers that wait for the run, from 1; only when one execution is read.',
  })
  queuePosition?: number | null;
  @One(() => ResumeEntryView, {
    optional: true,
    nullable: true,
    description: 'The last answer to the pause; only when one execution is read.',
  })
  latestResumeEntry?: ResumeEntryView | null;
  @One(() => ApprovalsView, {
    optional: true,
    description: 'The rules when only certain people may answer; absent otherwise.',
  })
  approvals?: ApprovalsView;
  @One(() => ParallelScopeView, {
    optional: true,
    description: 'The branch of a parallel that asks; absent outside a parallel.',
  })
  parallelScope?: ParallelScopeView;
  @One(() => LoopScopeView, {
    optional: true,
    description: 'The pass of a loop that asks; absent outside a loop.',
  })
  loopScope?: LoopScopeView;

  /** With `entries` it has their votes. */
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
      // The commit that shows a pause also holds its snapshot.
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
      ...(asking?.approvals ? { approvals: { ...asking.approvals, ...toVotes(point, entries) } } : {}),
      ...display.scopes,
    };
  }
}

export class PausedExecutionView {
  @Text({ description: 'The id under which the execution is listed as paused.' }) id!: string;
  @Text({ description: 'The id of the workflow.' }) workflowId!: string;
  @Text({ description: 'The id of the execution, which begins with `exec_`.' }) executionId!: string;
  @OneOf(pausedStatuses, {
    description:
      '`paused` while no pause is answered, `partially_resumed` while some are, `fully_resumed` once all are.',
  })
  status!: string;
  @Int({ description: 'The number of pauses of the execution so far.' }) totalPauseCount!: number;
  @Int({ description: 'The number of answered pauses.' }) resumedCount!: number;
  @Time({ description: 'The time at which it paused first, in ISO 8601 and UTC.' }) pausedAt!: string;
  @Time({
    description: 'The time at which a pause was opened, answered or closed last, in ISO 8601 and UTC.',
  })
  updatedAt!: string;
  @Time({
    nullable: true,
    description:
      'The earliest time at which an open pause ends without an answer; null when all wait without end.',
  })
  expiresAt!: string | null;
  @Obj({ nullable: true, description: 'Facts about the execution as a whole; null when there are none.' })
  metadata!: JsonObject | null;
  @Texts({ description: 'The blocks that paused, and the trigger that started the execution if one did.' })
  triggerIds!: string[];
  @ListOf(() => PausePointView, { description: 'The pauses, the open pauses first. In a list: 20 at most.' })
  pausePoints!: PausePointView[];

  static of(
    { paused, points, triggerId }: PausedWithPoints,
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
      triggerIds: [
        ...new Set(points.map(({ blockId }) => blockId)),
        ...(triggerId === null ? [] : [triggerId]),
      ],
      pausePoints: points.map((point) => PausePointView.of(point, workflowId, links, entries)),
    };
  }
}

export class SnapshotView {
  @Text({ description: 'JSON text of the public state of the run.' }) snapshot!: string;
  @Texts({ description: 'As `triggerIds` of the execution.' }) triggerIds!: string[];
}

export class PausedDetailView extends PausedExecutionView {
  @One(() => SnapshotView, { description: 'The state of the run at its pauses.' })
  executionSnapshot!: SnapshotView;
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

function toVotes({ contextId, asking }: PausePoint, entries?: ResumeEntry[]): { votes?: VoteView[] } {
  const approvals = asking?.approvals;
  if (!approvals || !entries) return {};
  const votes = entries.flatMap(({ person, status, answers, queuedAt, ...entry }) => {
    if (!person || status === 'failed' || entry.contextId !== contextId) return [];
    return [{ person: person.id, approved: approves(approvals, answers), at: queuedAt.toISOString() }];
  });
  return { votes };
}

export class InboxItemView extends PausePointView {
  @Text({ description: 'The id of the workflow.' }) workflowId!: string;
  @Text({ description: 'The name of the workflow when the execution was accepted.' }) workflowName!: string;
  @Text({ description: 'The id of the execution that waits.' }) executionId!: string;
  @Text({ nullable: true, description: 'The title of the execution; null without one.' })
  executionTitle!: string | null;
  @Bool({ description: 'True when the pause asks the caller and waits for the answer of the caller.' })
  mine!: boolean;

  static ofItem(item: InboxItem, links: CallerLinks): InboxItemView {
    const { workflowId, workflowName, rootId: executionId, executionTitle, mine } = item;
    const about = { workflowId, workflowName, executionId, executionTitle, mine };
    return { ...PausePointView.of(item, workflowId, links), ...about };
  }
}

export class InboxListQuery extends WorkspaceCursorQuery {
  @Bool({
    query: true,
    optional: true,
    default: false,
    description: 'True: only pauses that ask the caller.',
  })
  mine: boolean = false;
}

export class DelegateBody {
  @Text({
    min: 3,
    max: 320,
    description: 'The e-mail address or user id of the person who will answer instead.',
  })
  to!: string;
  @Text({
    optional: true,
    max: 1000,
    description: 'A message to that person. It is kept in the history.',
  })
  note?: string;
}

export class TrailEntryView {
  @Time({ description: 'The time of the event, in ISO 8601 and UTC.' }) at!: string;
  @Text({
    description:
      'The event: `opened`, `told`, `delegated`, `answered`, `answer refused`, or the end of the pause.',
  })
  event!: string;
  @Text({
    nullable: true,
    description: 'The person, key or address of the event; null when there is none.',
  })
  who!: string | null;
  @Text({
    description:
      'More about the event, for example the title, the reason or the decision; empty when there is nothing.',
  })
  note!: string;

  static of({ at, ...rest }: PauseHistoryEntry): TrailEntryView {
    return { ...rest, at: at.toISOString() };
  }
}

export class PausedQuery extends CursorQuery {
  @Text({ optional: true, max: 200, description: `A comma list of ${pausedStatuses.join(', ')}.` })
  status?: string;
}

export class PausePointsQuery {
  @PageLimit('pauses', 100) limit: number = 100;
  @PageCursor() cursor?: string;
}
