import { workflowInfo } from '@temporalio/workflow';
import type { Run } from '#libs/language/engine/run';
import { isWork } from './effect-activities.ts';

/** A run may wait for people for days. It moves to a new history earlier, so that a worker has less to read. */
const restFactor = 12;

/** A run with an open child keeps its history longer. Temporal would end a run at 51,200 events or 50 MB. */
const childFactor = 4;
const eventsLast = 40_000;
const bytesLast = 25_000_000;

/** True when an effect is under way that ends without a person or a timer. */
export function atWork(run: Run): boolean {
  return run.inFlight.some(isWork);
}

/**
 * True when a run should continue in a new history. The best moment is while it waits for people. A child cannot move
 * to a new history. So a run with an open child keeps its history until Temporal would soon end the run.
 */
export function isLong(run: Run, eventsMax: number): boolean {
  const { historyLength, historySize, continueAsNewSuggested } = workflowInfo();
  if (run.inFlight.some(({ kind }) => kind === 'child'))
    return historyLength >= Math.min(childFactor * eventsMax, eventsLast) || historySize >= bytesLast;
  const most = run.waitingForPeople ? eventsMax / restFactor : eventsMax;
  return continueAsNewSuggested || historyLength >= most;
}

/**
 * True when a run without work under way is pinned to an old build. Do not call it for a run that has just moved to a
 * new history. An operator's override may keep that run on its build, so it would move again for ever.
 */
export function isOldBuild(run: Run): boolean {
  return workflowInfo().targetWorkerDeploymentVersionChanged && !atWork(run);
}
