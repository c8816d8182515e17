// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { AnswerOf, BodyOf, DataOf, QueryOf, WorkspaceOptional } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.workflows`. */
export class WorkflowsResource extends Resource {
  /**
   * List the workflows.
   *
   * Finds workflows by a part of their name, by folder and by state. Each comes with its last execution and without its definition.
   *
   * `GET /api/v1/workflows`
   */
  list(params: WorkspaceOptional<QueryOf<'listWorkflows'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listWorkflows'>['data'][number], AnswerOf<'listWorkflows'>> {
    return this.transport.list({ id: 'listWorkflows', verb: 'GET', path: `/api/v1/workflows`, params, workspaceIn: 'query', valuePath: ['data'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Create a workflow.
   *
   * Stores a draft. It may still have faults: `POST /api/v1/workflows/validate` lists them, and a deploy refuses them. The name must be free in the workspace.
   *
   * `POST /api/v1/workflows`
   */
  create(params: WorkspaceOptional<BodyOf<'createWorkflow'>>, options: CallOptions = {}): Call<DataOf<'createWorkflow'>> {
    return this.transport.read({ id: 'createWorkflow', verb: 'POST', path: `/api/v1/workflows`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * List the folders that hold workflows.
   *
   * Lists the folders with the number of workflows in each. A folder exists as long as a workflow names it.
   *
   * `GET /api/v1/folders`
   */
  listFolders(params: WorkspaceOptional<QueryOf<'listFolders'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listFolders'>['data'][number], AnswerOf<'listFolders'>> {
    return this.transport.list({ id: 'listFolders', verb: 'GET', path: `/api/v1/folders`, params, workspaceIn: 'query', valuePath: ['data'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Check a definition without storing it.
   *
   * Lists every fault and warning of a definition and stores nothing. It takes the body of a create, so that one file serves both calls.
   *
   * `POST /api/v1/workflows/validate`
   */
  validate(params: WorkspaceOptional<BodyOf<'validateDefinition'>>, options: CallOptions = {}): Call<DataOf<'validateDefinition'>> {
    return this.transport.read({ id: 'validateDefinition', verb: 'POST', path: `/api/v1/workflows/validate`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Create a workflow from an export.
   *
   * Creates a workflow from an export of this or another installation. With `from` it takes the file of another product and reports the outcome for each of its blocks. Secrets and tables are not in an export; they are found by their names.
   *
   * `POST /api/v1/workflows/import`
   */
  import(params: WorkspaceOptional<QueryOf<'importWorkflow'> & BodyOf<'importWorkflow'>> = {}, options: CallOptions = {}): Call<DataOf<'importWorkflow'>> {
    return this.transport.read({ id: 'importWorkflow', verb: 'POST', path: `/api/v1/workflows/import`, params, queryNames: ['workspaceId', 'from', 'dryRun', 'workflowName'], body: 'json', workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * Read one workflow with its draft.
   *
   * Shows a workflow with its draft. The live version may differ: see `GET /api/workflows/{workflowId}/status`. Send the ETag of the answer as If-Match with a change or a deploy: it is refused when the workflow has changed since.
   *
   * `GET /api/v1/workflows/{workflowId}`
   */
  get(workflowId: string, options: CallOptions = {}): Call<DataOf<'getWorkflow'>> {
    return this.transport.read({ id: 'getWorkflow', verb: 'GET', path: `/api/v1/workflows/${this.segment(workflowId)}`, valuePath: ['data'] }, options);
  }

  /**
   * Change name, description or draft.
   *
   * Changes only the sent members. A new definition is a new draft; only a deploy changes the live version. With If-Match it is refused when the workflow has changed since.
   *
   * `PATCH /api/v1/workflows/{workflowId}`
   */
  update(workflowId: string, params: WorkspaceOptional<BodyOf<'updateWorkflow'>> = {}, options: CallOptions = {}): Call<DataOf<'updateWorkflow'>> {
    return this.transport.read({ id: 'updateWorkflow', verb: 'PATCH', path: `/api/v1/workflows/${this.segment(workflowId)}`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Delete a workflow with its versions.
   *
   * Deletes the draft and every version. This cannot be undone. The executions stay in the logs until their retention ends.
   *
   * `DELETE /api/v1/workflows/{workflowId}`
   */
  delete(workflowId: string, options: CallOptions = {}): Call<DataOf<'deleteWorkflow'>> {
    return this.transport.read({ id: 'deleteWorkflow', verb: 'DELETE', path: `/api/v1/workflows/${this.segment(workflowId)}`, valuePath: ['data'] }, options);
  }

  /**
   * Export the draft.
   *
   * Gives the draft as a body for `POST /api/v1/workflows/import`, for a copy, a backup or another installation.
   *
   * `GET /api/v1/workflows/{workflowId}/export`
   */
  export(workflowId: string, options: CallOptions = {}): Call<DataOf<'exportWorkflow'>> {
    return this.transport.read({ id: 'exportWorkflow', verb: 'GET', path: `/api/v1/workflows/${this.segment(workflowId)}/export`, valuePath: ['data'] }, options);
  }

  /**
   * Read the deployment status of a workflow.
   *
   * Shows if a version is live, and if the draft has changed since its deploy.
   *
   * `GET /api/workflows/{workflowId}/status`
   */
  getStatus(workflowId: string, options: CallOptions = {}): Call<AnswerOf<'getWorkflowStatus'>> {
    return this.transport.read({ id: 'getWorkflowStatus', verb: 'GET', path: `/api/workflows/${this.segment(workflowId)}/status` }, options);
  }

  /**
   * Read the JSON Schema of a definition.
   *
   * Gives the JSON Schema of a definition, for editors that complete and check, and for programs that generate workflows. No key is needed.
   *
   * `GET /api/v1/definition-schema`
   */
  getDefinitionSchema(options: CallOptions = {}): Call<AnswerOf<'getDefinitionSchema'>> {
    return this.transport.read({ id: 'getDefinitionSchema', verb: 'GET', path: `/api/v1/definition-schema` }, options);
  }
}
