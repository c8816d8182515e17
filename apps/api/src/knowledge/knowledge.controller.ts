import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { KnowledgeBases } from '#libs/knowledge/bases/bases';
import { KnowledgeSearch } from '#libs/knowledge/search/search';
import { Settings } from '#libs/platform/settings/settings';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { requireChange } from '../http/validation.ts';
import { TakesWorkspace } from '../http/workspace-query.ts';
import { searchedFor } from './searched-for.ts';
import {
  CreateKnowledgeBody,
  DefineTagsBody,
  KnowledgeBaseView,
  SearchItemView,
  SearchKnowledgeBody,
  SearchView,
  TagView,
  UpdateKnowledgeBody,
} from './knowledge.dto.ts';

const oneBase = { success: 'flag', data: { knowledgeBase: KnowledgeBaseView, message: 'text' } } as const;
const allTags = { success: 'flag', data: { tags: [TagView] as [typeof TagView] } } as const;

@ApiTags('Knowledge bases')
@Controller('api/v1/knowledge')
export class KnowledgeController {
  constructor(
    private readonly bases: KnowledgeBases,
    private readonly searches: KnowledgeSearch,
    private readonly settings: Settings,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Create a knowledge base',
    description:
      'Makes an empty knowledge base, bound to the embedding model of the installation. Add documents next.',
  })
  @RequirePermission('write', 'workspace')
  @ApiResult(200, oneBase, 'The knowledge base was created.', { also: [409] })
  async createKnowledgeBase(
    @CurrentCaller() { workspaceId }: Admission,
    @Body() { name, description, chunkingConfig: chunking }: CreateKnowledgeBody,
  ) {
    const base = await this.bases.create(workspaceId, { name, description, chunking: sentMembers(chunking) });
    return { knowledgeBase: KnowledgeBaseView.of(base), message: 'Knowledge base created' };
  }

  @Get()
  @ApiOperation({
    summary: 'List the knowledge bases',
    description: 'Lists every knowledge base of the workspace with the number of its documents.',
  })
  @TakesWorkspace()
  @RequirePermission('read', 'workspace')
  @ApiResult(
    200,
    { success: 'flag', data: { knowledgeBases: [KnowledgeBaseView], totalCount: 'whole' } },
    'Every knowledge base, the oldest first.',
  )
  async listKnowledgeBases(@CurrentCaller() { workspaceId }: Admission) {
    const knowledgeBases = (await this.bases.list(workspaceId)).map((base) => KnowledgeBaseView.of(base));
    return { knowledgeBases, totalCount: knowledgeBases.length };
  }

  @Get(':knowledgeBaseId')
  @ApiOperation({
    summary: 'Read a knowledge base',
    description:
      'Shows a knowledge base: its number of documents and tokens, and the settings for cutting documents into chunks.',
  })
  @TakesWorkspace({ required: true })
  @RequirePermission('read', 'named')
  @ApiResult(
    200,
    { success: 'flag', data: { knowledgeBase: KnowledgeBaseView } },
    'The knowledge base as it is now.',
  )
  async getKnowledgeBase(@CurrentCaller() { workspaceId }: Admission, @Param('knowledgeBaseId') id: string) {
    return { knowledgeBase: KnowledgeBaseView.of(await this.bases.get(workspaceId, id)) };
  }

  @Put(':knowledgeBaseId')
  @ApiOperation({
    summary: 'Change a knowledge base: its name, description or chunking',
    description:
      'Changes only the sent members. New chunking or a new model processes all documents again. Until then searches find the old chunks.',
  })
  @RequirePermission('write', 'workspace')
  @ApiResult(200, oneBase, 'The knowledge base as it is after the change.', { also: [409] })
  async updateKnowledgeBase(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Param('knowledgeBaseId') id: string,
    @Body() { name, description, chunkingConfig, embeddingModel: model }: UpdateKnowledgeBody,
  ) {
    requireChange({ name, description, chunkingConfig, embeddingModel: model }, [
      'name',
      'description',
      'chunkingConfig',
      'embeddingModel',
    ]);
    const change = { name, description, chunking: sentMembers(chunkingConfig), model };
    const base = await this.bases.update(workspaceId, id, change, caller.actor.id);
    return { knowledgeBase: KnowledgeBaseView.of(base), message: 'Knowledge base updated' };
  }

  @Delete(':knowledgeBaseId')
  @ApiOperation({
    summary: 'Delete a knowledge base with all its documents',
    description:
      'Deletes the knowledge base with its documents and their content. Blocks that search it then fail. This cannot be undone.',
  })
  @TakesWorkspace()
  @RequirePermission('write', 'workspace')
  @ApiResult(200, { success: 'flag', data: { message: 'text' } }, 'The knowledge base was deleted.')
  async deleteKnowledgeBase(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('knowledgeBaseId') id: string,
  ) {
    await this.bases.delete(workspaceId, id);
    return { message: 'Knowledge base deleted' };
  }

  @Get(':knowledgeBaseId/tags')
  @ApiOperation({
    summary: 'List the tags that documents of a knowledge base may have',
    description: 'Lists the tags that documents may have and searches may filter by.',
  })
  @TakesWorkspace()
  @RequirePermission('read', 'workspace')
  @ApiResult(200, allTags, 'Every tag, in the order of their definition.')
  async listTags(@CurrentCaller() { workspaceId }: Admission, @Param('knowledgeBaseId') id: string) {
    return { tags: TagView.all((await this.bases.get(workspaceId, id)).tags) };
  }

  @Put(':knowledgeBaseId/tags')
  @ApiOperation({
    summary: 'Define the tags that documents of a knowledge base may have',
    description:
      'Replaces the list of tags. A tag with its `id` is renamed and keeps its values. A tag that is left out is removed from all documents.',
  })
  @RequirePermission('write', 'workspace')
  @ApiResult(200, allTags, 'Every tag as it is after the change.')
  async defineTags(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('knowledgeBaseId') id: string,
    @Body() { tags }: DefineTagsBody,
  ) {
    return { tags: TagView.all(await this.bases.defineTags(workspaceId, id, tags)) };
  }

  @Post('search')
  @ApiOperation({
    summary: 'Search knowledge bases',
    description:
      'Finds the chunks that are nearest to a question in meaning and in words. Narrow it by tags; without a query it lists the chunks of the documents that the tags choose.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(
    200,
    { success: 'flag', data: SearchView },
    'The best chunks of enabled documents, the most similar first, up to topK.',
  )
  async searchKnowledge(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Body() body: SearchKnowledgeBody,
  ) {
    const { knowledgeBaseIds, query, topK } = body;
    const items = await this.searches.search(workspaceId, searchedFor(body, caller.actor.id));
    const results = items.map((result) => SearchItemView.of(result, this.settings.publicUrl));
    return { results, query: query ?? '', knowledgeBaseIds, topK, totalResults: results.length };
  }
}

/** Keeps only the sent members: an absent one must stay unchanged, not become undefined. */
function sentMembers<T extends object>(body: T | undefined): Partial<T> | undefined {
  if (!body) return undefined;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Partial<T>;
}
