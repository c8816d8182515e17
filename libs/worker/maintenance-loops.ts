import { Logger, type FactoryProvider, type Provider, type Type } from '@nestjs/common';
import { CompletionNotifier } from '#libs/platform/database/completion-notifier';
import { TurnBounds } from '#libs/platform/database/bounded-deletion';
import { Database } from '#libs/platform/database/database';
import { AlertWatch } from '#libs/runs/alerts/alert-watch';
import { EffectHolds } from '#libs/runs/executions/control/effect-holds';
import { HostLimits } from '#libs/runs/executions/control/host-limits';
import { DirectRecovery } from '#libs/runs/executions/direct/direct-recovery';
import { Flows } from '#libs/runs/executions/accept/flows';
import { Holds } from '#libs/runs/executions/accept/holds';
import { InlineStartOutbox } from '#libs/runs/executions/deliver/inline-start-outbox';
import { Reconciler } from '#libs/runs/executions/deliver/reconciler';
import { StartOutbox } from '#libs/runs/executions/deliver/start-outbox';
import { BulkJobs } from '#libs/runs/bulk/bulk-jobs';
import { BulkOutbox } from '#libs/runs/bulk/bulk-outbox';
import { ChildLine } from '#libs/runs/temporal-workers/child-line';
import { AuditAnchors } from '#libs/workspace/audit/audit-anchors';
import { AuditRetention } from '#libs/workspace/audit/audit-retention';
import { Sessions } from '#libs/workspace/auth/sessions';
import { Retention } from '#libs/runs/executions/retention';
import { Idempotency } from '#libs/workspace/idempotency/idempotency';
import { Storage } from '#libs/workspace/limits/storage';
import { Usage } from '#libs/workspace/limits/usage';
import { OAuthRecords } from '#libs/workspace/oauth/oauth-records';
import { ImportJobs } from '#libs/tables/files/import-jobs';
import { ImportOutbox } from '#libs/tables/files/import-outbox';
import { DocumentOutbox } from '#libs/knowledge/ingestion/document-outbox';
import { OrphanedKnowledge } from '#libs/knowledge/bases/orphans';
import { VectorIndexes } from '#libs/knowledge/search/vector-indexes';
import { Deliveries } from '#libs/triggers/deliveries';
import { BackfillOutbox } from '#libs/triggers/schedules/backfill-outbox';
import { Backfills } from '#libs/triggers/schedules/backfills';
import { Schedules } from '#libs/triggers/schedules/schedules';
import { AnswerOutbox } from '#libs/runs/pauses/answer-outbox';
import { Settings } from '#libs/platform/settings/settings';
import { ColumnIndexes } from '#libs/tables/schema/column-indexes';
import { OrphanedRows } from '#libs/tables/schema/orphans';
import { ChangeFeed } from '#libs/tables/reads/change-feed';
import { loopFailures, repairs, unsynced } from '#libs/platform/telemetry/metrics/metrics';
import { EventOutbox } from '#libs/workspace/endpoints/event-outbox';
import { EventCourier } from './events/event-courier.ts';
import { Notifier } from './notices/notifier.ts';

interface Loop {
  name: string;
  /** Absent for a loop with `due`. */
  everyMs?: number;
  /** SQL that is true when the loop has something to do. */
  due?: string;
  turn: (signal: AbortSignal) => Promise<unknown>;
  /** The notice after which the next turn begins at once. */
  wokenBy?: string;
}

/**
 * The loops that keep rows and Temporal in step. Every worker runs them. Row locks divide the work between workers. One statement asks
 * which loops have something to do, so that a worker without work costs little.
 */
export class MaintenanceLoops {
  private readonly log = new Logger(MaintenanceLoops.name);
  private readonly running: RunningLoop[];

  constructor(
    loops: Loop[],
    private readonly notifier: CompletionNotifier,
    database: Database,
    { outboxEveryMs }: Settings,
  ) {
    this.running = loops.map((loop) => new RunningLoop(loop));
    const asked = this.running.filter(({ loop }) => loop.due !== undefined);
    const question = `select ${asked.map(({ loop }, n) => `${loop.due} as "${n}"`).join(', ')}`;
    const wakeAll = () => asked.forEach((loop) => loop.wake());
    const wakeDue = async () => {
      // A table that is locked keeps the answer, and must keep its own loop alone.
      const waiting = setInterval(wakeAll, Math.max(waitMs, outboxEveryMs));
      try {
        const [answer] = await database.systemUnflushed<Record<number, boolean>>(question);
        for (const [n, loop] of asked.entries()) if (answer?.[n]) loop.wake();
      } catch (error) {
        wakeAll();
        throw error;
      } finally {
        clearInterval(waiting);
      }
    };
    this.running.push(new RunningLoop({ name: 'due rows', everyMs: outboxEveryMs, turn: wakeDue }));
  }

