import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { TooMany } from '#libs/platform/errors/errors';
import { limitsOf } from '#libs/platform/settings/plans';
import { Settings } from '#libs/platform/settings/settings';
import { type StaleValue, StaleCache } from './stale-cache.ts';

/** A count is as old as this at least before the next one, and twenty times as old as it took: counting may not take a connection for itself. */
const freshMs = 1000;
const restFactor = 20;
/** An older count is renewed before a call goes on. */
const staleMs = 5000;
const retryAfterS = { underWay: 5, paused: 60 };

/** The executions of a workspace that were accepted and have not ended. */
interface Counted {
  underWay: number;
  paused: number;
  /** The number of executions under way, by the actor who started them. */
  actors: Record<string, number>;
}

/** A call of this process that has an execution accepted. */
interface Entry {
  actor: string;
  /** When its acceptance was committed; a count that began later has it. */
  acceptedAtMs: number | null;
}

interface Count extends StaleValue {
  counted: Counted;
  /** Accepted by this process and perhaps not in the count. */
  entries: Set<Entry>;
}

/** The place of an execution among those under way. */
export interface OpenPlace {
  /** Executions of the workspace before this one. */
  before: number;
  /** The number that the same actor started. It is read before anything else happens. */
  ownBefore(): number;
  /** The acceptance is over: with `true` the execution is under way now. */
  endAcceptance(underWay: boolean): void;
}

/**
 * Counts the executions of a workspace that are under way or paused. They are counted once a second and process; what the process accepts in
 * between is added at once. So with several processes a bound may be passed by what the others accept within a second.
 */
@Injectable()
export class ConcurrencyLimit {
  private readonly counts = new StaleCache((workspaceId) => this.countOpenRuns(workspaceId));

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** Whether the plan allows one more execution under way, and how many there are. Gives no place. */
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
      hasRoom: before < limitsOf(plan, this.settings).openExecutions,
    };
  }

  /** Gives one more execution its place. Throws `TooMany` where the plan allows no more. */
  async enter(workspaceId: string, actor: string, plan: string): Promise<OpenPlace> {
    const recent = await this.counts.recent(workspaceId);
    // A new count may have come while this one was on its way here, and the entry belongs to that.
    const { counted, entries } = this.counts.last(workspaceId) ?? recent;
    const { openExecutions, pausedExecutions } = limitsOf(plan, this.settings);
    const before = counted.underWay + entries.size;
    if (before >= openExecutions) throw full(`${openExecutions} executions under way`, plan, 'underWay');
    if (counted.paused >= pausedExecutions)
      throw full(`${pausedExecutions} paused executions`, plan, 'paused');
    const entry: Entry = { actor, acceptedAtMs: null };
    entries.add(entry);
    const endAcceptance = (underWay: boolean) => {
      if (underWay) entry.acceptedAtMs = performance.now();
      // A count that began meanwhile may have taken the entry over.
      else for (const held of [entries, this.counts.last(workspaceId)?.entries]) held?.delete(entry);
    };
    const own = () => [...entries].filter((one) => one !== entry && one.actor === actor).length;
    return { before, ownBefore: () => (counted.actors[actor] ?? 0) + own(), endAcceptance };
  }

  private async countOpenRuns(workspaceId: string): Promise<Count> {
    const begunAtMs = performance.now();
    const [row] = await this.database.statement<Counted>(workspaceId, count, [workspaceId]);
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

function full(what: string, plan: string, of: keyof typeof retryAfterS): TooMany {
  return new TooMany(
    `The workspace has ${what}, which is all that its plan ${plan} allows; try again when some have ended.`,
    retryAfterS[of],
    'EXECUTION_LIMIT_EXCEEDED',
  );
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
