// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { Download } from '../download.ts';
import type { FileInput } from '../uploads.ts';
import type { AnswerOf, BodyOf, DataOf, FormOf, QueryOf, WorkspaceOptional } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.knowledge`. */
export class KnowledgeResource extends Resource {
  readonly tags = new KnowledgeTagsResource(this.transport);

  readonly documents = new KnowledgeDocumentsResource(this.transport);

  readonly chunks = new KnowledgeChunksResource(this.transport);

  /**
   * List the knowledge bases.
   *
   * Lists every knowledge base of the workspace with the number of its documents.
   *
   * `GET /api/v1/knowledge`
   */
  list(params: WorkspaceOptional<QueryOf<'listKnowledgeBases'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listKnowledgeBases'>['data']['knowledgeBases'][number], AnswerOf<'listKnowledgeBases'>> {
    return this.transport.list({ id: 'listKnowledgeBases', verb: 'GET', path: `/api/v1/knowledge`, params, workspaceIn: 'query', valuePath: ['data', 'knowledgeBases'], paging: 'single' }, options);
  }

  /**
   * Create a knowledge base.
   *
   * Makes an empty knowledge base, bound to the embedding model of the installation. Add documents next.
   *
   * `POST /api/v1/knowledge`
   */
  create(params: WorkspaceOptional<BodyOf<'createKnowledgeBase'>>, options: CallOptions = {}): Call<DataOf<'createKnowledgeBase'>> {
    return this.transport.read({ id: 'createKnowledgeBase', verb: 'POST', path: `/api/v1/knowledge`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Read a knowledge base.
   *
   * Shows a knowledge base: its number of documents and tokens, and the settings for cutting documents into chunks.
   *
   * `GET /api/v1/knowledge/{knowledgeBaseId}`
   */
  get(knowledgeBaseId: string, params: WorkspaceOptional<QueryOf<'getKnowledgeBase'>> = {}, options: CallOptions = {}): Call<DataOf<'getKnowledgeBase'>> {
    return this.transport.read({ id: 'getKnowledgeBase', verb: 'GET', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}`, params, workspaceIn: 'query', needsWorkspace: true, valuePath: ['data'] }, options);
  }

  /**
   * Change a knowledge base: its name, description or chunking.
   *
   * Changes only the sent members. New chunking or a new model processes all documents again. Until then searches find the old chunks.
   *
   * `PUT /api/v1/knowledge/{knowledgeBaseId}`
   */
  update(knowledgeBaseId: string, params: WorkspaceOptional<BodyOf<'updateKnowledgeBase'>> = {}, options: CallOptions = {}): Call<DataOf<'updateKnowledgeBase'>> {
    return this.transport.read({ id: 'updateKnowledgeBase', verb: 'PUT', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Delete a knowledge base with all its documents.
   *
   * Deletes the knowledge base with its documents and their content. Blocks that search it then fail. This cannot be undone.
   *
   * `DELETE /api/v1/knowledge/{knowledgeBaseId}`
   */
  delete(knowledgeBaseId: string, params: WorkspaceOptional<QueryOf<'deleteKnowledgeBase'>> = {}, options: CallOptions = {}): Call<DataOf<'deleteKnowledgeBase'>> {
    return this.transport.read({ id: 'deleteKnowledgeBase', verb: 'DELETE', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * Search knowledge bases.
   *
   * Finds the chunks that are nearest to a question in meaning and in words. Narrow it by tags; without a query it lists the chunks of the documents that the tags choose.
   *
   * `POST /api/v1/knowledge/search`
   */
  search(params: WorkspaceOptional<BodyOf<'searchKnowledge'>>, options: CallOptions = {}): Call<DataOf<'searchKnowledge'>> {
    return this.transport.read({ id: 'searchKnowledge', verb: 'POST', path: `/api/v1/knowledge/search`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }
}

/** The calls of `client.knowledge.tags`. */
export class KnowledgeTagsResource extends Resource {
  /**
   * List the tags that documents of a knowledge base may have.
   *
   * Lists the tags that documents may have and searches may filter by.
   *
   * `GET /api/v1/knowledge/{knowledgeBaseId}/tags`
   */
  list(knowledgeBaseId: string, params: WorkspaceOptional<QueryOf<'listTags'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listTags'>['data']['tags'][number], AnswerOf<'listTags'>> {
    return this.transport.list({ id: 'listTags', verb: 'GET', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}/tags`, params, workspaceIn: 'query', valuePath: ['data', 'tags'], paging: 'single' }, options);
  }

  /**
   * Define the tags that documents of a knowledge base may have.
   *
   * Replaces the list of tags. A tag with its `id` is renamed and keeps its values. A tag that is left out is removed from all documents.
   *
   * `PUT /api/v1/knowledge/{knowledgeBaseId}/tags`
   */
  define(knowledgeBaseId: string, params: WorkspaceOptional<BodyOf<'defineTags'>>, options: CallOptions = {}): Call<DataOf<'defineTags'>> {
    return this.transport.read({ id: 'defineTags', verb: 'PUT', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}/tags`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }
}

/** The calls of `client.knowledge.documents`. */
export class KnowledgeDocumentsResource extends Resource {
  /**
   * List the documents of a knowledge base.
   *
   * Lists documents by a part of their name, with their total number. Searches find only those whose `processingStatus` is `completed`.
   *
   * `GET /api/v1/knowledge/{knowledgeBaseId}/documents`
   */
  list(knowledgeBaseId: string, params: WorkspaceOptional<QueryOf<'listDocuments'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listDocuments'>['data']['documents'][number], AnswerOf<'listDocuments'>> {
    return this.transport.list({ id: 'listDocuments', verb: 'GET', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}/documents`, params, workspaceIn: 'query', needsWorkspace: true, valuePath: ['data', 'documents'], paging: 'offset' }, options);
  }

  /**
   * Add documents: files, a text, or a URL.
   *
   * Stores documents; a worker processes them. Send files as multipart/form-data, or a text or a URL as JSON. Content that the base already has is not stored again.
   *
   * `POST /api/v1/knowledge/{knowledgeBaseId}/documents`
   */
  add(knowledgeBaseId: string, params: WorkspaceOptional<QueryOf<'addDocuments'> & FormOf<'addDocuments'> & { files?: FileInput | FileInput[] }> = {}, options: CallOptions = {}): Call<DataOf<'addDocuments'>> {
    return this.transport.read({ id: 'addDocuments', verb: 'POST', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}/documents`, params, queryNames: ['workspaceId', 'wait'], body: 'files', workspaceIn: 'query', idempotent: true, valuePath: ['data'] }, options);
  }

  /**
   * Read a document, or wait until it has been processed.
   *
   * Shows the progress of a document. With `wait` the answer comes when it has been processed, or after this number of seconds.
   *
   * `GET /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}`
   */
  get(knowledgeBaseId: string, documentId: string, params: WorkspaceOptional<QueryOf<'getDocument'>> = {}, options: CallOptions = {}): Call<DataOf<'getDocument'>> {
    return this.transport.read({ id: 'getDocument', verb: 'GET', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}/documents/${this.segment(documentId)}`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * Rename, tag, enable or disable a document.
   *
   * Changes only the sent members. Searches do not find a disabled document, but nothing of it is lost.
   *
   * `PATCH /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}`
   */
  update(knowledgeBaseId: string, documentId: string, params: WorkspaceOptional<BodyOf<'updateDocument'>> = {}, options: CallOptions = {}): Call<DataOf<'updateDocument'>> {
    return this.transport.read({ id: 'updateDocument', verb: 'PATCH', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}/documents/${this.segment(documentId)}`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Delete a document with its chunks and its content.
   *
   * Deletes a document with its chunks and its content. Searches do not find it from then on.
   *
   * `DELETE /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}`
   */
  delete(knowledgeBaseId: string, documentId: string, params: WorkspaceOptional<QueryOf<'deleteDocument'>> = {}, options: CallOptions = {}): Call<DataOf<'deleteDocument'>> {
    return this.transport.read({ id: 'deleteDocument', verb: 'DELETE', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}/documents/${this.segment(documentId)}`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * Process a failed document again.
   *
   * Processes a failed document again, for example after a URL did not answer. `processingError` tells the reason of the failure.
   *
   * `POST /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}/retry`
   */
  retry(knowledgeBaseId: string, documentId: string, params: WorkspaceOptional<QueryOf<'retryDocument'>> = {}, options: CallOptions = {}): Call<DataOf<'retryDocument'>> {
    return this.transport.read({ id: 'retryDocument', verb: 'POST', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}/documents/${this.segment(documentId)}/retry`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * Download the source of a document.
   *
   * Downloads the stored content: the uploaded file, or the response of the URL.
   *
   * `GET /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}/content`
   */
  download(knowledgeBaseId: string, documentId: string, params: WorkspaceOptional<QueryOf<'downloadDocument'>> = {}, options: CallOptions = {}): Call<Download> {
    return this.transport.download({ id: 'downloadDocument', verb: 'GET', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}/documents/${this.segment(documentId)}/content`, params, workspaceIn: 'query', accept: 'application/octet-stream' }, options);
  }
}

/** The calls of `client.knowledge.chunks`. */
export class KnowledgeChunksResource extends Resource {
  /**
   * List the chunks of a document.
   *
   * Lists the chunks of a document in its order. Searches find these chunks.
   *
   * `GET /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}/chunks`
   */
  list(knowledgeBaseId: string, documentId: string, params: WorkspaceOptional<QueryOf<'listChunks'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listChunks'>['data']['chunks'][number], AnswerOf<'listChunks'>> {
    return this.transport.list({ id: 'listChunks', verb: 'GET', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}/documents/${this.segment(documentId)}/chunks`, params, workspaceIn: 'query', valuePath: ['data', 'chunks'], paging: 'offset' }, options);
  }

  /**
   * Read a chunk.
   *
   * Shows one chunk with its place in the document.
   *
   * `GET /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}/chunks/{chunkId}`
   */
  get(knowledgeBaseId: string, documentId: string, chunkId: string, params: WorkspaceOptional<QueryOf<'getChunk'>> = {}, options: CallOptions = {}): Call<DataOf<'getChunk'>> {
    return this.transport.read({ id: 'getChunk', verb: 'GET', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}/documents/${this.segment(documentId)}/chunks/${this.segment(chunkId)}`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * Edit, enable or disable a chunk.
   *
   * Corrects the text of a chunk, or takes it out of searches. When the document is processed again, new chunks replace all of these.
   *
   * `PATCH /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}/chunks/{chunkId}`
   */
  update(knowledgeBaseId: string, documentId: string, chunkId: string, params: WorkspaceOptional<BodyOf<'updateChunk'>> = {}, options: CallOptions = {}): Call<DataOf<'updateChunk'>> {
    return this.transport.read({ id: 'updateChunk', verb: 'PATCH', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}/documents/${this.segment(documentId)}/chunks/${this.segment(chunkId)}`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Delete a chunk.
   *
   * Takes a chunk out of the document for good, until the document is processed again.
   *
   * `DELETE /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}/chunks/{chunkId}`
   */
  delete(knowledgeBaseId: string, documentId: string, chunkId: string, params: WorkspaceOptional<QueryOf<'deleteChunk'>> = {}, options: CallOptions = {}): Call<DataOf<'deleteChunk'>> {
    return this.transport.read({ id: 'deleteChunk', verb: 'DELETE', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}/documents/${this.segment(documentId)}/chunks/${this.segment(chunkId)}`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }
}
