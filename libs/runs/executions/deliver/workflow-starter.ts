import { cutText } from '#libs/platform/text/whole-text';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { JsonObject } from '#libs/platform/json/json';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import type { AcceptedExecution } from '../accept/accepted-execution.ts';
import { payloadBytesMax } from '#libs/platform/temporal-client/payload-store';
import type { Outcome } from '#libs/language/engine/effects';
import { Settings } from '#libs/platform/settings/settings';
import { runOnBehalfOf, type Origin } from '#libs/platform/telemetry/tracing/origin';
import { SpanKind, traced } from '#libs/platform/telemetry/tracing/tracing';
import { type ExecutionInput, upgradeSignal, type WorkflowResult } from '#temporal/messages';
import { plainRunType, toRunType } from '#temporal/run-type';
import { buildSearchAttributes } from '#temporal/search-attributes';
import type { execution } from '#temporal/workflows/execution';

/** Where Temporal goes on with a run that began or ended elsewhere, and the request that started it. */
export type InlineStartInput = Pick<ExecutionInput, 'carried' | 'ended' | 'isRetried'> &
  Pick<Origin, 'requestId'>;

/** The start of a run that Temporal goes on with. */
export const toCarriedStart = (
  carried: NonNullable<InlineStartInput['carried']>,
  origin: Origin | null,
): InlineStartInput => ({
  carried,
  ...(origin?.requestId === undefined ? {} : { requestId: origin.requestId }),
});

/** The start of the next Temporal run of a retried execution, whose last event has the number. */
export const toRetriedStart = (number: number, origin: Origin | null): InlineStartInput => ({
  ...toCarriedStart({ number, usedMs: 0 }, origin),
  isRetried: true,
});

/** The columns of an execution that a start needs. */
export interface StartRow {
  id: string;
  workspace_id: string;
  workflow_id: string;
  workflow_name: string;
  title: string | null;
  version: number;
  plan_hash: string;
  mode: 'sync' | 'async';
  trigger: string;
  inputs: JsonObject;
  created_at: Date;
  actor: JsonObject;
  origin: Origin | null;
  active_ms_max: number | null;
}

/** The columns of `StartRow`, of the table `e`. */
export const startColumns = `e.id, e.workspace_id, e.workflow_id, e.workflow_name, e.title, e.version, e.plan_hash, e.mode, e.trigger,
  e.inputs, e.created_at, e.actor, e.origin, e.active_ms_max`;

export function toAccepted(row: StartRow): AcceptedExecution {
  return {
    executionId: row.id,
    workspaceId: row.workspace_id,
    workflowId: row.workflow_id,
    workflowName: row.workflow_name,
    title: row.title,
    version: row.version,
    planHash: row.plan_hash,
    mode: row.mode,
    trigger: row.trigger,
    actor: row.actor,
    inputs: row.inputs,
    origin: row.origin,
    activeMsMax: row.active_ms_max,
    acceptedAtMs: row.created_at.getTime(),
  };
}

/** Does the start of a run as a part of the trace of the call that started it. */
export function runInTraceOf(
  { id, origin }: Pick<StartRow, 'id' | 'origin'>,
  start: () => Promise<void>,
): Promise<void> {
  return runOnBehalfOf(origin, id, () => traced('start', { kind: SpanKind.CLIENT }, start));
}

/** A run that has ended in the rows closes in Temporal within about this time, in milliseconds. */
const closesWithinMs = 100;

/** Starts committed executions in Temporal. The workflow's id is the execution's, so a second start changes nothing. */
@Injectable()
export class WorkflowStarter {
  constructor(
    private readonly temporal: TemporalClient,
    private readonly settings: Settings,
  ) {}

  /** Resolves when Temporal has the run, also when it had it before. Rejects when Temporal cannot be reached. */
  async start(accepted: AcceptedExecution): Promise<void> {
    const options = this.options(this.input(accepted), accepted);
    const eager = this.eagerClient;
    await unlessStarted(
      eager
        ? startEagerly(eager, this.getRunType(accepted), options)
        : this.temporal.client.workflow.start<typeof execution>(this.getRunType(accepted), options),
    );
  }

  /** Starts a run that began elsewhere. `isTaken` tells of a retried one whether a former start has brought it to Temporal. */
  async startCarried(
    accepted: AcceptedExecution,
    { carried, isRetried }: InlineStartInput,
    { withinMs, isTaken }: { withinMs: number; isTaken: () => Promise<boolean> },
  ): Promise<void> {
    const input: ExecutionInput = {
      ...this.input(accepted),
      ...(carried ? { carried } : {}),
      ...(isRetried ? { isRetried } : {}),
    };
    const options = this.options(input, accepted);
    if (isRetried) await this.startAgain(this.getRunType(accepted), options, { withinMs, isTaken });
    else await this.startUnawaited(this.getRunType(accepted), options, withinMs);
  }