  start(): void {
    for (const running of this.running) {
      const { name, wokenBy } = running.loop;
      if (wokenBy !== undefined) this.notifier.onNotice(wokenBy, () => running.wake());
      running.start((error) => {
        loopFailures.inc({ loop: name });
        this.log.warn(`${name}: ${String(error)}`);
      });
    }
  }

  /** Begins no further turn. Resolves when the current turns have ended, which they do between two statements. */
  async stop(): Promise<void> {
    await Promise.all(this.running.map((running) => running.stop()));
  }
}

/** When it is not known for so long who has something to do, all take a turn, in milliseconds. */
const waitMs = 500;

/** Takes a turn, waits until its time has come or it is woken, and takes the next. Two turns never overlap. */
class RunningLoop {
  private timer: NodeJS.Timeout | undefined;
  /** The turn under way; null between two. */
  private turn: Promise<void> | null = null;
  private readonly stopped = new AbortController();
  private onError: (error: unknown) => void = () => {};
  private isWoken = false;

  constructor(readonly loop: Loop) {}

  start(onError: (error: unknown) => void): void {
    this.onError = onError;
    this.wake();
  }

  /** Begins the next turn at once, or when the current one has ended. */
  wake(): void {
    this.isWoken = true;
    if (!this.turn) this.turn = this.takeTurns();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    clearTimeout(this.timer);
    await this.turn;
  }

  private async takeTurns(): Promise<void> {
    const { signal } = this.stopped;
    clearTimeout(this.timer);
    while (this.isWoken && !signal.aborted) {
      this.isWoken = false;
      await this.loop.turn(signal).catch(this.onError);
    }
    this.turn = null;
    const { everyMs } = this.loop;
    if (everyMs !== undefined && !signal.aborted) this.timer = setTimeout(() => this.wake(), everyMs);
  }
}

/** The arguments of one turn of a loop. */
interface TurnOf {
  everyMs: number;
  signal: AbortSignal;
}

/** A provider of one loop: its service, its interval, and the work of one turn. */
const loopOf = <T>(
  name: string,
  service: Type<T>,
  every: (settings: Settings) => number,
  turn: (service: T, of: TurnOf) => Promise<unknown>,
): FactoryProvider<Loop> => ({
  provide: `${name} loop`,
  inject: [Settings, service],
  useFactory: (settings: Settings, provider: T) => {
    const everyMs = every(settings);
    return { name, everyMs, turn: (signal) => turn(provider, { everyMs, signal }) };
  },
});

/** A provider of a loop whose service says by `due` when there is something to do. */
const dueLoopOf = <T extends { due: string }>(
  name: string,
  service: Type<T>,
  turn: (service: T, of: Pick<TurnOf, 'signal'>) => Promise<unknown>,
  options: Pick<Loop, 'wokenBy'> = {},
): FactoryProvider<Loop> => ({
  provide: `${name} loop`,
  inject: [service],
  useFactory: (provider: T) => ({
    name,
    due: provider.due,
    turn: (signal) => turn(provider, { signal }),
    ...options,
  }),
});

/** The turn of a service that checks its bounds between two statements. */
const within =
  <T>(turn: (service: T, bounds: TurnBounds) => Promise<unknown>) =>
  (service: T, { signal }: Pick<TurnOf, 'signal'>): Promise<unknown> =>
    turn(service, new TurnBounds(undefined, signal));

/** A process is lost after several looks at its lease. */
const leasesEvery = ({ outboxEveryMs }: Settings): number => Math.min(outboxEveryMs, 1000);
const reconcileEvery = ({ reconcileEveryMs }: Settings): number => reconcileEveryMs;
const anchorsEvery = ({ audit }: Settings): number => audit.anchorsEveryMs;
const hourly = (): number => 3_600_000;
const eachMinute = (): number => 60_000;

