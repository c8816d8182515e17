// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { AnswerOf, DataOf, QueryOf, WorkspaceOptional } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.auditLogs`. */
export class AuditLogsResource extends Resource {
  /**
   * List the audit log.
   *
   * Lists who deployed, answered, invited or changed a key, and when. Filter by action, resource, actor and time. An entry must match all filters.
   *
   * `GET /api/v1/audit-logs`
   */
  list(params: WorkspaceOptional<QueryOf<'listAuditLogs'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listAuditLogs'>['data'][number], AnswerOf<'listAuditLogs'>> {
    return this.transport.list({ id: 'listAuditLogs', verb: 'GET', path: `/api/v1/audit-logs`, params, workspaceIn: 'query', valuePath: ['data'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Read one entry of the audit log.
   *
   * Shows one entry, as the list does, with its change and its place in the hash chain.
   *
   * `GET /api/v1/audit-logs/{auditLogId}`
   */
  get(auditLogId: string, params: WorkspaceOptional<QueryOf<'getAuditLog'>> = {}, options: CallOptions = {}): Call<DataOf<'getAuditLog'>> {
    return this.transport.read({ id: 'getAuditLog', verb: 'GET', path: `/api/v1/audit-logs/${this.segment(auditLogId)}`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }
}
