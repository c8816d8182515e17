import {
  ChildWorkflowFailure,
  executeChild,
  getExternalWorkflowHandle,
  isCancellation,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { ChildEffect, Failure } from '#libs/language/engine/effects';
import type { RunKey } from '#temporal/activities';
import { childSignal, type ExecutionInput } from '#temporal/messages';
import { plainRunType, runTypeOf } from '#temporal/run-type';
import { searchAttributesOf } from '#temporal/search-attributes';
import { activityFailure, local, type EffectResult } from './effect-activities.ts';

/**
 * Runs another workflow as an execution of its own: commits its row, then starts its Temporal workflow. A failure of
 * the child is the block's failure. A cancel of this run cancels the child. Rejects only when this run is cancelled.
 */
export async function runChild(parent: ExecutionInput, effect: ChildEffect): Promise<EffectResult> {
  const key = { workspaceId: parent.workspaceId, executionId: parent.executionId };
  try {
    const input = await openChild(key, effect);
    // A run with the plain type hides its name, so it hides the names of its children too.
    const isPlain = workflowInfo().workflowType === plainRunType;
    await executeChild(isPlain ? plainRunType : runTypeOf(input.workflowName), {
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
    return { failure: childFailure(error), attempts: 1 };
  }
}

/** The children of this run that must wait. The sandbox gives every run a module of its own. */
const line: { last: Promise<void> } = { last: Promise.resolve() };

const firstWaitMs = 1000;
const waitMsMax = 15_000;

/** Opens the child. When too many runs are under way, waits until others have ended. */
async function openChild(key: RunKey, effect: ChildEffect): Promise<ExecutionInput> {
  try {
    return await local.openChild(key, effect);
  } catch (error) {
    if (!mustWait(error)) throw error;
    return openInLine(key, effect);
  }
}

/** Only the first child in the line asks, so that a long line does not fill the history. */
async function openInLine(key: RunKey, effect: ChildEffect): Promise<ExecutionInput> {
  const before = line.last;
  let leave: () => void = () => undefined;
  line.last = new Promise((resolve) => (leave = resolve));
  await before;
  try {
    for (let delayMs = firstWaitMs; ; delayMs = Math.min(2 * delayMs, waitMsMax)) {
      try {
        return await local.openChild(key, effect);
      } catch (error) {
        if (!mustWait(error)) throw error;
      }
      await sleep(delayMs, { summary: `${effect.name}: waits until other runs have ended` });
    }
  } finally {
    leave();
  }
}

function mustWait(error: unknown): boolean {
  return !isCancellation(error) && activityFailure(error).code === 'CHILD_MUST_WAIT';
}

/** Signals the parent. Ignores a parent that has ended, because it no longer waits. */
export async function tellParent(
  { executionId, path }: NonNullable<ExecutionInput['parent']>,
  resting: boolean,
): Promise<void> {
  const signal = getExternalWorkflowHandle(executionId).signal(childSignal, { path, resting });
  await signal.catch((error: unknown) => {
    if (isCancellation(error)) throw error;
  });
}

function childFailure(error: unknown): Failure {
  const cause = error instanceof ChildWorkflowFailure ? error.cause : error;
  const { code, message } = activityFailure(cause);
  if (!(error instanceof ChildWorkflowFailure)) return { code, message };
  return { code, message, details: { executionId: error.execution.workflowId ?? null } };
}
