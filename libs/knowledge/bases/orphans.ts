import { Injectable } from '@nestjs/common';
import {
  deleteInBatches,
  buildDeletion,
  isDue,
  TurnBounds,
  workOnEach,
} from '#libs/platform/database/bounded-deletion';
import { Database } from '#libs/platform/database/database';
import { removeGeneration } from '../ingestion/ingestion.sql.ts';

interface Orphan {
  id: string;
  base_no: string;
  document_no: string | null;
  generation: number | null;
  workspace_id: string;
}

/** The maximum number of rows that one statement deletes. */
const batch = 5000;
/** The maximum number of documents that one statement deletes. It is low, because each document may have a file of 100 MB. */
const documentsMax = 5;
/** The maximum number of leftovers in one turn. The rest waits for the next turn. */
const orphansMax = 100;

/** Removes the rows of deleted bases, of deleted documents, and of replaced generations of chunks. */
@Injectable()
export class OrphanedKnowledge {
  constructor(private readonly database: Database) {}

  /** Runs a turn, and returns the number of leftovers that are removed completely. Several processes may call it at the same time. */
  async removeOrphanedKnowledge(bounds = new TurnBounds()): Promise<number> {
    const items = await this.database.system<Orphan>(dueOrphans, [orphansMax]);
    const kind = 'leftover of knowledge';
    const work = (one: Orphan, within: TurnBounds) => this.remove(one, within);
    return workOnEach(this.database, { kind, items, id: ({ id }) => id, work }, bounds);
  }

  private async remove(one: Orphan, bounds: TurnBounds): Promise<boolean> {
    const removed = await (one.document_no === null
      ? this.removeBase(one, bounds)
      : this.removeGenerations(one, bounds));
    if (removed) await this.run(one, 'delete from knowledge_orphans where id = $1', [one.id]);
    return removed;
  }

  private async removeGenerations(one: Orphan, bounds: TurnBounds): Promise<boolean> {
    const { base_no: base, document_no: document, generation } = one;
    const generations =
      generation === null
        ? (await this.run(one, selectGenerations, [base, document])).map((row) => Number(row['generation']))
        : [generation];
    for (const each of generations)
      for (const sql of removeGeneration)
        if (!(await this.inBatches(one, { sql, values: [base, document, each], most: batch }, bounds)))
          return false;
    return true;
  }

  private async removeBase(one: Orphan, bounds: TurnBounds): Promise<boolean> {
    for (const { sql, most } of removeBase)
      if (!(await this.inBatches(one, { sql, values: [one.base_no], most }, bounds))) return false;
    return true;
  }

  private async inBatches(
    one: Orphan,
    { sql, values, most }: { sql: string; values: unknown[]; most: number },
    bounds: TurnBounds,
  ): Promise<boolean> {
    const { complete } = await deleteInBatches(most, bounds, async (rows) => {
      const [row] = await this.run(one, sql, [...values, rows]);
      return Number(row?.['n'] ?? 0);
    });
    return complete;
  }

  private run({ workspace_id: workspaceId }: Orphan, sql: string, values: unknown[]) {
    return this.database.statement(workspaceId, sql, values);
  }
}

/** In random order, so that a hundred large leftovers do not delay the others. */
const dueOrphans = /* sql */ `
select l.id, l.base_no, l.document_no, l.generation, l.workspace_id from knowledge_orphans l
where ${isDue('leftover of knowledge', 'l.id::text')} order by random() limit $1`;

const selectGenerations = /* sql */ `
select generation from chunks where base_no = $1 and document_no = $2
union select generation from chunk_words where base_no = $1 and document_no = $2
union select generation from vectors.chunk_vectors where base_no = $1 and document_no = $2`;

const removeBase = [
  {
    most: documentsMax,
    sql: /* sql */ `
    with gone as (
      delete from documents where no in (select no from documents where base_no = $1 limit $2) returning file_id),
    files_gone as (delete from files where id in (select file_id from gone))
    select count(*)::int as n from gone`,
  },
  ...['vectors.chunk_vectors', 'chunk_words', 'chunks', 'knowledge_words'].map((table) => ({
    most: batch,
    sql: buildDeletion(table, 'base_no = $1', '$2'),
  })),
];
