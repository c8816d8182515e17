// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { AnswerOf, BodyOf, DataOf, QueryOf } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.keys`. */
export class KeysResource extends Resource {
  /**
   * List the keys of a workspace.
   *
   * Lists the keys of a workspace without their values, with their creator, their role and their last use.
   *
   * `GET /api/v1/workspaces/{workspaceId}/keys`
   */
  list(workspaceId: string, params: QueryOf<'listWorkspaceKeys'> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listWorkspaceKeys'>['data'][number], AnswerOf<'listWorkspaceKeys'>> {
    return this.transport.list({ id: 'listWorkspaceKeys', verb: 'GET', path: `/api/v1/workspaces/${this.segment(workspaceId)}/keys`, params, valuePath: ['data'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
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
   * Revokes a key at once. Executions that it started go on.
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
  listPersonal(params: QueryOf<'listPersonalKeys'> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listPersonalKeys'>['data'][number], AnswerOf<'listPersonalKeys'>> {
    return this.transport.list({ id: 'listPersonalKeys', verb: 'GET', path: `/api/v1/users/me/keys`, params, valuePath: ['data'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Create a personal key.
   *
   * Makes another key of the calling user, for example for another machine. Its value is shown only in this answer.
   *
   * `POST /api/v1/users/me/keys`
   */
  createPersonal(params: BodyOf<'createPersonalKey'>, options: CallOptions = {}): Call<DataOf<'createPersonalKey'>> {
    return this.transport.read({ id: 'createPersonalKey', verb: 'POST', path: `/api/v1/users/me/keys`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Revoke a personal key.
   *
   * Revokes one of your personal keys at once. Executions that it started go on.
   *
   * `DELETE /api/v1/users/me/keys/{keyId}`
   */
  revokePersonal(keyId: string, options: CallOptions = {}): Call<DataOf<'revokePersonalKey'>> {
    return this.transport.read({ id: 'revokePersonalKey', verb: 'DELETE', path: `/api/v1/users/me/keys/${this.segment(keyId)}`, valuePath: ['data'] }, options);
  }
}
