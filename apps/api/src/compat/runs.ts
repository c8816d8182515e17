import { Injectable } from '@nestjs/common';
import { BlockLog } from '#libs/runs/executions/read/block-log';
import { type Execution, terminal } from '#libs/runs/executions/execution.entity';
import { Pauses } from '#libs/runs/pauses/pauses';
import { Settings } from '#libs/platform/settings/settings';
import { Deployments } from '#libs/runs/workflows/deployments';
import { foreignRoot } from './refusals.ts';
import { type RunPause, type RunReceipt, runView, type RunView } from './runs.views.ts';
import {
  listBlocks,
  type NamedBlock,
  selectedFrom,
  type OutputSelection,
  parseSelections,
} from './selections.ts';

/** Makes the views of runs for clients of another product. */
@Injectable()
export class CompatRuns {
  constructor(
    private readonly log: BlockLog,
    private readonly pauses: Pauses,
    private readonly deployments: Deployments,
    private readonly settings: Settings,
  ) {}

  receipt(workflowId: string, runId: string): RunReceipt {
    return {
      runId,
      statusUrl: `${this.settings.publicUrl}${foreignRoot}/workflows/${workflowId}/runs/${runId}`,
    };
  }

  /** `selections` belong to the version that ran. */
  async view(row: Execution, selections: OutputSelection[], withOutput = true): Promise<RunView> {
    const blockOutputs = selections.length > 0 ? await this.outputs(row, selections) : undefined;
    return runView(row, { paused: await this.findPause(row), blockOutputs, withOutput });
  }

  /** Resolves the selections of a call against the live version, before anything runs. */
  async liveSelections(
    workspaceId: string,
    workflowId: string,
    selectors: string[] = [],
  ): Promise<OutputSelection[]> {
    if (selectors.length === 0) return [];
    const { plan } = await this.deployments.live(workspaceId, workflowId);
    return parseSelections(selectors, plan);
  }

  /** The blocks of the live version by id. */
  async liveBlocks(workspaceId: string, workflowId: string): Promise<Record<string, NamedBlock>> {
    const { plan } = await this.deployments.live(workspaceId, workflowId);
    return Object.fromEntries(listBlocks(plan).map(({ id, name }) => [id, { id, name }]));
  }

  /** Resolves the selections of a read against the version that ran. */
  async selectionsFor(row: Execution, selectors: string[]): Promise<OutputSelection[]> {
    if (selectors.length === 0) return [];
    return parseSelections(selectors, await this.deployments.plan(row.workspaceId, row.planHash));
  }

  async outputs(row: Execution, selections: OutputSelection[]) {
    const blockIds = [...new Set(selections.map(({ blockId }) => blockId))];
    return selectedFrom(await this.log.lastOutputs(row.workspaceId, row.id, blockIds), selections);
  }

  /** The oldest open pause; null when the run waits for nobody. */
  private async findPause({ workspaceId, workflowId, id, status }: Execution): Promise<RunPause | null> {
    if (terminal(status) || status === 'queued') return null;
    const [first] = await this.pauses.openPoints(workspaceId, id);
    if (!first) return null;
    const { paused } = await this.pauses.get(workspaceId, workflowId, id, { limit: 1 });
    return {
      contextId: first.contextId,
      pausedAt: first.registeredAt.toISOString(),
      resumeAt: null,
      pauseKind: 'human',
      blockedOnBlockId: first.blockId,
      automaticResumeWaitingReason: null,
      pausePointCount: paused.totalPauseCount,
      resumedCount: paused.resumedCount,
    };
  }
}
