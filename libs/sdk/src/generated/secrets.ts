// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { AnswerOf, BodyOf, DataOf } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.secrets`. */
export class SecretsResource extends Resource {
  /**
   * List the names of the secrets.
   *
   * Lists the names of the secrets. No call shows a value.
   *
   * `GET /api/v1/workspaces/{workspaceId}/secrets`
   */
  list(workspaceId: string, options: CallOptions = {}): PageCall<AnswerOf<'listSecrets'>['data'][number], AnswerOf<'listSecrets'>> {
    return this.transport.list({ id: 'listSecrets', verb: 'GET', path: `/api/v1/workspaces/${this.segment(workspaceId)}/secrets`, valuePath: ['data'], paging: 'single' }, options);
  }

  /**
   * Create a secret or give it a new value.
   *
   * Stores a value that blocks read as `{{ secrets.NAME }}`. The value is sealed at rest, is in no log and is never shown again. A second call replaces it.
   *
   * `PUT /api/v1/workspaces/{workspaceId}/secrets/{name}`
   */
  put(workspaceId: string, name: string, params: BodyOf<'putSecret'>, options: CallOptions = {}): Call<DataOf<'putSecret'>> {
    return this.transport.read({ id: 'putSecret', verb: 'PUT', path: `/api/v1/workspaces/${this.segment(workspaceId)}/secrets/${this.segment(name)}`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Delete a secret.
   *
   * Deletes a secret. Blocks that read it then fail with SECRET_NOT_FOUND and send nothing.
   *
   * `DELETE /api/v1/workspaces/{workspaceId}/secrets/{name}`
   */
  delete(workspaceId: string, name: string, options: CallOptions = {}): Call<DataOf<'deleteSecret'>> {
    return this.transport.read({ id: 'deleteSecret', verb: 'DELETE', path: `/api/v1/workspaces/${this.segment(workspaceId)}/secrets/${this.segment(name)}`, valuePath: ['data'] }, options);
  }
}
