import type { Failure } from '#libs/language/engine/effects';
import { executionStatuses } from '#libs/runs/executions/execution.entity';
import type { Timeline } from '#libs/runs/executions/read/timelines';
import { FailureView, LogBlockView } from '../executions/block-log.dto.ts';
import { PageCursor, PageLimit } from '../http/cursor-query.ts';
import { Bool, Int, ListOf, Obj, One, OneOf, Text, Time } from '../http/fields.ts';
import type { PausePointView } from '../pauses/pauses.dto.ts';
import type { RunGraph } from './graph.ts';
import { EndedAt, StartedAt } from '../executions/execution-fields.ts';

export class TimelineQuery {
  @PageLimit('visits', 100, { max: 1000 }) limit: number = 100;
  @PageCursor() cursor?: string;
}

class GraphBlockView {
  @Text({ description: 'The id of the block in the definition.' }) id!: string;
  @Text({ description: 'The name of the block; its id when it has none.' }) name!: string;
  @Text({ description: 'The type of the block, for example `http`.' }) type!: string;
  @Text({ nullable: true, description: 'The id of the loop or parallel around the block; null at the top.' })
  container!: string | null;
  @Text({
    description:
      'The state of the last visit that was not skipped; `paused` or `running` while a visit is open; or `not visited`.',
  })
  status!: string;
  @Int({ description: 'The number of visits, with the skipped visits.' }) visits!: number;
  @Obj({ description: 'The number of visits by state, for example `{ "completed": 18, "failed": 2 }`.' })
  states!: Record<string, number>;
  @Time({
    nullable: true,
    description: 'The start of its first visit, in ISO 8601 and UTC; null when there was none.',
  })
  startedAt!: string | null;
  @Time({
    nullable: true,
    description: 'The end of its last visit, in ISO 8601 and UTC; null while a visit is open.',
  })
  endedAt!: string | null;
}

class GraphEdgeView {
  @Text({ description: 'The id of a block, or `start`.' }) from!: string;
  @Text({ description: 'The id of the block that the edge leads to.' }) to!: string;
  @Text({ description: 'The port of the block that it leaves, for example `out` or `error`.' }) port!: string;
  @Bool({ description: 'True when the run went this way.' }) taken!: boolean;
}

class GraphView {
  @ListOf(() => GraphBlockView, { description: 'All blocks of the executed definition.' })
  blocks!: RunGraph['blocks'];
  @ListOf(() => GraphEdgeView, { description: 'All edges of the executed definition.' })
  edges!: RunGraph['edges'];
}

/** An open pause, without its contents for people. */
class OpenPauseView {
  @Text({ description: 'The id of the pause.' }) contextId!: string;
  @Text({ description: 'The id of the human block that asks.' }) blockId!: string;
  @Text({ description: 'The question in a line.' }) title!: string;
  @Time({ description: 'The time at which the pause was opened, in ISO 8601 and UTC.' })
  registeredAt!: string;
  @Time({
    nullable: true,
    description:
      'The time at which the pause ends without an answer, in ISO 8601 and UTC; null when it waits without end.',
  })
  expiresAt!: string | null;
  @Text({ description: 'The URL to which a program posts the answer, with a key.' }) apiUrl!: string;
  @Text({
    nullable: true,
    description: 'The page to answer the pause; null for a caller who may not answer.',
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
  @Text({ nullable: true, description: 'The id of the parent execution; null when a caller started it.' })
  parentExecutionId!: string | null;
  @Text({ description: 'The id of the workflow.' }) workflowId!: string;
  @Text({ description: 'The name of the workflow when the execution was accepted.' }) workflowName!: string;
  @Int({ description: 'The version of the workflow that the execution is pinned to.' }) version!: number;
  @OneOf(executionStatuses, {
    description: 'The state of the execution. `completed`, `failed` and `cancelled` are final.',
  })
  status!: string;
  @Time({ description: 'The time of acceptance, in ISO 8601 and UTC.' }) createdAt!: string;
  @StartedAt() startedAt!: string | null;
  @EndedAt() completedAt!: string | null;
  @One(() => FailureView, {
    nullable: true,
    description: 'The failure of the run; null when it did not fail.',
  })
  failure!: Failure | null;
  @One(() => GraphView, {
    description: 'The blocks and edges of the executed version, with the state of each.',
  })
  graph!: RunGraph;
  @Bool({ description: 'False when the run has more visits than the 20,000 that are counted for the graph.' })
  countsAll!: boolean;
  @ListOf(() => LogBlockView, { description: 'One page of the visits, in their order, without outputs.' })
  visits!: LogBlockView[];
  @ListOf(() => OpenPauseView, { description: 'The pauses that are open, a hundred at most.' })
  pausePoints!: OpenPauseView[];
  @Text({ nullable: true, description: 'The run in the UI of Temporal, when there is one.' })
  temporalUrl!: string | null;
  @Text({ description: 'The timeline as a page for a browser. Anyone with this link can open it for a day.' })
  pageUrl!: string;

  static of(
    { row, countsAll, visits }: Timeline,
    graph: RunGraph,
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
