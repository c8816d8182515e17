import { Injectable } from '@nestjs/common';
import type { Execution } from '#libs/runs/executions/execution.entity';
import { checkInputs, undeclaredInputs } from '#libs/language/definition/inputs';
import type { JsonObject } from '#libs/platform/json/json';
import { type Acceptance, ExecutionAcceptor } from '#libs/runs/executions/accept/accept-execution';
import type { AcceptedExecution } from '#libs/runs/executions/accept/accepted-execution';
import { WaitingCallers } from '#libs/runs/executions/direct/waiting-callers';
import { StartOutbox } from '#libs/runs/executions/deliver/start-outbox';
import { Executions, type StartedState, unknownState } from '#libs/runs/executions/executions';
import { Limits, type LimitStatus } from '#libs/workspace/limits/limits';
import { Settings } from '#libs/platform/settings/settings';
import { accepted as acceptedExecutions, unsynced } from '#libs/platform/telemetry/metrics/metrics';
import { presentOrigin } from '#libs/platform/telemetry/tracing/origin';
import { scope } from '#libs/platform/telemetry/tracing/scope';
import { SpanKind, traced } from '#libs/platform/telemetry/tracing/tracing';
import { Deployments, type Live } from '#libs/runs/workflows/deployments';
import type { Admission } from '../http/caller.guard.ts';
import type { Call } from './parse-execute-request.ts';
import { ExecutionViews } from './execution-views.ts';

export interface Executed {
  id: string;
  status: 200 | 202;
  body: object;
  limitStatus: LimitStatus;
  /** The settled row, for a raw answer; absent in an acknowledgement. */
  row?: Execution;
}

export interface StartedExecution {
  limitStatus: LimitStatus;
  state: StartedState;
  warnings: string[];
}

/** Executes a workflow for a caller and builds the answer. */
@Injectable()
export class Execute {
  constructor(
    private readonly executions: Executions,
    private readonly acceptor: ExecutionAcceptor,
    private readonly startOutbox: StartOutbox,
    private readonly deployments: Deployments,
    private readonly limits: Limits,
    private readonly views: ExecutionViews,
    private readonly callers: WaitingCallers,
    private readonly settings: Settings,
  ) {}

  /**
   * Like `startExecution`. A waiting caller is answered from the committed row, without links. After the wait limit the same
   * execution goes on as a job.
   */
  async executeWorkflow(
    admission: Admission,
    workflowId: string,
    once: { id: string; isRetry: boolean },
    call: Call,
  ): Promise<Executed> {
    const { id } = once;
    const { limitStatus, row, warnings } = await this.callers.noteWait(async () => {
      const { state, ...started } = await this.startExecution(admission, workflowId, once, call);
      return { ...started, row: await this.waitUntilSettled(admission.workspaceId, id, call, state) };
    });
    const answered = await this.answer(id, limitStatus, call, row);
    return warnings.length === 0 ? answered : { ...answered, body: { ...answered.body, warnings } };
  }

  /**
   * Accepts and starts an execution without waiting for it. Refuses before it debits the bucket. Commits before it
   * starts the run in Temporal. With `isRetry` an earlier call may have committed the execution. Then it takes no token
   * and meets no limit, because it begins nothing.
   */
  async startExecution(
    admission: Admission,
    workflowId: string,
    { id, isRetry }: { id: string; isRetry: boolean },
    call: Call,
  ): Promise<StartedExecution> {
    const work = scope.getStore();
    if (work) work.executionId = id;
    if (isRetry && (await this.executions.isCommitted(admission.workspaceId, id)))
      return {
        limitStatus: await this.limits.readLimits(admission.payer),
        state: unknownState,
        warnings: [],
      };
    return this.admitAndStart(admission, workflowId, id, call);
  }

