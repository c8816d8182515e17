import { buildTitle } from '#libs/language/definition/title';
import { Injectable } from '@nestjs/common';
import { checkInputs, toRunInputs, undeclaredInputs } from '#libs/language/definition/inputs';
import type { Plan } from '#libs/language/definition/plan';
import { Invalid } from '#libs/platform/errors/errors';
import { readClockMs } from '#libs/platform/clock/database-clock';
import type { JsonObject } from '#libs/platform/json/json';
import { accepted as acceptedExecutions, unsynced } from '#libs/platform/telemetry/metrics/metrics';
import { presentOrigin } from '#libs/platform/telemetry/tracing/origin';
import { scope } from '#libs/platform/telemetry/tracing/scope';
import { SpanKind, traced } from '#libs/platform/telemetry/tracing/tracing';
import { Deployments, type Live } from '#libs/runs/workflows/deployments';
import { Limits, type LimitStatus, type Payer } from '#libs/workspace/limits/limits';
import { StartOutbox } from '../deliver/start-outbox.ts';
import { Executions, type StartedState, unknownState } from '../executions.ts';
import { type Acceptance, ExecutionAcceptor, type FirstDelivery, type Store } from './accept-execution.ts';
import type { AcceptedExecution } from './accepted-execution.ts';
import type { DeliveryRow } from './accept.sql.ts';
import { type FlowPlace, Flows, requireEntry, toFullRefusal } from './flows.ts';
import { type HoldNotice, toHeldRefusal } from './holds.ts';

/** Who starts an execution: the caller, or the principal of a trigger. */
export interface Starter {
  workspaceId: string;
  payer: Payer;
  caller: { actor: { kind: string; id: string } };
}

/** What starts, and how. */
export interface StartCall {
  inputs: JsonObject;
  /** The way in which the execution was started, for the logs. */
  trigger: 'api' | 'mcp' | 'webhook' | 'schedule' | 'form' | 'event' | 'test';
  /** What a test runs in the place of the live version. */
  tested?: Live;
  /** The delivery of a trigger that is committed with it. */
  delivery?: DeliveryRow;
  /** Stores what belongs to the execution, in the transaction that accepts it. */
  store?: Store;
  /** The triggers of the events that led here, the first one first; the last is that of the delivery. */
  chain?: string[];
  /** The MCP server of the calling agent. */
  mcpServer?: string;
  mode: 'sync' | 'async';
  /** The caller's limit for the active time of the run, in milliseconds; null when it does not say. */
  activeMsMax: number | null;
  /** The address that hears of this execution. */
  callbackUrl?: string;
}

/** The trigger of a delivery has changed since it was read. Nothing was started. */
export class TriggerChanged extends Error {}

export interface StartedExecution {
  first?: FirstDelivery;
  limitStatus: LimitStatus;
  state: StartedState;
  warnings: string[];
  /** The hold that keeps the execution back. */
  hold?: HoldNotice;
  /** The place in the line of its key, while it waits there. */
  waitsFor?: FlowPlace;
  /** The execution that runs instead. */
  joinedId?: string;
}

/** Admits an execution, accepts it on the live version, and starts it. */
@Injectable()
export class ExecutionStarter {
  constructor(
    private readonly executions: Executions,
    private readonly acceptor: ExecutionAcceptor,
    private readonly startOutbox: StartOutbox,
    private readonly deployments: Deployments,
    private readonly limits: Limits,
    private readonly flows: Flows,
  ) {}

  /**
   * Accepts and starts an execution without waiting for it. Refuses before it debits the bucket. Commits before it
   * starts the run in Temporal. With `isRetry` an earlier call may have committed the execution. Then it takes no token
   * and meets no limit, because it begins nothing.
   */
  async startExecution(
    starter: Starter,
    workflowId: string,
    { id, isRetry }: { id: string; isRetry: boolean },
    call: StartCall,
  ): Promise<StartedExecution> {
    const work = scope.getStore();
    if (work) work.executionId = id;
    if (isRetry && (await this.executions.isCommitted(starter.workspaceId, id)))
      return {
        limitStatus: await this.limits.readLimits(starter.payer),
        state: unknownState,
        warnings: [],
      };
    return this.admitAndStart(starter, workflowId, id, call);
  }

