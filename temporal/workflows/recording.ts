import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { BlockLines, buildSnapshot } from '#libs/language/engine/block-lines';
import { buildResumePoint } from '#libs/language/engine/resume-point';
import type { Run } from '#libs/language/engine/run';
import type { RunKey, RunRecord, ChainEnd } from '#temporal/activities';
import type { CarriedRun, ExecutionInput } from '#temporal/messages';
import { stateAttribute } from '#temporal/search-attributes';
import { blockTable } from './details.ts';
import { local } from './effect-activities.ts';
import type { KnownPause, PauseTracker } from './pause-tracker.ts';

/** Writes the settled states of a run into the database, and knows what the database holds. */
export class Recording {
  /** The key of the run for activities, with the time of its last record. */
  key: RunKey;
  readonly startedAtMs: number;
  private readonly blocks: BlockLines;
  /** The time at which an activity recorded the end of the run, or null. */
  private endedAtMs: number | null = null;
  /** The status in the database; `queued` until the first record or the first effect. */
  private shown: RunRecord['status'] | 'queued';

  constructor(
    private readonly input: ExecutionInput,
    private readonly pauseTracker: PauseTracker,
  ) {
    this.key = { workspaceId: input.workspaceId, executionId: input.executionId };
    // A run cannot begin before it was accepted, even when two clocks differ.
    const nowMs = Math.max(Date.now(), input.acceptedAtMs);
    const { blocks = [], startedAtMs = nowMs, shown = 'queued', recordedAtMs } = input.carried ?? {};
    // After a reset to the first task the run's clock is later than the records of its predecessor, but its start time
    // is not. A record from before Temporal had the run was made on another clock; its time stays.
    const { startTime, runStartTime, continuedFromExecutionRunId } = workflowInfo();
    this.stampRecord(
      recordedAtMs ?? (continuedFromExecutionRunId ? runStartTime.getTime() : startTime.getTime() - 1),
    );
    this.blocks = new BlockLines(blocks);
    this.startedAtMs = startedAtMs;
    this.shown = shown;
    if (input.carried) setCurrentDetails(blockTable(shown, input.detailUrl, this.blocks));
  }

  get carried(): Pick<CarriedRun, 'blocks' | 'startedAtMs' | 'shown'> {
    return { blocks: this.blocks.all, startedAtMs: this.startedAtMs, shown: this.shown };
  }

  /**
   * True when the database lacks something. An effect writes its own row when it begins, so a run with only effects needs no
   * record.
   */
  isDue(run: Run): boolean {
    const standsStill = run.waitingForPeople && this.shown !== 'paused';
    const unseen = this.shown === 'queued' && !run.inFlight.some(({ kind }) => kind === 'activity');
    return this.pauseTracker.unwritten || standsStill || unseen;
  }

  /**
   * The input for an activity that may record the end of the run. Null when the end needs more than an outcome and the
   * block log.
   */
  get end(): ChainEnd | null {
    const { parent, mode, acceptedAtMs } = this.input;
    if (parent || this.pauseTracker.everPaused || this.pauseTracker.unwritten) return null;
    return { startedAtMs: this.startedAtMs, acceptedAtMs, awaited: mode === 'sync' };
  }

  /** Notes that an activity has recorded the end of the run. */
  noteEnd(atMs: number): void {
    this.endedAtMs = atMs;
  }

  /** Writes the changes since the last record. Resolves to the newly opened pauses. */
  async commitRecord(run: Run): Promise<KnownPause[]> {
    const outcome = run.outcome();
    const status = statusOf(run);
    const visits = run.takeLog();
    for (const entry of visits) this.blocks.note(entry);
    setCurrentDetails(blockTable(status, this.input.detailUrl, this.blocks));
    if (this.endedAtMs !== null) {
      this.stampRecord(this.endedAtMs);
      return [];
    }
    const { parent, acceptedAtMs } = this.input;
    const change = this.pauseTracker.drainUnwritten(status !== 'running');
    if (change.opened.length > 0) this.pauseTracker.contextsPending = true;
    const atMs = Date.now();
    const key = this.key;
    this.stampRecord(atMs);
    const resumePoint = parent ? null : buildResumePoint(run, { ...this.carried, recordedAtMs: atMs });
    const contexts = await local.record({
      ...key,
      ...change,
      status,
      visits,
      atMs,
      startedAtMs: this.startedAtMs,
      acceptedAtMs,
      ...(outcome ? { outcome, endedAtMs: Math.max(Date.now(), run.loggedMs) } : {}),
      ...(parent ? { rootId: parent.rootId } : {}),
      ...(this.pauseTracker.everPaused && !parent
        ? { snapshot: buildSnapshot(this.input, this.blocks.all, run.vars) }
        : {}),
      ...(resumePoint ? { resumePoint } : {}),
    });
    return this.pauseTracker.addContexts(contexts, change.opened, atMs);
  }

  /** True when the database shows the run as paused. */
  get isPaused(): boolean {
    return this.shown === 'paused';
  }

  /** Shows the state of the last record to operators. The commit has woken the callers that wait. */
  showState(run: Run): void {
    const status = statusOf(run);
    this.pauseTracker.contextsPending = false;
    if (this.pauseTracker.everPaused && this.shown !== status)
      upsertSearchAttributes([{ key: stateAttribute, value: status }]);
    this.shown = status;
  }

  /** Later calls name the time of this record. After a reset it separates the records of two Temporal runs. */
  private stampRecord(lastRecordAtMs: number): void {
    const { workflowId, runId, continuedFromExecutionRunId: continuedFrom } = workflowInfo();
    if (workflowId !== this.key.executionId) return;
    const temporal = { runId, keptMs: lastRecordAtMs, ...(continuedFrom ? { continuedFrom } : {}) };
    this.key = { ...this.key, temporal };
  }
}

function statusOf(run: Run): RunRecord['status'] {
  return run.outcome()?.status ?? (run.waitingForPeople ? 'paused' : 'running');
}
