import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database/database';
import { NotFound, Unauthenticated } from '#libs/faults/faults';
import { Settings } from '#libs/settings/settings';
import { Caller, type Reach } from './caller.ts';
import { keyedHash } from '#libs/secrets/crypto';
import { inBatches } from '#libs/database/batches';
import { kindOfKey, type KeyKind } from './keys.format.ts';
import type { Role } from './people.entity.ts';

/** How long a caller stays cached, and so how long a revoked key may still work. */
const cacheMs = 5000;
const cacheMax = 10_000;

/** How long it is remembered that there is no such live key. Keys are random, so nobody can have tried one before it is made. */
const strangersMs = 60_000;

/** A key that was good once. Its holder gets what every wrong key gets; the workspaces that it reached may want to know. */
export class DeadKey extends Unauthenticated {
  constructor(
    readonly keyId: string,
    readonly workspaceIds: string[],
    readonly reason: 'KEY_REVOKED' | 'KEY_EXPIRED',
  ) {
    super();
    this.name = 'Unauthenticated';
  }
}

interface KeyRow {
  digest: string;
  dead: 'KEY_REVOKED' | 'KEY_EXPIRED' | null;
  id: string;
  kind: KeyKind;
  user_id: string | null;
  workspaces: { id: string; role: Role; plan: string; open: boolean }[];
}

/** Finds the caller that a key belongs to. */
@Injectable()
export class Callers {
  private readonly cache = new Map<string, { caller: Caller; until: number }>();
  /** Until when a digest counts as unknown. A key that was revoked or has expired never lives again. */
  private readonly strangers = new Map<string, number>();
  private readonly lookUp = inBatches((digests: string[]) => this.read(digests));

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** The hash of a key that is stored in its place. */
  digest(value: string): string {
    return keyedHash(this.settings.secret, 'api-key', value);
  }

  private cached(digest: string): Caller | undefined {
    const known = this.cache.get(digest);
    if (known && known.until > performance.now()) return known.caller;
    this.cache.delete(digest);
    return undefined;
  }

  /** The caller of a live key. A missing, malformed, unknown, revoked or expired key gets the same error; for the last two it is once in a while a `DeadKey`. */
  async identify(value: string | undefined): Promise<Caller> {
    return this.find(value);
  }

  /** The same, without a promise for a key that was looked at a moment ago. Throws at once for one that is none. */
  find(value: string | undefined): Caller | Promise<Caller> {
    if (!value || !kindOfKey(value)) throw new Unauthenticated();
    const digest = this.digest(value);
    return this.cached(digest) ?? this.fromRows(digest);
  }

  /** The caller of a live key that was shown before. */
  async identifyById(keyId: string): Promise<Caller> {
    const [row] = await this.database.forgetful<{ digest: string }>(digestOf, [keyId]);
    if (!row) throw new Unauthenticated();
    return this.cached(row.digest) ?? this.fromRows(row.digest);
  }

  private async fromRows(digest: string): Promise<Caller> {
    if ((this.strangers.get(digest) ?? 0) > performance.now()) throw new Unauthenticated();
    const row = await this.lookUp(digest);
    if (!row || row.dead) {
      remember(this.strangers, digest, performance.now() + strangersMs);
      if (!row?.dead) throw new Unauthenticated();
      const reached = row.workspaces.filter(({ open }) => open).map(({ id }) => id);
      throw new DeadKey(row.id, reached, row.dead);
    }
    const reach = new Map<string, Reach>(row.workspaces.map(({ id, ...rest }) => [id, rest]));
    const caller = new Caller(row.id, row.kind, row.user_id, reach);
    remember(this.cache, digest, { caller, until: performance.now() + cacheMs });
    return caller;
  }

  private async read(digests: string[]): Promise<Map<string, KeyRow>> {
    const rows = await this.database.forgetful<KeyRow>(lookUp, [digests]);
    return new Map(rows.map((row) => [row.digest, row]));
  }

  /** Empties the cache of this process; other processes forget a key within five seconds. */
  forget(): void {
    this.cache.clear();
  }

  /**
   * Which of the caller's workspaces holds the thing. Throws the same `NotFound` for a thing of another workspace and for
   * one that does not exist.
   */
  async locate(caller: Caller, kind: keyof typeof locations, id: string): Promise<string> {
    const [only, second] = caller.workspaceIds;
    if (only && !second) return only;
    if (!only) throw new NotFound(thingNames[kind]);
    const rows: { workspace_id: string }[] = await this.database.within(caller.workspaceIds, (tx) =>
      tx.query(locations[kind], [id]),
    );
    if (!rows[0]) throw new NotFound(thingNames[kind]);
    return rows[0].workspace_id;
  }
}

/** Keeps a value; forgets all of them before there are too many. */
function remember<T>(all: Map<string, T>, digest: string, value: T): void {
  if (all.size >= cacheMax) all.clear();
  all.set(digest, value);
}

/** As a refusal calls each thing that is located. */
export const thingNames = { workflow: 'workflow', execution: 'execution', mcpServer: 'MCP server' };

const locations = {
  workflow: 'select workspace_id from workflows where id = $1',
  mcpServer: 'select workspace_id from mcp_servers where id = $1',
  execution: `select workspace_id from executions where id = $1
    union all select workspace_id from resume_entries where new_execution_id = $1 limit 1`,
};

const digestOf = 'select digest from api_keys where id = $1';

/** Stores the last use at most every ten minutes: a write for each request would cost more than the request. */
const lookUp = /* sql */ `
with found as (
  select k.digest, k.id, k.kind, k.user_id, k.workspace_id, k.role,
    case when k.revoked_at is not null then 'KEY_REVOKED' when k.expires_at <= now() then 'KEY_EXPIRED' end as dead
  from api_keys k
  where k.digest = any($1)
), used as (
  update api_keys set last_used_at = now()
  where id in (select id from found where dead is null) and (last_used_at is null or last_used_at < now() - interval '10 minutes')
)
select f.digest, f.id, f.kind, f.user_id, f.dead, coalesce(json_agg(
    json_build_object('id', w.id, 'plan', w.plan,
      'role', coalesce(m.role, f.role), 'open', f.kind = 'workspace' or w.personal_keys_allowed)
    order by w.created_at, w.id
  ) filter (where w.id is not null), '[]') as workspaces
from found f
left join memberships m on f.kind = 'personal' and m.user_id = f.user_id
left join workspaces w on w.id = coalesce(f.workspace_id, m.workspace_id)
group by f.digest, f.id, f.kind, f.user_id, f.dead`;
