import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the audit log needs to be proved, searched and read by more of its filters. */
export class AuditProofs1700000000034 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(proofs);
    await db.query(liveVersions);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const proofs = /* sql */ `
-- When the newest entry that retention deleted was appended. Null where it was deleted before this was kept.
alter table audit_heads add column anchor_at timestamptz(3);
create index audit_entries_type on audit_entries (workspace_id, resource_type, seq desc);
create index audit_entries_time on audit_entries (workspace_id, created_at, seq);`;

const liveVersions = /* sql */ `
-- Appended at the commit as all entries are, when the transaction has noted which version it has made live. A version is live for the first
-- time by its deploy, and again by a rollback.
create function audit_live_version() returns trigger language plpgsql as $$
declare
  verb text := case
    when new.live_version is null then 'undeployed'
    when (select count(*) from activations a where a.workflow_id = new.id and a.version = new.live_version) > 1 then 'rolled_back'
    else 'deployed'
  end;
  changes jsonb := jsonb_build_object('live_version', jsonb_build_object('from', old.live_version, 'to', new.live_version));
  deployment text := (select d.id from deployments d where d.workflow_id = new.id and d.version = new.live_version);
begin
  if deployment is not null then changes := changes || jsonb_build_object('deployment', deployment); end if;
  perform audit_append(new.workspace_id, 'workflow.' || verb, 'workflow', new.id, new.name, changes);
  return null;
end $$;
create constraint trigger audit_live after update of live_version on workflows deferrable initially deferred
  for each row when (old.live_version is distinct from new.live_version) execute function audit_live_version();
drop trigger audit on workflows;
create constraint trigger audit after insert or update of name, description, folder, definition_hash or delete on workflows
  deferrable initially deferred for each row
  execute function audit_row('workflow', 'id', 'name,description,folder,definition_hash,live_version', 'created,updated,deleted');`;
