// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { AnswerOf, BodyOf, DataOf } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.members`. */
export class MembersResource extends Resource {
  /**
   * List the members.
   *
   * Lists the members of the workspace with their roles.
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
   * List the cost caps of the members.
   *
   * Lists the monthly cost caps of the members that have a cap.
   *
   * `GET /api/v1/workspaces/{workspaceId}/caps`
   */
  listCaps(workspaceId: string, options: CallOptions = {}): PageCall<AnswerOf<'listMemberCaps'>['data'][number], AnswerOf<'listMemberCaps'>> {
    return this.transport.list({ id: 'listMemberCaps', verb: 'GET', path: `/api/v1/workspaces/${this.segment(workspaceId)}/caps`, valuePath: ['data'], paging: 'single' }, options);
  }

  /**
   * Read the cost cap of a member.
   *
   * Shows the cost cap of a member and the cost of this month.
   *
   * `GET /api/v1/workspaces/{workspaceId}/members/{userId}/cap`
   */
  getCap(workspaceId: string, userId: string, options: CallOptions = {}): Call<DataOf<'getMemberCap'>> {
    return this.transport.read({ id: 'getMemberCap', verb: 'GET', path: `/api/v1/workspaces/${this.segment(workspaceId)}/members/${this.segment(userId)}/cap`, valuePath: ['data'] }, options);
  }

  /**
   * Set the cost cap of a member.
   *
   * Limits the cost of executions with the personal keys of a member in a calendar month. Above the cap they are refused with 402. Running executions go on.
   *
   * `PUT /api/v1/workspaces/{workspaceId}/members/{userId}/cap`
   */
  setCap(workspaceId: string, userId: string, params: BodyOf<'setMemberCap'>, options: CallOptions = {}): Call<DataOf<'setMemberCap'>> {
    return this.transport.read({ id: 'setMemberCap', verb: 'PUT', path: `/api/v1/workspaces/${this.segment(workspaceId)}/members/${this.segment(userId)}/cap`, params, body: 'json', valuePath: ['data'] }, options);
  }

  /**
   * Remove the cap of a member.
   *
   * Removes the cap of a member.
   *
   * `DELETE /api/v1/workspaces/{workspaceId}/members/{userId}/cap`
   */
  removeCap(workspaceId: string, userId: string, options: CallOptions = {}): Call<DataOf<'removeMemberCap'>> {
    return this.transport.read({ id: 'removeMemberCap', verb: 'DELETE', path: `/api/v1/workspaces/${this.segment(workspaceId)}/members/${this.segment(userId)}/cap`, valuePath: ['data'] }, options);
  }
}
