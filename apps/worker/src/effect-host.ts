import { Injectable } from '@nestjs/common';
import { Worker } from '@temporalio/worker';
import { HostedWorker } from '#libs/temporal-workers/hosted-worker';
import { TemporalClient } from '#libs/temporal-client/temporal-client';
import { Settings } from '#libs/settings/settings';
import { Effects } from './activities/effects.ts';
import { ModelEffects } from './activities/model-effects.ts';

/** Carries out effects: calls, user code and models each on a queue of its own, so that none starves another of slots. */
@Injectable()
export class EffectHost {
  readonly workers: HostedWorker[];

  constructor(link: TemporalClient, settings: Settings, effects: Effects, models: ModelEffects) {
    const host = (queue: string, activities: object, slots: number) =>
      new HostedWorker(queue, link, (connection) =>
        Worker.create({
          connection,
          namespace: link.namespace,
          dataConverter: link.dataConverter,
          taskQueue: queue,
          activities,
          maxConcurrentActivityTaskExecutions: slots,
          shutdownGraceTime: '3s',
          shutdownForceTime: '6s',
        }),
      );
    this.workers = [
      host(`${settings.queue}-io`, effects.io, settings.ioSlots),
      host(`${settings.queue}-code`, effects.code, settings.codeSlots),
      host(`${settings.queue}-llm`, models.llm, settings.llmSlots),
    ];
  }
}
