// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { Download } from '../download.ts';
import type { AnswerOf, DataOf, QueryOf, WorkspaceOptional } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.logs`. */
export class LogsResource extends Resource {
  /**
   * List the logs of executions.
   *
   * Finds executions of all workflows by time, state, duration, cost, model or text. An execution must match all filters. `details=full` adds the workflow and the blocks.
   *
   * `GET /api/v1/logs`
   */
  list(params: WorkspaceOptional<QueryOf<'listLogs'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listLogs'>['data'][number], AnswerOf<'listLogs'>> {
    return this.transport.list({ id: 'listLogs', verb: 'GET', path: `/api/v1/logs`, params, workspaceIn: 'query', valuePath: ['data'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Export the logs of executions as lines of JSON.
   *
   * Streams all executions that match the filters of the list, one JSON object a line, for a data warehouse or a spreadsheet.
   *
   * `GET /api/v1/logs/export`
   */
  export(params: WorkspaceOptional<QueryOf<'exportLogs'>> = {}, options: CallOptions = {}): Call<Download> {
    return this.transport.download({ id: 'exportLogs', verb: 'GET', path: `/api/v1/logs/export`, params, workspaceIn: 'query', accept: 'application/x-ndjson' }, options);
  }

  /**
   * Read the definition of an execution.
   *
   * Shows the definition that an execution ran, even after a change of the workflow.
   *
   * `GET /api/v1/logs/executions/{executionId}`
   */
  getState(executionId: string, options: CallOptions = {}): Call<AnswerOf<'getLogState'>> {
    return this.transport.read({ id: 'getLogState', verb: 'GET', path: `/api/v1/logs/executions/${this.segment(executionId)}` }, options);
  }

  /**
   * Read one log.
   *
   * Shows one log with its output and a page of its blocks. It takes the id of the log or of the execution.
   *
   * `GET /api/v1/logs/{logId}`
   */
  get(logId: string, params: QueryOf<'getLog'> = {}, options: CallOptions = {}): Call<DataOf<'getLog'>> {
    return this.transport.read({ id: 'getLog', verb: 'GET', path: `/api/v1/logs/${this.segment(logId)}`, params, valuePath: ['data'] }, options);
  }
}
