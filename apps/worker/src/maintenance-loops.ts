import { Logger, type FactoryProvider, type Provider, type Type } from '@nestjs/common';
import { Handovers } from '#libs/executions/handovers';
import { Reconciler } from '#libs/executions/reconciler';
import { Relay } from '#libs/executions/relay';
import { AuditAnchors } from '#libs/audit/audit-anchors';
import { AuditRetention } from '#libs/audit/audit-retention';
import { Retention } from '#libs/executions/retention';
import { Idempotency } from '#libs/idempotency/idempotency';
import { Storage } from '#libs/limits/storage';
import { ImportJobs } from '#libs/tables/jobs/import-jobs';
import { ImportRelay } from '#libs/tables/jobs/import-relay';
import { DocumentRelay } from '#libs/knowledge/document-relay';
import { KnowledgeLeftovers } from '#libs/knowledge/leftovers';
import { VectorIndexes } from '#libs/knowledge/vector-indexes';
import { AnswerRelay } from '#libs/pauses/answer-relay';
import { Settings } from '#libs/settings/settings';
import { ColumnIndexes } from '#libs/tables/column-indexes';
import { Leftovers } from '#libs/tables/leftovers';
import { TableChanges } from '#libs/tables/table-changes';
import { loopFailures, repairs, unmirrored } from '#libs/metrics/metrics';
import { Notifier } from './notices/notifier.ts';

interface Loop {
  name: string;
  everyMs: number;
  turn: () => Promise<unknown>;
}

/** The loops that keep rows and Temporal in step. Every worker runs them; row locks share the work between workers. */
export class MaintenanceLoops {
  private readonly log = new Logger(MaintenanceLoops.name);
  private readonly running: RunningLoop[];

  constructor(loops: Loop[]) {
    this.running = loops.map((loop) => new RunningLoop(loop));
  }

  start(): void {
    for (const running of this.running) {
      const { name } = running.loop;
      running.start((error) => {
        loopFailures.inc({ loop: name });
        this.log.warn(`${name}: ${String(error)}`);
      });
    }
  }

  /** Resolves when the turns that are under way have ended. */
  async stop(): Promise<void> {
    await Promise.all(this.running.map((running) => running.stop()));
  }
}

/** Takes a turn, waits, takes the next; never two at once. */
class RunningLoop {
  private timer: NodeJS.Timeout | null = null;
  private turn: Promise<unknown> = Promise.resolve();
  private stopped = false;

  constructor(readonly loop: Loop) {}

  start(onError: (error: unknown) => void): void {
    this.turn = this.loop
      .turn()
      .catch(onError)
      .then(() => {
        if (!this.stopped) this.timer = setTimeout(() => this.start(onError), this.loop.everyMs);
      });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.turn;
  }
}

/** A provider of one loop: a service, how often it gets a turn, and what it does then. */
function loopOf<T>(
  name: string,
  service: Type<T>,
  every: (settings: Settings) => number,
  turn: (service: T, everyMs: number) => Promise<unknown>,
): FactoryProvider<Loop> {
  return {
    provide: `${name} loop`,
    inject: [Settings, service],
    useFactory: (settings: Settings, given: T) => {
      const everyMs = every(settings);
      return { name, everyMs, turn: () => turn(given, everyMs) };
    },
  };
}

const relayEvery = ({ relayEveryMs }: Settings): number => relayEveryMs;
const reconcileEvery = ({ reconcileEveryMs }: Settings): number => reconcileEveryMs;
const anchorsEvery = ({ audit }: Settings): number => audit.anchorsEveryMs;
const hourly = (): number => 3_600_000;
const eachMinute = (): number => 60_000;

const loops = [
  loopOf('relay', Relay, relayEvery, (relay) => relay.turn()),
  loopOf('handovers', Handovers, relayEvery, async (handovers) => {
    unmirrored.inc({ reason: 'backlog' }, await handovers.turn());
  }),
  loopOf('answers', AnswerRelay, relayEvery, (relay) => relay.turn()),
  loopOf('notices', Notifier, relayEvery, (notifier) => notifier.turn()),
  loopOf('reconciler', Reconciler, reconcileEvery, async (reconciler, everyMs) => {
    repairs.inc((await reconciler.turn(everyMs)).length);
  }),
  loopOf('idempotency', Idempotency, hourly, (idempotency) => idempotency.forgetOld()),
  loopOf('retention', Retention, eachMinute, (retention) => retention.turn()),
  loopOf('retention of the audit log', AuditRetention, hourly, (retention) => retention.turn()),
  loopOf('anchors of the audit log', AuditAnchors, anchorsEvery, (anchors) => anchors.turn()),
  loopOf('storage', Storage, reconcileEvery, (storage) => storage.addUp()),
  loopOf('indexes of tables', ColumnIndexes, relayEvery, (indexes) => indexes.turn()),
  loopOf('deletions of tables', TableChanges, hourly, (changes) => changes.forgetOld()),
  loopOf('leftovers of tables', Leftovers, reconcileEvery, (leftovers) => leftovers.turn()),
  loopOf('imports', ImportRelay, relayEvery, (relay) => relay.turn()),
  loopOf('ended imports', ImportJobs, hourly, (jobs) => jobs.forgetOld()),
  loopOf('documents', DocumentRelay, relayEvery, (relay) => relay.turn()),
  loopOf('indexes of knowledge', VectorIndexes, eachMinute, (indexes) => indexes.turn()),
  loopOf('leftovers of knowledge', KnowledgeLeftovers, reconcileEvery, (leftovers) => leftovers.turn()),
];

export const maintenanceProviders: Provider[] = [
  ...loops,
  {
    provide: MaintenanceLoops,
    inject: loops.map(({ provide }) => provide),
    useFactory: (...given: Loop[]) => new MaintenanceLoops(given),
  },
];
