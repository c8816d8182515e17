import { Injectable } from '@nestjs/common';
import { Worker } from '@temporalio/worker';
import { HostedWorker } from '#libs/hosting/hosted-worker';
import { TemporalLink } from '#libs/link/temporal-link';
import { Settings } from '#libs/settings/settings';
import { Effects } from './activities/effects.ts';

/** Carries out effects: calls on one queue, user code on another, so that neither starves the other of slots. */
@Injectable()
export class EffectHost {
  readonly workers: HostedWorker[];

  constructor(link: TemporalLink, settings: Settings, effects: Effects) {
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
    ];
  }
}
