import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { afterCommit, Database, send, type Statement } from '#libs/platform/database/database';
import { RunLog } from '../advance/run-log.ts';
import { toAccepted } from '../deliver/workflow-starter.ts';
import { DirectRun, type RunStep } from './direct-run.ts';
import * as sql from './direct-runs.sql.ts';
import { DirectRunner, type OwnedRun, type UnworkedRun } from './direct-runner.ts';
import { LeaseWatch } from './lease-watch.ts';
import { StepWriter } from './step-writer.ts';

/** Goes on with runs from their rows, when nobody works on them or a person ends them. */
@Injectable()
export class DirectRecovery {
  private readonly logger = new Logger(DirectRecovery.name);

  constructor(
    private readonly database: Database,
    private readonly log: RunLog,
    private readonly runner: DirectRunner,
    private readonly writer: StepWriter,
    private readonly leases: LeaseWatch,
  ) {}

  /** Hands runs of lost processes over to Temporal. Returns how many it has found. */
  async takeOver(): Promise<number> {
    const lost = await this.leases.findLost();
    if (lost.size === 0) return 0;
    const values = [[...lost.keys()], [...lost.values()]];
    const runs = await this.database.system<OwnedRun>(sql.takeLostRuns, values);
    // Nobody knows which call such a process had begun.
    await this.handOver(runs.map((run) => ({ ...run, mayHaveBegun: () => true })));
    await this.database.systemUnflushed(sql.forgetProcesses, values);
    return runs.length;
  }

  /** Hands runs over to Temporal. A run that fails stays where it is, so that it is found again. */
  async handOver(runs: UnworkedRun[]): Promise<void> {
    for (const { executionId, workspaceId, processId, mayHaveBegun } of runs) {
      try {
        const lock: Statement = [sql.tryLockRun, [executionId, processId]];
        const isHandedOver = await this.database.within(workspaceId, (tx) =>
          this.goOnFromRows(tx, lock, executionId, (run) =>
            run.openPaths.some(mayHaveBegun) ? run.leaveLost() : run.leave(),
          ),
        );
        if (isHandedOver) this.logger.warn(`Temporal goes on with ${executionId}, on which nobody worked.`);
      } catch (error) {
        // One run that cannot be read must not keep the others.
        this.logger.error(`${executionId} could not be handed over, and is tried again: ${String(error)}`);
        await this.database.systemUnflushed(sql.postponeRun, [executionId]).catch(() => undefined);
      }
    }
  }

  /**
   * Ends a run as cancelled, whichever process carries it out. Returns false when none does. The transaction has locked the run before its
   * execution, as steps do.
   */
  async cancelWithin(tx: EntityManager, executionId: string): Promise<boolean> {
    const isCancelled = await this.goOnFromRows(tx, [sql.lockRunOfAny, [executionId]], executionId, cancel);
    if (isCancelled) afterCommit(tx, () => this.runner.stopRun(executionId));
    return isCancelled;
  }

  private async goOnFromRows(
    tx: EntityManager,
    lock: Statement,
    executionId: string,
    toStep: (run: DirectRun) => RunStep,
  ): Promise<boolean> {
    const [owned] = await send(tx, ...lock);
    const locked = owned && (await this.log.lockRun(tx, executionId));
    if (!locked) return false;
    const { row } = locked;
    const logged = (await this.log.readRun(tx, locked)).run;
    const run = new DirectRun(toAccepted(row), logged, row.created_at);
    // Whoever goes on with a run keeps to a cancel that was accepted.
    const step = (row.is_cancelled ? cancel : toStep)(run);
    const processId = String(owned['process_id']);
    const awaited = await this.writer.writeStep(tx, run, step, { processId });
    afterCommit(tx, () => this.writer.wakeWaiters(step, awaited));
    return true;
  }
}

const cancel = (run: DirectRun): RunStep => run.applyEvents([{ kind: 'cancelled' }], () => false);
