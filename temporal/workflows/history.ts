import { workflowInfo } from '@temporalio/workflow';
import type { Run } from '#libs/engine/run';
import { isWork } from './effects.ts';

/** A run that waits for people may sleep for days: it does so with a history that is read in a moment. */
const restFactor = 12;

/** With a child under way a run stays longer, yet not so long that Temporal would end it: at 51,200 events or 50 MB. */
const childFactor = 4;
const eventsLast = 40_000;
const bytesLast = 25_000_000;

/** Something is under way that ends by itself. */
export function atWork(run: Run): boolean {
  return run.inFlight.some(isWork);
}

/**
 * Whether a run is to go on in a new history. A rest is the best moment. A child cannot be handed on: while one is under
 * way the run stays, since it would begin nothing beside it, until its history is so long that Temporal would end it.
 */
export function isLong(run: Run, eventsMax: number): boolean {
  const { historyLength, historySize, continueAsNewSuggested } = workflowInfo();
  if (run.inFlight.some(({ kind }) => kind === 'child'))
    return historyLength >= Math.min(childFactor * eventsMax, eventsLast) || historySize >= bytesLast;
  const most = run.waitingForPeople ? eventsMax / restFactor : eventsMax;
  return continueAsNewSuggested || historyLength >= most;
}

/**
 * Whether a run at rest is pinned to a build that is no longer the current one. Not to be asked of a run that has just
 * been handed over: an operator's override keeps it on its build, and it would go on so for ever.
 */
export function isOldBuild(run: Run): boolean {
  return workflowInfo().targetWorkerDeploymentVersionChanged && !atWork(run);
}
