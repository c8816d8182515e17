import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { send, type Statement } from '#libs/platform/database/database';
import type { JsonObject } from '#libs/platform/json/json';
import { snapshotOf } from '#libs/language/engine/block-lines';
import type { ResumePoint } from '#libs/language/engine/resume-point';
import { Settings } from '#libs/platform/settings/settings';
import type { Origin } from '#libs/platform/telemetry/tracing/origin';
import { Deployments } from '#libs/runs/workflows/deployments';
import type { RunRecord } from '#temporal/activities';
import { InlineRunner, recordOfInlineRun } from './inline-runner.ts';
import { Recorder } from '../record/recorder.ts';

/** An execution that waits for one answer, locked, and the state to go on from. */
export interface ResumableExecution {
  executionId: string;
  workspaceId: string;
  workflowId: string;
  version: number;
  planHash: string;
  /** The path of the visit that pauses. */
  path: string;
  resumePoint: ResumePoint;
  acceptedAtMs: number;
  /** The call that started it. */
  origin: Origin | null;
}

/**
 * Fast path of an answer, which is otherwise sent to the run: applies it in the transaction that accepts it, when no effect stands
 * before the next pause or the end. The run gets the answer as always, does the same, and finds that the rows have it already.
 */
@Injectable()
export class InlineResumer {
  constructor(
    private readonly deployments: Deployments,
    private readonly inlineRunner: InlineRunner,
    private readonly recorder: Recorder,
    private readonly settings: Settings,
  ) {}

  /** The execution of a pause, locked; null when the rows cannot go on from it. The pause must be locked before. */
  async lockResumable(tx: EntityManager, contextId: string): Promise<ResumableExecution | null> {
    if (this.settings.inlineMaxMs === 0) return null;
    // The state is read by a statement of its own: one that waits for a lock sees other rows as they were before.
    const [, [row]] = await Promise.all([
      send(tx, lockExecution, [contextId]),
      send(tx, resting, [contextId]),
    ]);
    return (row as unknown as ResumableExecution | undefined) ?? null;
  }

  /** Runs the blocks after the answer and returns the record of that; null when the run itself must go on. Writes nothing. */
  async runAfterAnswer(
    tx: EntityManager,
    { resumePoint, path, ...about }: ResumableExecution,
    { entryId, contextId, answers }: { entryId: string; contextId: string; answers: JsonObject },
  ): Promise<RunRecord | null> {
    const plan = await this.deployments.planWithin(tx, about.workspaceId, about.planHash);
    // A later record has a later time, also where the clocks of two machines differ.
    const atMs = Math.max(Date.now(), resumePoint.recordedAtMs + 1);
    const inline = this.inlineRunner.runAfterAnswer(plan, about.planHash, resumePoint, {
      path,
      answers,
      atMs,
    });
    if (!inline) return null;
    return {
      ...recordOfInlineRun(about, inline, atMs),
      snapshot: snapshotOf(about, inline.blocks.all, inline.run.vars),
      claimed: [{ entryId, contextId, answers, decides: true, claimedAtMs: atMs }],
      completed: [entryId],
      appliedInline: entryId,
    };
  }

  /** Writes the record with the answer, after other statements of the same transaction. */
  writeRecord(
    tx: EntityManager,
    change: RunRecord,
    about: { along: Statement[]; origin: Origin | null },
  ): Promise<void> {
    return this.recorder.recordWithin(tx, change, about);
  }
}

/** Only where the rows may go on: one that is refused, or that the run must take, locks nothing more than its pause. */
const lockExecution = /* sql */ `
select 1 from executions where id = (
  select t.execution_id from pause_points t join paused_executions p on p.execution_id = t.execution_id
  where t.context_id = $1 and t.resume_status = 'paused' and p.resume_point is not null
) for no key update`;

/** Only when Temporal has all earlier answers, and the run has recorded them: then the run is where the rows are. */
const resting = /* sql */ `
select e.id as "executionId", e.workspace_id as "workspaceId", e.workflow_id as "workflowId", e.version,
  e.plan_hash as "planHash", t.path, p.resume_point as "resumePoint", e.origin,
  (extract(epoch from e.created_at) * 1000)::float8 as "acceptedAtMs"
from pause_points t
join executions e on e.id = t.execution_id
join paused_executions p on p.execution_id = e.id
where t.context_id = $1 and t.resume_status = 'paused' and e.status = 'paused' and e.cancel_requested_at is null and p.resume_point is not null and p.applied_inline is null
  and not exists (
    select from resume_entries r
    where r.execution_id = e.id and r.acknowledged_at is null and r.status <> 'failed'
  )`;
