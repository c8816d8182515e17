// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { AnswerOf, BodyOf, DataOf } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.invitations`. */
export class InvitationsResource extends Resource {
  /**
   * List the invitations of a workspace.
   *
   * Lists the invitations, the open invitations first.
   *
   * `GET /api/v1/workspaces/{workspaceId}/invitations`
   */
  list(workspaceId: string, options: CallOptions = {}): PageCall<AnswerOf<'listInvitations'>['data'][number], AnswerOf<'listInvitations'>> {
    return this.transport.list({ id: 'listInvitations', verb: 'GET', path: `/api/v1/workspaces/${this.segment(workspaceId)}/invitations`, valuePath: ['data'], paging: 'single' }, options);
  }

  /**
   * Invite a person.
   *
   * Invites a person by mail address. Give the token to the person. It is shown only in this answer and is valid for seven days.
   *
   * `POST /api/v1/workspaces/{workspaceId}/invitations`
   */
  create(workspaceId: string, params: BodyOf<'createInvitation'>, options: CallOptions = {}): Call<DataOf<'createInvitation'>> {
    return this.transport.read({ id: 'createInvitation', verb: 'POST', path: `/api/v1/workspaces/${this.segment(workspaceId)}/invitations`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Withdraw an invitation.
   *
   * Withdraws an open invitation. Its token becomes invalid.
   *
   * `DELETE /api/v1/workspaces/{workspaceId}/invitations/{invitationId}`
   */
  withdraw(workspaceId: string, invitationId: string, options: CallOptions = {}): Call<DataOf<'withdrawInvitation'>> {
    return this.transport.read({ id: 'withdrawInvitation', verb: 'DELETE', path: `/api/v1/workspaces/${this.segment(workspaceId)}/invitations/${this.segment(invitationId)}`, valuePath: ['data'] }, options);
  }

  /**
   * Read an invitation that you were given.
   *
   * Shows an invited person the workspace and the role of the invitation. It needs no key.
   *
   * `POST /api/v1/invitations/read`
   */
  read(params: BodyOf<'readInvitation'>, options: CallOptions = {}): Call<DataOf<'readInvitation'>> {
    return this.transport.read({ id: 'readInvitation', verb: 'POST', path: `/api/v1/invitations/read`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Accept an invitation.
   *
   * Joins the workspace. A new user needs no key and gets a first personal key, which is shown only in this answer. An existing user sends a personal key.
   *
   * `POST /api/v1/invitations/accept`
   */
  accept(params: BodyOf<'acceptInvitation'>, options: CallOptions = {}): Call<DataOf<'acceptInvitation'>> {
    return this.transport.read({ id: 'acceptInvitation', verb: 'POST', path: `/api/v1/invitations/accept`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Decline an invitation.
   *
   * Declines an invitation, without a key. Its token becomes invalid.
   *
   * `POST /api/v1/invitations/decline`
   */
  decline(params: BodyOf<'declineInvitation'>, options: CallOptions = {}): Call<DataOf<'declineInvitation'>> {
    return this.transport.read({ id: 'declineInvitation', verb: 'POST', path: `/api/v1/invitations/decline`, params, body: 'json', valuePath: ['data'] }, options);
  }
}
