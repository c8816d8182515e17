// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { Download } from '../download.ts';
import type { AnswerOf, QueryOf, WorkspaceOptional } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.usage`. */
export class UsageResource extends Resource {
  /**
   * Read the rate limits and the usage of the key.
   *
   * Shows the calls that the key has left, and the part of the plan that the workspace has used. This call takes no execution token.
   *
   * `GET /api/users/me/usage-limits`
   */
  getLimits(params: WorkspaceOptional<QueryOf<'getUsageLimits'>> = {}, options: CallOptions = {}): Call<AnswerOf<'getUsageLimits'>> {
    return this.transport.read({ id: 'getUsageLimits', verb: 'GET', path: `/api/users/me/usage-limits`, params, workspaceIn: 'query' }, options);
  }

  /**
   * Read the cost of a workspace by day, workflow, member or kind.
   *
   * Adds up the cost of a workspace by day, workflow, member or kind, over 366 days at most.
   *
   * `GET /api/v1/usage`
   */
  get(params: WorkspaceOptional<QueryOf<'getUsage'>> = {}, options: CallOptions = {}): Call<AnswerOf<'getUsage'>> {
    return this.transport.read({ id: 'getUsage', verb: 'GET', path: `/api/v1/usage`, params, workspaceIn: 'query' }, options);
  }

  /**
   * Download the cost of a workspace as CSV.
   *
   * Gives the cost of a workspace as CSV, with a line for each group, 10,000 at most.
   *
   * `GET /api/v1/usage/export`
   */
  export(params: WorkspaceOptional<QueryOf<'exportUsage'>> = {}, options: CallOptions = {}): Call<Download> {
    return this.transport.download({ id: 'exportUsage', verb: 'GET', path: `/api/v1/usage/export`, params, workspaceIn: 'query', accept: 'text/csv' }, options);
  }
}
