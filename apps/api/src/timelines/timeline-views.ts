import { Injectable } from '@nestjs/common';
import { asKey, type Timeline, Timelines } from '#libs/runs/executions/read/timelines';
import { Links } from '#libs/runs/pauses/links';
import { Deployments } from '#libs/runs/workflows/deployments';
import { ExecutionViews } from '../executions/execution-views.ts';
import { graphOf } from './graph.ts';
import { TimelineView } from './timeline.shapes.ts';

/** Makes the view of a timeline for its reader: a caller with a key, or a person with a link. */
@Injectable()
export class TimelineViews {
  constructor(
    private readonly timelines: Timelines,
    private readonly deployments: Deployments,
    private readonly views: ExecutionViews,
    private readonly links: Links,
  ) {}

  /** `as` is null for a reader who may not answer. No link outlives `untilMs`. */
  async viewOf(timeline: Timeline, as: string | null, untilMs?: number): Promise<TimelineView> {
    const { row, tallies } = timeline;
    const plan = await this.deployments.plan(row.workspaceId, row.planHash);
    const answerer = as === null ? null : { userId: as === asKey ? null : as };
    const paused = await this.views.pausedFor(row, this.links.of(answerer, untilMs));
    return TimelineView.of(timeline, graphOf(plan, tallies), {
      pausePoints: paused?.pausePoints ?? [],
      temporalUrl: this.views.temporalUrl(row.id),
      pageUrl: this.timelines.url(row, as),
    });
  }

  /** The value of `as` for a caller. */
  static answererOf(caller: { userId: string | null }): string {
    return caller.userId ?? asKey;
  }
}
