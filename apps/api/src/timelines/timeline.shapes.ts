import type { Failure } from '#libs/engine/effects';
import { executionStatuses } from '#libs/executions/execution.entity';
import type { Timeline } from '#libs/executions/timelines';
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
  @Text() id!: string;
  @Text() name!: string;
  @Text() type!: string;
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
  @Time({ nullable: true }) startedAt!: string | null;
  @Time({ nullable: true }) endedAt!: string | null;
}

class GraphEdgeView {
  @Text({ description: 'The id of a block, or `start`.' }) from!: string;
  @Text() to!: string;
  @Text() port!: string;
  @Bool({ description: 'Whether the run went this way.' }) taken!: boolean;
}

class GraphView {
  @ListOf(() => GraphBlockView) blocks!: Graph['blocks'];
  @ListOf(() => GraphEdgeView) edges!: Graph['edges'];
}

/** A pause that is open, without what a person is shown there. */
class OpenPauseView {
  @Text() contextId!: string;
  @Text() blockId!: string;
  @Text() title!: string;
  @Time() registeredAt!: string;
  @Time({ nullable: true }) expiresAt!: string | null;
  @Text() apiUrl!: string;
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
  @Text() executionId!: string;
  @Text() workflowId!: string;
  @Text() workflowName!: string;
  @Int() version!: number;
  @OneOf(executionStatuses) status!: string;
  @Time() createdAt!: string;
  @Time({ nullable: true }) startedAt!: string | null;
  @Time({ nullable: true }) completedAt!: string | null;
  @One(() => FailureView, { nullable: true }) failure!: Failure | null;
  @One(() => GraphView) graph!: Graph;
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
