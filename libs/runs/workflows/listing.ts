import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { Cursors, type Page } from '#libs/platform/cursors/cursor';
import { parseFolder } from './folder.ts';
import type { Listed, Workflow } from './workflow.entity.ts';

export interface WorkflowList {
  deployedOnly: boolean;
  state?: 'deployed' | 'draft';
  /** A part of the name, in any case. */
  name?: string;
  /** A folder, with everything below it. */
  folder?: string;
  limit: number;
  cursor?: string;
}

export interface ListedWorkflow extends Listed<Workflow> {
  lastExecution: { executionId: string; status: string; createdAt: string } | null;
  /** The latest ones, oldest first. */
  recentExecutions: { status: string; duration: number | null }[];
}

export interface Folder {
  path: string;
  workflowCount: number;
  deployedCount: number;
}

/** Lists the workflows of a workspace, each with its last execution, and the folders. */
@Injectable()
export class Listing {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
  ) {}

  /** Oldest first, with the number of all workflows that match the filters. */
  async workflows(
    workspaceId: string,
    { deployedOnly, state, name, folder, limit, cursor }: WorkflowList,
  ): Promise<Page<ListedWorkflow> & { totalCount: number }> {
    const states = [deployedOnly && 'deployed', state].filter(Boolean);
    const matching = [workspaceId, states, name ?? null, folder ? parseFolder(folder) : null];
    const scope = `workflows ${JSON.stringify(matching)}`;
    const after = this.cursors.open(cursor, scope);
    const place = [after?.at ?? null, after?.id ?? null, limit + 1];
    const [rows = [], counts = []] = await this.database.batch<ListedWorkflow & { count: string }>(
      workspaceId,
      [
        [pageOfWorkflows, [...matching, ...place]],
        [countOfWorkflows, matching],
      ],
    );
    const page = this.cursors.page<ListedWorkflow>(rows, limit, scope, ({ createdAt, id }) => ({
      at: createdAt.toISOString(),
      id,
    }));
    return { ...page, totalCount: Number(counts[0]?.count) };
  }

  /** Sorted by path. */
  async folders(
    workspaceId: string,
    { limit, cursor }: { limit: number; cursor?: string },
  ): Promise<Page<Folder>> {
    const scope = `folders ${workspaceId}`;
    const after = this.cursors.open(cursor, scope);
    const values = [workspaceId, after?.id ?? null, limit + 1];
    const rows = await this.database.statement<Folder>(workspaceId, pageOfFolders, values);
    return this.cursors.page<Folder>(rows, limit, scope, ({ path }) => ({ at: '', id: path }));
  }
}

/**
 * $1 workspace, $2 states that all must hold, $3 part of the name, $4 folder. In byte order, everything below a
 * folder comes between its path with `/` and its path with `0`.
 */
const matches = /* sql */ `
w.workspace_id = $1 and case when w.live_version is null then 'draft' else 'deployed' end = all ($2::text[])
  and ($3::text is null or position(lower($3) in lower(w.name)) > 0)
  and ($4::text is null or w.folder = $4 or (w.folder >= $4 || '/' and w.folder < $4 || '0'))`;

const countOfWorkflows = /* sql */ `select count(*) from workflows w where ${matches}`;

/** A reader can take in this many at a glance. */
const recentMax = 12;

/** $5, $6 the last workflow before, $7 limit */
const pageOfWorkflows = /* sql */ `
select w.id, w.workspace_id as "workspaceId", w.name, w.description, w.folder, w.definition_hash as "definitionHash",
  w.live_version as "liveVersion", w.deployed_at as "deployedAt", w.created_at as "createdAt", w.updated_at as "updatedAt",
  (select json_build_object('executionId', e.id, 'status', e.status,
      'createdAt', to_char(e.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from executions e where e.workflow_id = w.id and not e.is_test order by e.created_at desc, e.id desc limit 1) as "lastExecution",
  (select coalesce(json_agg(json_build_object('status', r.status, 'duration', r.duration_ms) order by r.created_at, r.id), '[]') from (
    select e.id, e.created_at, e.status, e.duration_ms from executions e where e.workflow_id = w.id and not e.is_test
    order by e.created_at desc, e.id desc limit ${recentMax}) r) as "recentExecutions"
from (
  select * from workflows w where ${matches} and ($5::timestamptz is null or (w.created_at, w.id) > ($5, $6))
  order by w.created_at, w.id limit $7
) w order by w.created_at, w.id`;

/** $1 workspace, $2 the last path before, $3 limit */
const pageOfFolders = /* sql */ `
select folder as path, count(*)::int as "workflowCount", count(live_version)::int as "deployedCount"
from workflows where workspace_id = $1 and ($2::text is null or folder > $2) group by folder order by folder limit $3`;
