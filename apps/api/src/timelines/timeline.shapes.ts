import type { Failure } from '#libs/language/engine/effects';
import { executionStatuses } from '#libs/runs/executions/execution.entity';
import type { Timeline } from '#libs/runs/executions/read/timelines';
import { FailureView, LogBlockView } from '../executions/block-log.shapes.ts';
import { Bool, Int, ListOf, Obj, One, OneOf, Text, Time } from '../http/fields.ts';
import type { PausePointView } from '../pauses/pauses.shapes.ts';
import type { Graph } from './graph.ts';

export class TimelineQuery {
  @Int({ query: true, optional: true, min: 1, max: 1000, default: 100, description: 'Visits of one page.' })
  limit: number = 100;
  @Text({ optional: true, max: 1000, description: 'The `nextCursor` of the page before.' })
  cursor?: string;
}

class GraphBlockView {
  @Text({ description: 'The id of the block in the definition.' }) id!: string;
  @Text({ description: 'The name of the block; its id when it has none.' }) name!: string;
  @Text({ description: 'The type of the block, as `http`.' }) type!: string;
  @Text({ nullable: true, description: 'The loop or parallel whose body it is in.' })
  container!: string | null;
  @Text({
    description:
      'That of its last visit that was not skipped, `paused` or `running` while one is open, or `not visited`.',
  })
  status!: string;
  @Int({ description: 'Visits, skipped ones too.' }) visits!: number;
  @Obj({ description: 'How many visits have each status, as `{ "completed": 18, "failed": 2 }`.' })
  states!: Record<string, number>;
  @Time({
    nullable: true,
    description: 'When its first visit began, in ISO 8601 and UTC; null when there was none.',
  })
  startedAt!: string | null;
  @Time({
    nullable: true,
    description: 'When its last visit ended, in ISO 8601 and UTC; null while one is open.',
  })
  endedAt!: string | null;
}

class GraphEdgeView {
  @Text({ description: 'The id of a block, or `start`.' }) from!: string;
  @Text({ description: 'The id of the block that the edge leads to.' }) to!: string;
  @Text({ description: 'The port of the block that it leaves, as `out` or `error`.' }) port!: string;
  @Bool({ description: 'Whether the run went this way.' }) taken!: boolean;
}

class GraphView {
  @ListOf(() => GraphBlockView, { description: 'Every block of the definition that ran.' })
  blocks!: Graph['blocks'];
  @ListOf(() => GraphEdgeView, { description: 'Every edge of it.' }) edges!: Graph['edges'];
}

/** An open pause, without its contents for people. */
class OpenPauseView {
  @Text({ description: 'The id of the pause.' }) contextId!: string;
  @Text({ description: 'The id of the human block that asks.' }) blockId!: string;
  @Text({ description: 'The question in a line.' }) title!: string;
  @Time({ description: 'When the pause was opened, in ISO 8601 and UTC.' }) registeredAt!: string;
  @Time({
    nullable: true,
    description:
      'When the pause ends without an answer, in ISO 8601 and UTC; null when it waits without end.',
  })
  expiresAt!: string | null;
  @Text({ description: 'Where a program posts the answer, with a key.' }) apiUrl!: string;
  @Text({
    nullable: true,
    description: 'The page where it is answered; null for a caller who may not answer.',
  })
  uiUrl!: string | null;

  static of({
    contextId,
    blockId,
    registeredAt,
    expiresAt,
    response,
    resumeLinks,
  }: PausePointView): OpenPauseView {
    const { apiUrl, uiUrl } = resumeLinks;
    const title = response?.displayData.title ?? blockId;
    return { contextId, blockId, title, registeredAt, expiresAt, apiUrl, uiUrl };
  }
}

export class TimelineView {
  @Text({ description: 'The id of the execution, which begins with `exec_`.' }) executionId!: string;
  @Text({ nullable: true, description: 'The execution that began it; null when a caller did.' })
  parentExecutionId!: string | null;
  @Text({ description: 'The id of the workflow.' }) workflowId!: string;
  @Text({ description: 'The name of the workflow when the execution was accepted.' }) workflowName!: string;
  @Int({ description: 'The version of the workflow that the execution is pinned to.' }) version!: number;
  @OneOf(executionStatuses, {
    description: 'The state of the execution; `completed`, `failed` and `cancelled` are ends.',
  })
  status!: string;
  @Time({ description: 'When the execution was accepted, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ nullable: true, description: 'When it began, in ISO 8601 and UTC; null while it is queued.' })
  startedAt!: string | null;
  @Time({ nullable: true, description: 'When it ended, in ISO 8601 and UTC; null until then.' })
  completedAt!: string | null;
  @One(() => FailureView, { nullable: true, description: 'Why the run failed; null when it did not.' })
  failure!: Failure | null;
  @One(() => GraphView, {
    description: 'The blocks and edges of the version that ran, with what happened at each.',
  })
  graph!: Graph;
  @Bool({ description: 'False when the run has more visits than the 20,000 that are counted for the graph.' })
  countsAll!: boolean;
  @ListOf(() => LogBlockView, { description: 'One page of the visits, in their order, without outputs.' })
  visits!: LogBlockView[];
  @ListOf(() => OpenPauseView, { description: 'The pauses that are open, a hundred at most.' })
  pausePoints!: OpenPauseView[];
  @Text({ nullable: true, description: 'The run in the UI of Temporal, when there is one.' })
  temporalUrl!: string | null;
  @Text({ description: 'The same as a page for a browser. Whoever has this link may see it, for a day.' })
  pageUrl!: string;

  static of(
    { row, countsAll, visits }: Timeline,
    graph: Graph,
    {
      pausePoints,
      ...links
    }: Pick<TimelineView, 'temporalUrl' | 'pageUrl'> & { pausePoints: PausePointView[] },
  ): TimelineView {
    const { id, workflowId, workflowName, version, status, failure } = row;
    return {
      executionId: id,
      parentExecutionId: row.parentId,
      workflowId,
      workflowName,
      version,
      status,
      createdAt: row.createdAt.toISOString(),
      startedAt: row.startedAt?.toISOString() ?? null,
      completedAt: row.completedAt?.toISOString() ?? null,
      failure,
      graph,
      countsAll,
      visits: visits.items.map((visit) => LogBlockView.of(visit)),
      pausePoints: pausePoints.map((point) => OpenPauseView.of(point)),
      ...links,
    };
  }
}
