import { Injectable } from '@nestjs/common';
import { readClockMs } from '#libs/platform/clock/database-clock';
import type { Json } from '#libs/platform/json/json';
import { type Execution, terminal } from '#libs/runs/executions/execution.entity';
import { BlockLog } from '#libs/runs/executions/read/block-log';
import type { Waits } from '#libs/runs/executions/read/waits';
import type { LimitStatus } from '#libs/workspace/limits/limits';
import { type CallerLinks, Links } from '#libs/runs/pauses/links';
import { Pauses } from '#libs/runs/pauses/pauses';
import { Settings } from '#libs/platform/settings/settings';
import { linksFor, type LinkReader } from '../pauses/caller-links.ts';
import { toTraceView, type TraceView } from './block-log.dto.ts';
import { HeldView, WaitsForView } from './execution-fields.ts';
import { PausePointView } from '../pauses/pauses.dto.ts';
import {
  type AcknowledgementView,
  type JobView,
  toJobId,
  LimitsView,
  type PausedView,
  RunMetadataView,
  type SyncResultView,
} from './executions.dto.ts';

/** The most blocks in the answer to an execute call that asks for them. */
const tracedMax = 100;

/** Makes the views of an execution. */
@Injectable()
export class ExecutionViews {
  constructor(
    private readonly log: BlockLog,
    private readonly pauses: Pauses,
    private readonly links: Links,
    private readonly settings: Settings,
  ) {}

  statusUrl(executionId: string): string {
    return `${this.settings.publicUrl}/api/jobs/${toJobId(executionId)}`;
  }

  acknowledgement(executionId: string, limitStatus: LimitStatus): AcknowledgementView {
    const [jobId, statusUrl] = [toJobId(executionId), this.statusUrl(executionId)];
    return {
      success: true,
      async: true,
      jobId,
      taskId: jobId,
      executionId,
      status: 'queued',
      statusUrl,
      links: { status: statusUrl },
      message: 'The execution was accepted. Poll statusUrl until its status is completed or failed.',
      createdAt: new Date(readClockMs()).toISOString(),
      limits: LimitsView.of(limitStatus),
    };
  }

  /** Why an execution does not start yet or does not go on, as members of its view: a hold, and the line of its key or of a host. Says also which one runs instead. */
  waiting(
    { batchedInto }: Execution,
    { hold, place, host }: Waits,
  ): Pick<JobView, 'held' | 'waitsFor' | 'batchedInto'> {
    return {
      ...(batchedInto === null ? {} : { batchedInto }),
      ...(hold ? { held: HeldView.of(hold) } : {}),
      ...(place ? { waitsFor: WaitsForView.of(place) } : {}),
      ...(host ? { waitsFor: WaitsForView.ofHost(host) } : {}),
    };
  }

  /** The result without links. Links are added for each reader. */
  async result(row: Execution, limitStatus: LimitStatus, wantsSpans: boolean): Promise<SyncResultView> {
    const metadata = RunMetadataView.of(row);
    const paused = await this.pausedWithoutLinks(row);
    return {
      success: row.status === 'completed' || row.status === 'paused',
      output: getOutput(row),
      limits: LimitsView.of(limitStatus),
      executionId: row.id,
      jobId: toJobId(row.id),
      status: row.status,
      error: row.failure?.message ?? null,
      ...(row.failure ? { failure: row.failure } : {}),
      ...(paused ? { paused } : {}),
      metadata,
      ...(wantsSpans ? await this.trace(row, metadata.duration) : {}),
    };
  }

  private async trace(row: Execution, duration: number | null): Promise<TraceView> {
    const page = { limit: tracedMax, seesValues: false };
    const { visits } = await this.log.detail(row.workspaceId, row.id, row.workflowId, page);
    return toTraceView(visits, duration);
  }

  /** The open pauses of the run, with the links of the reader; null when it has none. */
  paused(row: Execution, reader: LinkReader): Promise<PausedView | null> {
    return this.pausedFor(row, linksFor(this.links, reader));
  }

  pausedWithoutLinks(row: Execution): Promise<PausedView | null> {
    return this.pausedFor(row, this.links.of(null));
  }

  async pausedFor(row: Execution, links: CallerLinks): Promise<PausedView | null> {
    if (terminal(row.status) || row.status === 'queued') return null;
    const points = await this.pauses.openPoints(row.workspaceId, row.id);
    const [first] = points;
    if (!first) return null;
    const voted = points.filter(({ asking }) => asking?.approvals).map(({ contextId }) => contextId);
    const entries = await this.pauses.readEntries(row.workspaceId, voted);
    return {
      pausedExecutionId: first.pausedExecutionId,
      pausePoints: points.map((point) => PausePointView.of(point, row.workflowId, links, entries)),
    };
  }

  temporalUrl(executionId: string): string | null {
    const { uiUrl, namespace } = this.settings.temporal;
    return uiUrl ? `${uiUrl}/namespaces/${namespace}/workflows/${executionId}` : null;
  }
}

/**
 * The output of an ended run. Other runs have none: the outputs of their blocks are in the block log, for callers who
 * may read it.
 */
export function getOutput(row: Execution): Json {
  return terminal(row.status) ? row.output : {};
}
