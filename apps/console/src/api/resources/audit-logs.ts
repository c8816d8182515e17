import { AuditLogsResource } from '#libs/sdk/src/generated/audit-logs';
import { transport } from '../client.ts';

export const auditLogsApi = new AuditLogsResource(transport);
