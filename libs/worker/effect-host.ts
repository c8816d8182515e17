import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Context } from '@temporalio/activity';
import { type EffectQueue, effectQueues } from '#libs/language/definition/blocks/kind';
import { effectKindOf, type EffectType, effectTypes } from '#libs/language/definition/blocks/registry';
import { Settings } from '#libs/platform/settings/settings';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import type { HostedWorker } from '#libs/runs/temporal-workers/hosted-worker';
import type { ActivityEffect } from '#libs/language/engine/effects';
import type {
  ActivityResult,
  BatchActivity,
  EffectLineActivity,
  LineResult,
  RunKey,
} from '#temporal/activities';
import { activityWorker } from './activity-worker.ts';
import { handlers } from './blocks/handlers.ts';
import { BatchRunner } from './effects/batch-runner.ts';
import { isDatabaseUnavailable, databaseUnavailable } from './effects/retry-later.ts';
import { EffectLineRunner } from './effects/effect-line-runner.ts';
import { SingleEffectRunner } from './effects/single-effect-runner.ts';
import { slotsOfAll, WorkspaceShare } from './effects/workspace-share.ts';
import type { EffectHandler } from './effects/effect-handler.ts';

/**
 * Carries out effects. Each queue has slots of its own, so that calls, user code and models do not starve each other. A
 * workspace has at most as many slots as the settings say. A quarter more slots are for other workspaces.
 */
@Injectable()
export class EffectHost {
  readonly workers: HostedWorker[];

  constructor(
    temporal: TemporalClient,
    settings: Settings,
    private readonly single: SingleEffectRunner,
    private readonly lines: EffectLineRunner,
    private readonly batches: BatchRunner,
    private readonly providers: ModuleRef,
  ) {
    const slots: Record<EffectQueue, number> = {
      io: settings.ioSlots,
      code: settings.codeSlots,
      llm: settings.llmSlots,
    };
    this.workers = effectQueues.map((name) => {
      const activities = this.buildActivities(name, new WorkspaceShare(slots[name]));
      return activityWorker(temporal, {
        queue: `${settings.queue}-${name}`,
        activities: { ...activities },
        slots: slotsOfAll(slots[name]),
        graceMs: settings.shutdownGraceMs,
      });
    });
  }

  /**
   * An activity for each type of block on the queue, by the name of the type, and the two activities for several
   * effects.
   */
  private buildActivities(
    queue: EffectQueue,
    share: WorkspaceShare,
  ): object & EffectLineActivity & BatchActivity {
    const types = effectTypes.filter((type) => effectKindOf(type).queue === queue);
    const handlerOf = (type: EffectType) =>
      this.providers.get<EffectHandler>(handlers[type], { strict: false });
    const inSlot = <T>({ workspaceId }: RunKey, work: () => Promise<T>) =>
      share.runForWorkspace(workspaceId, Context.current().info.attempt, () => retryWithDatabase(work));
    const runLine: EffectLineActivity['effectLine'] = (run, effect) =>
      inSlot(run, () => this.lines.runLine(run, effect, handlerOf));
    const singles = types.map((type) => {
      const handler = handlerOf(type);
      const runEffect = (run: RunKey, effect: ActivityEffect, isLine?: true) =>
        isLine
          ? runLine(run, effect, isLine)
          : inSlot<ActivityResult | LineResult>(run, () => this.single.runEffect(run, effect, handler));
      return [type, runEffect] as const;
    });
    return {
      ...Object.fromEntries(singles),
      effectLine: runLine,
      batch: (run, effects) =>
        retryWithDatabase(() =>
          this.batches.runBatch(run, effects, { handlerOf, inSlot: (work) => inSlot(run, work) }),
        ),
    };
  }
}

/** Postpones an attempt that met no database between its effects. */
async function retryWithDatabase<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isDatabaseUnavailable(error) ? databaseUnavailable(Context.current().info.attempt) : error;
  }
}
