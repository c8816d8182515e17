import { Injectable } from '@nestjs/common';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { Database, find, send } from '#libs/platform/database/database';
import type { VisitEntry } from '#libs/language/engine/effects';
import { NotFound } from '#libs/platform/errors/errors';
import { Cursors, type Page } from '#libs/platform/cursors/cursor';
import { keyedHash, sameBytes } from '#libs/platform/crypto/crypto';
import { Settings } from '#libs/platform/settings/settings';
import { Execution, VisitRow } from '../execution.entity.ts';
import { executionNamed } from '../executions.ts';

/** The visits of one block of the graph, counted. */
export interface Tally {
  blockId: string;
  visits: number;
  /** The number of visits by status; a status that no visit has is absent. */
  states: Partial<Record<VisitEntry['status'], number>>;
  status: VisitEntry['status'];
  startedAt: Date;
  endedAt: Date | null;
  /** The ports by which its visits were left. */
  ports: string[];
}

export interface Timeline {
  row: Execution;
  tallies: Tally[];
  /** False when the run has more visits than are counted. */
  countsAll: boolean;
  visits: Page<VisitRow>;
}

/** At most this many visits are counted for the graph, so that a read does not grow with the length of a run. */
const countedMax = 20_000;

/** A link to a timeline. `as` is the id of the key or session for which it was made. */
export interface TimelineLink {
  token?: unknown;
  as?: unknown;
}

const linkMs = 24 * 3_600_000;

export interface OpenedTimeline {
  workspaceId: string;
  untilMs: number;
}

/** Reads the timeline of an execution for people. */
@Injectable()
export class Timelines {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
    private readonly settings: Settings,
  ) {}

  /** The counted blocks of the run, and one page of its visits in order. Both are read at one moment. */
  async read(
    workspaceId: string,
    id: string,
    { limit, cursor }: { limit: number; cursor?: string },
  ): Promise<Timeline> {
    return this.database.atOneMoment(workspaceId, async (tx) => {
      const [row] = await find(tx, Execution, `where t.id = ${executionNamed('$1')}`, [id]);
      if (!row) throw new NotFound('execution');
      const scope = `timeline ${row.id}`;
      const after = this.cursors.open(cursor, scope);
      const [seq = null, at = null] = after?.at.split(' ') ?? [];
      const read = await find(tx, VisitRow, visitsPage, [row.id, seq, at, after?.id ?? null, limit + 1]);
      const visits = this.cursors.page(read, limit, scope, (visit) => ({
        at: `${visit.seq} ${visit.startedAt.toISOString()}`,
        id: visit.path,
      }));
      const tallies = await send<Tally>(tx, tally, [row.id, countedMax + 1]);
      const counted = tallies.reduce((sum, { visits: one }) => sum + one, 0);
      return { row, tallies, countsAll: counted <= countedMax, visits };
    });
  }

  /** A link to the page of a timeline, valid for a day. Without `as` it leads to no page that answers. */
  url({ workspaceId, id }: Pick<Execution, 'workspaceId' | 'id'>, as: string | null): string {
    const until = Math.floor((readClockMs() + linkMs) / 1000);
    const token = `${until}.${this.signature(workspaceId, id, until, as)}`;
    const person = as === null ? '' : `&as=${encodeURIComponent(as)}`;
    return `${this.settings.publicUrl}/timeline/${id}?token=${token}${person}`;
  }

  /**
   * The workspace that a link opens, and its expiry. Null when the link was not signed here for this execution, or is
   * too old. The caller asks whether the key or session of `as` still lives.
   */
  async opened(
    id: string,
    { token, as }: TimelineLink,
    nowMs = readClockMs(),
  ): Promise<OpenedTimeline | null> {
    const [, until = '', mac = ''] = /^(\d{1,12})\.([\w-]{20,100})$/.exec(String(token)) ?? [];
    if (!mac || (as !== undefined && typeof as !== 'string')) return null;
    const [row] = await this.database.system<{ workspace_id: string }>(workspaceOf, [id]);
    const expected = this.signature(row?.workspace_id ?? '', id, Number(until), as ?? null);
    const untilMs = Number(until) * 1000;
    if (!row || !sameBytes(mac, expected) || untilMs <= nowMs) return null;
    return { workspaceId: row.workspace_id, untilMs };
  }

  private signature(workspaceId: string, id: string, until: number, as: string | null): string {
    const claims = JSON.stringify([workspaceId, id, until, as]);
    return keyedHash(this.settings.secret, 'timeline-link', claims);
  }
}

const workspaceOf = 'select workspace_id from executions where id = $1';

/** $1 execution, $2 to $4 the position of the last visit before, $5 limit */
const visitsPage = /* sql */ `
where t.execution_id = $1
  and ($2::int is null or (t.seq, t.started_at, t.path) > ($2::int, $3::timestamptz, $4))
order by t.seq, t.started_at, t.path limit $5`;

/** Every status that a visit can have, with its count. */
const states = ['running', 'paused', 'completed', 'failed', 'skipped', 'cancelled', 'expired']
  .map((status) => `'${status}', nullif(count(*) filter (where status = '${status}'), 0)`)
  .join(', ');

/**
 * An open block counts as open. Otherwise the block's state is that of its last visit that was not skipped. A visit
 * without a port went on by `out` only if it completed.
 */
const tally = /* sql */ `
select block_id as "blockId", count(*)::int as visits, min(started_at) as "startedAt", max(ended_at) as "endedAt",
  case when bool_or(status = 'paused') then 'paused' when bool_or(status = 'running') then 'running'
    else (array_agg(status order by status = 'skipped', seq desc, started_at desc))[1] end as status,
  jsonb_strip_nulls(jsonb_build_object(${states})) as states,
  coalesce(array_agg(distinct coalesce(port, 'out')) filter (where status = 'completed' or port is not null), '{}') as ports
from (
  select block_id, status, started_at, ended_at, port, seq from visits
  where execution_id = $1 order by seq, started_at, path limit $2
) counted group by block_id`;
