import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ApplicationFailure } from '@temporalio/common';
import { type EffectQueue, effectQueues } from '#libs/language/definition/blocks/kind';
import { effectKindOf } from '#libs/language/definition/blocks/registry';
import type { ActivityEffect } from '#libs/language/engine/effects';
import { Sandbox } from '#libs/platform/sandbox/sandbox';
import { Settings } from '#libs/platform/settings/settings';
import { DirectRecovery } from '#libs/runs/executions/direct/direct-recovery';
import { DirectRunner, type UnworkedRun } from '#libs/runs/executions/direct/direct-runner';
import type { EffectCommits, EffectDoor } from '#libs/runs/executions/direct/effect-door';
import { countStoredBytes } from '#libs/runs/executions/record/pack';
import type { RunKey } from '#temporal/activities';
import { handlers } from './blocks/handlers.ts';
import { EffectExecutor } from './effects/effect-executor.ts';
import { blockFailure, type EffectHandler, toFailure } from './effects/effect-handler.ts';
import { type EffectTask, runDirectTask } from './effects/effect-task.ts';
import { slotsOfAll, WorkspaceShare } from './effects/workspace-share.ts';
import { sizeHereMax } from './outputs/large-output.ts';

/** A handler has this long to report its own time-out. */
const graceMs = 5000;
const turnEveryMs = 250;

/** Carries out effects of runs in the process that accepts them. */
@Injectable()
export class DirectEffects implements EffectDoor, OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(DirectEffects.name);
  private readonly shares: Record<EffectQueue, WorkspaceShare>;
  private timer: NodeJS.Timeout | undefined;
  private stopping: Promise<void> | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  private handingOver: Promise<void> | undefined;
  private hasFinished = false;

  constructor(
    private readonly executor: EffectExecutor,
    private readonly sandbox: Sandbox,
    private readonly providers: ModuleRef,
    private readonly runner: DirectRunner,
    private readonly recovery: DirectRecovery,
    private readonly settings: Settings,
  ) {
    const { ioSlots, codeSlots, llmSlots } = settings;
    const slots: Record<EffectQueue, number> = { io: ioSlots, code: codeSlots, llm: llmSlots };
    this.shares = Object.fromEntries(
      effectQueues.map((queue) => [queue, new WorkspaceShare(slots[queue], slotsOfAll(slots[queue]))]),
    ) as Record<EffectQueue, WorkspaceShare>;
  }

  /** A worker reads large values, and what a client library parses by itself: the answers of MCP servers. */
  carriesOut({ type, scope }: ActivityEffect): boolean {
    return type !== 'mcp' && countStoredBytes(scope) <= sizeHereMax;
  }

  takeSlot(workspaceId: string, type: ActivityEffect['type']): (() => void) | null {
    return this.findShare(type)?.tryTake(workspaceId) ?? null;
  }

  async takeSlotSoon(workspaceId: string, type: ActivityEffect['type'], waitMs: number) {
    return this.findShare(type)?.takeSoon(workspaceId, waitMs) ?? null;
  }

  /** The slots for a type of block. The first code of a process goes to a worker, while the sandbox is tested. */
  private findShare(type: ActivityEffect['type']): WorkspaceShare | null {
    const { queue } = effectKindOf(type);
    return queue === 'code' && !this.sandbox.works ? null : this.shares[queue];
  }

  async tryEffect(run: RunKey, effect: ActivityEffect, { signal, ...commits }: EffectCommits) {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(timeOut()), effect.timeoutMs + graceMs);
    const task: EffectTask = {
      signal: AbortSignal.any([signal, late.signal]),
      attempt: 1,
      id: effect.visit.path,
      temporalRunId: undefined,
      scheduledAtMs: undefined,
      beat: () => undefined,
    };
    const handler = this.providers.get<EffectHandler>(handlers[effect.type], { strict: false });
    try {
      await runDirectTask(task, () =>
        untilAborted(task.signal, this.executor.runDirectly(run, effect, handler, commits)),
      );
      return null;
    } catch (error) {
      if (error instanceof ApplicationFailure) {
        // Messages of others stay out of the log.
        this.log.warn(`The attempt of ${effect.visit.path} has failed: ${error.type ?? 'FAILED'}`);
        return toFailure(error);
      }
      if (signal.aborted) return { failure: { code: 'STOPPED', message: 'The run stops.' }, about: {} };
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  onApplicationBootstrap(): void {
    if (this.settings.roles !== 'api') this.runner.useDoor(this);
    this.takeTurns();
  }

  /**
   * Hands the runs over to Temporal, each after its effect, or when the grace time is over. Resolves when this process carries out none.
   * Call it before connections and the sandbox are closed.
   */
  stop(): Promise<void> {
    return (this.stopping ??= this.handOverAll());
  }

  private async handOverAll(): Promise<void> {
    // The lease is renewed until the last call has ended, so that nobody takes the runs over meanwhile.
    await this.runner.finish(this.settings.shutdownGraceMs);
    this.hasFinished = true;
    clearTimeout(this.timer);
    await this.turn;
    await this.handingOver;
    const leave = async () => {
      await this.recovery.handOver(await this.runner.readUnworked());
      await this.runner.endLease();
    };
    // While the database is away, the lease runs out by itself.
    await leave().catch((error: unknown) => this.log.warn(`The lease was not ended: ${String(error)}`));
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  private takeTurns(): void {
    this.turn = this.runner
      .renewLease()
      .then((unworked) => this.handOver(unworked))
      // The next turn tries again. Without a lease no run begins here.
      .catch(() => undefined)
      .then(() => {
        if (!this.hasFinished) this.timer = setTimeout(() => this.takeTurns(), turnEveryMs);
      });
  }

  /** Hands runs over beside the turns, so that the lease is renewed meanwhile. */
  private handOver(runs: UnworkedRun[]): void {
    if (runs.length > 0)
      this.handingOver ??= this.recovery.handOver(runs).finally(() => (this.handingOver = undefined));
  }
}

const timeOut = () => blockFailure('TIMEOUT', 'The block did not answer in time.', { retryable: true });

/** Rejects with the reason of the signal when the work does not end by itself. */
async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let abort = () => undefined as void;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
