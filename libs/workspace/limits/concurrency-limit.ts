import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { TooMany } from '#libs/platform/errors/errors';
import { getPlanLimits } from '#libs/platform/settings/plans';
import { Settings } from '#libs/platform/settings/settings';
import { type StaleValue, StaleCache } from './stale-cache.ts';

/**
 * A count stays fresh for at least `freshMs`, and for at least `restFactor` times as long as it took. So counting uses one connection
 * for at most a twentieth of the time.
 */
const freshMs = 1000;
const restFactor = 20;
/** A call waits for a new count when the last one is older than this, in milliseconds. */
const staleMs = 5000;
const retryAfterS = { executions: 5, paused_executions: 60 };

/** The numbers of executions of a workspace that were accepted and have not ended. */
interface CountedRuns {
  underWay: number;
  paused: number;
  /** The number of executions under way, by the id of the actor who started them. */
  actors: Record<string, number>;
}

/** An execution that this process is accepting, or has accepted. */
interface Entry {
  actor: string;
  /** When the acceptance was committed, by `performance.now()`; null before. A count that began later includes it. */
  acceptedAtMs: number | null;
}

interface Count extends StaleValue {
  counted: CountedRuns;
  /** Executions that this process has accepted, and that `counted` may not include. */
  entries: Set<Entry>;
}

/** The place of an execution among those under way. */
export interface OpenPlace {
  /** Executions of the workspace before this one. */
  before: number;
  /** The number of them that the same actor started. Call it before the next `await`: later calls may give another number. */
  ownBefore(): number;
  /** Ends the acceptance. `true`: the execution was accepted and is under way. `false`: it was not, and its place is free again. */
  endAcceptance(underWay: boolean): void;
}

/**
 * Counts the executions of a workspace that are under way or paused. Each process counts at most once a second, and adds at once
 * what it accepts itself. So with several processes, executions may exceed the limit by those that the other processes accepted
 * since the last count.
 */
@Injectable()
export class ConcurrencyLimit {
  private readonly counts = new StaleCache((workspaceId) => this.countOpenRuns(workspaceId));

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** Reads how many executions are under way, and whether the plan allows another. Reserves no place. */
  async readOpenRuns(
    workspaceId: string,
    actor: string,
    plan: string,
  ): Promise<Omit<OpenPlace, 'endAcceptance'> & { hasRoom: boolean }> {
    const recent = await this.counts.recent(workspaceId);
    const { counted, entries } = this.counts.last(workspaceId) ?? recent;
    const before = counted.underWay + entries.size;
    const own = [...entries].filter((one) => one.actor === actor).length;
    return {
      before,
      ownBefore: () => (counted.actors[actor] ?? 0) + own,
      hasRoom: before < getPlanLimits(plan, this.settings).openExecutions,
    };
  }

  /** Reserves the place of an execution. Throws `TooMany` when the plan allows no more executions under way or paused. */
  async enter(workspaceId: string, actor: string, plan: string): Promise<OpenPlace> {
    const recent = await this.counts.recent(workspaceId);
    // A newer count may have arrived during the `await`. The entry must be added to the newest count.
    const { counted, entries } = this.counts.last(workspaceId) ?? recent;
    const { openExecutions, pausedExecutions } = getPlanLimits(plan, this.settings);
    const before = counted.underWay + entries.size;
    if (before >= openExecutions)
      throw new ExecutionsFull('executions', `${openExecutions} executions under way`, plan);
    if (counted.paused >= pausedExecutions)
      throw new ExecutionsFull('paused_executions', `${pausedExecutions} paused executions`, plan);
    const entry: Entry = { actor, acceptedAtMs: null };
    entries.add(entry);
    const endAcceptance = (underWay: boolean) => {
      if (underWay) entry.acceptedAtMs = performance.now();
      // A newer count may have copied the entry.
      else for (const held of [entries, this.counts.last(workspaceId)?.entries]) held?.delete(entry);
    };
    const own = () => [...entries].filter((one) => one !== entry && one.actor === actor).length;
    return { before, ownBefore: () => (counted.actors[actor] ?? 0) + own(), endAcceptance };
  }

  private async countOpenRuns(workspaceId: string): Promise<Count> {
    const begunAtMs = performance.now();
    const [row] = await this.database.statement<CountedRuns>(workspaceId, count, [workspaceId]);
    const counted = row ?? { underWay: 0, paused: 0, actors: {} };
    const tookMs = performance.now() - begunAtMs;
    const restMs = Math.max(freshMs, restFactor * tookMs);
    const before = this.counts.last(workspaceId)?.entries ?? [];
    const entries = new Set(
      [...before].filter(({ acceptedAtMs }) => acceptedAtMs === null || acceptedAtMs > begunAtMs),
    );
    const freshUntilMs = begunAtMs + tookMs + restMs;
    return {
      counted,
      entries,
      freshUntilMs,
      staleAtMs: Math.max(begunAtMs + staleMs, freshUntilMs + restMs),
    };
  }
}

/** The workspace has as many executions as its plan allows. */
export class ExecutionsFull extends TooMany {
  constructor(
    readonly limit: 'executions' | 'paused_executions',
    what: string,
    plan: string,
  ) {
    super(
      `The workspace has ${what}, which is all that its plan ${plan} allows; try again when some have ended.`,
      retryAfterS[limit],
      'EXECUTION_LIMIT_EXCEEDED',
    );
  }
}

/** $1 workspace */
const count = /* sql */ `
with moving as materialized (
  select actor ->> 'id' as actor from executions where workspace_id = $1 and status in ('queued', 'running')
)
select (select count(*) from moving)::int as "underWay",
  (select count(*) from executions where workspace_id = $1 and status = 'paused')::int as paused,
  (select coalesce(json_object_agg(m.actor, m.n), '{}') from (
    select coalesce(actor, '') as actor, count(*)::int as n from moving group by 1) m) as actors`;
