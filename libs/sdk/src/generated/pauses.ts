// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { Download } from '../download.ts';
import type { FileInput } from '../uploads.ts';
import type { AnswerOf, BodyOf, DataOf, FormOf, QueryOf, WorkspaceOptional } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.pauses`. */
export class PausesResource extends Resource {
  /**
   * List the paused executions of a workflow.
   *
   * Lists the executions of a workflow that wait or waited for people. Filter by `status`. Each has its open pauses with links to answer them.
   *
   * `GET /api/workflows/{workflowId}/paused`
   */
  list(workflowId: string, params: QueryOf<'listPausedExecutions'> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listPausedExecutions'>['pausedExecutions'][number], AnswerOf<'listPausedExecutions'>> {
    return this.transport.list({ id: 'listPausedExecutions', verb: 'GET', path: `/api/workflows/${this.segment(workflowId)}/paused`, params, valuePath: ['pausedExecutions'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Read one paused execution with its snapshot and queue.
   *
   * Shows the pauses of one execution, their questions, and all answers so far.
   *
   * `GET /api/resume/{workflowId}/{executionId}`
   */
  get(workflowId: string, executionId: string, params: QueryOf<'getPausedExecution'> = {}, options: CallOptions = {}): Call<AnswerOf<'getPausedExecution'>> {
    return this.transport.read({ id: 'getPausedExecution', verb: 'GET', path: `/api/resume/${this.segment(workflowId)}/${this.segment(executionId)}`, params }, options);
  }

  /**
   * Upload files for the file fields of a pause.
   *
   * Uploads files before a pause with file fields is answered. Give the `id` of each file as the value of its field in the answer.
   *
   * `POST /api/resume/{workflowId}/{executionId}/{contextId}/files`
   */
  uploadFiles(workflowId: string, executionId: string, contextId: string, params: FormOf<'uploadAnswerFiles'> & { files?: FileInput | FileInput[] } = {}, options: CallOptions = {}): Call<DataOf<'uploadAnswerFiles'>> {
    return this.transport.read({ id: 'uploadAnswerFiles', verb: 'POST', path: `/api/resume/${this.segment(workflowId)}/${this.segment(executionId)}/${this.segment(contextId)}/files`, params, body: 'files', valuePath: ['data'] }, options);
  }

  /**
   * Download a file that was given as an answer.
   *
   * Downloads a file from an answer, with its name and its media type.
   *
   * `GET /api/workflows/{workflowId}/executions/{executionId}/files/{fileId}`
   */
  downloadFile(workflowId: string, executionId: string, fileId: string, options: CallOptions = {}): Call<Download> {
    return this.transport.download({ id: 'downloadAnswerFile', verb: 'GET', path: `/api/workflows/${this.segment(workflowId)}/executions/${this.segment(executionId)}/files/${this.segment(fileId)}`, accept: 'application/octet-stream' }, options);
  }

  /**
   * List the open pauses of a workspace, yours first.
   *
   * Lists the open pauses of a workspace. The pauses that ask you come first. With `mine=true` it lists only these.
   *
   * `GET /api/v1/inbox`
   */
  listInbox(params: WorkspaceOptional<QueryOf<'listInbox'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listInbox'>['data'][number], AnswerOf<'listInbox'>> {
    return this.transport.list({ id: 'listInbox', verb: 'GET', path: `/api/v1/inbox`, params, workspaceIn: 'query', valuePath: ['data'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Read the history of a request.
   *
   * Lists, in order, who was notified of a request, who delegated it, and who answered it.
   *
   * `GET /api/resume/{workflowId}/{executionId}/{contextId}/trail`
   */
  getTrail(workflowId: string, executionId: string, contextId: string, options: CallOptions = {}): Call<DataOf<'getRequestTrail'>> {
    return this.transport.read({ id: 'getRequestTrail', verb: 'GET', path: `/api/resume/${this.segment(workflowId)}/${this.segment(executionId)}/${this.segment(contextId)}/trail`, valuePath: ['data'] }, options);
  }

  /**
   * Let another person answer in your place.
   *
   * Lets another person answer in your place, by mail address or user id. The person gets a mail, and the history shows the delegation.
   *
   * `POST /api/resume/{workflowId}/{executionId}/{contextId}/delegate`
   */
  delegate(workflowId: string, executionId: string, contextId: string, params: BodyOf<'delegateRequest'>, options: CallOptions = {}): Call<DataOf<'delegateRequest'>> {
    return this.transport.read({ id: 'delegateRequest', verb: 'POST', path: `/api/resume/${this.segment(workflowId)}/${this.segment(executionId)}/${this.segment(contextId)}/delegate`, params, body: 'json', valuePath: ['data'] }, options);
  }
}
