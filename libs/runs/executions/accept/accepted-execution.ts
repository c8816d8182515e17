import type { JsonObject } from '#libs/platform/json/json';
import type { Origin } from '#libs/platform/telemetry/tracing/origin';

/**
 * One execution as it was accepted. It is made once and handed on unchanged: to the inline run, the rows, the outbox and Temporal. Only
 * the outermost functions map it: `acceptedRow` to SQL, `WorkflowStarter` to the input of the Temporal run.
 */
export interface AcceptedExecution {
  executionId: string;
  workspaceId: string;
  workflowId: string;
  workflowName: string;
  version: number;
  planHash: string;
  mode: 'sync' | 'async';
  trigger: string;
  /** Who asked for it. */
  actor: JsonObject;
  /** Checked, with the defaults of the start block. In a committed execution large values are references. */
  inputs: JsonObject;
  /** The call that it was accepted for; null when it belongs to none. */
  origin: Origin | null;
  /** The most active time that its caller gives it, in milliseconds; null leaves it to the settings. */
  activeMsMax: number | null;
  acceptedAtMs: number;
}
