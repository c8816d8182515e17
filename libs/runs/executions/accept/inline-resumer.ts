import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { send, type Statement } from '#libs/platform/database/database';
import type { JsonObject } from '#libs/platform/json/json';
import { buildSnapshot } from '#libs/language/engine/block-lines';
import type { ResumePoint } from '#libs/language/engine/resume-point';
import { Settings } from '#libs/platform/settings/settings';
import type { Origin } from '#libs/platform/telemetry/tracing/origin';
import { Deployments } from '#libs/runs/workflows/deployments';
import type { RunRecord } from '#temporal/activities';
import { InlineRunner, recordOfInlineRun } from './inline-runner.ts';
import { isUnsent } from '../record/record.sql.ts';
import { Recorder } from '../record/recorder.ts';

/** A locked execution that waits for one answer, and its resume point. */
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
  /** The call that started the execution. */
  origin: Origin | null;
}

/**
 * Fast path of an answer: applies it in the transaction that accepts it, when no effect comes before the next pause
 * or the end. The run still gets the answer and does the same steps; then it finds its results in the rows.
 */
@Injectable()
export class InlineResumer {
  constructor(
    private readonly deployments: Deployments,
    private readonly inlineRunner: InlineRunner,
    private readonly recorder: Recorder,
    private readonly settings: Settings,
  ) {}

  /** Locks the execution of a pause; null when the answer cannot be applied inline. The caller must have locked the pause. */
  async lockResumable(tx: EntityManager, contextId: string): Promise<ResumableExecution | null> {
    if (this.settings.inlineMaxMs === 0) return null;
    // A second statement reads the state: a statement that waits for a lock sees older versions of other rows.
    const [, [row]] = await Promise.all([
      send(tx, lockExecution, [contextId]),
      send(tx, findResumePoint, [contextId]),
    ]);
    return (row as unknown as ResumableExecution | undefined) ?? null;
  }

  /**
   * Runs the blocks after the answer and returns their record; null when only the run itself can go on. Writes
   * nothing.
   */
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
      snapshot: buildSnapshot(about, inline.blocks.all, inline.run.vars),
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

/** Locks the execution only if the answer can be applied inline; otherwise only the pause is locked. */
const lockExecution = /* sql */ `
select 1 from executions where id = (
  select t.execution_id from pause_points t join paused_executions p on p.execution_id = t.execution_id
  where t.context_id = $1 and t.resume_status = 'paused' and p.resume_point is not null
) for no key update`;

/**
 * Finds the execution only when Temporal has all earlier answers and the run has recorded them. Then the run and the
 * rows are at the same point.
 */
const findResumePoint = /* sql */ `
select e.id as "executionId", e.workspace_id as "workspaceId", e.workflow_id as "workflowId", e.version,
  e.plan_hash as "planHash", t.path, p.resume_point as "resumePoint", e.origin,
  (extract(epoch from e.created_at) * 1000)::float8 as "acceptedAtMs"
from pause_points t
join executions e on e.id = t.execution_id
join paused_executions p on p.execution_id = e.id
where t.context_id = $1 and t.resume_status = 'paused' and e.status = 'paused' and e.cancel_requested_at is null and p.resume_point is not null and p.applied_inline is null
  and not exists (
    select from resume_entries r
    where r.execution_id = e.id and ${isUnsent('r')}
  )`;
