import { Injectable, Logger } from '@nestjs/common';
import pg from 'pg';
import { TurnBounds } from '#libs/platform/database/bounded-deletion';
import { keptAlive } from '#libs/platform/database/connections';
import { Database } from '#libs/platform/database/database';
import { systemRole } from '#libs/platform/database/policies';
import { Settings } from '#libs/platform/settings/settings';

interface Large {
  no: string;
  workspace_id: string;
  dimension: number;
  index_state: 'building' | 'ready' | null;
  chunks: string;
}

/** A base with more vectors gets an index. A base with less than half of them loses it. */
export const exactVectorsMax = 50_000;
/** The class of the advisory locks of bases. Only the worker with the lock of a base changes its index. */
const lockClass = 4_715_205;

/**
 * Builds a separate index for each large base, while others read and write. A common index of all bases would return too few rows for a
 * small base. A build runs outside of a transaction, on a connection of its own that does not go through a pooler.
 */
@Injectable()
export class VectorIndexes {
  private readonly log = new Logger(VectorIndexes.name);

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /**
   * Runs a turn, and returns the number of built and dropped indexes. The signal of the bounds cancels a running build; the next turn
   * starts it again.
   */
  async buildDueIndexes(bounds = new TurnBounds(Infinity), vectorsMax = exactVectorsMax): Promise<number> {
    // A chunk has at least one vector, and seldom more than ten. So the number of chunks rules out most bases without a count of vectors.
    const candidates = await this.database.system<Large>(selectCandidates, [Math.floor(vectorsMax / 20)]);
    let changed = 0;
    for (const base of candidates) {
      if (bounds.over) break;
      const vectors = await this.count(base);
      const wants = vectors > vectorsMax || (base.index_state !== null && vectors > vectorsMax / 2);
      if (wants === (base.index_state === 'ready')) continue;
      if (await this.change(base, wants, bounds.signal)) changed += 1;
    }
    return changed;
  }

  private async count({ no, workspace_id: workspaceId }: Large): Promise<number> {
    const [row] = await this.database.statement<{ n: string }>(
      workspaceId,
      'select count(*) as n from vectors.chunk_vectors where base_no = $1',
      [no],
    );
    return Number(row?.n ?? 0);
  }

  /** Builds or drops the index of a base. Returns false when another process changes it now, or when the signal cancelled the build. */
  private async change(base: Large, wants: boolean, signal: AbortSignal): Promise<boolean> {
    const { databaseDirectUrl: connectionString } = this.settings;
    const client = new pg.Client({ connectionString, options: `-c role=${systemRole}`, ...keptAlive });
    await client.connect();
    const cancelled = () => void this.cancel(client);
    signal.addEventListener('abort', cancelled);
    try {
      const { rows } = await client.query('select pg_try_advisory_lock($1, hashint8($2)) as won', [
        lockClass,
        base.no,
      ]);
      if (rows[0]?.won !== true) return false;
      if (wants) await this.build(client, base, signal);
      else await this.drop(client, base);
      return true;
    } catch (error) {
      if (!signal.aborted) throw error;
      this.log.log(`The index of base ${base.no} waits for the next process.`);
      return false;
    } finally {
      signal.removeEventListener('abort', cancelled);
      await client.end().catch(() => undefined);
    }
  }

  /** Cancels the statement of the connection. To close the connection is not enough: Postgres would continue its statement. */
  private async cancel(client: pg.Client): Promise<void> {
    const { processID } = client as pg.Client & { processID: number };
    const other = new pg.Client({ connectionString: this.settings.databaseDirectUrl });
    try {
      await other.connect();
      await other.query('select pg_cancel_backend($1)', [processID]);
    } catch (error) {
      this.log.warn(`A build could not be cancelled: ${String(error)}`);
    } finally {
      await other.end().catch(() => undefined);
    }
  }

  private async build(client: pg.Client, base: Large, signal: AbortSignal): Promise<void> {
    const begin = performance.now();
    await this.mark(base, 'building');
    const part = await this.findPart(base);
    await client.query(`drop index concurrently if exists vectors.${toIndexName(base)}`);
    // Parallel builds before pgvector 0.8.2 could write past their memory.
    await client.query(
      `set max_parallel_maintenance_workers = 0; set maintenance_work_mem = '512MB'; set statement_timeout = 0`,
    );
    const dimension = Math.trunc(base.dimension);
    signal.throwIfAborted(); // An abort before this line may have found no statement to cancel.
    await client.query(`create index concurrently ${toIndexName(base)} on ${part}
      using hnsw ((embedding::halfvec(${dimension})) halfvec_cosine_ops) with (m = 16, ef_construction = 64)
      where base_no = ${BigInt(base.no)} and dimension = ${dimension}`);
    await this.mark(base, 'ready');
    this.log.log(`The index of base ${base.no} was built in ${Math.round(performance.now() - begin)} ms.`);
  }

  private async drop(client: pg.Client, base: Large): Promise<void> {
    await this.mark(base, null);
    await client.query(`drop index concurrently if exists vectors.${toIndexName(base)}`);
  }

  /** The name of the partition that holds the vectors of the base. */
  private async findPart({ no, workspace_id: workspaceId }: Large): Promise<string> {
    const [row] = await this.database.statement<{ part: string }>(
      workspaceId,
      'select tableoid::regclass::text as part from vectors.chunk_vectors where base_no = $1 limit 1',
      [no],
    );
    if (!row) throw new Error(`Base ${no} has no vectors.`);
    return row.part;
  }

  private async mark({ no }: Large, state: Large['index_state']): Promise<void> {
    await this.database.system('update knowledge_bases set index_state = $2 where no = $1', [no, state]);
  }
}

function toIndexName({ no }: Large): string {
  return `chunk_vectors_of_${BigInt(no)}`;
}

/** Bases that may need an index, and bases with an index. A base in the state `building` comes back, so its build starts again. */
const selectCandidates = /* sql */ `
select b.no, b.workspace_id, b.dimension, b.index_state, coalesce(sum(d.chunk_count), 0) as chunks
from knowledge_bases b left join documents d on d.base_no = b.no
group by b.no, b.workspace_id, b.dimension, b.index_state
having b.index_state is not null or coalesce(sum(d.chunk_count), 0) > $1`;
