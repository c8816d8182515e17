import type { BlockLine } from './block-lines.ts';
import type { Run } from './run.ts';
import type { RunState } from './state.ts';

/** The state with which a run goes on that waits for one answer and for nothing else. */
export interface ResumePoint {
  state: RunState;
  /** Of all that is recorded. */
  blocks: BlockLine[];
  startedAtMs: number;
  /** The run's own clock at the record that this is a part of. */
  recordedAtMs: number;
}

/** Characters of JSON. A larger state would be written at each pause, and most are never read. */
const stateMax = 64 * 1024;

/** Null when more than an answer without votes can make the run go on, or when its state is large. Only when its log was taken. */
export function resumePointOf(run: Run, about: Omit<ResumePoint, 'state'>): ResumePoint | null {
  const pause = run.onlyPause;
  if (!pause || pause.asking?.approvals) return null;
  const { state } = run;
  return JSON.stringify(state).length <= stateMax ? { state, ...about } : null;
}
