import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';

/** The parts of a workspace that can change, each with a text that differs after a change. */
export interface WorkspacePulse extends Record<string, unknown> {
  executions: string;
  pauses: string;
  settings: string;
}

/**
 * Tells by one short statement whether a workspace has changed: its newest 200 executions, its newest 500 open
 * pauses, or its audit log. Callers poll it, because a notification of each change would slow down every run.
 */
@Injectable()
export class WorkspacePulses {
  constructor(private readonly database: Database) {}

  async readPulse(workspaceId: string): Promise<WorkspacePulse> {
    const [pulse] = await this.database.statement<WorkspacePulse>(workspaceId, pulseOf, [workspaceId]);
    if (!pulse) throw new Error('Postgres returned no row.');
    return pulse;
  }
}

const pulseOf = /* sql */ `
select
  (select coalesce(md5(string_agg(e.id || e.status || e.updated_at, ',')), '') from (
    select id, status, updated_at from executions where workspace_id = $1 order by created_at desc, id desc limit 200) e) as executions,
  (select coalesce(md5(string_agg(p.context_id, ',')), '') from (
    select context_id from pause_points where workspace_id = $1 and resume_status = 'paused'
    order by registered_at desc, context_id desc limit 500) p) as pauses,
  (select coalesce(max(h.seq), 0)::text from audit_heads h where h.workspace_id = $1) as settings`;
