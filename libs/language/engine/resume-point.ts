import type { BlockLine } from './block-lines.ts';
import type { Run } from './run.ts';
import type { RunState } from './state.ts';

/** The state of a run that waits for one answer and for nothing else. The run can go on from it. */
export interface ResumePoint {
  state: RunState;
  /** The summaries of all recorded blocks. */
  blocks: BlockLine[];
  startedAtMs: number;
  /** The run's own clock at the record that stored this state. */
  recordedAtMs: number;
}

/** Characters of JSON. A larger state would be written at each pause, and most are never read. */
const stateMax = 64 * 1024;

/**
 * The run's resume point. Null when the run waits for more than one answer without votes, or when its state is large.
 * Call `takeLog` before.
 */
export function buildResumePoint(run: Run, about: Omit<ResumePoint, 'state'>): ResumePoint | null {
  const pause = run.onlyPause;
  if (!pause || pause.asking?.approvals) return null;
  const { state } = run;
  return JSON.stringify(state).length <= stateMax ? { state, ...about } : null;
}
