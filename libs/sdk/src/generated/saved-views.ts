// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { AnswerOf, BodyOf, DataOf } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.savedViews`. */
export class SavedViewsResource extends Resource {
  /**
   * List your saved views.
   *
   * Lists your named filters of lists in this workspace. Other users do not see them.
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