  /** Starts the next Temporal run of an execution, as soon as the former one has closed. Rejects when it does not close in time. */
  private async startAgain(
    type: string,
    options: WorkflowStartOptions<typeof execution>,
    { withinMs, isTaken }: { withinMs: number; isTaken: () => Promise<boolean> },
  ): Promise<void> {
    const { client } = this.temporal;
    const endsAtMs = performance.now() + withinMs / 2;
    for (let tries = 0; ; tries++)
      try {
        await client.withDeadline(Date.now() + withinMs, () =>
          client.workflow.start<typeof execution>(type, options),
        );
        return;
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError) || performance.now() > endsAtMs)
          throw error;
        // The former run may not have heard of its end: it asks the rows, which are no longer its own, and closes.
        if (tries === 1)
          await client.workflow
            .getHandle(options.workflowId)
            .signal(upgradeSignal)
            .catch(() => undefined);
        await pause(closesWithinMs);
        // The run that is there was the next one.
        if (await isTaken()) return;
      }
  }

  /** Starts a run that has ended, so that operators see it. */
  async startEnded(
    accepted: AcceptedExecution,
    ended: NonNullable<InlineStartInput['ended']>,
    withinMs: number,
  ): Promise<void> {
    const options = this.options({ ...this.input(accepted), ended }, accepted);
    const { client, endedStarts } = this.temporal;
    const result = resultOf(ended.outcome);
    if (!result) return this.startUnawaited(this.getRunType(accepted), options, withinMs);
    await client.withDeadline(Date.now() + withinMs, () =>
      unlessStarted(endedStarts.startEnded(this.getRunType(accepted), options, result)),
    );
  }

  /** Starts a run when nobody waits for its first task. */
  private async startUnawaited(
    type: string,
    options: WorkflowStartOptions<typeof execution>,
    withinMs: number,
  ): Promise<void> {
    const { eagerClient } = this;
    const { client } = this.temporal;
    // An eager start returns the first task: Temporal writes half as much, and this process already has the run.
    if (eagerClient) return within(withinMs, unlessStarted(startEagerly(eagerClient, type, options)));
    await client.withDeadline(Date.now() + withinMs, () =>
      unlessStarted(client.workflow.start<typeof execution>(type, options)),
    );
  }

  /** Cancels the run. Rejects when Temporal does not have it, or knows that it ended. */
  async cancel(id: string, withinMs = 10_000): Promise<void> {
    const { client } = this.temporal;
    await client.withDeadline(Date.now() + withinMs, () => client.workflow.getHandle(id).cancel());
  }

  /**
   * The client for eager starts; null where they are not possible. An eager start bypasses the routing by version:
   * the run would stay on this process's version after another became current.
   */
  private get eagerClient(): Client | null {
    return this.settings.deployment ? null : this.temporal.eagerClient;
  }

  /** Sealed payloads hide names of workflows from Temporal, so its lists do not show them either. */
  private getRunType({ workflowName }: AcceptedExecution): string {
    return this.settings.payloadKeys.length > 0 ? plainRunType : toRunType(workflowName);
  }

  input(accepted: AcceptedExecution): ExecutionInput {
    const { publicUrl, queue, activeMsMax, historyEventsMax } = this.settings;
    const { executionId, workspaceId, workflowId, workflowName, version, planHash, mode, trigger } = accepted;
    return {
      executionId,
      workspaceId,
      workflowId,
      workflowName,
      version,
      planHash,
      mode,
      trigger,
      queue,
      detailUrl: `${publicUrl}/console/w/${workspaceId}/executions/${executionId}`,
      acceptedAtMs: accepted.acceptedAtMs,
      ...(accepted.actor.kind === 'user' ? { starter: String(accepted.actor.id) } : {}),
      activeMsMax: Math.min(accepted.activeMsMax ?? Infinity, activeMsMax[mode]),
      eventsMax: historyEventsMax,
    };
  }

  /** A title holds inputs, so it stays out of summaries where payloads are sealed. Temporal allows 400 bytes; a character has at most four. */
  private buildSummary(about: string, title: string | null): string {
    return title === null || this.settings.payloadKeys.length > 0
      ? about
      : cutText(`${title} · ${about}`, 99, '…');
  }

  private options(
    input: ExecutionInput,
    { title }: AcceptedExecution,
  ): WorkflowStartOptions<typeof execution> {
    const { executionId: id, workspaceId, workflowId, workflowName, version, mode, trigger } = input;
    const { detailUrl, queue } = input;
    return {
      workflowId: id,
      taskQueue: queue,
      args: [input],
      workflowIdReusePolicy: input.isRetried ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
      staticSummary: this.buildSummary(`${workflowName} v${version} · ${trigger} ${mode}`, title),
      staticDetails: `[Execution ${id}](${detailUrl})\n\nWorkflow \`${workflowId}\`, version ${version}, workspace \`${workspaceId}\``,
      typedSearchAttributes: buildSearchAttributes(input),
      // Runs with a waiting caller come first, then jobs, then ended executions. The fairness key keeps one workspace
      // from delaying others.
      priority: { priorityKey: input.ended ? 5 : mode === 'sync' ? 2 : 4, fairnessKey: workspaceId },
    };
  }
}

/** The result of a completed run, when it is small enough to be sent with its end. */
function resultOf(outcome: Outcome): WorkflowResult | null {
  if (outcome.status !== 'completed') return null;
  const result = { output: outcome.output };
  return JSON.stringify(result).length <= payloadBytesMax ? result : null;
}

/** Fast path of `workflow.start`: Temporal gives the first task to this process in its reply. */
function startEagerly(client: Client, type: string, options: WorkflowStartOptions<typeof execution>) {
  return client.workflow.start<typeof execution>(type, { ...options, requestEagerStart: true });
}

/** Sets a bound, because the connection of workers keeps no deadline. Throws after `ms`; the start may still succeed. */
async function within(ms: number, starting: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Temporal has not answered for ${ms} ms.`)), ms);
  });
  await Promise.race([starting, late]).finally(() => clearTimeout(timer));
}

async function unlessStarted(starting: Promise<unknown>): Promise<void> {
  try {
    await starting;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
