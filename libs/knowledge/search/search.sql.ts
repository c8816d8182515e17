import type { Statement } from '#libs/platform/database/database';
import { segmentSize } from '../ingestion/segments.ts';

/** The documents of a base that a search may find: the documents that were embedded with this model. */
export interface DocumentReach {
  baseNo: string;
  model: string;
  dimension: number;
  /** Returns an SQL condition on documents `d`. It adds its values by `add`, which returns their placeholders. */
  where: (add: (value: unknown) => string) => string;
}

/** Candidates as columns: the lists have the same length, and each index stands for a candidate. */
export interface CandidateColumns {
  documents: string[];
  generations: number[];
  indexes: number[];
}

class SqlValues {
  readonly list: unknown[] = [];
  readonly add = (value: unknown): string => `$${this.list.push(value)}`;
}

/** SQL: joins rows of chunks to their documents `d`, and keeps the rows that a search may find. */
function seen({ baseNo, model, where }: DocumentReach, line: string, add: SqlValues['add']): string {
  return `join documents d on d.base_no = ${line}.base_no and d.no = ${line}.document_no and d.generation = ${line}.generation
    where ${line}.base_no = ${add(baseNo)}::bigint and d.enabled and d.model = ${add(model)} and ${where(add)}`;
}

/** SQL: the numbers of bases. $1 workspace, $2 ids of the bases */
const numbers = 'array(select b.no from knowledge_bases b where b.workspace_id = $1 and b.id = any($2))';

/** The number of chunks and of segments, for each base and model. $1 workspace, $2 ids of the bases */
export const selectModels = /* sql */ `
select d.base_no, d.model, sum(d.chunk_count) as chunks, sum(d.chunk_count / ${segmentSize} + 1) as segments from documents d
where d.base_no = any(${numbers}) and d.enabled and d.generation is not null group by d.base_no, d.model`;

/** The number of chunks with each word, over all bases. $1 workspace, $2 ids of the bases, $3 words */
export const selectCounts = /* sql */ `
select word, sum(chunks) as chunks from knowledge_words where base_no = any(${numbers}) and word = any($3::text[]) group by word`;

/** The nearest vectors, by a comparison with all vectors of the base. The `+ 0` keeps the approximate index out of the plan. */
export function nearestOfAll(reach: DocumentReach, vector: string, count: number): Statement {
  const { add, list } = new SqlValues();
  const q = `${add(vector)}::halfvec`;
  const sql = /* sql */ `
    select v.document_no, v.generation, v.n, 1 - (v.embedding <=> ${q}) as cosine from vectors.chunk_vectors v ${seen(reach, 'v', add)}
      and v.dimension = ${add(reach.dimension)} and v.enabled
    order by (v.embedding <=> ${q}) + 0 limit ${add(count)}`;
  return [sql, list, 'shaped by a caller'];
}

/**
 * The nearest vectors by the index of the base, which may miss some. The text contains the base and the dimension as literals, as the
 * definition of the index does; otherwise Postgres would not use the index.
 */
export function nearestByIndex(reach: DocumentReach, vector: string, count: number): Statement {
  const { add, list } = new SqlValues();
  const dimension = Math.trunc(reach.dimension);
  const distance = `v.embedding::halfvec(${dimension}) <=> ${add(vector)}::halfvec(${dimension})`;
  const sql = /* sql */ `
    with v as materialized (
      select v.base_no, v.document_no, v.generation, v.n, ${distance} as distance from vectors.chunk_vectors v
      where v.base_no = ${BigInt(reach.baseNo)} and v.dimension = ${dimension} and v.enabled
      order by ${distance} limit ${add(count)})
    select v.document_no, v.generation, v.n, 1 - v.distance as cosine from v ${seen(reach, 'v', add)} order by v.distance`;
  return [sql, list, 'shaped by a caller'];
}

