// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { Download } from '../download.ts';
import type { EventStream } from '../events.ts';
import type { Content, FileInput } from '../uploads.ts';
import { Resource } from '../resource.ts';
import type { AnswerOf, BodyOf, DataOf, FormOf, QueryOf, WorkspaceOptional } from '../shapes.ts';

/** The calls of `client.auditLogs`. */
export class AuditLogsResource extends Resource {
  /**
   * List who changed what.
   *
   * Tells who deployed, answered, invited or changed a key, and when. Narrow it by action, by what was changed, by who did it and by time; the filters hold together.
   *
   * `GET /api/v1/audit-logs`
   */
  list(params: WorkspaceOptional<QueryOf<'listAuditLogs'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listAuditLogs'>['data'][number], AnswerOf<'listAuditLogs'>> {
    return this.transport.list({ id: 'listAuditLogs', verb: 'GET', path: `/api/v1/audit-logs`, params, workspaceIn: 'query', valuePath: ['data'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Read one entry of the audit log.
   *
   * Shows one entry with what changed and its place in the chain of hashes, as a list gives it.
   *
   * `GET /api/v1/audit-logs/{auditLogId}`
   */
  get(auditLogId: string, params: WorkspaceOptional<QueryOf<'getAuditLog'>> = {}, options: CallOptions = {}): Call<DataOf<'getAuditLog'>> {
    return this.transport.read({ id: 'getAuditLog', verb: 'GET', path: `/api/v1/audit-logs/${this.segment(auditLogId)}`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }
}

/** The calls of `client.workspaces`. */
export class WorkspacesResource extends Resource {
  /**
   * Follow the changes of a workspace.
   *
   * Streams an event within about a second of a change: `changed` names `executions`, `pauses` or `settings`. It says that something is new, not what: read the lists anew then.
   *
   * `GET /api/v1/events`
   */
  follow(params: WorkspaceOptional<QueryOf<'followWorkspace'>> = {}, options: CallOptions = {}): EventStream<AnswerOf<'getJob'>> {
    return this.transport.follow({ id: 'followWorkspace', verb: 'GET', path: `/api/v1/events`, params, workspaceIn: 'query' }, options);
  }

  /**
   * List the workspaces that the key reaches.
   *
   * Lists the workspaces that the key reaches: one for a workspace key, all of its user's for a personal key.
   *
   * `GET /api/v1/workspaces`
   */
  list(options: CallOptions = {}): PageCall<AnswerOf<'listWorkspaces'>['data'][number], AnswerOf<'listWorkspaces'>> {
    return this.transport.list({ id: 'listWorkspaces', verb: 'GET', path: `/api/v1/workspaces`, valuePath: ['data'], paging: 'single' }, options);
  }

  /**
   * Create a workspace with you as its admin.
   *
   * Makes a workspace, with the user of the personal key as its admin. A workspace key belongs to no user, so it cannot.
   *
   * `POST /api/v1/workspaces`
   */
  create(params: BodyOf<'createWorkspace'>, options: CallOptions = {}): Call<DataOf<'createWorkspace'>> {
    return this.transport.read({ id: 'createWorkspace', verb: 'POST', path: `/api/v1/workspaces`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Read one workspace.
   *
   * Shows the name, the plan and the policy of a workspace.
   *
   * `GET /api/v1/workspaces/{workspaceId}`
   */
  get(workspaceId: string, options: CallOptions = {}): Call<DataOf<'getWorkspace'>> {
    return this.transport.read({ id: 'getWorkspace', verb: 'GET', path: `/api/v1/workspaces/${this.segment(workspaceId)}`, valuePath: ['data'] }, options);
  }

  /**
   * Change name or settings of a workspace.
   *
   * Changes what is sent and leaves the rest. `personalKeysAllowed: false` lets only workspace keys in; it is refused while no workspace key with the role admin is there.
   *
   * `PATCH /api/v1/workspaces/{workspaceId}`
   */
  update(workspaceId: string, params: BodyOf<'updateWorkspace'> = {}, options: CallOptions = {}): Call<DataOf<'updateWorkspace'>> {
    return this.transport.read({ id: 'updateWorkspace', verb: 'PATCH', path: `/api/v1/workspaces/${this.segment(workspaceId)}`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Leave a workspace.
   *
   * Takes you out of a workspace. The last admin cannot leave.
   *
   * `DELETE /api/v1/users/me/workspaces/{workspaceId}`
   */
  leave(workspaceId: string, options: CallOptions = {}): Call<DataOf<'leaveWorkspace'>> {
    return this.transport.read({ id: 'leaveWorkspace', verb: 'DELETE', path: `/api/v1/users/me/workspaces/${this.segment(workspaceId)}`, valuePath: ['data'] }, options);
  }
}

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
   * Lists the folders with how many workflows lie in each. A folder is there as long as a workflow says so.
   *
   * `GET /api/v1/folders`
   */
  listFolders(params: WorkspaceOptional<QueryOf<'listFolders'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listFolders'>['data'][number], AnswerOf<'listFolders'>> {
    return this.transport.list({ id: 'listFolders', verb: 'GET', path: `/api/v1/folders`, params, workspaceIn: 'query', valuePath: ['data'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Check a definition without storing it.
   *
   * Lists every fault and warning of a definition and stores nothing. It takes what a create takes, so that one file serves both.
   *
   * `POST /api/v1/workflows/validate`
   */
  validate(params: WorkspaceOptional<BodyOf<'validateDefinition'>>, options: CallOptions = {}): Call<DataOf<'validateDefinition'>> {
    return this.transport.read({ id: 'validateDefinition', verb: 'POST', path: `/api/v1/workflows/validate`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Create a workflow from an export.
   *
   * Creates a workflow from what an export gave, in this or another installation. With `from` it takes the file of another product, and tells of each of its blocks what became of it. Secrets and tables are not in an export; they are found by their names.
   *
   * `POST /api/v1/workflows/import`
   */
  import(params: WorkspaceOptional<QueryOf<'importWorkflow'> & BodyOf<'importWorkflow'>> = {}, options: CallOptions = {}): Call<DataOf<'importWorkflow'>> {
    return this.transport.read({ id: 'importWorkflow', verb: 'POST', path: `/api/v1/workflows/import`, params, queryNames: ['workspaceId', 'from', 'dryRun', 'workflowName'], body: 'json', workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * Read one workflow with its draft.
   *
   * Shows a workflow with its draft. What is live may differ: see `GET /api/workflows/{workflowId}/status`. The ETag of the answer, sent as If-Match with a change or a deploy, refuses it when somebody was faster.
   *
   * `GET /api/v1/workflows/{workflowId}`
   */
  get(workflowId: string, options: CallOptions = {}): Call<DataOf<'getWorkflow'>> {
    return this.transport.read({ id: 'getWorkflow', verb: 'GET', path: `/api/v1/workflows/${this.segment(workflowId)}`, valuePath: ['data'] }, options);
  }

  /**
   * Change name, description or draft.
   *
   * Changes what is sent and leaves the rest. A new definition is a new draft; what is live changes only by a deploy. With If-Match it changes nothing when somebody was faster.
   *
   * `PATCH /api/v1/workflows/{workflowId}`
   */
  update(workflowId: string, params: WorkspaceOptional<BodyOf<'updateWorkflow'>> = {}, options: CallOptions = {}): Call<DataOf<'updateWorkflow'>> {
    return this.transport.read({ id: 'updateWorkflow', verb: 'PATCH', path: `/api/v1/workflows/${this.segment(workflowId)}`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Delete a workflow with its versions.
   *
   * Deletes the draft and every version. There is no way back. The executions stay in the logs for as long as executions are kept.
   *
   * `DELETE /api/v1/workflows/{workflowId}`
   */
  delete(workflowId: string, options: CallOptions = {}): Call<DataOf<'deleteWorkflow'>> {
    return this.transport.read({ id: 'deleteWorkflow', verb: 'DELETE', path: `/api/v1/workflows/${this.segment(workflowId)}`, valuePath: ['data'] }, options);
  }

  /**
   * Export the draft.
   *
   * Gives the draft in the form that `POST /api/v1/workflows/import` takes, for a copy, a backup or another installation.
   *
   * `GET /api/v1/workflows/{workflowId}/export`
   */
  export(workflowId: string, options: CallOptions = {}): Call<DataOf<'exportWorkflow'>> {
    return this.transport.read({ id: 'exportWorkflow', verb: 'GET', path: `/api/v1/workflows/${this.segment(workflowId)}/export`, valuePath: ['data'] }, options);
  }

  /**
   * Read whether a workflow is deployed and up to date.
   *
   * Tells whether a version is live, and whether the draft has changed since it was deployed.
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

/** The calls of `client.jobs`. */
export class JobsResource extends Resource {
  /**
   * Read a job, or wait for its end.
   *
   * Asks how an execution stands. With `wait` the answer comes when it has ended, or after so many seconds; ask again then. A run that waits for a person is `processing` and has `paused`.
   *
   * `GET /api/jobs/{jobId}`
   */
  get(jobId: string, params: QueryOf<'getJob'> = {}, options: CallOptions = {}): Call<AnswerOf<'getJob'>> {
    return this.transport.read({ id: 'getJob', verb: 'GET', path: `/api/jobs/${this.segment(jobId)}`, params }, options);
  }

  /**
   * Follow a job as server-sent events.
   *
   * Streams each state of a job as it comes, until the run has ended or waits for a person. A client that lost the connection sends the id of its last event and misses nothing.
   *
   * `GET /api/jobs/{jobId}/events`
   */
  follow(jobId: string, options: CallOptions = {}): EventStream<AnswerOf<'getJob'>> {
    return this.transport.follow({ id: 'followJob', verb: 'GET', path: `/api/jobs/${this.segment(jobId)}/events` }, options);
  }
}

/** The calls of `client.executions`. */
export class ExecutionsResource extends Resource {
  /**
   * Read one execution with its block log.
   *
   * Shows one execution with its inputs, its output and what each block did. The blocks come by pages; pass `nextCursor` as `cursor` for the next.
   *
   * `GET /api/workflows/{workflowId}/executions/{executionId}`
   */
  get(workflowId: string, executionId: string, params: QueryOf<'getExecution'> = {}, options: CallOptions = {}): Call<AnswerOf<'getExecution'>> {
    return this.transport.read({ id: 'getExecution', verb: 'GET', path: `/api/workflows/${this.segment(workflowId)}/executions/${this.segment(executionId)}`, params }, options);
  }

  /**
   * Read a large value of an execution.
   *
   * Gives a value that a block log shows as a reference because it is large. Pass the `$payload` of the reference as `valueId`.
   *
   * `GET /api/workflows/{workflowId}/executions/{executionId}/values/{valueId}`
   */
  getValue(workflowId: string, executionId: string, valueId: string, options: CallOptions = {}): Call<DataOf<'getExecutionValue'>> {
    return this.transport.read({ id: 'getExecutionValue', verb: 'GET', path: `/api/workflows/${this.segment(workflowId)}/executions/${this.segment(executionId)}/values/${this.segment(valueId)}`, valuePath: ['data'] }, options);
  }

  /**
   * Cancel an execution.
   *
   * Asks an execution to end. It is answered at once; blocks that reach outside are told to stop, and open pauses close. Read the execution, or its job, to see when it has ended.
   *
   * `POST /api/workflows/{workflowId}/executions/{executionId}/cancel`
   */
  cancel(workflowId: string, executionId: string, options: CallOptions = {}): Call<AnswerOf<'cancelExecution'>> {
    return this.transport.read({ id: 'cancelExecution', verb: 'POST', path: `/api/workflows/${this.segment(workflowId)}/executions/${this.segment(executionId)}/cancel` }, options);
  }

  /**
   * Read what an execution did when, as a graph.
   *
   * Shows which way an execution went through its graph, when each block ran, and which pauses are open. `pageUrl` is the same as a page that anyone with the link can open for a day.
   *
   * `GET /api/v1/executions/{executionId}/timeline`
   */
  getTimeline(executionId: string, params: QueryOf<'getTimeline'> = {}, options: CallOptions = {}): Call<AnswerOf<'getTimeline'>> {
    return this.transport.read({ id: 'getTimeline', verb: 'GET', path: `/api/v1/executions/${this.segment(executionId)}/timeline`, params }, options);
  }
}

/** The calls of `client.deployments`. */
export class DeploymentsResource extends Resource {
  /**
   * Compile the draft and make it live as the next version.
   *
   * Checks the draft and makes it the next version, which never changes afterwards. New executions run it; those that run already keep theirs. A draft with a fault is refused with every fault in `details`, and nothing changes.
   *
   * `POST /api/v1/workflows/{workflowId}/deploy`
   */
  deploy(workflowId: string, params: BodyOf<'deployWorkflow'> = {}, options: CallOptions = {}): Call<DataOf<'deployWorkflow'>> {
    return this.transport.read({ id: 'deployWorkflow', verb: 'POST', path: `/api/v1/workflows/${this.segment(workflowId)}/deploy`, params, body: 'json', idempotent: true, valuePath: ['data'] }, options);
  }

  /**
   * Take the workflow out of service.
   *
   * Takes the workflow out of service: executions are refused with NOT_DEPLOYED until a version is live again. What runs already goes on.
   *
   * `DELETE /api/v1/workflows/{workflowId}/deploy`
   */
  undeploy(workflowId: string, options: CallOptions = {}): Call<DataOf<'undeployWorkflow'>> {
    return this.transport.read({ id: 'undeployWorkflow', verb: 'DELETE', path: `/api/v1/workflows/${this.segment(workflowId)}/deploy`, valuePath: ['data'] }, options);
  }

  /**
   * See what a deploy, rollback or undeploy would mean, without doing it.
   *
   * Tells what a deploy, rollback or undeploy would find: faults, warnings, and which executions wait for people and so go on as an older version. Nothing is changed.
   *
   * `GET /api/v1/workflows/{workflowId}/deploy/preview`
   */
  preview(workflowId: string, params: QueryOf<'previewDeploy'> = {}, options: CallOptions = {}): Call<DataOf<'previewDeploy'>> {
    return this.transport.read({ id: 'previewDeploy', verb: 'GET', path: `/api/v1/workflows/${this.segment(workflowId)}/deploy/preview`, params, valuePath: ['data'] }, options);
  }

  /**
   * Make an earlier version live again.
   *
   * Makes an earlier version live again, by its number, or the one before when no number is given. New executions run it; those that run already keep theirs.
   *
   * `POST /api/v1/workflows/{workflowId}/rollback`
   */
  rollback(workflowId: string, params: BodyOf<'rollbackWorkflow'> = {}, options: CallOptions = {}): Call<DataOf<'rollbackWorkflow'>> {
    return this.transport.read({ id: 'rollbackWorkflow', verb: 'POST', path: `/api/v1/workflows/${this.segment(workflowId)}/rollback`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * List the versions, newest first.
   *
   * Lists what was ever deployed of a workflow, without the definitions. `isActive` marks the live one.
   *
   * `GET /api/v1/workflows/{workflowId}/versions`
   */
  listVersions(workflowId: string, params: QueryOf<'listVersions'> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listVersions'>['data'][number], AnswerOf<'listVersions'>> {
    return this.transport.list({ id: 'listVersions', verb: 'GET', path: `/api/v1/workflows/${this.segment(workflowId)}/versions`, params, valuePath: ['data'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Read one version with its definition.
   *
   * Shows what a version runs, word by word, for instance to compare it with the draft.
   *
   * `GET /api/v1/workflows/{workflowId}/versions/{version}`
   */
  getVersion(workflowId: string, version: string | number, options: CallOptions = {}): Call<DataOf<'getVersion'>> {
    return this.transport.read({ id: 'getVersion', verb: 'GET', path: `/api/v1/workflows/${this.segment(workflowId)}/versions/${this.segment(version)}`, valuePath: ['data'] }, options);
  }
}

/** The calls of `client.pauses`. */
export class PausesResource extends Resource {
  /**
   * List the paused executions of a workflow.
   *
   * Lists which executions of a workflow wait for people, or did. Narrow it by `status`; each has its open pauses with links to answer them.
   *
   * `GET /api/workflows/{workflowId}/paused`
   */
  list(workflowId: string, params: QueryOf<'listPausedExecutions'> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listPausedExecutions'>['pausedExecutions'][number], AnswerOf<'listPausedExecutions'>> {
    return this.transport.list({ id: 'listPausedExecutions', verb: 'GET', path: `/api/workflows/${this.segment(workflowId)}/paused`, params, valuePath: ['pausedExecutions'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Read one paused execution with its snapshot and queue.
   *
   * Shows where one execution waits, what people are asked there, and every answer that it has had.
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
   * Downloads a file that somebody has given as an answer, with its name and its media type.
   *
   * `GET /api/workflows/{workflowId}/executions/{executionId}/files/{fileId}`
   */
  downloadFile(workflowId: string, executionId: string, fileId: string, options: CallOptions = {}): Call<Download> {
    return this.transport.download({ id: 'downloadAnswerFile', verb: 'GET', path: `/api/workflows/${this.segment(workflowId)}/executions/${this.segment(executionId)}/files/${this.segment(fileId)}`, accept: 'application/octet-stream' }, options);
  }

  /**
   * List the open pauses of a workspace, those put to you first.
   *
   * Lists the open pauses of a workspace, those first that are put to you. With `mine=true` it lists these alone.
   *
   * `GET /api/v1/inbox`
   */
  listInbox(params: WorkspaceOptional<QueryOf<'listInbox'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listInbox'>['data'][number], AnswerOf<'listInbox'>> {
    return this.transport.list({ id: 'listInbox', verb: 'GET', path: `/api/v1/inbox`, params, workspaceIn: 'query', valuePath: ['data'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Read the history of a request: who was told, who answered, when.
   *
   * Tells who was told of a request, who handed it on, and who answered what, in order.
   *
   * `GET /api/resume/{workflowId}/{executionId}/{contextId}/trail`
   */
  getTrail(workflowId: string, executionId: string, contextId: string, options: CallOptions = {}): Call<DataOf<'getRequestTrail'>> {
    return this.transport.read({ id: 'getRequestTrail', verb: 'GET', path: `/api/resume/${this.segment(workflowId)}/${this.segment(executionId)}/${this.segment(contextId)}/trail`, valuePath: ['data'] }, options);
  }

  /**
   * Let another person answer in your place.
   *
   * Lets another person answer in your place, by mail address or user id. They are told by mail, and the history shows who handed it to whom.
   *
   * `POST /api/resume/{workflowId}/{executionId}/{contextId}/delegate`
   */
  delegate(workflowId: string, executionId: string, contextId: string, params: BodyOf<'delegateRequest'>, options: CallOptions = {}): Call<DataOf<'delegateRequest'>> {
    return this.transport.read({ id: 'delegateRequest', verb: 'POST', path: `/api/resume/${this.segment(workflowId)}/${this.segment(executionId)}/${this.segment(contextId)}/delegate`, params, body: 'json', valuePath: ['data'] }, options);
  }
}

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
   * Shows how many documents and tokens a knowledge base has, and how its documents are cut.
   *
   * `GET /api/v1/knowledge/{knowledgeBaseId}`
   */
  get(knowledgeBaseId: string, params: WorkspaceOptional<QueryOf<'getKnowledgeBase'>> = {}, options: CallOptions = {}): Call<DataOf<'getKnowledgeBase'>> {
    return this.transport.read({ id: 'getKnowledgeBase', verb: 'GET', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * Rename or describe a knowledge base, or change how documents are cut.
   *
   * Changes what is sent and leaves the rest. Another way of cutting, or another model, processes all documents anew; until then their old chunks are found.
   *
   * `PUT /api/v1/knowledge/{knowledgeBaseId}`
   */
  update(knowledgeBaseId: string, params: WorkspaceOptional<BodyOf<'updateKnowledgeBase'>> = {}, options: CallOptions = {}): Call<DataOf<'updateKnowledgeBase'>> {
    return this.transport.read({ id: 'updateKnowledgeBase', verb: 'PUT', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Delete a knowledge base with all its documents.
   *
   * Deletes the knowledge base with its documents and their content. Blocks that search it fail from then on. There is no way back.
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
   * Replaces the list of tags. A tag with its `id` is renamed and keeps its values; a tag that is left out is taken from all documents.
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
   * Lists documents by a part of their name, and tells how many there are. `processingStatus` says which of them can be found.
   *
   * `GET /api/v1/knowledge/{knowledgeBaseId}/documents`
   */
  list(knowledgeBaseId: string, params: WorkspaceOptional<QueryOf<'listDocuments'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listDocuments'>['data']['documents'][number], AnswerOf<'listDocuments'>> {
    return this.transport.list({ id: 'listDocuments', verb: 'GET', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}/documents`, params, workspaceIn: 'query', valuePath: ['data', 'documents'], paging: 'offset' }, options);
  }

  /**
   * Add documents: files, a text, or a URL.
   *
   * Stores documents and has a worker process them. Send files as multipart/form-data, or a text or a URL as JSON. A content that the base has already is not stored twice.
   *
   * `POST /api/v1/knowledge/{knowledgeBaseId}/documents`
   */
  add(knowledgeBaseId: string, params: WorkspaceOptional<QueryOf<'addDocuments'> & FormOf<'addDocuments'> & { files?: FileInput | FileInput[] }> = {}, options: CallOptions = {}): Call<DataOf<'addDocuments'>> {
    return this.transport.read({ id: 'addDocuments', verb: 'POST', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}/documents`, params, queryNames: ['workspaceId', 'wait'], body: 'files', workspaceIn: 'query', idempotent: true, valuePath: ['data'] }, options);
  }

  /**
   * Read a document, or wait until it has been processed.
   *
   * Shows how far a document is. With `wait` the answer comes when it has been processed, or after so many seconds.
   *
   * `GET /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}`
   */
  get(knowledgeBaseId: string, documentId: string, params: WorkspaceOptional<QueryOf<'getDocument'>> = {}, options: CallOptions = {}): Call<DataOf<'getDocument'>> {
    return this.transport.read({ id: 'getDocument', verb: 'GET', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}/documents/${this.segment(documentId)}`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * Rename, tag, enable or disable a document.
   *
   * Changes what is sent and leaves the rest. A disabled document is found no more and loses nothing.
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
   * Processes a document again that has failed, for instance because a URL did not answer. `processingError` says why it failed.
   *
   * `POST /api/v1/knowledge/{knowledgeBaseId}/documents/{documentId}/retry`
   */
  retry(knowledgeBaseId: string, documentId: string, params: WorkspaceOptional<QueryOf<'retryDocument'>> = {}, options: CallOptions = {}): Call<DataOf<'retryDocument'>> {
    return this.transport.read({ id: 'retryDocument', verb: 'POST', path: `/api/v1/knowledge/${this.segment(knowledgeBaseId)}/documents/${this.segment(documentId)}/retry`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * Download what a document was made of.
   *
   * Downloads the file, or what was fetched from the URL, as it was stored.
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
   * Lists how a document was cut, in its order: what a search can find.
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
   * Corrects the text of a chunk, or takes it out of searches. Processing the document again makes its chunks anew.
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

/** The calls of `client.mcpServers`. */
export class McpServersResource extends Resource {
  readonly grants = new McpServersGrantsResource(this.transport);

  /**
   * List the MCP servers.
   *
   * Lists the servers of the workspace, each with the address that an agent is given.
   *
   * `GET /api/v1/mcp-servers`
   */
  list(params: WorkspaceOptional<QueryOf<'listMcpServers'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listMcpServers'>['data'][number], AnswerOf<'listMcpServers'>> {
    return this.transport.list({ id: 'listMcpServers', verb: 'GET', path: `/api/v1/mcp-servers`, params, workspaceIn: 'query', valuePath: ['data'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Create an MCP server.
   *
   * Offers deployed workflows to agents as tools: all of a folder, or chosen ones. Each server has an address of its own, and is never public: an agent needs a key.
   *
   * `POST /api/v1/mcp-servers`
   */
  create(params: WorkspaceOptional<BodyOf<'createMcpServer'>>, options: CallOptions = {}): Call<DataOf<'createMcpServer'>> {
    return this.transport.read({ id: 'createMcpServer', verb: 'POST', path: `/api/v1/mcp-servers`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Read one MCP server.
   *
   * Shows what the server offers as it was set. Its list of tools is read at its address.
   *
   * `GET /api/v1/mcp-servers/{serverId}`
   */
  get(serverId: string, options: CallOptions = {}): Call<DataOf<'getMcpServer'>> {
    return this.transport.read({ id: 'getMcpServer', verb: 'GET', path: `/api/v1/mcp-servers/${this.segment(serverId)}`, valuePath: ['data'] }, options);
  }

  /**
   * Change an MCP server.
   *
   * Changes what is sent and leaves the rest. Agents see it with their next list.
   *
   * `PATCH /api/v1/mcp-servers/{serverId}`
   */
  update(serverId: string, params: WorkspaceOptional<BodyOf<'updateMcpServer'>> = {}, options: CallOptions = {}): Call<DataOf<'updateMcpServer'>> {
    return this.transport.read({ id: 'updateMcpServer', verb: 'PATCH', path: `/api/v1/mcp-servers/${this.segment(serverId)}`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Delete an MCP server.
   *
   * Closes its address. Executions that agents began go on, and stay in the logs.
   *
   * `DELETE /api/v1/mcp-servers/{serverId}`
   */
  delete(serverId: string, options: CallOptions = {}): Call<DataOf<'deleteMcpServer'>> {
    return this.transport.read({ id: 'deleteMcpServer', verb: 'DELETE', path: `/api/v1/mcp-servers/${this.segment(serverId)}`, valuePath: ['data'] }, options);
  }
}

/** The calls of `client.mcpServers.grants`. */
export class McpServersGrantsResource extends Resource {
  /**
   * List the clients of an MCP server.
   *
   * Lists what people have allowed clients by OAuth, as long as it counts. Clients that send a key are not here.
   *
   * `GET /api/v1/mcp-servers/{serverId}/grants`
   */
  list(serverId: string, params: WorkspaceOptional<QueryOf<'listMcpGrants'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listMcpGrants'>['data'][number], AnswerOf<'listMcpGrants'>> {
    return this.transport.list({ id: 'listMcpGrants', verb: 'GET', path: `/api/v1/mcp-servers/${this.segment(serverId)}/grants`, params, workspaceIn: 'query', valuePath: ['data'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Revoke the access of a client.
   *
   * Ends what a person has allowed a client. Its tokens stop within five seconds.
   *
   * `DELETE /api/v1/mcp-servers/{serverId}/grants/{grantId}`
   */
  revoke(serverId: string, grantId: string, options: CallOptions = {}): Call<DataOf<'revokeMcpGrant'>> {
    return this.transport.read({ id: 'revokeMcpGrant', verb: 'DELETE', path: `/api/v1/mcp-servers/${this.segment(serverId)}/grants/${this.segment(grantId)}`, valuePath: ['data'] }, options);
  }
}

/** The calls of `client.tables`. */
export class TablesResource extends Resource {
  readonly columns = new TablesColumnsResource(this.transport);

  readonly rows = new TablesRowsResource(this.transport);

  readonly imports = new TablesImportsResource(this.transport);

  /**
   * List the tables.
   *
   * Lists every table of the workspace with its columns and the number of its rows.
   *
   * `GET /api/v1/tables`
   */
  list(params: WorkspaceOptional<QueryOf<'listTables'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listTables'>['data']['tables'][number], AnswerOf<'listTables'>> {
    return this.transport.list({ id: 'listTables', verb: 'GET', path: `/api/v1/tables`, params, workspaceIn: 'query', valuePath: ['data', 'tables'], paging: 'single' }, options);
  }

  /**
   * Create a table.
   *
   * Makes an empty table with typed columns. Blocks find it by its name or its id.
   *
   * `POST /api/v1/tables`
   */
  create(params: WorkspaceOptional<BodyOf<'createTable'>>, options: CallOptions = {}): Call<DataOf<'createTable'>> {
    return this.transport.read({ id: 'createTable', verb: 'POST', path: `/api/v1/tables`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Read a table without its rows.
   *
   * Shows the columns of a table and how many rows it has and may have.
   *
   * `GET /api/v1/tables/{tableId}`
   */
  get(tableId: string, params: WorkspaceOptional<QueryOf<'getTable'>> = {}, options: CallOptions = {}): Call<DataOf<'getTable'>> {
    return this.transport.read({ id: 'getTable', verb: 'GET', path: `/api/v1/tables/${this.segment(tableId)}`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * Rename or describe a table.
   *
   * Changes what is sent and leaves the rest. Rows and columns are not touched.
   *
   * `PATCH /api/v1/tables/{tableId}`
   */
  update(tableId: string, params: WorkspaceOptional<BodyOf<'updateTable'>> = {}, options: CallOptions = {}): Call<DataOf<'updateTable'>> {
    return this.transport.read({ id: 'updateTable', verb: 'PATCH', path: `/api/v1/tables/${this.segment(tableId)}`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Delete a table with all its rows.
   *
   * Deletes the table with all its rows. Blocks that use it fail from then on. There is no way back.
   *
   * `DELETE /api/v1/tables/{tableId}`
   */
  delete(tableId: string, params: WorkspaceOptional<QueryOf<'deleteTable'>> = {}, options: CallOptions = {}): Call<DataOf<'deleteTable'>> {
    return this.transport.read({ id: 'deleteTable', verb: 'DELETE', path: `/api/v1/tables/${this.segment(tableId)}`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }
}

/** The calls of `client.tables.columns`. */
export class TablesColumnsResource extends Resource {
  /**
   * Add a column.
   *
   * Adds a column at the end. With a default every row that is there gets it.
   *
   * `POST /api/v1/tables/{tableId}/columns`
   */
  add(tableId: string, params: WorkspaceOptional<BodyOf<'addColumn'>>, options: CallOptions = {}): Call<DataOf<'addColumn'>> {
    return this.transport.read({ id: 'addColumn', verb: 'POST', path: `/api/v1/tables/${this.segment(tableId)}/columns`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Rename a column, or change its type and its rules.
   *
   * Renames a column, or changes its type or its rules. A change that a row does not fit is refused, and nothing changes.
   *
   * `PATCH /api/v1/tables/{tableId}/columns`
   */
  change(tableId: string, params: WorkspaceOptional<BodyOf<'changeColumn'>>, options: CallOptions = {}): Call<DataOf<'changeColumn'>> {
    return this.transport.read({ id: 'changeColumn', verb: 'PATCH', path: `/api/v1/tables/${this.segment(tableId)}/columns`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Delete a column with its cells.
   *
   * Deletes a column with all its cells. There is no way back.
   *
   * `DELETE /api/v1/tables/{tableId}/columns`
   */
  delete(tableId: string, params: WorkspaceOptional<BodyOf<'deleteColumn'>>, options: CallOptions = {}): Call<DataOf<'deleteColumn'>> {
    return this.transport.read({ id: 'deleteColumn', verb: 'DELETE', path: `/api/v1/tables/${this.segment(tableId)}/columns`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }
}

/** The calls of `client.tables.rows`. */
export class TablesRowsResource extends Resource {
  /**
   * Download the rows as a file.
   *
   * Downloads all rows that match as CSV or as lines of JSON.
   *
   * `GET /api/v1/tables/{tableId}/export`
   */
  export(tableId: string, params: WorkspaceOptional<QueryOf<'exportRows'>> = {}, options: CallOptions = {}): Call<Download> {
    return this.transport.download({ id: 'exportRows', verb: 'GET', path: `/api/v1/tables/${this.segment(tableId)}/export`, params, workspaceIn: 'query', accept: 'text/csv, application/x-ndjson' }, options);
  }

  /**
   * Download the rows of a long filter as a file.
   *
   * Downloads the same as the call by GET, for a filter that is too long for an address.
   *
   * `POST /api/v1/tables/{tableId}/export`
   */
  exportQuery(tableId: string, params: WorkspaceOptional<BodyOf<'exportRowsByBody'>> = {}, options: CallOptions = {}): Call<Download> {
    return this.transport.download({ id: 'exportRowsByBody', verb: 'POST', path: `/api/v1/tables/${this.segment(tableId)}/export`, params, body: 'json', workspaceIn: 'body', accept: 'text/csv, application/x-ndjson' }, options);
  }

  /**
   * List rows.
   *
   * Finds rows by conditions on their columns, sorted and by pages, with their exact number. `changeToken` is where to go on later with `changedSince`, to get only what has changed.
   *
   * `GET /api/v1/tables/{tableId}/rows`
   */
  list(tableId: string, params: WorkspaceOptional<QueryOf<'listRows'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listRows'>['data']['rows'][number], AnswerOf<'listRows'>> {
    return this.transport.list({ id: 'listRows', verb: 'GET', path: `/api/v1/tables/${this.segment(tableId)}/rows`, params, workspaceIn: 'query', valuePath: ['data', 'rows'], cursorPath: ['data', 'nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Insert one row or many.
   *
   * Inserts one row as `data`, or up to 1,000 as `rows`: all of them or none.
   *
   * `POST /api/v1/tables/{tableId}/rows`
   */
  insert(tableId: string, params: WorkspaceOptional<BodyOf<'insertRows'>> = {}, options: CallOptions = {}): Call<DataOf<'insertRows'>> {
    return this.transport.read({ id: 'insertRows', verb: 'POST', path: `/api/v1/tables/${this.segment(tableId)}/rows`, params, body: 'json', workspaceIn: 'body', idempotent: true, valuePath: ['data'] }, options);
  }

  /**
   * Change all rows of a filter alike.
   *
   * Changes every row that matches a filter in the same way, 10,000 at most. `all: true` means every row.
   *
   * `PUT /api/v1/tables/{tableId}/rows`
   */
  updateByFilter(tableId: string, params: WorkspaceOptional<BodyOf<'updateRowsByFilter'>>, options: CallOptions = {}): Call<DataOf<'updateRowsByFilter'>> {
    return this.transport.read({ id: 'updateRowsByFilter', verb: 'PUT', path: `/api/v1/tables/${this.segment(tableId)}/rows`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Change rows, each in its own way.
   *
   * Changes up to 1,000 rows, each in its own way: all of them or none. A column that is left out stays.
   *
   * `PATCH /api/v1/tables/{tableId}/rows`
   */
  updateMany(tableId: string, params: WorkspaceOptional<BodyOf<'updateRows'>>, options: CallOptions = {}): Call<DataOf<'updateRows'>> {
    return this.transport.read({ id: 'updateRows', verb: 'PATCH', path: `/api/v1/tables/${this.segment(tableId)}/rows`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Delete rows by a filter or by their ids.
   *
   * Deletes the rows of a filter, or those of a list of ids, 10,000 at most. `all: true` means every row.
   *
   * `DELETE /api/v1/tables/{tableId}/rows`
   */
  deleteMany(tableId: string, params: WorkspaceOptional<BodyOf<'deleteRows'>> = {}, options: CallOptions = {}): Call<DataOf<'deleteRows'>> {
    return this.transport.read({ id: 'deleteRows', verb: 'DELETE', path: `/api/v1/tables/${this.segment(tableId)}/rows`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * List rows by a long filter.
   *
   * Lists the same as the call by GET, for a filter that is too long for an address.
   *
   * `POST /api/v1/tables/{tableId}/rows/query`
   */
  query(tableId: string, params: WorkspaceOptional<BodyOf<'queryRows'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'queryRows'>['data']['rows'][number], AnswerOf<'queryRows'>> {
    return this.transport.list({ id: 'queryRows', verb: 'POST', path: `/api/v1/tables/${this.segment(tableId)}/rows/query`, params, body: 'json', workspaceIn: 'body', valuePath: ['data', 'rows'], cursorPath: ['data', 'nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Insert a row, or change the one with the same unique value.
   *
   * Changes the row that has the same value in a unique column, or inserts it when there is none. It is safe under any number of callers.
   *
   * `POST /api/v1/tables/{tableId}/rows/upsert`
   */
  upsert(tableId: string, params: WorkspaceOptional<BodyOf<'upsertRow'>>, options: CallOptions = {}): Call<DataOf<'upsertRow'>> {
    return this.transport.read({ id: 'upsertRow', verb: 'POST', path: `/api/v1/tables/${this.segment(tableId)}/rows/upsert`, params, body: 'json', workspaceIn: 'body', idempotent: true, valuePath: ['data'] }, options);
  }

  /**
   * Count, add up and compare rows.
   *
   * Counts, adds up, averages and compares the rows of a filter, by groups of up to two columns.
   *
   * `POST /api/v1/tables/{tableId}/rows/aggregate`
   */
  aggregate(tableId: string, params: WorkspaceOptional<BodyOf<'aggregateRows'>>, options: CallOptions = {}): Call<DataOf<'aggregateRows'>> {
    return this.transport.read({ id: 'aggregateRows', verb: 'POST', path: `/api/v1/tables/${this.segment(tableId)}/rows/aggregate`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Read one row.
   *
   * Shows one row. Its ETag, sent as If-Match with a change, refuses the change when somebody was faster.
   *
   * `GET /api/v1/tables/{tableId}/rows/{rowId}`
   */
  get(tableId: string, rowId: string, params: WorkspaceOptional<QueryOf<'getRow'>> = {}, options: CallOptions = {}): Call<DataOf<'getRow'>> {
    return this.transport.read({ id: 'getRow', verb: 'GET', path: `/api/v1/tables/${this.segment(tableId)}/rows/${this.segment(rowId)}`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * Change one row.
   *
   * Changes the columns that are sent and leaves the others. null empties a cell.
   *
   * `PATCH /api/v1/tables/{tableId}/rows/{rowId}`
   */
  update(tableId: string, rowId: string, params: WorkspaceOptional<BodyOf<'updateRow'>>, options: CallOptions = {}): Call<DataOf<'updateRow'>> {
    return this.transport.read({ id: 'updateRow', verb: 'PATCH', path: `/api/v1/tables/${this.segment(tableId)}/rows/${this.segment(rowId)}`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Delete one row.
   *
   * Deletes one row; with If-Match only when nobody has changed it since.
   *
   * `DELETE /api/v1/tables/{tableId}/rows/{rowId}`
   */
  delete(tableId: string, rowId: string, params: WorkspaceOptional<BodyOf<'deleteRow'>> = {}, options: CallOptions = {}): Call<DataOf<'deleteRow'>> {
    return this.transport.read({ id: 'deleteRow', verb: 'DELETE', path: `/api/v1/tables/${this.segment(tableId)}/rows/${this.segment(rowId)}`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }
}

/** The calls of `client.tables.imports`. */
export class TablesImportsResource extends Resource {
  /**
   * Insert the rows of a file.
   *
   * Inserts the lines of a CSV, a JSON list or lines of JSON. Mode `all` inserts every row or none, mode `good` those that fit, and the report names each refused line. Files above 16 MiB need `async=true`.
   *
   * `POST /api/v1/tables/{tableId}/import`
   */
  create(tableId: string, content: Content, params: WorkspaceOptional<QueryOf<'importRows'> & { contentType?: 'text/csv' | 'application/x-ndjson' }> = {}, options: CallOptions = {}): Call<DataOf<'importRows'>> {
    return this.transport.read({ id: 'importRows', verb: 'POST', path: `/api/v1/tables/${this.segment(tableId)}/import`, params, queryNames: ['workspaceId', 'mode', 'async'], body: 'content', content, workspaceIn: 'query', idempotent: true, valuePath: ['data'] }, options);
  }

  /**
   * List the imports that workers carry out.
   *
   * Lists the imports that workers carry out or have carried out in the last 30 days.
   *
   * `GET /api/v1/tables/{tableId}/imports`
   */
  list(tableId: string, params: WorkspaceOptional<QueryOf<'listImports'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listImports'>['data']['imports'][number], AnswerOf<'listImports'>> {
    return this.transport.list({ id: 'listImports', verb: 'GET', path: `/api/v1/tables/${this.segment(tableId)}/imports`, params, workspaceIn: 'query', valuePath: ['data', 'imports'], cursorPath: ['data', 'nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Read how far an import is, or wait for its end.
   *
   * Tells how far an import is. With `wait` the answer comes when it has ended, or after so many seconds.
   *
   * `GET /api/v1/tables/{tableId}/imports/{importId}`
   */
  get(tableId: string, importId: string, params: WorkspaceOptional<QueryOf<'getImport'>> = {}, options: CallOptions = {}): Call<DataOf<'getImport'>> {
    return this.transport.read({ id: 'getImport', verb: 'GET', path: `/api/v1/tables/${this.segment(tableId)}/imports/${this.segment(importId)}`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * End an import; rows that it has committed stay.
   *
   * Ends an import that has not ended. In mode `all` no row of it stays, in mode `good` those that are committed stay.
   *
   * `POST /api/v1/tables/{tableId}/imports/{importId}/cancel`
   */
  cancel(tableId: string, importId: string, params: WorkspaceOptional<QueryOf<'cancelImport'>> = {}, options: CallOptions = {}): Call<DataOf<'cancelImport'>> {
    return this.transport.read({ id: 'cancelImport', verb: 'POST', path: `/api/v1/tables/${this.segment(tableId)}/imports/${this.segment(importId)}/cancel`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }
}

/** The calls of `client.members`. */
export class MembersResource extends Resource {
  /**
   * List the members.
   *
   * Lists who belongs to the workspace, and with which role.
   *
   * `GET /api/v1/workspaces/{workspaceId}/members`
   */
  list(workspaceId: string, options: CallOptions = {}): PageCall<AnswerOf<'listMembers'>['data'][number], AnswerOf<'listMembers'>> {
    return this.transport.list({ id: 'listMembers', verb: 'GET', path: `/api/v1/workspaces/${this.segment(workspaceId)}/members`, valuePath: ['data'], paging: 'single' }, options);
  }

  /**
   * Change the role of a member.
   *
   * Gives a member another role, which holds from the next call on. A workspace keeps at least one admin.
   *
   * `PATCH /api/v1/workspaces/{workspaceId}/members/{userId}`
   */
  changeRole(workspaceId: string, userId: string, params: BodyOf<'changeMemberRole'>, options: CallOptions = {}): Call<DataOf<'changeMemberRole'>> {
    return this.transport.read({ id: 'changeMemberRole', verb: 'PATCH', path: `/api/v1/workspaces/${this.segment(workspaceId)}/members/${this.segment(userId)}`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Remove a member.
   *
   * Takes a member out of the workspace. Their personal keys do not reach it from then on; the last admin cannot be removed.
   *
   * `DELETE /api/v1/workspaces/{workspaceId}/members/{userId}`
   */
  remove(workspaceId: string, userId: string, options: CallOptions = {}): Call<DataOf<'removeMember'>> {
    return this.transport.read({ id: 'removeMember', verb: 'DELETE', path: `/api/v1/workspaces/${this.segment(workspaceId)}/members/${this.segment(userId)}`, valuePath: ['data'] }, options);
  }

  /**
   * List what members may cost in a month.
   *
   * Lists what members may cost in a month, for those who have a cap.
   *
   * `GET /api/v1/workspaces/{workspaceId}/caps`
   */
  listCaps(workspaceId: string, options: CallOptions = {}): PageCall<AnswerOf<'listMemberCaps'>['data'][number], AnswerOf<'listMemberCaps'>> {
    return this.transport.list({ id: 'listMemberCaps', verb: 'GET', path: `/api/v1/workspaces/${this.segment(workspaceId)}/caps`, valuePath: ['data'], paging: 'single' }, options);
  }

  /**
   * Read what a member may cost in a month.
   *
   * Shows the cap of a member and what they have cost in this month.
   *
   * `GET /api/v1/workspaces/{workspaceId}/members/{userId}/cap`
   */
  getCap(workspaceId: string, userId: string, options: CallOptions = {}): Call<DataOf<'getMemberCap'>> {
    return this.transport.read({ id: 'getMemberCap', verb: 'GET', path: `/api/v1/workspaces/${this.segment(workspaceId)}/members/${this.segment(userId)}/cap`, valuePath: ['data'] }, options);
  }

  /**
   * Set what a member may cost in a month.
   *
   * Limits what executions with the personal keys of a member may cost in a calendar month. Above it they are refused with 402; what runs goes on.
   *
   * `PUT /api/v1/workspaces/{workspaceId}/members/{userId}/cap`
   */
  setCap(workspaceId: string, userId: string, params: BodyOf<'setMemberCap'>, options: CallOptions = {}): Call<DataOf<'setMemberCap'>> {
    return this.transport.read({ id: 'setMemberCap', verb: 'PUT', path: `/api/v1/workspaces/${this.segment(workspaceId)}/members/${this.segment(userId)}/cap`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Remove the cap of a member.
   *
   * Takes the cap of a member away.
   *
   * `DELETE /api/v1/workspaces/{workspaceId}/members/{userId}/cap`
   */
  removeCap(workspaceId: string, userId: string, options: CallOptions = {}): Call<DataOf<'removeMemberCap'>> {
    return this.transport.read({ id: 'removeMemberCap', verb: 'DELETE', path: `/api/v1/workspaces/${this.segment(workspaceId)}/members/${this.segment(userId)}/cap`, valuePath: ['data'] }, options);
  }
}

/** The calls of `client.invitations`. */
export class InvitationsResource extends Resource {
  /**
   * List the invitations of a workspace.
   *
   * Lists who was invited, those who have not decided first.
   *
   * `GET /api/v1/workspaces/{workspaceId}/invitations`
   */
  list(workspaceId: string, options: CallOptions = {}): PageCall<AnswerOf<'listInvitations'>['data'][number], AnswerOf<'listInvitations'>> {
    return this.transport.list({ id: 'listInvitations', verb: 'GET', path: `/api/v1/workspaces/${this.segment(workspaceId)}/invitations`, valuePath: ['data'], paging: 'single' }, options);
  }

  /**
   * Invite a person.
   *
   * Invites a person by mail address. Hand them the token; it is shown only in this answer and is good for seven days.
   *
   * `POST /api/v1/workspaces/{workspaceId}/invitations`
   */
  create(workspaceId: string, params: BodyOf<'createInvitation'>, options: CallOptions = {}): Call<DataOf<'createInvitation'>> {
    return this.transport.read({ id: 'createInvitation', verb: 'POST', path: `/api/v1/workspaces/${this.segment(workspaceId)}/invitations`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Withdraw an invitation.
   *
   * Takes an invitation back that nobody has decided on. Its token opens nothing from then on.
   *
   * `DELETE /api/v1/workspaces/{workspaceId}/invitations/{invitationId}`
   */
  withdraw(workspaceId: string, invitationId: string, options: CallOptions = {}): Call<DataOf<'withdrawInvitation'>> {
    return this.transport.read({ id: 'withdrawInvitation', verb: 'DELETE', path: `/api/v1/workspaces/${this.segment(workspaceId)}/invitations/${this.segment(invitationId)}`, valuePath: ['data'] }, options);
  }

  /**
   * Read an invitation that you were given.
   *
   * Shows an invited person, who needs no key, where they are invited to and as what.
   *
   * `POST /api/v1/invitations/read`
   */
  read(params: BodyOf<'readInvitation'>, options: CallOptions = {}): Call<DataOf<'readInvitation'>> {
    return this.transport.read({ id: 'readInvitation', verb: 'POST', path: `/api/v1/invitations/read`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Accept an invitation.
   *
   * Joins the workspace. A new user needs no key and gets a first personal key, which is shown only in this answer; a user sends their own key.
   *
   * `POST /api/v1/invitations/accept`
   */
  accept(params: BodyOf<'acceptInvitation'>, options: CallOptions = {}): Call<DataOf<'acceptInvitation'>> {
    return this.transport.read({ id: 'acceptInvitation', verb: 'POST', path: `/api/v1/invitations/accept`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Decline an invitation.
   *
   * Declines an invitation, without a key. Its token opens nothing from then on.
   *
   * `POST /api/v1/invitations/decline`
   */
  decline(params: BodyOf<'declineInvitation'>, options: CallOptions = {}): Call<DataOf<'declineInvitation'>> {
    return this.transport.read({ id: 'declineInvitation', verb: 'POST', path: `/api/v1/invitations/decline`, params, body: 'json', valuePath: ['data'] }, options);
  }
}

/** The calls of `client.keys`. */
export class KeysResource extends Resource {
  /**
   * List the keys of a workspace.
   *
   * Lists the keys of a workspace without their values: who made them, what they may do, when they were used last.
   *
   * `GET /api/v1/workspaces/{workspaceId}/keys`
   */
  list(workspaceId: string, options: CallOptions = {}): PageCall<AnswerOf<'listWorkspaceKeys'>['data'][number], AnswerOf<'listWorkspaceKeys'>> {
    return this.transport.list({ id: 'listWorkspaceKeys', verb: 'GET', path: `/api/v1/workspaces/${this.segment(workspaceId)}/keys`, valuePath: ['data'], paging: 'single' }, options);
  }

  /**
   * Create a key of a workspace.
   *
   * Makes a key that reaches this workspace alone, with a role of its own. Its value is shown only in this answer.
   *
   * `POST /api/v1/workspaces/{workspaceId}/keys`
   */
  create(workspaceId: string, params: BodyOf<'createWorkspaceKey'>, options: CallOptions = {}): Call<DataOf<'createWorkspaceKey'>> {
    return this.transport.read({ id: 'createWorkspaceKey', verb: 'POST', path: `/api/v1/workspaces/${this.segment(workspaceId)}/keys`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Revoke a key of a workspace.
   *
   * Makes a key useless at once. What it has started goes on.
   *
   * `DELETE /api/v1/workspaces/{workspaceId}/keys/{keyId}`
   */
  revoke(workspaceId: string, keyId: string, options: CallOptions = {}): Call<DataOf<'revokeWorkspaceKey'>> {
    return this.transport.read({ id: 'revokeWorkspaceKey', verb: 'DELETE', path: `/api/v1/workspaces/${this.segment(workspaceId)}/keys/${this.segment(keyId)}`, valuePath: ['data'] }, options);
  }

  /**
   * List your personal keys.
   *
   * Lists the keys of the user whose personal key is sent, without their values.
   *
   * `GET /api/v1/users/me/keys`
   */
  listPersonal(options: CallOptions = {}): PageCall<AnswerOf<'listPersonalKeys'>['data'][number], AnswerOf<'listPersonalKeys'>> {
    return this.transport.list({ id: 'listPersonalKeys', verb: 'GET', path: `/api/v1/users/me/keys`, valuePath: ['data'], paging: 'single' }, options);
  }

  /**
   * Create a personal key.
   *
   * Makes another key of the same user, for instance for another machine. Its value is shown only in this answer.
   *
   * `POST /api/v1/users/me/keys`
   */
  createPersonal(params: BodyOf<'createPersonalKey'>, options: CallOptions = {}): Call<DataOf<'createPersonalKey'>> {
    return this.transport.read({ id: 'createPersonalKey', verb: 'POST', path: `/api/v1/users/me/keys`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Revoke a personal key.
   *
   * Makes one of your personal keys useless at once. What it has started goes on.
   *
   * `DELETE /api/v1/users/me/keys/{keyId}`
   */
  revokePersonal(keyId: string, options: CallOptions = {}): Call<DataOf<'revokePersonalKey'>> {
    return this.transport.read({ id: 'revokePersonalKey', verb: 'DELETE', path: `/api/v1/users/me/keys/${this.segment(keyId)}`, valuePath: ['data'] }, options);
  }
}

/** The calls of `client.savedViews`. */
export class SavedViewsResource extends Resource {
  /**
   * List your saved views.
   *
   * Lists the filters of lists to which you have given names in this workspace. Others do not see them.
   *
   * `GET /api/v1/workspaces/{workspaceId}/saved-views`
   */
  list(workspaceId: string, options: CallOptions = {}): PageCall<AnswerOf<'listSavedViews'>['data'][number], AnswerOf<'listSavedViews'>> {
    return this.transport.list({ id: 'listSavedViews', verb: 'GET', path: `/api/v1/workspaces/${this.segment(workspaceId)}/saved-views`, valuePath: ['data'], paging: 'single' }, options);
  }

  /**
   * Save a view.
   *
   * Keeps the filters of a list under a name. A view of the same list and name is replaced; you may have a hundred.
   *
   * `POST /api/v1/workspaces/{workspaceId}/saved-views`
   */
  save(workspaceId: string, params: BodyOf<'saveView'>, options: CallOptions = {}): Call<DataOf<'saveView'>> {
    return this.transport.read({ id: 'saveView', verb: 'POST', path: `/api/v1/workspaces/${this.segment(workspaceId)}/saved-views`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Delete a saved view.
   *
   * Deletes one of your saved views.
   *
   * `DELETE /api/v1/workspaces/{workspaceId}/saved-views/{viewId}`
   */
  delete(workspaceId: string, viewId: string, options: CallOptions = {}): Call<DataOf<'deleteSavedView'>> {
    return this.transport.read({ id: 'deleteSavedView', verb: 'DELETE', path: `/api/v1/workspaces/${this.segment(workspaceId)}/saved-views/${this.segment(viewId)}`, valuePath: ['data'] }, options);
  }
}

/** The calls of `client.secrets`. */
export class SecretsResource extends Resource {
  /**
   * List the names of the secrets.
   *
   * Lists which secrets there are. No call shows a value.
   *
   * `GET /api/v1/workspaces/{workspaceId}/secrets`
   */
  list(workspaceId: string, options: CallOptions = {}): PageCall<AnswerOf<'listSecrets'>['data'][number], AnswerOf<'listSecrets'>> {
    return this.transport.list({ id: 'listSecrets', verb: 'GET', path: `/api/v1/workspaces/${this.segment(workspaceId)}/secrets`, valuePath: ['data'], paging: 'single' }, options);
  }

  /**
   * Create a secret or give it a new value.
   *
   * Stores a value that blocks read as `{{ secrets.NAME }}`. It is sealed at rest, stands in no log and is never shown again; a second call replaces it.
   *
   * `PUT /api/v1/workspaces/{workspaceId}/secrets/{name}`
   */
  put(workspaceId: string, name: string, params: BodyOf<'putSecret'>, options: CallOptions = {}): Call<DataOf<'putSecret'>> {
    return this.transport.read({ id: 'putSecret', verb: 'PUT', path: `/api/v1/workspaces/${this.segment(workspaceId)}/secrets/${this.segment(name)}`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Delete a secret.
   *
   * Deletes a secret. Blocks that read it fail with SECRET_NOT_FOUND from then on, and send nothing.
   *
   * `DELETE /api/v1/workspaces/{workspaceId}/secrets/{name}`
   */
  delete(workspaceId: string, name: string, options: CallOptions = {}): Call<DataOf<'deleteSecret'>> {
    return this.transport.read({ id: 'deleteSecret', verb: 'DELETE', path: `/api/v1/workspaces/${this.segment(workspaceId)}/secrets/${this.segment(name)}`, valuePath: ['data'] }, options);
  }
}

/** The calls of `client.signIn`. */
export class SignInResource extends Resource {
  /**
   * List the ways to sign in.
   *
   * Lists how people sign in to the console of this installation. Programs use keys instead.
   *
   * `GET /api/v1/sign-in`
   */
  getWays(options: CallOptions = {}): Call<DataOf<'getSignInWays'>> {
    return this.transport.read({ id: 'getSignInWays', verb: 'GET', path: `/api/v1/sign-in`, valuePath: ['data'] }, options);
  }

  /**
   * Sign in by a link.
   *
   * Begins a session by the token of a link that the operator printed or a mail brought. The link works once, within an hour. The session is in a cookie.
   *
   * `POST /api/v1/sign-in/link`
   */
  byLink(params: BodyOf<'signInByLink'>, options: CallOptions = {}): Call<DataOf<'signInByLink'>> {
    return this.transport.read({ id: 'signInByLink', verb: 'POST', path: `/api/v1/sign-in/link`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Ask for a link by mail.
   *
   * Sends a link to the address when it has an account or an invitation. The answer is the same for every address.
   *
   * `POST /api/v1/sign-in/mail`
   */
  requestMail(params: BodyOf<'requestSignInMail'>, options: CallOptions = {}): Call<DataOf<'requestSignInMail'>> {
    return this.transport.read({ id: 'requestSignInMail', verb: 'POST', path: `/api/v1/sign-in/mail`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Accept an invitation and sign in.
   *
   * Joins the workspace of an invitation and begins a session. Somebody who has signed in already joins as who they are.
   *
   * `POST /api/v1/sign-in/invitation`
   */
  byInvitation(params: BodyOf<'signInByInvitation'>, options: CallOptions = {}): Call<DataOf<'signInByInvitation'>> {
    return this.transport.read({ id: 'signInByInvitation', verb: 'POST', path: `/api/v1/sign-in/invitation`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Begin to sign in by a passkey.
   *
   * Gives the options for `navigator.credentials.get`. They work once, within five minutes.
   *
   * `POST /api/v1/sign-in/passkey/options`
   */
  startPasskey(options: CallOptions = {}): Call<DataOf<'startPasskeySignIn'>> {
    return this.transport.read({ id: 'startPasskeySignIn', verb: 'POST', path: `/api/v1/sign-in/passkey/options`, valuePath: ['data'] }, options);
  }

  /**
   * Sign in by a passkey.
   *
   * Begins a session with the answer of the browser to the options.
   *
   * `POST /api/v1/sign-in/passkey`
   */
  byPasskey(params: BodyOf<'signInByPasskey'>, options: CallOptions = {}): Call<DataOf<'signInByPasskey'>> {
    return this.transport.read({ id: 'signInByPasskey', verb: 'POST', path: `/api/v1/sign-in/passkey`, params, body: 'json', valuePath: ['data'] }, options);
  }
}

/** The calls of `client.account`. */
export class AccountResource extends Resource {
  readonly sessions = new AccountSessionsResource(this.transport);

  readonly passkeys = new AccountPasskeysResource(this.transport);

  /**
   * Read your account.
   *
   * Shows who you are, the workspaces that you belong to, and the session that makes the call.
   *
   * `GET /api/v1/users/me`
   */
  get(options: CallOptions = {}): Call<DataOf<'getMe'>> {
    return this.transport.read({ id: 'getMe', verb: 'GET', path: `/api/v1/users/me`, valuePath: ['data'] }, options);
  }

  /**
   * Change your name.
   *
   * Changes the name that others see.
   *
   * `PATCH /api/v1/users/me`
   */
  update(params: BodyOf<'updateMe'>, options: CallOptions = {}): Call<DataOf<'updateMe'>> {
    return this.transport.read({ id: 'updateMe', verb: 'PATCH', path: `/api/v1/users/me`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Sign out.
   *
   * Ends the session that makes the call, and takes its cookie away. With a key it does nothing.
   *
   * `POST /api/v1/users/me/sign-out`
   */
  signOut(options: CallOptions = {}): Call<DataOf<'signOut'>> {
    return this.transport.read({ id: 'signOut', verb: 'POST', path: `/api/v1/users/me/sign-out`, valuePath: ['data'] }, options);
  }
}

/** The calls of `client.account.sessions`. */
export class AccountSessionsResource extends Resource {
  /**
   * List your sessions.
   *
   * Lists where you have signed in: by which way, from which address, in which browser.
   *
   * `GET /api/v1/users/me/sessions`
   */
  list(options: CallOptions = {}): PageCall<AnswerOf<'listSessions'>['data'][number], AnswerOf<'listSessions'>> {
    return this.transport.list({ id: 'listSessions', verb: 'GET', path: `/api/v1/users/me/sessions`, valuePath: ['data'], paging: 'single' }, options);
  }

  /**
   * End all other sessions.
   *
   * Signs you out everywhere but in the browser that makes this call.
   *
   * `DELETE /api/v1/users/me/sessions`
   */
  revokeOthers(options: CallOptions = {}): Call<DataOf<'revokeOtherSessions'>> {
    return this.transport.read({ id: 'revokeOtherSessions', verb: 'DELETE', path: `/api/v1/users/me/sessions`, valuePath: ['data'] }, options);
  }

  /**
   * End a session.
   *
   * Signs you out in one browser, within five seconds everywhere.
   *
   * `DELETE /api/v1/users/me/sessions/{sessionId}`
   */
  revoke(sessionId: string, options: CallOptions = {}): Call<DataOf<'revokeSession'>> {
    return this.transport.read({ id: 'revokeSession', verb: 'DELETE', path: `/api/v1/users/me/sessions/${this.segment(sessionId)}`, valuePath: ['data'] }, options);
  }
}

/** The calls of `client.account.passkeys`. */
export class AccountPasskeysResource extends Resource {
  /**
   * List your passkeys.
   *
   * Lists the passkeys that sign you in.
   *
   * `GET /api/v1/users/me/passkeys`
   */
  list(options: CallOptions = {}): PageCall<AnswerOf<'listPasskeys'>['data'][number], AnswerOf<'listPasskeys'>> {
    return this.transport.list({ id: 'listPasskeys', verb: 'GET', path: `/api/v1/users/me/passkeys`, valuePath: ['data'], paging: 'single' }, options);
  }

  /**
   * Keep a new passkey.
   *
   * Keeps the passkey that the browser has made with the options. It signs you in from then on.
   *
   * `POST /api/v1/users/me/passkeys`
   */
  create(params: BodyOf<'createPasskey'>, options: CallOptions = {}): Call<DataOf<'createPasskey'>> {
    return this.transport.read({ id: 'createPasskey', verb: 'POST', path: `/api/v1/users/me/passkeys`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Begin to make a passkey.
   *
   * Gives the options for `navigator.credentials.create`. They work once, within five minutes.
   *
   * `POST /api/v1/users/me/passkeys/options`
   */
  start(options: CallOptions = {}): Call<DataOf<'startPasskey'>> {
    return this.transport.read({ id: 'startPasskey', verb: 'POST', path: `/api/v1/users/me/passkeys/options`, valuePath: ['data'] }, options);
  }

  /**
   * Delete a passkey.
   *
   * A deleted passkey signs nobody in any more.
   *
   * `DELETE /api/v1/users/me/passkeys/{passkeyId}`
   */
  delete(passkeyId: string, options: CallOptions = {}): Call<DataOf<'deletePasskey'>> {
    return this.transport.read({ id: 'deletePasskey', verb: 'DELETE', path: `/api/v1/users/me/passkeys/${this.segment(passkeyId)}`, valuePath: ['data'] }, options);
  }
}

/** The calls of `client.usage`. */
export class UsageResource extends Resource {
  /**
   * Read the rate limits and the usage of the key.
   *
   * Shows how many calls the key may still make, and what the workspace has used of its plan. Asking takes no execution token.
   *
   * `GET /api/users/me/usage-limits`
   */
  getLimits(params: WorkspaceOptional<QueryOf<'getUsageLimits'>> = {}, options: CallOptions = {}): Call<AnswerOf<'getUsageLimits'>> {
    return this.transport.read({ id: 'getUsageLimits', verb: 'GET', path: `/api/users/me/usage-limits`, params, workspaceIn: 'query' }, options);
  }

  /**
   * Read what a workspace has cost, by day, workflow, member or kind.
   *
   * Adds up what a workspace has cost, by day, workflow, member or kind, over 366 days at most.
   *
   * `GET /api/v1/usage`
   */
  get(params: WorkspaceOptional<QueryOf<'getUsage'>> = {}, options: CallOptions = {}): Call<AnswerOf<'getUsage'>> {
    return this.transport.read({ id: 'getUsage', verb: 'GET', path: `/api/v1/usage`, params, workspaceIn: 'query' }, options);
  }

  /**
   * Download the same as CSV.
   *
   * Gives the same as CSV, with a line for each group, 10,000 at most.
   *
   * `GET /api/v1/usage/export`
   */
  export(params: WorkspaceOptional<QueryOf<'exportUsage'>> = {}, options: CallOptions = {}): Call<Download> {
    return this.transport.download({ id: 'exportUsage', verb: 'GET', path: `/api/v1/usage/export`, params, workspaceIn: 'query', accept: 'text/csv' }, options);
  }
}

/** The calls of `client.health`. */
export class HealthResource extends Resource {
  /**
   * Check that the process is alive.
   *
   * Tells whatever supervises the process that it need not be restarted. It asks no database, because a restart brings none back.
   *
   * `GET /health/live`
   */
  checkLiveness(options: CallOptions = {}): Call<AnswerOf<'checkLiveness'>> {
    return this.transport.read({ id: 'checkLiveness', verb: 'GET', path: `/health/live` }, options);
  }

  /**
   * Check that the process can serve requests.
   *
   * Tells a load balancer whether to send calls here. Without Temporal it stays ready: executions are accepted and start later.
   *
   * `GET /health/ready`
   */
  checkReadiness(options: CallOptions = {}): Call<AnswerOf<'checkReadiness'>> {
    return this.transport.read({ id: 'checkReadiness', verb: 'GET', path: `/health/ready` }, options);
  }
}
