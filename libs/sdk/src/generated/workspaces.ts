// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { EventStream } from '../events.ts';
import type { AnswerOf, BodyOf, DataOf, QueryOf, Schemas, WorkspaceOptional } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.workspaces`. */
export class WorkspacesResource extends Resource {
  /**
   * Follow the changes of a workspace.
   *
   * Streams an event within about a second of a change. `changed` names `executions`, `pauses` or `settings`. The event does not hold the change: read the lists again.
   *
   * `GET /api/v1/events`
   */
  follow(params: WorkspaceOptional<QueryOf<'followWorkspace'>> = {}, options: CallOptions = {}): EventStream<Schemas['WorkspaceEventView']> {
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
   * Changes only the sent members. `personalKeysAllowed: false` allows only workspace keys. It is refused while no workspace key has the role admin.
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
