import type { EntityManager } from 'typeorm';
import { type Database, send } from '#libs/platform/database/database';
import { NotFound } from '#libs/platform/errors/errors';
import type { TagDefinition } from './tags.ts';

/** Bounds of chunks: `maxSize` and `overlap` in tokens, `minSize` in characters. */
export interface Chunking {
  maxSize: number;
  minSize: number;
  overlap: number;
}

/** A knowledge base as it is at one moment. */
export interface Base {
  id: string;
  /** The number by which chunks refer to the base, as decimal text. */
  no: string;
  name: string;
  description: string;
  chunking: Chunking;
  /** The model for new documents of the base. Older documents may have another model until they are processed again. */
  model: string;
  dimension: number;
  tags: TagDefinition[];
  /** The state of the index of its vectors. Null without an index; a search then compares all vectors. */
  indexState: 'building' | 'ready' | null;
  docCount: number;
  tokenCount: number;
  createdAt: Date;
  updatedAt: Date;
}

export const selectBases = /* sql */ `
select b.id, b.no, b.name, b.description, b.max_size, b.min_size, b.overlap, b.model, b.dimension, b.tags, b.index_state,
  b.created_at, b.updated_at, d.documents, d.tokens
from knowledge_bases b cross join lateral (
  select count(*) as documents, coalesce(sum(token_count), 0) as tokens from documents where base_no = b.no) d`;

const one = `${selectBases} where b.workspace_id = $1 and b.id = $2`;

/** The base as it is now. Throws `NotFound`. */
export async function readBase(database: Database, workspaceId: string, id: string): Promise<Base> {
  const [row] = await database.statement(workspaceId, one, [workspaceId, id]);
  if (!row) throw new NotFound('knowledge base');
  return toBase(row);
}

/** Reads and locks the base. No other transaction changes or deletes it before this transaction ends. Throws `NotFound`. */
export async function holdBase(
  tx: EntityManager,
  workspaceId: string,
  id: string,
  lock: 'share' | 'no key update' = 'share',
): Promise<Base> {
  const [row] = await send(tx, `${one} for ${lock} of b`, [workspaceId, id]);
  if (!row) throw new NotFound('knowledge base');
  return toBase(row);
}

export function toBase(row: Record<string, unknown>): Base {
  return {
    id: String(row['id']),
    no: String(row['no']),
    name: String(row['name']),
    description: String(row['description']),
    chunking: {
      maxSize: Number(row['max_size']),
      minSize: Number(row['min_size']),
      overlap: Number(row['overlap']),
    },
    model: String(row['model']),
    dimension: Number(row['dimension']),
    tags: row['tags'] as TagDefinition[],
    indexState: row['index_state'] as Base['indexState'],
    docCount: Number(row['documents']),
    tokenCount: Number(row['tokens']),
    createdAt: row['created_at'] as Date,
    updatedAt: row['updated_at'] as Date,
  };
}
