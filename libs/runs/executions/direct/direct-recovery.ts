import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { replayEvents, type RunEvent } from '#libs/language/engine/run-events';
import { buildFacts } from '#libs/language/engine/state';
import { Database, send } from '#libs/platform/database/database';
import { Deployments } from '#libs/runs/workflows/deployments';
import { startColumns, type StartRow, toAccepted } from '../deliver/workflow-starter.ts';
import { DirectRun, type RunStep } from './direct-run.ts';
import * as sql from './direct-runs.sql.ts';
import { DirectRunner } from './direct-runner.ts';
import { StepWriter } from './step-writer.ts';

interface DirectRow extends StartRow {
  started_at: Date;
  process_id: string;
}

/** Goes on with runs from their rows, when the process that carried them out is lost or must not go on. */
@Injectable()
export class DirectRecovery {
  private readonly log = new Logger(DirectRecovery.name);

  constructor(
    private readonly database: Database,
    private readonly deployments: Deployments,
    private readonly runner: DirectRunner,
    private readonly writer: StepWriter,
  ) {}

  /** Hands runs of lost processes over to Temporal, and the runs that this process has left. Returns their number. */
  async takeOver(left: string[] = []): Promise<number> {
    const rows = await this.database.system<{ execution_id: string; workspace_id: string }>(
      sql.takeOverRuns,
      [this.writer.processId, left],
    );
    for (const { execution_id: id, workspace_id: workspaceId } of rows) {
      try {
        await this.handOver(workspaceId, id);
        this.log.warn(`Temporal goes on with ${id}, whose process is lost.`);
      } catch (error) {
        // One run that cannot be read must not keep the others.
        this.log.error(`${id} could not be handed over, and is tried again: ${String(error)}`);
        await this.database.systemUnflushed(sql.giveUpRun, [id]);
      }
    }
    if (rows.length > 0) await this.database.systemUnflushed(sql.forgetProcesses);
    return rows.length;
  }

  /** Ends a run as cancelled, whichever process carries it out. Returns false when none does. */
  async cancelRun(workspaceId: string, executionId: string): Promise<boolean> {
    const isCancelled = await this.goOnFromRows(workspaceId, executionId, (run) =>
      run.applyEvent({ kind: 'cancelled' }, () => false),
    );
    if (isCancelled) this.runner.stopRun(executionId);
    return isCancelled;
  }

  private handOver(workspaceId: string, executionId: string): Promise<boolean> {
    return this.goOnFromRows(workspaceId, executionId, (run) => {
      run.engine.noteLostCalls();
      return run.leave();
    });
  }

  private async goOnFromRows(
    workspaceId: string,
    executionId: string,
    toStep: (run: DirectRun) => RunStep,
  ): Promise<boolean> {
    const done = await this.database.within(workspaceId, async (tx) => {
      const found = await this.readRun(tx, executionId);
      if (!found) return null;
      const { run, processId } = found;
      const step = toStep(run);
      return { run, step, awaited: await this.writer.writeStep(tx, run, step, { processId }) };
    });
    if (done) this.writer.wakeWaiters(done.run, done.step, done.awaited);
    return done !== null;
  }

  /** Locks a run and reads it from its events; null when no process carries it out. */
  private async readRun(
    tx: EntityManager,
    executionId: string,
  ): Promise<{ run: DirectRun; processId: string } | null> {
    const [locked] = await send(tx, sql.lockDirectRun(startColumns), [executionId]);
    if (!locked) return null;
    const row = locked as unknown as DirectRow;
    const events = (await send(tx, sql.eventsOfRun, [executionId])) as unknown as {
      event: RunEvent;
      at: Date;
    }[];
    const execution = toAccepted(row);
    const plan = await this.deployments.planWithin(tx, execution.workspaceId, execution.planHash);
    const startedAtMs = row.started_at.getTime();
    const { run, blocks } = replayEvents(
      plan,
      { inputs: execution.inputs, run: buildFacts(execution, startedAtMs), nowMs: startedAtMs },
      events.map(({ event, at }) => ({ event, atMs: at.getTime() })),
    );
    const times = { startedAtMs, createdAt: row.created_at };
    const direct = new DirectRun(execution, run, blocks, times, events.length);
    return { run: direct, processId: row.process_id };
  }
}
