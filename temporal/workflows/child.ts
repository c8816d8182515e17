import {
  ChildWorkflowFailure,
  executeChild,
  getExternalWorkflowHandle,
  isCancellation,
} from '@temporalio/workflow';
import type { ChildEffect, Failure } from '#libs/engine/effects';
import { childSignal, type ExecutionInput } from '#temporal/messages';
import { searchAttributesOf } from '#temporal/search-attributes';
import { failureOf, local, type EffectResult } from './effects.ts';

/**
 * Runs another workflow as an execution of its own: first its row is committed, then its Temporal workflow starts.
 * A failure of the child is the block's failure, and a cancel of this run cancels the child. Rejects only when this
 * run is cancelled.
 */
export async function runChild(parent: ExecutionInput, effect: ChildEffect): Promise<EffectResult> {
  const key = { workspaceId: parent.workspaceId, executionId: parent.executionId };
  try {
    const input = await local.openChild(key, effect);
    await executeChild('execution', {
      workflowId: input.executionId,
      args: [input],
      parentClosePolicy: 'REQUEST_CANCEL',
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      staticSummary: `${input.workflowName} v${input.version} · ${effect.name} of ${parent.workflowName}`,
      staticDetails: `[Execution ${input.executionId}](${input.detailUrl})`,
      typedSearchAttributes: searchAttributesOf(input),
    });
    return { output: await local.adopt(key, input.executionId), attempts: 1 };
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { failure: failureOfChild(error), attempts: 1 };
  }
}

/** Signals the parent. A parent that has ended is ignored: it no longer waits for the child. */
export async function tellParent(
  { executionId, path }: NonNullable<ExecutionInput['parent']>,
  resting: boolean,
): Promise<void> {
  const signal = getExternalWorkflowHandle(executionId).signal(childSignal, { path, resting });
  await signal.catch((error: unknown) => {
    if (isCancellation(error)) throw error;
  });
}

function failureOfChild(error: unknown): Failure {
  const cause = error instanceof ChildWorkflowFailure ? error.cause : error;
  const { code, message } = failureOf(cause);
  if (!(error instanceof ChildWorkflowFailure)) return { code, message };
  return { code, message, details: { executionId: error.execution.workflowId ?? null } };
}
