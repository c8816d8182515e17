import { workflowInfo } from '@temporalio/workflow';

/** A run may wait for people for days. It moves to a new history earlier, so that a worker has less to read. */
const restFactor = 12;

/** A run with an open child keeps its history longer. Temporal would end a run at 51,200 events or 50 MB. */
const childFactor = 4;
const eventsLast = 40_000;
const bytesLast = 25_000_000;

/**
 * True when a run should continue in a new history. The best moment is while it waits for people. A child cannot move
 * to a new history. So a run with an open child keeps its history until Temporal would soon end the run.
 */
export function isLong(run: { hasChild: boolean; isPaused: boolean }, eventsMax: number): boolean {
  const { historyLength, historySize, continueAsNewSuggested } = workflowInfo();
  if (run.hasChild)
    return historyLength >= Math.min(childFactor * eventsMax, eventsLast) || historySize >= bytesLast;
  const most = run.isPaused ? eventsMax / restFactor : eventsMax;
  return continueAsNewSuggested || historyLength >= most;
}

/**
 * True when the run is pinned to an old build. Do not call it for a run that has just moved to a new history. An operator's override may
 * keep that run on its build, so it would move again for ever.
 */
export function isOldBuild(): boolean {
  return workflowInfo().targetWorkerDeploymentVersionChanged;
}
