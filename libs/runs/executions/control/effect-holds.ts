import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { claimInTurn, isAnyDue } from '#libs/platform/database/fair-claim';
import { lagOver, Outbox } from '#libs/platform/database/outbox';
import { Unavailable } from '#libs/platform/errors/errors';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import type { RunKey } from '#temporal/activities';
import { roomSignal } from '#temporal/messages';
import { stopEffect } from '../accept/holds.sql.ts';
import { HostLimits } from './host-limits.ts';

/** A hold, or the limit of a host, stops an effect before it has begun. The run tries again when it is told. */
export class EffectHeld extends Error {}

/** An effect that has begun. */
export interface BegunCall {
  /** Goes on to another host. The effect waits for its turn there only when it may begin again. Rejects with `EffectHeld`. */
  enterHost: (host: string | null, mayBeginAgain: boolean) => Promise<void>;
  /** Call it when the effect has ended. */
  end: () => Promise<void>;
}

/** An effect that begins now. */
export interface Beginning {
  path: string;
  /** Gives the host that it calls; null when it calls none. */
  findHost: () => string | null;
  timeoutMs: number;
}

interface Row {
  id: string;
  execution_id: string;
  due_at: Date;
  told_at: Date | null;
}

/** What a process knows of holds is never older than this when an effect begins, in milliseconds. So all know a hold that is older. */
export const ageMsMax = 1500;
/** A process that carries out effects reads the holds this often, and for this long after the last one, in milliseconds. */
const readEveryMs = 500;
const readForMs = 10_000;
/** An effect waits for so many reads that take too long. Then it is tried again later. */
const triesMax = 3;
/** More workspaces are not remembered: then each effect asks the rows. */
const workspacesMax = 10_000;

/**
 * Stops effects that a hold covers, or for which the limit of a host has no place, and tells their runs when they may go on. A process
 * remembers which workspaces have such holds or limits, so that effects of the others cost nothing.
 */
