import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Chunks } from '#libs/knowledge/bases/chunks';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { requireChange } from '../http/validation.ts';
import { TakesWorkspace } from '../http/workspace-query.ts';
import { ChunkListQuery, ChunkView, OffsetPageView, UpdateChunkBody } from './documents.dto.ts';

const changed = { success: 'flag', data: { chunk: ChunkView, message: 'text' } } as const;

@ApiTags('Knowledge bases')
@Controller('api/v1/knowledge/:knowledgeBaseId/documents/:documentId/chunks')
export class ChunksController {
  constructor(private readonly chunks: Chunks) {}

  @Get()
  @ApiOperation({
    summary: 'List the chunks of a document',
    description: 'Lists the chunks of a document in its order. Searches find these chunks.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(
    200,
    { success: 'flag', data: { chunks: [ChunkView], pagination: OffsetPageView } },
    'A page of chunks, in the order of the document.',
  )
  async listChunks(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('knowledgeBaseId') baseId: string,
    @Param('documentId') documentId: string,
    @Query() { limit, offset, search, enabledFilter }: ChunkListQuery,
  ) {
    const enabled = enabledFilter === 'all' ? null : enabledFilter === 'enabled';
    const ref = { workspaceId, baseId, documentId };
    const { chunks, total } = await this.chunks.list(ref, { limit, offset, search, enabled });
    return {
      chunks: chunks.map((chunk) => ChunkView.of(chunk)),
      pagination: OffsetPageView.of(total, { limit, offset }, chunks.length),
    };
  }

  @Get(':chunkId')
  @ApiOperation({ summary: 'Read a chunk', description: 'Shows one chunk with its place in the document.' })
  @TakesWorkspace()
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { success: 'flag', data: { chunk: ChunkView } }, 'The chunk as it is now.')
  async getChunk(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('knowledgeBaseId') baseId: string,
    @Param('documentId') documentId: string,
    @Param('chunkId') chunkId: string,
  ) {
    const chunk = await this.chunks.get({ workspaceId, baseId, documentId, chunkId });
    return { chunk: ChunkView.of(chunk) };
  }

  @Patch(':chunkId')
  @ApiOperation({
    summary: 'Edit, enable or disable a chunk',
    description:
      'Corrects the text of a chunk, or takes it out of searches. When the document is processed again, new chunks replace all of these.',
  })
  @RequirePermission('write', 'workspace')
  @ApiResult(
    200,
    changed,
    'The changed chunk. Searches find it until the document is processed again, which makes new chunks.',
    { also: [409] },
  )
  async updateChunk(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Param('knowledgeBaseId') baseId: string,
    @Param('documentId') documentId: string,
    @Param('chunkId') chunkId: string,
    @Body() { content, enabled }: UpdateChunkBody,
  ) {
    requireChange({ content, enabled }, ['content', 'enabled']);
    const ref = { workspaceId, baseId, documentId, chunkId };
    const chunk = await this.chunks.update(ref, { content, enabled }, caller.actor.id);
    return { chunk: ChunkView.of(chunk), message: 'Chunk updated' };
  }

  @Delete(':chunkId')
  @ApiOperation({
    summary: 'Delete a chunk',
    description: 'Takes a chunk out of the document for good, until the document is processed again.',
  })
  @TakesWorkspace()
  @RequirePermission('write', 'workspace')
  @ApiResult(
    200,
    { success: 'flag', data: { message: 'text' } },
    'The chunk was deleted. Searches do not find it.',
    {
      also: [409],
    },
  )
  async deleteChunk(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('knowledgeBaseId') baseId: string,
    @Param('documentId') documentId: string,
    @Param('chunkId') chunkId: string,
  ) {
    await this.chunks.delete({ workspaceId, baseId, documentId, chunkId });
    return { message: 'Chunk deleted' };
  }
}
