import {
  ChildWorkflowFailure,
  executeChild,
  getExternalWorkflowHandle,
  isCancellation,
  workflowInfo,
} from '@temporalio/workflow';
import type { ChildEffect, Failure } from '#libs/language/engine/effects';
import type { RunKey } from '#temporal/activities';
import { childSignal, type ExecutionInput } from '#temporal/messages';
import { plainRunType, toRunType } from '#temporal/run-type';
import { buildSearchAttributes } from '#temporal/search-attributes';
import {
  activityFailure,
  countRoomSignals,
  local,
  type EffectResult,
  untilRoom,
} from './effect-activities.ts';

/**
 * Runs another workflow as an execution of its own: commits its row, then starts its Temporal workflow. A failure of
 * the child is the block's failure. A cancel of this run cancels the child. Rejects only when this run is cancelled.
 * Calls `inLine` when the child begins to wait for room, and when it has it.
 */
export async function runChild(
  parent: ExecutionInput,
  key: RunKey,
  effect: ChildEffect,
  inLine: (waits: boolean) => void,
): Promise<EffectResult> {
  try {
    const input = await openChild(key, effect, inLine);
    // A run with the plain type hides its name, so it hides the names of its children too.
    const isPlain = workflowInfo().workflowType === plainRunType;
    await executeChild(isPlain ? plainRunType : toRunType(input.workflowName), {
      workflowId: input.executionId,
      args: [effect.round === undefined ? input : { ...input, isRetried: true }],
      parentClosePolicy: 'REQUEST_CANCEL',
      workflowIdReusePolicy: effect.round === undefined ? 'REJECT_DUPLICATE' : 'ALLOW_DUPLICATE',
      staticSummary: `${input.workflowName} v${input.version} · ${effect.name} of ${parent.workflowName}`,
      staticDetails: `[Execution ${input.executionId}](${input.detailUrl})`,
      typedSearchAttributes: buildSearchAttributes(input),
    });
    return { output: await local.adopt(key, input.executionId), attempts: 1 };
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { failure: childFailure(error), attempts: 1 };
  }
}

/** The children of this run that must wait. The sandbox gives every run a module of its own. */
const line = { last: Promise.resolve() };

/** Opens the child. When too many runs are under way, waits until others have ended. */
async function openChild(
  key: RunKey,
  effect: ChildEffect,
  inLine: (waits: boolean) => void,
): Promise<ExecutionInput> {
  const before = countRoomSignals();
  try {
    return await local.openChild(key, effect);
  } catch (error) {
    if (!mustWait(error)) throw error;
  }
  inLine(true);
  try {
    return await openInLine(key, effect, before);
  } finally {
    inLine(false);
  }
}

/**
 * Waits for a signal before each try. So a wait of any length costs no events. Only the first child in the line tries,
 * because one place is for one child.
 */
async function openInLine(key: RunKey, effect: ChildEffect, before: number): Promise<ExecutionInput> {
  const ahead = line.last;
  let leave: () => void = () => undefined;
  line.last = new Promise((resolve) => (leave = resolve));
  let seen = before;
  await ahead;
  try {
    for (let tries = 1; ; tries++) {
      seen = await untilRoom(seen);
      try {
        return await local.openChild(key, effect, tries);
      } catch (error) {
        if (!mustWait(error)) throw error;
      }
    }
  } finally {
    leave();
  }
}

function mustWait(error: unknown): boolean {
  return !isCancellation(error) && activityFailure(error).code === 'CHILD_MUST_WAIT';
}

/** Signals the parent what this run waits for. Ignores a parent that has ended, because it no longer waits. */
export async function tellParent(
  { executionId, path }: NonNullable<ExecutionInput['parent']>,
  waits: { resting: boolean; still: boolean },
): Promise<void> {
  const signal = getExternalWorkflowHandle(executionId).signal(childSignal, { path, ...waits });
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