  private async admitAndStart(
    { workspaceId, caller, payer }: Starter,
    workflowId: string,
    id: string,
    call: StartCall,
  ): Promise<StartedExecution> {
    const { mode, trigger, activeMsMax, mcpServer, delivery, callbackUrl, chain } = call;
    const { live, inputs } = await this.loadFittingVersion(workspaceId, workflowId, call);
    const actor = {
      ...caller.actor,
      ...(mcpServer === undefined ? {} : { mcpServer }),
      ...(delivery ? { triggerId: delivery.trigger_id } : {}),
      ...(chain ? { chain } : {}),
    };
    const origin = presentOrigin();
    const acceptedAtMs = readClockMs();
    const draft = {
      executionId: id,
      workspaceId,
      mode,
      trigger,
      actor,
      origin,
      activeMsMax,
      acceptedAtMs,
      ...(callbackUrl === undefined ? {} : { callbackUrl }),
    };
    const { limitStatus, place } = await this.limits.admitExecution(payer, mode);
    let acceptance: AcceptedOrRepeated | undefined;
    try {
      acceptance = await traced('accept', {}, () => this.acceptOnLiveVersion(draft, { live, inputs }, call));
    } finally {
      place.endAcceptance(
        acceptance !== undefined && ['queued', 'begun', 'held', 'waiting'].includes(acceptance.kind),
      );
    }
    const warnings = undeclaredInputs(live.plan.inputs, call.inputs);
    if (acceptance.kind === 'repeated')
      return { limitStatus, state: unknownState, warnings, first: acceptance.first };
    if (acceptance.kind === 'refused') throw toHeldRefusal(acceptance.hold);
    if (acceptance.kind === 'full') {
      const { joinedId } = acceptance;
      // A trigger logs its verdict, and an agent asks again: only a caller of the API gets another execution than its own.
      if (joinedId === null || trigger !== 'api') throw toFullRefusal();
      return { limitStatus, state: unknownState, warnings, joinedId };
    }
    acceptedExecutions.inc({ mode, trigger });
    if (acceptance.kind === 'held')
      return { limitStatus, state: unknownState, warnings, hold: acceptance.hold };
    if (acceptance.kind === 'waiting')
      return {
        limitStatus,
        state: unknownState,
        warnings,
        waitsFor: (await this.flows.findPlace(workspaceId, id)) ?? undefined,
      };
    if (acceptance.kind === 'settled') {
      if (!acceptance.isSynced) unsynced.inc({ reason: 'setting' });
      return { limitStatus, state: { kind: 'settled', row: acceptance.row }, warnings };
    }
    if (acceptance.kind === 'begun') return { limitStatus, state: acceptance, warnings };
    // The commit is the acceptance: the caller does not wait for Temporal, and the outbox starts the run if this call fails.
    const { execution } = acceptance;
    void traced('start', { kind: SpanKind.CLIENT }, () => this.startOutbox.deliverNow(execution));
    return { limitStatus, state: { kind: 'running', firstRead: 'after-notice' }, warnings };
  }

  /**
   * The live version and the checked inputs. A remembered version is enough when the inputs fit it, because `acceptOnLiveVersion`
   * confirms it.
   */
  private async loadFittingVersion(
    workspaceId: string,
    workflowId: string,
    { inputs: callInputs, tested }: StartCall,
  ) {
    if (tested) return { live: tested, inputs: this.executions.checkInputs(tested, callInputs) };
    const guess = this.deployments.recall(workspaceId, workflowId);
    const checked = guess && checkInputs(guess.plan.inputs, callInputs);
    if (guess && checked?.details.length === 0) return { live: guess, inputs: checked.inputs };
    const live = await this.deployments.live(workspaceId, workflowId);
    return { live, inputs: this.executions.checkInputs(live, callInputs) };
  }

  /** Accepts the execution on the live version. That version may change between the check of the inputs and the commit. */
  private async acceptOnLiveVersion(
    draft: Omit<AcceptedExecution, 'inputs' | 'title' | keyof Pinned>,
    { live, inputs }: { live: Live; inputs: JsonObject },
    call: StartCall,
  ): Promise<AcceptedOrRepeated> {
    const { plan, ...pinned } = live;
    requireFitForBatch(plan, inputs);
    const execution = {
      ...draft,
      ...pinned,
      title: buildTitle(plan, inputs),
      inputs: toRunInputs(plan, inputs),
      // A test waits for nobody, and nobody waits for it.
      ...(call.tested ? { isTest: true } : plan.flow ? { flow: requireEntry(plan.flow, inputs) } : {}),
    };
    const acceptance = await this.acceptor.acceptExecution(execution, plan, call);
    if (acceptance.kind === 'closed') throw new TriggerChanged();
    if (acceptance.kind !== 'outdated') return acceptance;
    const newer = await this.deployments.live(draft.workspaceId, live.workflowId);
    return this.acceptOnLiveVersion(
      draft,
      { live: newer, inputs: this.executions.checkInputs(newer, call.inputs) },
      call,
    );
  }
}

/** The inputs of one start of a batch have so many bytes of JSON at most, because all of them travel together. */
const batchedBytesMax = 10_000;

/** Throws for inputs that are too large to go into a batch. */
function requireFitForBatch({ flow }: Plan, inputs: JsonObject): void {
  if (flow?.batch && Buffer.byteLength(JSON.stringify(inputs)) > batchedBytesMax)
    throw Invalid.field(
      'inputs',
      `must have at most ${batchedBytesMax} bytes of JSON, because the workflow batches them`,
      'too_large',
    );
}

type AcceptedOrRepeated = Exclude<Acceptance, { kind: 'outdated' | 'closed' }>;

/** The version to which an execution is pinned. */
type Pinned = Omit<Live, 'plan'>;
