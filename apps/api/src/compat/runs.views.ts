import type { Json } from '#libs/platform/json/json';
import type { Failure } from '#libs/language/engine/effects';
import { type Execution, type ExecutionStatus, terminal } from '#libs/runs/executions/execution.entity';

/** The clients' words for our statuses. */
export const toClientStatus = (status: ExecutionStatus) => (status === 'queued' ? 'pending' : status);

/** The pause of a run, in the clients' form. */
export interface RunPause {
  contextId: string;
  pausedAt: string;
  /** Always null: it is for waits that end by themselves, which are no pauses here. */
  resumeAt: null;
  pauseKind: 'human';
  blockedOnBlockId: string;
  automaticResumeWaitingReason: null;
  pausePointCount: number;
  resumedCount: number;
}

/** The failure of a run, with the clients' code, and with ours as `failureCode`. */
interface RunError {
  message: string;
  code: string;
  failureCode: string;
  blockId?: string;
  blockName?: string;
}

export interface RunView {
  runId: string;
  workflowId: string;
  status: string;
  trigger: string;
  startedAt: string | null;
  endedAt: string | null;
  durationMs: number | null;
  paused: RunPause | null;
  error: RunError | null;
  output: Json;
  blockOutputs: Record<string, Json> | null;
}

export interface RunReceipt {
  runId: string;
  statusUrl: string;
}

/** A run. `output` is null until it has ended, and when the caller did not ask for it. */
export function runView(
  row: Execution,
  more: { paused: RunPause | null; blockOutputs?: Record<string, Json>; withOutput: boolean },
): RunView {
  const { id, workflowId, status, trigger, startedAt, completedAt, failure } = row;
  return {
    runId: id,
    workflowId,
    status: toClientStatus(status),
    trigger,
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: completedAt?.toISOString() ?? null,
    durationMs: startedAt && completedAt ? completedAt.getTime() - startedAt.getTime() : null,
    paused: more.paused,
    error: failure ? toRunError(failure) : null,
    output: more.withOutput && terminal(status) ? row.output : null,
    blockOutputs: more.blockOutputs ?? null,
  };
}

const foreignCodes: Record<string, string> = {
  CANCELLED: 'CANCELLED',
  EXECUTION_TIMEOUT: 'TIMEOUT',
  ENGINE_TIMED_OUT: 'TIMEOUT',
  TIMEOUT: 'TIMEOUT',
  USAGE_LIMIT_EXCEEDED: 'USAGE_LIMIT_EXCEEDED',
};

function toRunError({ code, message, blockId, blockName }: Failure): RunError {
  const ofBlock = code.startsWith('CHILD_') ? 'CHILD_WORKFLOW_FAILED' : 'BLOCK_EXECUTION_FAILED';
  return {
    message,
    code: foreignCodes[code] ?? (blockId === undefined ? 'EXECUTION_FAILED' : ofBlock),
    failureCode: code,
    ...(blockId === undefined ? {} : { blockId }),
    ...(blockName === undefined ? {} : { blockName }),
  };
}
