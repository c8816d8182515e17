import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '#libs/database/database';
import { newId, newUnguessableId } from '#libs/ids/ids';
import { Settings } from '#libs/settings/settings';
import type { RunKey, RunRecord } from '#temporal/activities';
import { Payloads } from './payloads.ts';
import * as sql from './record.sql.ts';
import { Settlements } from './settlements.ts';

/** Writes what a run did. The only door from the engine to the rows; writing the same change twice changes nothing. */
@Injectable()
export class Recorder {
  constructor(
    private readonly database: Database,
    private readonly payloads: Payloads,
    private readonly settlements: Settlements,
    private readonly settings: Settings,
  ) {}

  /** Commits one change and answers the context id of every pause of the run by visit path. */
  async record(change: RunRecord): Promise<Record<string, string>> {
    const contexts = await this.database.within(change.workspaceId, async (tx) => {
      if (change.opened.length > 0) await this.openPauses(tx, change);
      if (change.claimed.length > 0) await this.claim(tx, change);
      if (change.expired.length > 0) await tx.query(sql.expirePoints, [change.executionId, change.expired]);
      await this.writeRun(tx, change);
      if (!touchesPauses(change)) return {};
      if (change.completed.length > 0) await tx.query(sql.completeEntries, [change.completed]);
      if (change.status === 'cancelled' || change.status === 'failed')
        await tx.query(sql.closePoints, [change.executionId, change.status]);
      const snapshot = change.snapshot ? JSON.stringify(change.snapshot) : null;
      await tx.query(sql.recountPauses, [change.executionId, snapshot]);
      const points: { path: string; context_id: string }[] = await tx.query(sql.contextsOf, [
        change.executionId,
      ]);
      return Object.fromEntries(points.map(({ path, context_id: id }) => [path, id]));
    });
    if (change.status !== 'running') this.settlements.announce(change.executionId);
    return contexts;
  }

  /** Shows an effect in the block log while it is under way. Lost with the machine, and then written by the record. */
  async begin(
    run: RunKey,
    visit: { path: string; blockId: string; name: string; type: string },
  ): Promise<void> {
    await this.database.within(run.workspaceId, async (tx) => {
      await tx.query('set local synchronous_commit = off');
      await tx.query(sql.beginVisit, [
        run.executionId,
        run.workspaceId,
        visit.path,
        visit.blockId,
        visit.name,
        visit.type,
      ]);
    });
  }

  /** Status, output and block log in one statement, with the notice for whoever waits. */
  private async writeRun(tx: EntityManager, change: RunRecord): Promise<void> {
    const { outcome, workspaceId, executionId } = change;
    await tx.query(sql.writeRun, [
      executionId,
      workspaceId,
      change.status,
      outcome ? JSON.stringify(outcome.output) : null,
      outcome && 'failure' in outcome ? JSON.stringify(outcome.failure) : null,
      outcome && 'response' in outcome && outcome.response ? JSON.stringify(outcome.response) : null,
      new Date(change.startedAtMs),
      change.endedAtMs === undefined ? null : new Date(change.endedAtMs),
      JSON.stringify(change.visits.map(visitRow)),
      change.status !== 'running',
    ]);
    if (outcome && this.settings.pricePerExecution > 0) {
      await tx.query(sql.bookUsage, [workspaceId, executionId, this.settings.pricePerExecution]);
    }
  }

  private async openPauses(
    tx: EntityManager,
    { workspaceId, executionId, opened }: RunRecord,
  ): Promise<void> {
    await tx.query(sql.ensurePaused, [newId('pause'), workspaceId, executionId]);
    for (const { visit, name, title, message, fields, form, expiresAtMs } of opened) {
      // A person must see what was meant at this moment, so the row keeps the values themselves.
      const shown = await this.payloads.resolveWithin(tx, { workspaceId, executionId }, fields);
      await tx.query(sql.openPoint, [
        newUnguessableId('ctx'),
        workspaceId,
        executionId,
        visit.path,
        visit.blockId,
        JSON.stringify({ name, title, message, fields: shown }),
        JSON.stringify(form),
        expiresAtMs === null ? null : new Date(expiresAtMs),
      ]);
    }
  }

  private async claim(tx: EntityManager, { workspaceId, executionId, claimed }: RunRecord): Promise<void> {
    for (const { entryId, contextId, claimedAtMs, answers, signalled } of claimed) {
      if (signalled) {
        await tx.query(sql.insertSignalled, [
          entryId,
          workspaceId,
          executionId,
          newId('exec'),
          contextId,
          JSON.stringify(answers),
        ]);
      }
      await tx.query(sql.claimEntry, [entryId, new Date(claimedAtMs), contextId]);
    }
  }
}

/** A run that ends badly may leave pauses open, whoever records it. */
function touchesPauses({ status, opened, claimed, completed, expired, snapshot }: RunRecord): boolean {
  if (status === 'failed' || status === 'cancelled') return true;
  return opened.length + claimed.length + completed.length + expired.length > 0 || snapshot !== undefined;
}

function visitRow(entry: RunRecord['visits'][number]) {
  const { path, seq, blockId, name, type, status, attempts, output, failure, port } = entry;
  return {
    path,
    seq,
    block_id: blockId,
    name,
    type,
    status,
    attempts,
    output,
    failure,
    port,
    started_at: new Date(entry.startedAtMs),
    ended_at: entry.endedAtMs === null ? null : new Date(entry.endedAtMs),
  };
}
