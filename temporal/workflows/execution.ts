import {
  allHandlersFinished,
  ApplicationFailure,
  CancelledFailure,
  condition,
  makeContinueAsNewFunc,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  childSignal,
  resumeSignal,
  resumeUpdate,
  upgradeSignal,
  type ExecutionInput,
  type WorkflowResult,
} from '#temporal/messages';
import { BlockLines } from '#libs/language/engine/block-lines';
import type { Outcome } from '#libs/language/engine/effects';
import { blockTable } from './details.ts';
import { ExecutionDriver } from './execution-driver.ts';

/**
 * Runs one execution of a deployed workflow from its start to its outcome. `Run` decides what may happen next.
 * `ExecutionDriver` carries it out and records it. This function connects the messages. Callers read the rows: the
 * outcome is committed before the Temporal run closes.
 */
export async function execution(input: ExecutionInput): Promise<WorkflowResult> {
  if (input.ended) {
    const { outcome, blocks } = input.ended;
    setCurrentDetails(blockTable(outcome.status, input.detailUrl, new BlockLines(blocks)));
    return closed(outcome);
  }
  const driver = new ExecutionDriver(input);
  setHandler(resumeUpdate, (message) => driver.pauses.answer(message), {
    validator: (message) => driver.pauses.refuse(message),
    description: 'Answer an open pause: { entryId, contextId, answers }',
  });
  setHandler(resumeSignal, (message) => driver.pauses.answerSignalled(message), {
    description: 'Answer an open pause from the UI or CLI: { "contextId": "ctx_…", "answers": { … } }',
  });
  setHandler(childSignal, (message) => driver.noteChildRests(message));
  setHandler(upgradeSignal, () => driver.wake(), {
    description: 'Move on to the current build of the workers',
  });

  const outcome = await driver.runToEnd();
  if ('state' in outcome) return handOver({ ...input, carried: outcome });
  if (!allHandlersFinished()) await condition(allHandlersFinished);
  return closed(outcome);
}

/** Closes the Temporal run with the outcome of the execution. */
function closed(outcome: Outcome): WorkflowResult {
  if (outcome.status === 'completed') return { output: outcome.output };
  if (outcome.status === 'cancelled') throw new CancelledFailure(outcome.failure.message);
  throw ApplicationFailure.nonRetryable(outcome.failure.message, outcome.failure.code);
}

/** Continues in a new history. A run that is pinned to an older build moves to the current one. */
function handOver(input: ExecutionInput): Promise<never> {
  const { targetWorkerDeploymentVersionChanged: isOld } = workflowInfo();
  const next = makeContinueAsNewFunc<typeof execution>(
    isOld ? { initialVersioningBehavior: 'AUTO_UPGRADE' } : {},
  );
  return next(input);
}