  private async admitAndStart(
    { workspaceId, caller, payer }: Admission,
    workflowId: string,
    id: string,
    call: Call,
  ): Promise<StartedExecution> {
    const { mode, trigger, activeMsMax, mcpServer } = call;
    const { live, inputs } = await this.loadFittingVersion(workspaceId, workflowId, call.inputs);
    const actor = { ...caller.actor, ...(mcpServer === undefined ? {} : { mcpServer }) };
    const origin = presentOrigin();
    const acceptedAtMs = Date.now();
    const draft = { executionId: id, workspaceId, mode, trigger, actor, origin, activeMsMax, acceptedAtMs };
    const { limitStatus, place } = await this.limits.admitExecution(payer, mode);
    let acceptance: AcceptedOrRepeated | undefined;
    try {
      acceptance = await traced('accept', {}, () =>
        this.acceptOnLiveVersion(draft, { live, inputs }, call.inputs),
      );
    } finally {
      place.endAcceptance(acceptance?.kind === 'queued' || acceptance?.kind === 'begun');
    }
    const warnings = undeclaredInputs(live.plan.inputs, call.inputs);
    if (acceptance.kind === 'repeated') return { limitStatus, state: unknownState, warnings };
    acceptedExecutions.inc({ mode, trigger });
    if (acceptance.kind === 'settled') {
      if (!acceptance.isSynced) unsynced.inc({ reason: 'setting' });
      return { limitStatus, state: { kind: 'settled', row: acceptance.row }, warnings };
    }
    if (acceptance.kind === 'begun') return { limitStatus, state: acceptance, warnings };
    // The commit is the acceptance: the caller does not wait for Temporal, and the outbox starts the run if this call fails.
    const { execution, plan } = acceptance;
    void traced('start', { kind: SpanKind.CLIENT }, () => this.startOutbox.deliverNow(execution, plan));
    return { limitStatus, state: { kind: 'running', firstRead: 'after-local-notice' }, warnings };
  }

  /** The execution once it has settled, if it settles while the caller waits. */
  private async waitUntilSettled(
    workspaceId: string,
    id: string,
    call: Call,
    state: StartedState,
  ): Promise<Execution | null> {
    const waitMs = this.waitMs(call);
    return waitMs === 0 ? null : this.executions.waitUntilSettled(workspaceId, id, waitMs, state);
  }

  private async answer(
    id: string,
    limitStatus: LimitStatus,
    call: Call,
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
  private waitMs({ mode, streams, waitMs }: Call): number {
    if (mode === 'async' || streams) return 0;
    return Math.min(this.settings.syncWaitMsMax, waitMs ?? Infinity);
  }

  /**
   * The live version and the checked inputs. A remembered version is enough when the inputs fit it, because `acceptOnLiveVersion`
   * confirms it.
   */
  private async loadFittingVersion(workspaceId: string, workflowId: string, callInputs: JsonObject) {
    const guess = this.deployments.recall(workspaceId, workflowId);
    const checked = guess && checkInputs(guess.plan.inputs, callInputs);
    if (guess && checked?.details.length === 0) return { live: guess, inputs: checked.inputs };
    const live = await this.deployments.live(workspaceId, workflowId);
    return { live, inputs: this.executions.checkInputs(live, callInputs) };
  }

  /** Accepts the execution on the live version. That version may change between the check of the inputs and the commit. */
  private async acceptOnLiveVersion(
    draft: Omit<AcceptedExecution, 'inputs' | keyof Pinned>,
    { live, inputs }: { live: Live; inputs: JsonObject },
    callInputs: JsonObject,
  ): Promise<AcceptedOrRepeated> {
    const { plan, ...pinned } = live;
    const acceptance = await this.acceptor.acceptExecution({ ...draft, ...pinned, inputs }, plan);
    if (acceptance.kind !== 'outdated') return acceptance;
    const newer = await this.deployments.live(draft.workspaceId, live.workflowId);
    return this.acceptOnLiveVersion(
      draft,
      { live: newer, inputs: this.executions.checkInputs(newer, callInputs) },
      callInputs,
    );
  }
}

type AcceptedOrRepeated = Exclude<Acceptance, { kind: 'outdated' }>;

/** The version to which an execution is pinned. */
type Pinned = Omit<Live, 'plan'>;
