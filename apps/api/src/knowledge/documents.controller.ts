import {
  Body,
  Controller,
  Delete,
  Get,
  Param,
  Patch,
  Post,
  Query,
  Req,
  StreamableFile,
} from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Audit } from '#libs/workspace/audit/audit';
import { KnowledgeDocuments } from '#libs/knowledge/bases/documents';
import { Settings } from '#libs/platform/settings/settings';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission, StoresData, TakesUploads } from '../http/route-decorators.ts';
import { HttpAnswer, KeyedWork } from '../http/answer.ts';
import { Idempotent } from '../http/answer.interceptor.ts';
import { LastingAnswers } from '../http/lasting-answers.ts';
import { ApiErrors, ApiResult } from '../http/api-result.ts';
import { requireChange } from '../http/validation.ts';
import { TakesWorkspace } from '../http/workspace-query.ts';
import {
  DocumentListQuery,
  DocumentView,
  OffsetPageView,
  UpdateDocumentBody,
  WaitQuery,
} from './documents.dto.ts';
import { addBody, buildFingerprint, parseDocuments } from './document-sources.ts';
import { Processings } from './processings.ts';

const oneDocument = { success: 'flag', data: { document: DocumentView } } as const;
const changed = { success: 'flag', data: { document: DocumentView, message: 'text' } } as const;

