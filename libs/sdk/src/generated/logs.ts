// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { Download } from '../download.ts';
import type { AnswerOf, DataOf, QueryOf, WorkspaceOptional } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.logs`. */
export class LogsResource extends Resource {
  /**
   * List what was executed.
   *
   * Finds executions of all workflows by time, state, duration, cost, model or text. All filters hold together; `details=full` adds the workflow and the blocks.
   *
   * `GET /api/v1/logs`
   */
  list(params: WorkspaceOptional<QueryOf<'listLogs'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listLogs'>['data'][number], AnswerOf<'listLogs'>> {
    return this.transport.list({ id: 'listLogs', verb: 'GET', path: `/api/v1/logs`, params, workspaceIn: 'query', valuePath: ['data'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Export what was executed, a line of JSON for each.
   *
   * Streams what a list with the same filters finds, one JSON object a line, for a data warehouse or a spreadsheet.
   *
   * `GET /api/v1/logs/export`
   */
  export(params: WorkspaceOptional<QueryOf<'exportLogs'>> = {}, options: CallOptions = {}): Call<Download> {
    return this.transport.download({ id: 'exportLogs', verb: 'GET', path: `/api/v1/logs/export`, params, workspaceIn: 'query', accept: 'application/x-ndjson' }, options);
  }

  /**
   * Read which definition an execution ran.
   *
   * Shows the definition that an execution ran, although the workflow has changed since.
   *
   * `GET /api/v1/logs/executions/{executionId}`
   */
  getState(executionId: string, options: CallOptions = {}): Call<AnswerOf<'getLogState'>> {
    return this.transport.read({ id: 'getLogState', verb: 'GET', path: `/api/v1/logs/executions/${this.segment(executionId)}` }, options);
  }

  /**
   * Read one log.
   *
   * Shows one log with its output and its blocks, by pages. The id of the execution is taken too.
   *
   * `GET /api/v1/logs/{logId}`
   */
  get(logId: string, params: QueryOf<'getLog'> = {}, options: CallOptions = {}): Call<DataOf<'getLog'>> {
    return this.transport.read({ id: 'getLog', verb: 'GET', path: `/api/v1/logs/${this.segment(logId)}`, params, valuePath: ['data'] }, options);
  }
}
