import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Context } from '@temporalio/activity';
import { type EffectQueue, effectQueues } from '#libs/language/definition/blocks/kind';
import { effectKindOf, type EffectType, effectTypes } from '#libs/language/definition/blocks/registry';
import { Settings } from '#libs/platform/settings/settings';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import type { HostedWorker } from '#libs/runs/temporal-workers/hosted-worker';
import type { BatchActivity, EffectActivities, RunKey, EffectChainActivity } from '#temporal/activities';
import { activityWorker } from './activity-worker.ts';
import { handlers } from './blocks/handlers.ts';
import { BatchRunner } from './effects/batch-runner.ts';
import { isDatabaseUnavailable, databaseUnavailable } from './effects/retry-later.ts';
import { EffectChainRunner } from './effects/effect-chain-runner.ts';
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
    private readonly chains: EffectChainRunner,
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
  ): Partial<EffectActivities> & EffectChainActivity & BatchActivity {
    const types = effectTypes.filter((type) => effectKindOf(type).queue === queue);
    const handlerOf = (type: EffectType) =>
      this.providers.get<EffectHandler>(handlers[type], { strict: false });
    const inSlot = <T>({ workspaceId }: RunKey, work: () => Promise<T>) =>
      share.runForWorkspace(workspaceId, Context.current().info.attempt, () => retryWithDatabase(work));
    const singles = types.map((type): [EffectType, EffectActivities[EffectType]] => {
      const handler = handlerOf(type);
      return [type, (run, effect) => inSlot(run, () => this.single.runEffect(run, effect, handler))];
    });
    return {
      ...Object.fromEntries(singles),
      effectChain: (run, start) => inSlot(run, () => this.chains.runChain(run, start, handlerOf)),
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
