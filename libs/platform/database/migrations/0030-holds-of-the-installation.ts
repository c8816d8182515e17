import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemRole } from '../policies.ts';

/** Lets an operator hold all workspaces at once, in one row of none. Each workspace sees it, and none can change it. */
export class HoldsOfTheInstallation1700000000030 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(/* sql */ `
      alter table holds
        alter column workspace_id drop not null,
        -- A hold of the installation is about all workflows.
        add constraint holds_of_all check (workspace_id is not null or (workflow_id is null and trigger_id is null and host is null));
      grant insert on holds to ${systemRole};
      create policy installation_seen on holds for select to ${appRole} using (workspace_id is null);
      -- Statements lock the holds that they meet, which needs the right to change them. The check lets no change pass.
      create policy installation_locked on holds for update to ${appRole} using (workspace_id is null) with check (false);
      drop trigger audit on holds;
      create constraint trigger audit after insert or delete or update of mode, reason, stops, released_at, per_second on holds deferrable initially deferred for each row
        execute function audit_row('hold', 'id', 'workflow_id,trigger_id,host,stops,mode,reason,released_at,per_second', 'created,updated,deleted');`);
    await db.query(linesSeeTheInstallation);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

/** Changes the one condition of `advance_flow_line` that reads holds. Fails when the function is not as it was. */
const linesSeeTheInstallation = /* sql */ `
do $$
declare
  before text := pg_get_functiondef('advance_flow_line(text, text, text)'::regprocedure);
  after text := replace(before, 'from holds h where h.workspace_id = of_workspace and',
    'from holds h where (h.workspace_id is null or h.workspace_id = of_workspace) and');
begin
  if after = before then raise exception 'advance_flow_line reads no holds'; end if;
  execute after;
end $$`;
