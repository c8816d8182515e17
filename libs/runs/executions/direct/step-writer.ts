import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, send, type Statement } from '#libs/platform/database/database';
import { Settings } from '#libs/platform/settings/settings';
import { toStoredJson } from '#libs/platform/text/whole-text';
import type { RunRecord } from '#temporal/activities';
import type { Packed } from '../record/pack.ts';
import { storing } from '../record/payloads.ts';
import { noPauses, Recorder, toStateColumns, visitRow } from '../record/recorder.ts';
import type { InlineStartInput } from '../deliver/workflow-starter.ts';
import type { DirectRun, RunStep } from './direct-run.ts';
import * as sql from './direct-runs.sql.ts';

/** Thrown when a run belongs to another process by now, or has ended. Nothing was written. */
export class LostRun extends Error {
  constructor(executionId: string) {
    super(`Another process goes on with ${executionId}.`);
  }
}

/** Writes the steps of runs that this process carries out by itself. */
@Injectable()
export class StepWriter {
  /** The name of this process in its lease and its runs. A process that starts again has another. */
  readonly processId = randomUUID();

  constructor(
    private readonly database: Database,
    private readonly recorder: Recorder,
    private readonly settings: Settings,
  ) {}

  /**
   * Commits a step. Returns true when a caller in another process waits. The caller calls `wakeWaiters` after that. Throws `LostRun`
   * when the run is not of this process.
   */
  async commitStep(run: DirectRun, step: RunStep, payloads: Packed['payloads'] = []): Promise<boolean> {
    const statements = this.buildStatements(run, step, payloads, this.processId);
    const [rows] = await this.database.batch(run.execution.workspaceId, statements);
    return requireOwner(run, rows);
  }

  /** Like `commitStep`, within a transaction that has locked the run of the process. */
  async writeStep(
    tx: EntityManager,
    run: DirectRun,
    step: RunStep,
    { payloads = [], processId = this.processId }: { payloads?: Packed['payloads']; processId?: string } = {},
  ): Promise<boolean> {
    const statements = this.buildStatements(run, step, payloads, processId);
    const [rows] = await Promise.all(statements.map((statement) => send(tx, ...statement)));
    return requireOwner(run, rows);
  }

  /** After the commit: wakes the callers that wait, and counts the step. */
  wakeWaiters(run: DirectRun, step: RunStep, awaited: boolean): void {
    this.recorder.wakeWaiters(toRecord(run, step), awaited);
  }

  private buildStatements(
    run: DirectRun,
    step: RunStep,
    payloads: Packed['payloads'],
    processId: string,
  ): Statement[] {
    const { execution, blocks } = run;
    const { executionId, workspaceId } = execution;
    const { event, number, atMs, outcome, carried } = step;
    const record = toRecord(run, step);
    const { status, output, failure, response, endedAt } = toStateColumns(record);
    const isShown = outcome && (this.settings.temporalSync.shown === 'all' || outcome.status !== 'completed');
    const requestId = execution.origin?.requestId;
    const start: InlineStartInput | null = carried
      ? { carried, ...(requestId === undefined ? {} : { requestId }) }
      : isShown
        ? { ended: { outcome, blocks: blocks.all } }
        : null;
    const row: sql.StepRow = {
      execution_id: executionId,
      workspace_id: workspaceId,
      process_id: processId,
      ...(event ? { number, event: toStoredJson(event) } : {}),
      at: new Date(atMs),
      visits: step.visits.map(visitRow),
      leaves: step.next === null,
      ...(outcome ? { status, output, failure, response, completed_at: endedAt } : {}),
      ...(start ? { start_input: toStoredJson(start) } : {}),
    };
    return [
      [sql.commitStep, [toStoredJson(row)]],
      ...storing({ workspaceId, executionId }, payloads),
      ...this.recorder.bookUsageStatements(record),
    ];
  }
}

/** The step as a record of the run. */
export function toRecord({ execution, times }: DirectRun, { atMs, outcome, visits }: RunStep): RunRecord {
  const { workspaceId, executionId, acceptedAtMs } = execution;
  return {
    workspaceId,
    executionId,
    status: outcome?.status ?? 'running',
    ...(outcome ? { outcome, endedAtMs: atMs } : {}),
    atMs,
    startedAtMs: times.startedAtMs,
    acceptedAtMs,
    visits,
    ...noPauses,
  };
}

/** Returns true when a caller in another process waits for the end. */
function requireOwner({ execution }: DirectRun, rows: Record<string, unknown>[] = []): boolean {
  const [row] = rows;
  if (row?.['is_owner'] !== true) throw new LostRun(execution.executionId);
  return row['awaited'] === true;
}