@Injectable()
export class EffectHolds extends Outbox<Row> implements OnModuleDestroy {
  readonly due = isAnyDue(released);
  protected readonly claim = claimTold;
  protected readonly lagOf = toldLag;
  /** The workspaces with holds of effects or limits of hosts; null for all, when they are too many. */
  private held: Set<string> | null = new Set();
  private readAtMs = -Infinity;
  private usedAtMs = -Infinity;
  private reading: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    database: Database,
    private readonly temporal: TemporalClient,
    private readonly hostLimits: HostLimits,
  ) {
    super(database);
  }

  /** Throws `EffectHeld` when a hold stops an effect, which is then noted for the release. Call it right before the effect begins. */
  async requireFree(run: RunKey, path: string): Promise<void> {
    if (await this.mayHold(run.workspaceId))
      await this.requireUnheld(run, { path, host: null, mayWait: true });
  }

  /** Like `requireFree`, for an effect that may call a host, and may be redirected to others. */
  async beginCall(run: RunKey, beginning: Beginning): Promise<BegunCall> {
    let leave = await this.enterHost(run, beginning, true);
    return {
      enterHost: async (host, mayBeginAgain) => {
        await leave();
        leave = nothing;
        leave = await this.enterHost(run, { ...beginning, findHost: () => host }, mayBeginAgain);
      },
      end: () => leave(),
    };
  }

  /** Lets a call begin at a host. Returns what gives its place to the next one. With `mayWait` it is noted for the release. */
  private async enterHost(
    run: RunKey,
    { path, findHost, timeoutMs }: Beginning,
    mayWait: boolean,
  ): Promise<() => Promise<void>> {
    const { workspaceId } = run;
    if (!(await this.mayHold(workspaceId))) return nothing;
    const host = findHost();
    await this.requireUnheld(run, { path, host, mayWait });
    if (host === null) return nothing;
    const place = await this.hostLimits.enterHost(run, { path, host, timeoutMs, mayWait });
    if (place === null) throw new EffectHeld(`The call waits for the limit of ${host}.`);
    return place === '0' ? nothing : () => this.hostLimits.leaveHost(workspaceId, host, place);
  }

  private async requireUnheld(
    { workspaceId, executionId }: RunKey,
    { path, host, mayWait }: { path: string; host: string | null; mayWait: boolean },
  ): Promise<void> {
    const values = [workspaceId, executionId, path, host, mayWait];
    const [hold] = await this.database.statement<{ reason: string }>(workspaceId, stopEffect, values);
    if (hold) throw new EffectHeld(`Held: ${hold.reason}`);
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
    this.usedAtMs = -Infinity;
  }

  /** Tells a run to try again what was held. A run that Temporal does not have yet is told later. */
  protected async deliver({
    id,
    execution_id: executionId,
    due_at: dueAt,
    told_at: toldAt,
  }: Row): Promise<void> {
    // Its place was kept for long enough: the run, or this part of it, goes on without the call.
    if (toldAt !== null) return void (await this.database.system(forgetTold, [id, dueAt]));
    // A run that has ended takes no place.
    const open = await this.database.system(findOpen, [executionId]);
    if (open.length > 0) {
      await this.temporal.client.workflow.getHandle(executionId).signal(roomSignal);
      await this.database.system(keepTold, [id, dueAt]);
    }
    await this.database.system(forgetTold, [id, dueAt]);
  }

  /** True when the workspace has, or may have, a hold of effects. */
  private async mayHold(workspaceId: string): Promise<boolean> {
    this.usedAtMs = performance.now();
    this.timer ??= setTimeout(() => this.keepReading(), readEveryMs).unref();
    for (let tries = 0; performance.now() - this.readAtMs > ageMsMax; tries++) {
      if (tries === triesMax) throw new Unavailable('What is held can not be read in time.');
      await this.read();
    }
    return this.held === null || this.held.has(workspaceId);
  }

  private keepReading(): void {
    this.timer = undefined;
    if (performance.now() - this.usedAtMs > readForMs) return;
    this.timer = setTimeout(() => this.keepReading(), readEveryMs).unref();
    // An effect that begins reads again, and meets the error.
    this.read().catch(() => undefined);
  }

  /** Reads which workspaces have holds. Callers share a read that is under way, which may be too old for them. */
  private read(): Promise<void> {
    this.reading ??= this.readHeld().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readHeld(): Promise<void> {
    const sentAtMs = performance.now();
    const rows = await this.database.systemUnflushed<{ workspace_id: string | null }>(findHeld, [
      workspacesMax + 1,
    ]);
    const held = rows.map((row) => row.workspace_id).filter((id) => id !== null);
    // The hold of the installation has no workspace.
    this.held = rows.length > workspacesMax || held.length < rows.length ? null : new Set(held);
    this.readAtMs = sentAtMs;
  }
}

const nothing = () => Promise.resolve();

const findHeld = /* sql */ `
select workspace_id from holds where stops = 'effects' union select id from workspaces where host_limits <> '[]' limit $1`;

/** Effects that may go on. */
const released = { table: 'held_effects', id: 'id', at: 'due_at', waits: ['due_at is not null'] };

const claimTold = /* sql */ `
update held_effects k set due_at = now() + interval '1 second'
from (${claimInTurn(released)}) chosen
where k.id = chosen.id returning k.id, k.execution_id, k.due_at, k.told_at`;

const findOpen = `select id from executions where id = $1 and status in ('queued', 'running', 'paused')`;

/** Keeps the place of a call to a host that still has a limit, until it comes. $1 held effect, $2 time of the claim */
const keepTold = /* sql */ `
update held_effects k set told_at = now(), due_at = now() + interval '1 minute'
from workspaces w, jsonb_array_elements(w.host_limits) l
where k.id = $1 and k.due_at = $2 and k.waits_for = 'limit' and w.id = k.workspace_id and l ->> 'host' = k.host`;

/** Leaves an effect that was held again meanwhile, or whose place is kept. $1 held effect, $2 time of the claim */
const forgetTold = 'delete from held_effects where id = $1 and due_at = $2';

const toldLag = lagOver('select due_at as since from held_effects where due_at is not null limit 10000');