/** The chunks that have the words. Returns for each word its lines, a line for each segment of a document, in the bytes that `Postings` reads. */
export function selectPostings(reach: DocumentReach, words: readonly string[]): Statement {
  const { add, list } = new SqlValues();
  const sql = /* sql */ `
    select w.word, string_agg(int8send(w.document_no) || int4send(w.generation) || int4send(w.segment) || varbit_send(w.chunks), '') as lines
    from chunk_words w ${seen(reach, 'w', add)} and w.word = any(${add(words)}::text[]) group by w.word`;
  return [sql, list, 'shaped by a caller'];
}

/** The two highest cosines of each candidate as `best` and `next`. Leaves out disabled candidates. */
export function selectCosines(
  { baseNo }: DocumentReach,
  vector: string,
  { documents, generations, indexes }: CandidateColumns,
): Statement {
  return [
    /* sql */ `
    select document_no, generation, n, cosines[1] as best, cosines[2] as next from (
    select c.document_no, c.generation, c.n, array_agg(1 - (v.embedding <=> $2::halfvec) order by v.embedding <=> $2::halfvec) as cosines
    from unnest($3::bigint[], $4::int[], $5::int[]) as c (document_no, generation, n)
    join vectors.chunk_vectors v on v.base_no = $1 and v.document_no = c.document_no and v.generation = c.generation and v.n = c.n
    where v.enabled group by 1, 2, 3) of`,
    [baseNo, vector, documents, generations, indexes],
  ];
}

/** Reads the words that each candidate has. Candidates without a word are left out. */
export function selectWords(
  { baseNo }: DocumentReach,
  words: readonly string[],
  { documents, generations, indexes }: CandidateColumns,
): Statement {
  return [
    /* sql */ `
    select c.document_no, c.n, array_agg(w.word) as words
    from unnest($3::bigint[], $4::int[], $5::int[]) as c (document_no, generation, n)
    join chunk_words w on w.base_no = $1 and w.word = any($2::text[]) and w.document_no = c.document_no
      and w.generation = c.generation and w.segment = c.n / ${segmentSize}
    where case when length(w.chunks) > c.n % ${segmentSize} then get_bit(w.chunks, c.n % ${segmentSize}) = 1 else false end
    group by 1, 2`,
    [baseNo, words, documents, generations, indexes],
  ];
}

/** The title right above each candidate, and its length. */
export function selectTitles(
  { baseNo }: DocumentReach,
  { documents, generations, indexes }: CandidateColumns,
): Statement {
  return [
    /* sql */ `
    select f.document_no, f.n, c.headings ->> -1 as title, c.token_count
    from unnest($2::bigint[], $3::int[], $4::int[]) as f (document_no, generation, n)
    join chunks c on c.base_no = $1 and c.document_no = f.document_no and c.generation = f.generation and c.n = f.n`,
    [baseNo, documents, generations, indexes],
  ];
}

/** The content of found chunks. $1 to $4: the base, the document, the generation and the index of each chunk, as lists. */
export const selectContents = /* sql */ `
select c.document_no, c.n, c.generation, c.content, c.start_at, c.end_at, c.headings, c.token_count, d.id, d.filename, d.source_url,
  d.tags, b.id as base_id, b.tags as definitions
from unnest($1::bigint[], $2::bigint[], $3::int[], $4::int[]) as f (base_no, document_no, generation, n)
join chunks c on c.base_no = f.base_no and c.document_no = f.document_no and c.generation = f.generation and c.n = f.n
join documents d on d.no = c.document_no join knowledge_bases b on b.no = c.base_no`;

/** The chunks for a search without a query: chunks of matching documents, in the order of creation. */
export function selectChunks(reach: DocumentReach, count: number): Statement {
  const { add, list } = new SqlValues();
  const sql = /* sql */ `
    select c.document_no, c.generation, c.n from chunks c ${seen(reach, 'c', add)} and c.enabled
    order by c.document_no, c.n limit ${add(count)}`;
  return [sql, list, 'shaped by a caller'];
}
