import { Injectable } from '@nestjs/common';
import type { Execution } from '#libs/runs/executions/execution.entity';
import type { FirstDelivery } from '#libs/runs/executions/accept/accept-execution';
import { ExecutionStarter, type Starter } from '#libs/runs/executions/accept/start-execution';
import { WaitingCallers } from '#libs/runs/executions/direct/waiting-callers';
import { Executions, type StartedState } from '#libs/runs/executions/executions';
import { Endpoints } from '#libs/workspace/endpoints/endpoints';
import type { LimitStatus } from '#libs/workspace/limits/limits';
import { Settings } from '#libs/platform/settings/settings';
import type { ExecuteCall } from './parse-execute-request.ts';
import { HeldView, WaitsForView } from './execution-fields.ts';
import { ExecutionViews } from './execution-views.ts';

export interface Executed {
  id: string;
  /** For a repeated delivery: the first one, whose execution this is. */
  first?: FirstDelivery;
  status: 200 | 202;
  body: object;
  limitStatus: LimitStatus;
  /** The settled row, for a raw answer; absent in an acknowledgement. */
  row?: Execution;
}

/** Executes a workflow for a caller and builds the answer. */
@Injectable()
export class Execute {
  constructor(
    private readonly executions: Executions,
    private readonly starter: ExecutionStarter,
    private readonly views: ExecutionViews,
    private readonly callers: WaitingCallers,
    private readonly endpoints: Endpoints,
    private readonly settings: Settings,
  ) {}

  /**
   * Starts an execution. A waiting caller is answered from the committed row, without links. After the wait limit the same
   * execution goes on as a job.
   */
  async executeWorkflow(
    admission: Starter,
    workflowId: string,
    once: { id: string; isRetry: boolean },
    call: ExecuteCall,
  ): Promise<Executed> {
    const { callbackUrl } = call;
    if (callbackUrl !== undefined) await this.endpoints.requireCallback(admission.workspaceId, callbackUrl);
    const { limitStatus, row, warnings, first, joinedId, hold, waitsFor } = await this.callers.noteWait(
      async () => {
        const { state, ...started } = await this.starter.startExecution(admission, workflowId, once, call);
        // Nobody knows when a hold or a turn ends, so its caller gets a job at once.
        if (started.hold || started.waitsFor) return { ...started, row: null };
        const id = started.first?.executionId ?? started.joinedId ?? once.id;
        return { ...started, row: await this.waitUntilSettled(admission.workspaceId, id, call, state) };
      },
    );
    const id = first?.executionId ?? joinedId ?? once.id;
    const answered = { ...(await this.answer(id, limitStatus, call, row)), first };
    if (hold) answered.body = { ...answered.body, held: HeldView.of(hold) };
    if (waitsFor) answered.body = { ...answered.body, waitsFor: WaitsForView.of(waitsFor) };
    return warnings.length === 0 ? answered : { ...answered, body: { ...answered.body, warnings } };
  }

  /** The execution once it has settled, if it settles while the caller waits. */
  private async waitUntilSettled(
    workspaceId: string,
    id: string,
    call: ExecuteCall,
    state: StartedState,
  ): Promise<Execution | null> {
    const waitMs = this.waitMs(call);
    return waitMs === 0 ? null : this.executions.waitUntilSettled(workspaceId, id, waitMs, state);
  }

  private async answer(
    id: string,
    limitStatus: LimitStatus,
    call: ExecuteCall,
    row: Execution | null,
  ): Promise<Executed> {
    if (!row) return { id, status: 202, body: this.views.acknowledgement(id, limitStatus), limitStatus };
    return {
      id,
      status: 200,
      body: await this.views.result(row, limitStatus, call.wantsSpans),
      limitStatus,
      row,
    };
  }

  /** The time for which this call waits for a result, in milliseconds, by the plan and the caller's preference. */
  private waitMs({ mode, streams, waitMs }: ExecuteCall): number {
    if (mode === 'async' || streams) return 0;
    return Math.min(this.settings.syncWaitMsMax, waitMs ?? Infinity);
  }
}
