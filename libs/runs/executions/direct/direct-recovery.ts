import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, send } from '#libs/platform/database/database';
import { RunLog } from '../advance/run-log.ts';
import { toAccepted } from '../deliver/workflow-starter.ts';
import { DirectRun, type RunStep } from './direct-run.ts';
import * as sql from './direct-runs.sql.ts';
import { DirectRunner } from './direct-runner.ts';
import { StepWriter } from './step-writer.ts';

/** Goes on with runs from their rows, when the process that carried them out is lost or must not go on. */
@Injectable()
export class DirectRecovery {
  private readonly logger = new Logger(DirectRecovery.name);
  /** Runs that this process has left or taken over, and that Temporal does not have yet. */
  private readonly unhanded = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly log: RunLog,
    private readonly runner: DirectRunner,
    private readonly writer: StepWriter,
  ) {}

  /** Hands runs of lost processes over to Temporal, and the runs that this process has left. Returns their number. */
  async takeOver(left: string[] = []): Promise<number> {
    for (const id of left) this.unhanded.add(id);
    const rows = await this.database.system<{ execution_id: string; workspace_id: string }>(
      sql.takeOverRuns,
      [this.writer.processId, [...this.unhanded]],
    );
    for (const { execution_id: id, workspace_id: workspaceId } of rows) {
      try {
        await this.handOver(workspaceId, id);
        this.unhanded.delete(id);
        this.logger.warn(`Temporal goes on with ${id}, whose process is lost.`);
      } catch (error) {
        // One run that cannot be read must not keep the others.
        this.logger.error(`${id} could not be handed over, and is tried again: ${String(error)}`);
        this.unhanded.add(id);
        await this.database.systemUnflushed(sql.giveUpRun, [id]).catch(() => undefined);
      }
    }
    if (rows.length > 0) await this.database.systemUnflushed(sql.forgetProcesses);
    return rows.length;
  }

  /** Ends a run as cancelled, whichever process carries it out. Returns false when none does. */
  async cancelRun(workspaceId: string, executionId: string): Promise<boolean> {
    const isCancelled = await this.goOnFromRows(workspaceId, executionId, (run) =>
      run.applyEvents([{ kind: 'cancelled' }], () => false),
    );
    if (isCancelled) this.runner.stopRun(executionId);
    return isCancelled;
  }

  private handOver(workspaceId: string, executionId: string): Promise<boolean> {
    return this.goOnFromRows(workspaceId, executionId, (run) => run.leaveLost());
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
      return { step, awaited: await this.writer.writeStep(tx, run, step, { processId }) };
    });
    if (done) this.writer.wakeWaiters(done.step, done.awaited);
    return done !== null;
  }

  /** Locks a run and reads it from its events; null when no process carries it out. */
  private async readRun(
    tx: EntityManager,
    executionId: string,
  ): Promise<{ run: DirectRun; processId: string } | null> {
    const [owned] = await send(tx, sql.lockDirectRun, [executionId]);
    if (!owned) return null;
    const locked = await this.log.lockRun(tx, executionId);
    if (!locked) return null;
    const { run } = await this.log.readRun(tx, locked.row, locked.number);
    const direct = new DirectRun(toAccepted(locked.row), run, locked.row.created_at);
    return { run: direct, processId: String(owned['process_id']) };
  }
}
