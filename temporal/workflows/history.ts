import { workflowInfo } from '@temporalio/workflow';
import type { Run } from '#libs/language/engine/run';
import { isWork } from './effects.ts';

/**
 * A run that waits for people may wait for days, so it moves to a new history earlier: then the history that a
 * worker has to read is short.
 */
const restFactor = 12;

/**
 * With a child under way a run keeps its history longer, but not so long that Temporal would end it: at 51,200
 * events or 50 MB.
 */
const childFactor = 4;
const eventsLast = 40_000;
const bytesLast = 25_000_000;

/** True when an effect is under way that ends without a person or a timer. */
export function atWork(run: Run): boolean {
  return run.inFlight.some(isWork);
}

/**
 * True when a run should continue in a new history. The best moment is while it waits for people. A child cannot
 * move to a new history: while one is under way the run keeps its history, because it would begin nothing beside
 * the child, until the history is so long that Temporal would end the run.
 */
export function isLong(run: Run, eventsMax: number): boolean {
  const { historyLength, historySize, continueAsNewSuggested } = workflowInfo();
  if (run.inFlight.some(({ kind }) => kind === 'child'))
    return historyLength >= Math.min(childFactor * eventsMax, eventsLast) || historySize >= bytesLast;
  const most = run.waitingForPeople ? eventsMax / restFactor : eventsMax;
  return continueAsNewSuggested || historyLength >= most;
}

/**
 * True when a run without work under way is pinned to a build that is no longer the current one. Must not be called
 * for a run that has just moved to a new history: an operator's override keeps it on its build, so it would move
 * again for ever.
 */
export function isOldBuild(run: Run): boolean {
  return workflowInfo().targetWorkerDeploymentVersionChanged && !atWork(run);
}