@ApiTags('Knowledge bases')
@Controller('api/v1/knowledge/:knowledgeBaseId/documents')
export class DocumentsController {
  constructor(
    private readonly documents: KnowledgeDocuments,
    private readonly processings: Processings,
    private readonly settings: Settings,
    private readonly audit: Audit,
    private readonly lasting: LastingAnswers,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Add documents: files, a text, or a URL',
    description:
      'Stores documents; a worker processes them. Send files as multipart/form-data, or a text or a URL as JSON. Content that the base already has is not stored again.',
  })
  @RequirePermission('write', 'workspace')
  @StoresData()
  @TakesUploads()
  @Idempotent('doc')
  @ApiConsumes('application/json', 'multipart/form-data')
  @ApiBody(addBody)
  @ApiResult(
    201,
    {
      success: 'flag',
      data: { document: DocumentView, documents: [DocumentView], duplicates: 'whole', message: 'text' },
    },
    'The documents are stored, and a worker processes them. For content that the base already has, the answer shows the existing document.',
    { also: [409, 413, 415, 422] },
  )
  async addDocuments(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Param('knowledgeBaseId') baseId: string,
    @Query() { wait }: WaitQuery,
    @Req() { body }: FastifyRequest,
  ) {
    const sources = await parseDocuments(body);
    return new KeyedWork(`knowledge ${baseId}`, buildFingerprint(sources), async ({ id }) => {
      const ref = { workspaceId, baseId };
      const { base, added } = await this.documents.add(
        ref,
        sources.map((one, i) => (i === 0 ? { ...one, id } : one)),
        caller.actor.id,
      );
      const addedDocuments = added.map(({ document }) => document);
      await this.processings.beginProcessings(workspaceId, addedDocuments);
      const settled = await this.processings.settled(ref, addedDocuments, wait);
      const documents = settled.map((one) => DocumentView.of(base, one, this.settings.publicUrl));
      const duplicates = added.filter(({ known }) => known).length;
      const message =
        duplicates < added.length ? 'Document added' : 'The knowledge base has this document already';
      return new HttpAnswer({ document: documents[0], documents, duplicates, message });
    });
  }

  @Get()
  @ApiOperation({
    summary: 'List the documents of a knowledge base',
    description:
      'Lists documents by a part of their name, with their total number. Searches find only those whose `processingStatus` is `completed`.',
  })
  @RequirePermission('read', 'named')
  @ApiResult(
    200,
    { success: 'flag', data: { documents: [DocumentView], pagination: OffsetPageView } },
    'A page of documents, and their total number.',
  )
  async listDocuments(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('knowledgeBaseId') baseId: string,
    @Query() query: DocumentListQuery,
  ) {
    const { search, enabledFilter, sortBy, sortOrder, limit, offset } = query;
    const list = { search, enabledFilter, sortBy, sortOrder, limit, offset };
    const { base, documents, total } = await this.documents.list({ workspaceId, baseId }, list);
    return {
      documents: documents.map((one) => DocumentView.of(base, one, this.settings.publicUrl)),
      pagination: OffsetPageView.of(total, query, documents.length),
    };
  }

  @Get(':documentId')
  @ApiOperation({
    summary: 'Read a document, or wait until it has been processed',
    description:
      'Shows the progress of a document. With `wait` the answer comes when it has been processed, or after this number of seconds.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, oneDocument, 'The document as it is now, or when the wait is over.')
  async getDocument(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('knowledgeBaseId') baseId: string,
    @Param('documentId') documentId: string,
    @Query() { wait }: WaitQuery,
  ) {
    const ref = { workspaceId, baseId, documentId };
    const { base, document } = await this.documents.get(ref);
    const [settled = document] = await this.processings.settled(ref, [document], wait);
    return { document: DocumentView.of(base, settled, this.settings.publicUrl) };
  }

  @Patch(':documentId')
  @ApiOperation({
    summary: 'Rename, tag, enable or disable a document',
    description:
      'Changes only the sent members. Searches do not find a disabled document, but nothing of it is lost.',
  })
  @RequirePermission('write', 'workspace')
  @ApiResult(200, changed, 'The document as it is after the change.', { also: [409] })
  async updateDocument(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('knowledgeBaseId') baseId: string,
    @Param('documentId') documentId: string,
    @Body() { filename, enabled, tags }: UpdateDocumentBody,
  ) {
    requireChange({ filename, enabled, tags }, ['filename', 'enabled', 'tags']);
    const ref = { workspaceId, baseId, documentId };
    const { base, document } = await this.documents.update(ref, { filename, enabled, tags });
    return {
      document: DocumentView.of(base, document, this.settings.publicUrl),
      message: 'Document updated',
    };
  }

  @Delete(':documentId')
  @ApiOperation({
    summary: 'Delete a document with its chunks and its content',
    description: 'Deletes a document with its chunks and its content. Searches do not find it from then on.',
  })
  @TakesWorkspace()
  @RequirePermission('write', 'workspace')
  @ApiResult(
    200,
    { success: 'flag', data: { message: 'text' } },
    'The document was deleted. Searches do not find it.',
  )
  async deleteDocument(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('knowledgeBaseId') baseId: string,
    @Param('documentId') documentId: string,
  ) {
    await this.documents.delete({ workspaceId, baseId, documentId });
    return { message: 'Document deleted' };
  }

  @Post(':documentId/retry')
  @ApiOperation({
    summary: 'Process a failed document again',
    description:
      'Processes a failed document again, for example after a URL did not answer. `processingError` tells the reason of the failure.',
  })
  @TakesWorkspace()
  @RequirePermission('write', 'workspace')
  @ApiResult(202, changed, 'The document waits for a worker.', { also: [409] })
  async retryDocument(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Param('knowledgeBaseId') baseId: string,
    @Param('documentId') documentId: string,
  ) {
    const ref = { workspaceId, baseId, documentId };
    const { base, document } = await this.documents.retry(ref, caller.actor.id);
    await this.processings.beginProcessings(workspaceId, [document]);
    const view = DocumentView.of(base, document, this.settings.publicUrl);
    return { document: view, message: 'The document is processed again' };
  }

  @Get(':documentId/content')
  @ApiOperation({
    summary: 'Download the source of a document',
    description: 'Downloads the stored content: the uploaded file, or the response of the URL.',
  })
  @TakesWorkspace()
  @RequirePermission('read', 'workspace')
  @ApiResponse({
    status: 200,
    description: 'The file as it was uploaded or fetched.',
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  })
  @ApiErrors()
  async downloadDocument(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('knowledgeBaseId') baseId: string,
    @Param('documentId') documentId: string,
    @Req() request: FastifyRequest,
  ): Promise<StreamableFile> {
    const { file, bytes } = await this.documents.content({ workspaceId, baseId, documentId });
    await this.audit.noteEvent(workspaceId, {
      action: 'document.exported',
      resourceType: 'document',
      resourceId: documentId,
      changes: { filename: file.filename },
    });
    // The response never has the type of the upload. With it, a browser would run an uploaded page under this origin.
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(file.filename)}`;
    return new StreamableFile(this.lasting.file(request, bytes), {
      type: 'application/octet-stream',
      disposition,
      length: file.size,
    });
  }
}
