import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database/database';
import { removeGeneration } from './ingestion.sql.ts';

interface Leftover {
  id: string;
  base_no: string;
  document_no: string | null;
  generation: number | null;
  workspace_id: string;
}

/** Small enough that one statement stays far below the statement time-out. */
const batch = 5000;
/** What one turn takes at most; the rest waits for the next. */
const leftoversMax = 100;

/** Removes what deleted bases and documents, and generations that were replaced, have left behind. */
@Injectable()
export class KnowledgeLeftovers {
  constructor(private readonly database: Database) {}

  /** Runs one turn and returns how many leftovers are gone. Any number of processes may take turns at the same time. */
  async turn(): Promise<number> {
    const left = await this.database.system<Leftover & Record<string, unknown>>(
      'select id, base_no, document_no, generation, workspace_id from knowledge_leftovers order by id limit $1',
      [leftoversMax],
    );
    for (const one of left) {
      if (one.document_no === null) await this.removeBase(one);
      else await this.removeGenerations(one);
      await this.run(one, 'delete from knowledge_leftovers where id = $1', [one.id]);
    }
    return left.length;
  }

  private async removeGenerations(one: Leftover): Promise<void> {
    const { base_no: base, document_no: document, generation } = one;
    const generations =
      generation === null
        ? (await this.run(one, generationsOf, [base, document])).map((row) => Number(row['generation']))
        : [generation];
    for (const each of generations)
      for (const remove of removeGeneration) await this.run(one, remove, [base, document, each]);
  }

  private async removeBase(one: Leftover): Promise<void> {
    for (const remove of removeBase)
      for (let rows = batch; rows > 0;) {
        const [row] = await this.run(one, remove, [one.base_no, batch]);
        rows = Number(row?.['n'] ?? 0);
      }
  }

  private run({ workspace_id: workspaceId }: Leftover, sql: string, values: unknown[]) {
    return this.database.statement(workspaceId, sql, values);
  }
}

const generationsOf = /* sql */ `
select generation from chunks where base_no = $1 and document_no = $2
union select generation from chunk_words where base_no = $1 and document_no = $2
union select generation from vectors.chunk_vectors where base_no = $1 and document_no = $2`;

const inBatches = (table: string) => /* sql */ `
with chosen as (select tableoid, ctid from ${table} where base_no = $1 limit $2),
  gone as (delete from ${table} t using chosen
    where t.base_no = $1 and t.ctid = chosen.ctid and t.tableoid = chosen.tableoid returning 1)
select count(*) as n from gone`;

/** Few documents at a time: each may bring a file of 100 MB. */
const removeBase = [
  /* sql */ `
  with gone as (
    delete from documents where no in (select no from documents where base_no = $1 limit least($2, 5)) returning file_id),
  files_gone as (delete from files where id in (select file_id from gone))
  select count(*) as n from gone`,
  ...['vectors.chunk_vectors', 'chunk_words', 'chunks', 'knowledge_words'].map(inBatches),
];
