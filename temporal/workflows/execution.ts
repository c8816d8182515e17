import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  log,
  makeContinueAsNewFunc,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  childSignal,
  resumeSignal,
  resumeUpdate,
  roomSignal,
  upgradeSignal,
  type ExecutionInput,
  type OperatorAnswer,
  type WorkflowResult,
} from '#temporal/messages';
import { BlockLines } from '#libs/language/engine/block-lines';
import type { Outcome } from '#libs/language/engine/effects';
import { misshapenAnswer } from './answer-shapes.ts';
import { blockTable } from './details.ts';
import { local, noteRoom } from './effect-activities.ts';
import { ExecutionDriver } from './execution-driver.ts';

/**
 * Runs one execution of a deployed workflow from its start to its outcome. The rows decide what comes next. `ExecutionDriver` carries
 * what the run waits for. This function connects the messages. Callers read the rows: the outcome is committed before the Temporal run
 * closes.
 */
export async function execution(input: ExecutionInput): Promise<WorkflowResult> {
  if (input.ended) {
    const { outcome, blocks } = input.ended;
    setCurrentDetails(blockTable(outcome.status, input.detailUrl, new BlockLines(blocks)));
    return closed(outcome);
  }
  const driver = new ExecutionDriver(input);
  setHandler(resumeUpdate, (answer) => acceptAnswer(driver, answer), {
    validator: (answer) => {
      const fault = misshapenAnswer(answer);
      if (fault) throw fault;
    },
    description: 'Answer an open pause: { contextId, answers }',
  });
  setHandler(resumeSignal, (answer) => acceptSignal(driver, answer), {
    description: 'Answer an open pause from the UI or CLI: { "contextId": "ctx_…", "answers": { … } }',
  });
  setHandler(childSignal, (message) => driver.noteChildRests(message));
  setHandler(roomSignal, noteRoom);
  setHandler(upgradeSignal, () => driver.wake(), {
    description: 'Move on to the current build of the workers',
  });

  const outcome = await driver.runToEnd();
  if (!allHandlersFinished()) await condition(allHandlersFinished);
  if ('number' in outcome) return handOver({ ...input, carried: outcome });
  return closed(outcome);
}

/** Commits the answer of an operator. Throws the reason of a refusal. */
async function acceptAnswer(driver: ExecutionDriver, answer: OperatorAnswer): Promise<{ accepted: true }> {
  const refusal = await CancellationScope.nonCancellable(() =>
    local.acceptOperatorAnswer(driver.key, answer),
  );
  if (refusal) throw ApplicationFailure.nonRetryable(refusal.message, refusal.code);
  driver.wake();
  return { accepted: true };
}

/** Takes an answer for which nobody waits. Drops one that cannot be taken, because a thrown error would end the run. */
async function acceptSignal(driver: ExecutionDriver, answer: OperatorAnswer): Promise<void> {
  const fault = misshapenAnswer(answer);
  if (fault) return log.warn('a signalled answer was dropped', { reason: fault.message });
  if (answer.entryId !== undefined) return driver.wake(answer.entryId);
  try {
    await acceptAnswer(driver, answer);
  } catch (error) {
    log.warn('a signalled answer was dropped', { reason: String(error) });
  }
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
