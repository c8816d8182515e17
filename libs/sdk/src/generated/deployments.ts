// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { AnswerOf, BodyOf, DataOf, QueryOf } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.deployments`. */
export class DeploymentsResource extends Resource {
  /**
   * Compile the draft and make it live as the next version.
   *
   * Checks the draft and makes it the next version, which never changes afterwards. New executions run it; running executions keep their version. A draft with faults is refused, `details` lists every fault, and nothing changes.
   *
   * `POST /api/v1/workflows/{workflowId}/deploy`
   */
  deploy(workflowId: string, params: BodyOf<'deployWorkflow'> = {}, options: CallOptions = {}): Call<DataOf<'deployWorkflow'>> {
    return this.transport.read({ id: 'deployWorkflow', verb: 'POST', path: `/api/v1/workflows/${this.segment(workflowId)}/deploy`, params, body: 'json', idempotent: true, valuePath: ['data'] }, options);
  }

  /**
   * Take the workflow out of service.
   *
   * Takes the workflow out of service. New executions are refused with NOT_DEPLOYED until a version is live again. Running executions go on.
   *
   * `DELETE /api/v1/workflows/{workflowId}/deploy`
   */
  undeploy(workflowId: string, options: CallOptions = {}): Call<DataOf<'undeployWorkflow'>> {
    return this.transport.read({ id: 'undeployWorkflow', verb: 'DELETE', path: `/api/v1/workflows/${this.segment(workflowId)}/deploy`, valuePath: ['data'] }, options);
  }

  /**
   * Preview a deploy, rollback or undeploy.
   *
   * Shows the result of a deploy, rollback or undeploy without doing it. It lists faults, warnings, and the executions that wait for people and will finish on an older version.
   *
   * `GET /api/v1/workflows/{workflowId}/deploy/preview`
   */
  preview(workflowId: string, params: QueryOf<'previewDeploy'> = {}, options: CallOptions = {}): Call<DataOf<'previewDeploy'>> {
    return this.transport.read({ id: 'previewDeploy', verb: 'GET', path: `/api/v1/workflows/${this.segment(workflowId)}/deploy/preview`, params, valuePath: ['data'] }, options);
  }

  /**
   * Make an earlier version live again.
   *
   * Makes an earlier version live again. Without a number it takes the previous live version. New executions run it; running executions keep their version.
   *
   * `POST /api/v1/workflows/{workflowId}/rollback`
   */
  rollback(workflowId: string, params: BodyOf<'rollbackWorkflow'> = {}, options: CallOptions = {}): Call<DataOf<'rollbackWorkflow'>> {
    return this.transport.read({ id: 'rollbackWorkflow', verb: 'POST', path: `/api/v1/workflows/${this.segment(workflowId)}/rollback`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * List the versions, newest first.
   *
   * Lists all versions of a workflow without their definitions. `isActive` marks the live version.
   *
   * `GET /api/v1/workflows/{workflowId}/versions`
   */
  listVersions(workflowId: string, params: QueryOf<'listVersions'> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listVersions'>['data'][number], AnswerOf<'listVersions'>> {
    return this.transport.list({ id: 'listVersions', verb: 'GET', path: `/api/v1/workflows/${this.segment(workflowId)}/versions`, params, valuePath: ['data'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Read one version with its definition.
   *
   * Shows the exact definition of a version, for example to compare it with the draft.
   *
   * `GET /api/v1/workflows/{workflowId}/versions/{version}`
   */
  getVersion(workflowId: string, version: string | number, options: CallOptions = {}): Call<DataOf<'getVersion'>> {
    return this.transport.read({ id: 'getVersion', verb: 'GET', path: `/api/v1/workflows/${this.segment(workflowId)}/versions/${this.segment(version)}`, valuePath: ['data'] }, options);
  }
}
