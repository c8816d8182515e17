import { Injectable, Logger } from '@nestjs/common';
import { Reconciler } from '#libs/executions/reconciler';
import { Relay } from '#libs/executions/relay';
import { Retention } from '#libs/executions/retention';
import { Idempotency } from '#libs/idempotency/idempotency';
import { Answers } from '#libs/pauses/answers';
import { Notifier } from './notices/notifier.ts';
import { Settings } from '#libs/settings/settings';

const hourMs = 3_600_000;

/** What is told again until it is heard. */
@Injectable()
export class Telling {
  constructor(
    readonly answers: Answers,
    readonly notifier: Notifier,
  ) {}
}

/** What is forgotten after its time. */
@Injectable()
export class Forgetting {
  constructor(
    readonly idempotency: Idempotency,
    readonly retention: Retention,
  ) {}
}

/** The turns that keep rows and Temporal in step. Every worker takes them; row locks share the work. */
@Injectable()
export class MaintenanceLoops {
  private readonly log = new Logger(MaintenanceLoops.name);
  private readonly loops: Loop[];

  constructor(
    settings: Settings,
    relay: Relay,
    reconciler: Reconciler,
    telling: Telling,
    forgetting: Forgetting,
  ) {
    this.loops = [
      new Loop('relay', settings.relayEveryMs, () => relay.turn()),
      new Loop('answers', settings.relayEveryMs, () => telling.answers.relay()),
      new Loop('notices', settings.relayEveryMs, () => telling.notifier.turn()),
      new Loop('reconciler', settings.reconcileEveryMs, () => reconciler.turn(settings.reconcileEveryMs)),
      new Loop('idempotency', hourMs, () => forgetting.idempotency.forgetOld()),
      new Loop('retention', hourMs, () => forgetting.retention.turn()),
    ];
  }

  start(): void {
    for (const loop of this.loops) loop.start((error) => this.log.warn(`${loop.name}: ${String(error)}`));
  }

  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}

/** Takes a turn, waits, takes the next; never two at once. */
class Loop {
  private timer: NodeJS.Timeout | null = null;
  private turn: Promise<unknown> = Promise.resolve();
  private stopped = false;

  constructor(
    readonly name: string,
    private readonly everyMs: number,
    private readonly take: () => Promise<unknown>,
  ) {}

  start(onError: (error: unknown) => void): void {
    this.turn = this.take()
      .catch(onError)
      .then(() => {
        if (!this.stopped) this.timer = setTimeout(() => this.start(onError), this.everyMs);
      });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.turn;
  }
}