const loops = [
  dueLoopOf('held effects', EffectHolds, (effects) => effects.turn()),
  dueLoopOf('limits of hosts', HostLimits, (limits) => limits.advanceDue()),
  dueLoopOf('releases of holds', Holds, (holds) => holds.releaseDue()),
  dueLoopOf('lines of flows', Flows, (flows) => flows.turn()),
  dueLoopOf('starts', StartOutbox, (outbox) => outbox.turn()),
  dueLoopOf(
    'inline starts',
    InlineStartOutbox,
    async (outbox) => {
      await outbox.turn();
      unsynced.inc({ reason: 'backlog' }, await outbox.dropBacklog());
    },
    // An execution has left its line, and the next one may start.
    { wokenBy: 'flow starts' },
  ),
  loopOf('runs of lost processes', DirectRecovery, leasesEvery, (recovery) => recovery.takeOver()),
  dueLoopOf('children in line', ChildLine, (line) => line.turn()),
  dueLoopOf('answers', AnswerOutbox, (outbox) => outbox.turn()),
  dueLoopOf('bulk jobs', BulkOutbox, (outbox) => outbox.turn()),
  loopOf(
    'ended bulk jobs',
    BulkJobs,
    hourly,
    within((jobs, bounds) => jobs.forgetEndedJobs(bounds)),
  ),
  dueLoopOf('notices', Notifier, (notifier) => notifier.sendDueNotices()),
  dueLoopOf('events', EventCourier, (courier) => courier.sendDueEvents()),
  loopOf(
    'old events',
    EventOutbox,
    hourly,
    within((outbox, bounds) => outbox.forgetOld(bounds)),
  ),
  loopOf('reconciler', Reconciler, reconcileEvery, async (reconciler, { everyMs }) => {
    repairs.inc((await reconciler.turn(everyMs)).length);
  }),
  loopOf(
    'idempotency',
    Idempotency,
    hourly,
    within((idempotency, bounds) => idempotency.forgetOld(bounds)),
  ),
  dueLoopOf(
    'schedules',
    Schedules,
    within((schedules, bounds) => schedules.turn(bounds)),
  ),
  dueLoopOf('backfills', BackfillOutbox, (outbox) => outbox.turn()),
  loopOf(
    'ended backfills',
    Backfills,
    hourly,
    within((backfills, bounds) => backfills.forgetEndedBackfills(bounds)),
  ),
  loopOf(
    'alerts',
    AlertWatch,
    reconcileEvery,
    within((watch, bounds) => watch.checkDueRules(bounds)),
  ),
  loopOf(
    'deliveries',
    Deliveries,
    hourly,
    within((deliveries, bounds) => deliveries.forgetOldDeliveries(bounds)),
  ),
  loopOf(
    'retention',
    Retention,
    eachMinute,
    within((retention, bounds) => retention.turn(bounds)),
  ),
  loopOf(
    'retention of the audit log',
    AuditRetention,
    hourly,
    within((retention, bounds) => retention.deleteOldEntries(bounds)),
  ),
  loopOf('anchors of the audit log', AuditAnchors, anchorsEvery, (anchors) => anchors.writeDueAnchors()),
  loopOf(
    'storage',
    Storage,
    reconcileEvery,
    within((storage, bounds) => storage.addUp(bounds)),
  ),
  loopOf(
    'entries of usage',
    Usage,
    hourly,
    within((usage, bounds) => usage.forgetOld(bounds)),
  ),
  loopOf(
    'records of OAuth',
    OAuthRecords,
    hourly,
    within((records, bounds) => records.forgetExpired(bounds)),
  ),
  loopOf(
    'sessions',
    Sessions,
    hourly,
    within((sessions, bounds) => sessions.forgetEnded(bounds)),
  ),
  dueLoopOf(
    'indexes of tables',
    ColumnIndexes,
    within((indexes, bounds) => indexes.buildDueIndexes(bounds)),
  ),
  loopOf(
    'deletions of tables',
    ChangeFeed,
    hourly,
    within((changes, bounds) => changes.forgetOld(bounds)),
  ),
  loopOf(
    'orphans of tables',
    OrphanedRows,
    reconcileEvery,
    within((orphans, bounds) => orphans.removeOrphanedRows(bounds)),
  ),
  dueLoopOf('imports', ImportOutbox, (outbox) => outbox.turn()),
  loopOf(
    'ended imports',
    ImportJobs,
    hourly,
    within((jobs, bounds) => jobs.forgetOld(bounds)),
  ),
  dueLoopOf('documents', DocumentOutbox, (outbox) => outbox.turn()),
  loopOf('indexes of knowledge', VectorIndexes, eachMinute, (indexes, { signal }) =>
    indexes.buildDueIndexes(new TurnBounds(Infinity, signal)),
  ),
  loopOf(
    'orphans of knowledge',
    OrphanedKnowledge,
    reconcileEvery,
    within((orphans, bounds) => orphans.removeOrphanedKnowledge(bounds)),
  ),
];

export const maintenanceProviders: Provider[] = [
  ...loops,
  {
    provide: MaintenanceLoops,
    inject: [CompletionNotifier, Database, Settings, ...loops.map(({ provide }) => provide)],
    useFactory: (
      notifier: CompletionNotifier,
      database: Database,
      settings: Settings,
      ...runningLoops: Loop[]
    ) => new MaintenanceLoops(runningLoops, notifier, database, settings),
  },
];
