import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Context } from '@temporalio/activity';
import { type EffectQueue, effectQueues } from '#libs/definition/blocks/kind';
import { effectKindOf, effectTypes } from '#libs/definition/blocks/registry';
import { Settings } from '#libs/settings/settings';
import { TemporalClient } from '#libs/temporal-client/temporal-client';
import type { HostedWorker } from '#libs/temporal-workers/hosted-worker';
import type { EffectActivities } from '#temporal/activities';
import { activityWorker } from './activity-worker.ts';
import { handlers } from './blocks/handlers.ts';
import { Costs } from './effects/costs.ts';
import { EffectFrame } from './effects/effect-frame.ts';
import { WorkspaceShare } from './effects/workspace-share.ts';
import type { EffectHandler } from './effects/effect-handler.ts';

/**
 * Carries out effects: each queue has slots of its own, so that calls, user code and models do not starve each other. A
 * workspace has at most as many as the settings say; a quarter more are for the other workspaces.
 */
@Injectable()
export class EffectHost {
  readonly workers: HostedWorker[];

  constructor(
    temporal: TemporalClient,
    settings: Settings,
    private readonly frame: EffectFrame,
    private readonly costs: Costs,
    private readonly providers: ModuleRef,
  ) {
    const slots: Record<EffectQueue, number> = {
      io: settings.ioSlots,
      code: settings.codeSlots,
      llm: settings.llmSlots,
    };
    this.workers = effectQueues.map((name) => {
      const activities = this.activitiesOf(name, new WorkspaceShare(slots[name]));
      return activityWorker(temporal, {
        queue: `${settings.queue}-${name}`,
        activities: { ...activities },
        slots: slots[name] + Math.ceil(slots[name] / 4),
        graceMs: settings.shutdownGraceMs,
      });
    });
  }

  /** One activity for each type of block on the queue, by the name of the type. */
  private activitiesOf(queue: EffectQueue, share: WorkspaceShare): Partial<EffectActivities> {
    const types = effectTypes.filter((type) => effectKindOf(type).queue === queue);
    return Object.fromEntries(
      types.map((type) => {
        const handler = this.providers.get<EffectHandler>(handlers[type]);
        const activity: EffectActivities[typeof type] = (run, effect) =>
          share.run(run.workspaceId, Context.current().info.attempt, async () => {
            const result = await this.frame.carry(run, effect, handler);
            await this.costs.call(run, effect);
            return result;
          });
        return [type, activity];
      }),
    );
  }
}
