import { Body, Controller, Get, Header, HttpCode, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Workspaces } from '#libs/workspace/auth/workspaces';
import { exactJson } from '#libs/platform/json/exact-json';
import { Invalid } from '#libs/platform/errors/errors';
import { KnowledgeSearch } from '#libs/knowledge/search/search';
import { Cursors } from '#libs/platform/cursors/cursor';
import { Settings } from '#libs/platform/settings/settings';
import type { Table } from '#libs/tables/schema/table';
import { Tables } from '#libs/tables/schema/tables';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { searchedFor } from '../knowledge/searched-for.ts';
import { ForeignSearchBody, ForeignTablesQuery } from './lists.dto.ts';
import { foreignResult, foreignTable, foreignWorkspace } from './lists.views.ts';

const json = 'application/json; charset=utf-8';

/** Workspaces, tables and knowledge bases, for clients of another product. */
@ApiExcludeController()
@Controller('api/v2')
export class ResourcesController {
  constructor(
    private readonly workspaces: Workspaces,
    private readonly tables: Tables,
    private readonly searches: KnowledgeSearch,
    private readonly cursors: Cursors,
    private readonly settings: Settings,
  ) {}

  /** The first call of the clients, to see which kind of key they have. */
  @Get('meta')
  @RequirePermission('read', 'caller')
  @Header('Content-Type', json)
  getMeta(@CurrentCaller() { caller }: Admission) {
    return { data: { v2Enabled: true, keyType: caller.kind, expiresAt: null } };
  }

  @Get('workspaces')
  @RequirePermission('read', 'caller')
  @Header('Content-Type', json)
  async listWorkspaces(@CurrentCaller() { caller }: Admission) {
    const workspaces = await this.workspaces.list(caller.readable());
    const counts = await this.workspaces.memberCounts(workspaces.map(({ id }) => id));
    const data = workspaces.map((workspace) => foreignWorkspace(workspace, counts.get(workspace.id) ?? 0));
    return { data, nextCursor: null };
  }

  @Get('workspaces/:workspaceId')
  @RequirePermission('read', 'workspace')
  @Header('Content-Type', json)
  async getWorkspace(@CurrentCaller() { workspaceId }: Admission) {
    const workspace = await this.workspaces.get(workspaceId);
    const counts = await this.workspaces.memberCounts([workspaceId]);
    return { data: foreignWorkspace(workspace, counts.get(workspaceId) ?? 0) };
  }

  @Get('tables')
  @RequirePermission('read', 'named')
  @Header('Content-Type', json)
  async listTables(
    @CurrentCaller() { workspaceId }: Admission,
    @Query() { limit, cursor, scope, search = '', folderPath = '/' }: ForeignTablesQuery,
  ) {
    const filter = `tables ${JSON.stringify([workspaceId, scope, search, folderPath])}`;
    const after = this.cursors.open(cursor, filter);
    const isShown = scope === 'active' && folderPath === '/';
    const all = isShown ? await this.tables.list(workspaceId) : [];
    const matching = all.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
    const rows = after ? matching.slice(placeBehind(matching, after)) : matching;
    const { items, nextCursor } = this.cursors.page(rows, limit, filter, toPosition);
    return exactJson({ data: items.map(foreignTable), nextCursor });
  }

  @Post('knowledge/search')
  @RequirePermission('read', 'workspace')
  @HttpCode(200)
  @Header('Content-Type', json)
  async searchKnowledge(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Body() { query, topK, tagFilters, rerankerEnabled, ...body }: ForeignSearchBody,
  ) {
    const knowledgeBaseIds = parseIds(body.knowledgeBaseIds);
    const search = searchedFor({ knowledgeBaseIds, query, topK, tagFilters }, caller.actor.id);
    const items = await this.searches.search(workspaceId, search);
    const results = items.map((result, n) => foreignResult(result, n, this.settings.publicUrl));
    const rerankerStatus = rerankerEnabled ? 'unavailable' : 'not_requested';
    const counts = { topK, totalResults: results.length };
    return { data: { results, query: query ?? '', knowledgeBaseIds, ...counts, rerankerStatus } };
  }
}

interface Position {
  at: string;
  id: string;
}

function toPosition({ createdAt, id }: { createdAt: Date; id: string }): Position {
  return { at: createdAt.toISOString(), id };
}

/** The index at which the list goes on after a table, which may have been deleted since. */
function placeBehind(tables: Table[], { at, id }: Position): number {
  const place = tables.findIndex((table) => table.id === id);
  if (place >= 0) return place + 1;
  return tables.filter((table) => table.createdAt.toISOString() <= at).length;
}

function parseIds(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  const ids: unknown[] = Array.isArray(value) ? value : [null];
  if (ids.every((id): id is string => typeof id === 'string')) return ids;
  throw Invalid.field('knowledgeBaseIds', 'must be one id or a list of ids', 'type');
}
