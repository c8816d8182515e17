import { Injectable } from '@nestjs/common';
import { type Timeline, Timelines } from '#libs/runs/executions/read/timelines';
import { Links } from '#libs/runs/pauses/links';
import { Deployments } from '#libs/runs/workflows/deployments';
import { ExecutionViews } from '../executions/execution-views.ts';
import { linksFor, type LinkReader } from '../pauses/caller-links.ts';
import { buildGraph } from './graph.ts';
import { TimelineView } from './timeline.dto.ts';

/** Makes the view of a timeline for its reader: a caller with a key, or a person with a link. */
@Injectable()
export class TimelineViews {
  constructor(
    private readonly timelines: Timelines,
    private readonly deployments: Deployments,
    private readonly views: ExecutionViews,
    private readonly links: Links,
  ) {}

  /** The reader is null behind a link that names nobody. No link outlives `untilMs`, or the reader's key or session. */
  async toView(timeline: Timeline, reader: LinkReader | null, untilMs?: number): Promise<TimelineView> {
    const { row, tallies } = timeline;
    const plan = await this.deployments.plan(row.workspaceId, row.planHash);
    const links = reader ? linksFor(this.links, reader, untilMs) : this.links.of(null);
    const paused = await this.views.pausedFor(row, links);
    return TimelineView.of(timeline, buildGraph(plan, tallies), {
      pausePoints: paused?.pausePoints ?? [],
      temporalUrl: this.views.temporalUrl(row.id),
      pageUrl: this.timelines.url(row, reader?.caller.keyId ?? null),
    });
  }
}
