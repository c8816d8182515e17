import { Injectable } from '@nestjs/common';
import { presentOrigin } from '#libs/platform/telemetry/tracing/origin';
import {
  type Fork,
  type ForkedVisits,
  type ForkWish,
  RunForks,
} from '#libs/runs/executions/control/run-forks';
import type { LimitStatus } from '#libs/workspace/limits/limits';
import type { Admission } from '../http/caller.guard.ts';
import { ExecutionViews } from './execution-views.ts';
import type { AcknowledgementView } from './executions.dto.ts';

interface Forked {
  fork: Fork;
  visits: ForkedVisits;
  /** Absent for a preview. */
  limitStatus?: LimitStatus;
  acknowledgement: AcknowledgementView | null;
}

/** Makes executions from others for a caller, within the limits of every execution. */
@Injectable()
export class RunControl {
  constructor(
    private readonly forks: RunForks,
    private readonly views: ExecutionViews,
  ) {}

  /** Forks an execution, or only says what a fork would do. Refuses before it takes a token. */
  async forkExecution(
    { workspaceId, caller, payer }: Admission,
    executionId: string,
    { newId: id, isPreview, ...wish }: ForkWish & { newId: string; isPreview: boolean },
  ): Promise<Forked> {
    const fork = await this.forks.prepareFork(workspaceId, executionId, wish);
    const by = { executionId: id, workspaceId, actor: { ...caller.actor }, origin: presentOrigin() };
    if (isPreview) return { fork, visits: this.forks.previewFork(fork, by), acknowledgement: null };
    const { limitStatus, visits } = await this.forks.makeFork(fork, { ...by, payer });
    return { fork, visits, limitStatus, acknowledgement: this.views.acknowledgement(id, limitStatus) };
  }
}
