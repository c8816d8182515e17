import type { FlowEntry } from '#libs/language/definition/flow';
import type { JsonObject } from '#libs/platform/json/json';
import type { MadeFrom } from '../execution.entity.ts';
import type { Origin } from '#libs/platform/telemetry/tracing/origin';

/**
 * An execution that is accepted, or that the next commit accepts. It is made once and handed on unchanged: to the inline
 * run, the rows, the outbox and Temporal. `acceptedRow` maps it to SQL, `WorkflowStarter` to the input of the Temporal run.
 */
export interface AcceptedExecution {
  executionId: string;
  workspaceId: string;
  workflowId: string;
  workflowName: string;
  /** What people know it by; null when its inputs say nothing. */
  title: string | null;
  version: number;
  planHash: string;
  mode: 'sync' | 'async';
  trigger: string;
  actor: JsonObject;
  /** Checked, with the defaults of the start block. In a committed execution large values are references. */
  inputs: JsonObject;
  /** The call that started it; null when no call did. */
  origin: Origin | null;
  /** The limit of active time that the caller sets, in milliseconds; null means that the settings decide. */
  activeMsMax: number | null;
  /** The address that hears of this execution, before it is committed; a trigger of its row tells it. */
  callbackUrl?: string;
  acceptedAtMs: number;
  /** The execution that it was made from. Its version need not be the live one. */
  madeFrom?: MadeFrom | null;
  /** True for a test, whose version need not be there. */
  isTest?: boolean;
  /** Its line, before it is committed; absent without flow control. */
  flow?: FlowEntry;
}
