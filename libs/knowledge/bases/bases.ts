import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, send } from '#libs/platform/database/database';
import { guardName } from '#libs/platform/database/violations';
import { Invalid, NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import { cutText } from '#libs/platform/text/whole-text';
import { type Base, toBase, type Chunking, holdBase, readBase, selectBases } from './base.ts';
import { Embedding } from '../search/embedding.ts';
import { processAgain } from './process-again.sql.ts';
import { changedTags, type TagDefinition, type TagInput } from './tags.ts';

const basesMax = 1000;

export const defaultChunking: Chunking = { maxSize: 1024, minSize: 100, overlap: 200 };

/** The members of a base to change. All documents are processed again when the chunking or the model changes. */
export interface BaseChange {
  name?: string;
  description?: string;
  chunking?: Partial<Chunking>;
  /** The new model of the base. It must be the model of this installation. */
  model?: string;
}

/** The knowledge bases of workspaces, without their documents. */
@Injectable()
export class KnowledgeBases {
  constructor(
    private readonly database: Database,
    private readonly embedding: Embedding,
  ) {}

  async create(
    workspaceId: string,
    { name, description = '', chunking = {} }: BaseChange & { name: string },
  ): Promise<Base> {
    const { maxSize, minSize, overlap } = soundChunking({ ...defaultChunking, ...chunking });
    const { model, dimension } = await this.embedding.bound();
    const id = newId('kb');
    return guardName(namedOnce(name), () =>
      this.database.within(workspaceId, async (tx) => {
        await this.requireRoom(tx, workspaceId);
        const values = [id, workspaceId, name, description, maxSize, minSize, overlap, model, dimension];
        await send(tx, insertBase, values);
        return holdBase(tx, workspaceId, id);
      }),
    );
  }

  async list(workspaceId: string): Promise<Base[]> {
    const sql = `${selectBases} where b.workspace_id = $1 order by b.created_at, b.id`;
    return (await this.database.statement(workspaceId, sql, [workspaceId])).map(toBase);
  }

  get(workspaceId: string, id: string): Promise<Base> {
    return readBase(this.database, workspaceId, id);
  }

  /** Finds a base by its id, or by its name without regard to case. Throws `NotFound`. */
  async findBase(workspaceId: string, named: string): Promise<Base> {
    const sql = `${selectBases} where b.workspace_id = $1 and (b.id = $2 or lower(b.name) = lower($2)) order by b.id = $2 desc`;
    const [row] = await this.database.statement(workspaceId, sql, [workspaceId, named]);
    if (!row) throw new NotFound(`knowledge base "${cutText(named, 100)}"`);
    return toBase(row);
  }

  /**
   * Changes a base. When all documents must be processed again, `actor` is the caller who asked for it.
   * Throws `NotFound`, `NameTaken`, and `Invalid` for wrong chunking or another model than that of this installation.
   */
  async update(workspaceId: string, id: string, change: BaseChange, actor: string): Promise<Base> {
    const bound = await this.embedding.bound();
    if (change.model !== undefined && change.model !== bound.model)
      throw Invalid.field('embeddingModel', `must be the model of this installation, ${bound.model}`, 'enum');
    return guardName(namedOnce(change.name ?? ''), () =>
      this.database.within(workspaceId, async (tx) => {
        const base = await holdBase(tx, workspaceId, id, 'no key update');
        const chunking = soundChunking({ ...base.chunking, ...change.chunking });
        const { maxSize, minSize, overlap } = chunking;
        const { name = null, description = null } = change;
        const { model, dimension } = change.model === undefined ? base : bound;
        const values = [base.no, name, description, maxSize, minSize, overlap, model, dimension];
        await send(tx, updateBase, values);
        if (!sameChunking(chunking, base.chunking) || model !== base.model)
          await send(tx, processAgain('base_no'), [base.no, actor]);
        return holdBase(tx, workspaceId, id);
      }),
    );
  }

  /** Sets the tags of the base, and returns them. Removes a tag that is left out from all documents. Throws `Invalid` and `NotFound`. */
  async defineTags(workspaceId: string, id: string, wished: TagInput[]): Promise<TagDefinition[]> {
    return this.database.within(workspaceId, async (tx) => {
      const base = await holdBase(tx, workspaceId, id, 'no key update');
      const { tags, gone } = changedTags(base.tags, wished);
      await send(tx, setTags, [base.no, JSON.stringify(tags)]);
      if (gone.length > 0) await send(tx, dropTags, [base.no, gone]);
      return tags;
    });
  }

  /** The id of the actor who started the execution; its blocks act for this actor. Returns `unknown` without the execution. */
  async findActor(workspaceId: string, executionId: string): Promise<string> {
    const sql = "select actor ->> 'id' as id from executions where id = $1";
    const [row] = await this.database.statement<{ id: string }>(workspaceId, sql, [executionId]);
    return row?.id ?? 'unknown';
  }

  /** Deletes a base. Callers no longer see it from now on, and a worker removes its documents later. Throws `NotFound`. */
  async delete(workspaceId: string, id: string): Promise<void> {
    const gone = await this.database.statement(workspaceId, deleteBase, [workspaceId, id]);
    if (gone.length === 0) throw new NotFound('knowledge base');
  }

  /** Locks the row of the workspace, so that two calls at the same time cannot both create the last allowed base. */
  private async requireRoom(tx: EntityManager, workspaceId: string): Promise<void> {
    const [workspace] = await send(tx, lockWorkspace, [workspaceId]);
    if (!workspace) throw new NotFound('workspace');
    const [count] = await send(tx, countBases, [workspaceId]);
    if (Number(count?.['n']) >= basesMax)
      throw Invalid.field('', `the workspace has ${basesMax} knowledge bases, the most allowed`, 'max_bases');
  }
}

const namedOnce = (name: string) => ({ constraint: 'knowledge_bases_name', thing: 'knowledge base', name });

/** Returns the chunking. Throws `Invalid` when the overlap is not below the maximum size. */
function soundChunking(chunking: Chunking): Chunking {
  if (chunking.overlap >= chunking.maxSize)
    throw Invalid.field('chunkingConfig.overlap', 'must be below maxSize', 'range');
  return chunking;
}

function sameChunking(one: Chunking, other: Chunking): boolean {
  return one.maxSize === other.maxSize && one.minSize === other.minSize && one.overlap === other.overlap;
}

const lockWorkspace = 'select 1 from workspaces where id = $1 for no key update';
/** Separate from `lockWorkspace`: a statement that waits for a lock would count the bases from before its wait. */
const countBases = 'select count(*) as n from knowledge_bases where workspace_id = $1';

const insertBase = /* sql */ `
insert into knowledge_bases (id, workspace_id, name, description, max_size, min_size, overlap, model, dimension)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

const updateBase = /* sql */ `
update knowledge_bases set name = coalesce($2, name), description = coalesce($3, description), max_size = $4, min_size = $5,
  overlap = $6, model = $7, dimension = $8, updated_at = now() where no = $1`;

const setTags = 'update knowledge_bases set tags = $2::jsonb, updated_at = now() where no = $1';
const dropTags = 'update documents set tags = tags - $2::text[] where base_no = $1 and tags ?| $2::text[]';

const deleteBase = /* sql */ `
with gone as (delete from knowledge_bases where workspace_id = $1 and id = $2 returning no, workspace_id)
insert into knowledge_orphans (base_no, workspace_id) select no, workspace_id from gone returning 1`;
