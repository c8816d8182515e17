import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, send, type Statement } from '#libs/platform/database/database';
import { Settings } from '#libs/platform/settings/settings';
import { toStoredJson } from '#libs/platform/text/whole-text';
import type { Packed } from '../record/pack.ts';
import { storing } from '../record/payloads.ts';
import { Recorder, toStateColumns, visitRow } from '../record/recorder.ts';
import { type InlineStartInput, toCarriedStart } from '../deliver/workflow-starter.ts';
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
    const { workspaceId, executionId } = run.execution;
    if (step.carried)
      return this.database.within(workspaceId, async (tx) => {
        await this.lockRun(tx, executionId);
        return this.writeStep(tx, run, step, { payloads });
      });
    const [rows] = await this.database.batch(
      workspaceId,
      this.buildStatements(run, step, payloads, this.processId),
    );
    return requireOwner(run, rows);
  }

  /** Locks a run of this process until the end of the transaction. Throws `LostRun` when it belongs to another. */
  async lockRun(tx: EntityManager, executionId: string): Promise<void> {
    const [owned] = await send(tx, sql.lockRun, [executionId, this.processId]);
    if (!owned) throw new LostRun(executionId);
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
    const awaited = requireOwner(run, rows);
    // A hand-over may open pauses, and leave a run that waits for people.
    if (step.carried)
      await this.recorder.recordWithin(tx, step.record, {
        along: [],
        origin: run.execution.origin,
      });
    return awaited;
  }

  /** After the commit: wakes the callers that wait, and counts the step. The record of a hand-over does both itself. */
  wakeWaiters({ carried, record }: RunStep, awaited: boolean): void {
    if (!carried) this.recorder.wakeWaiters(record, awaited);
  }

  private buildStatements(
    run: DirectRun,
    step: RunStep,
    payloads: Packed['payloads'],
    processId: string,
  ): Statement[] {
    const { execution, logged } = run;
    const { executionId, workspaceId } = execution;
    const { atMs, outcome, carried, record } = step;
    const [event] = step.logged;
    // The record of a hand-over books by itself.
    const usage = carried ? undefined : this.recorder.priceUsage(record);
    const { status, output, failure, response, endedAt } = toStateColumns(record);
    const isShown = outcome && (this.settings.temporalSync.shown === 'all' || outcome.status !== 'completed');
    const start: InlineStartInput | null = carried
      ? toCarriedStart(carried, execution.origin)
      : isShown
        ? { ended: { outcome, blocks: logged.blocks.all } }
        : null;
    const row: sql.StepRow = {
      execution_id: executionId,
      workspace_id: workspaceId,
      process_id: processId,
      ...(event ? { number: event.number, event: toStoredJson(event.event) } : {}),
      at: new Date(atMs),
      visits: carried ? [] : step.visits.map(visitRow),
      ...(usage ? { usage } : {}),
      leaves: step.next === null,
      ...(outcome ? { status, output, failure, response, completed_at: endedAt } : {}),
      ...(start ? { start_input: toStoredJson(start) } : {}),
    };
    return [
      [usage ? sql.commitPaidStep : sql.commitStep, [toStoredJson(row)]],
      ...storing({ workspaceId, executionId }, payloads),
    ];
  }
}

/** Returns true when a caller in another process waits for the end. */
function requireOwner({ execution }: DirectRun, rows: Record<string, unknown>[] = []): boolean {
  const [row] = rows;
  if (row?.['is_owner'] !== true) throw new LostRun(execution.executionId);
  return row['awaited'] === true;
}
