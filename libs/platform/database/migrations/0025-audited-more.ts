import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemRole } from '../policies.ts';

/** More of what people change in knowledge bases and tables is in the audit log, and workers may delete what is old in it. */
export class AuditedMore1700000000025 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(retention);
    await db.query(audited);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const retention = /* sql */ `
grant delete on audit_entries to ${systemRole};
-- The owner deletes by a command. A worker deletes only what is older than a month and has an anchor: whoever takes over its role can hide
-- nothing that happened lately, and what they delete is missing from a chain whose anchor only the secret of the installation can sign.
create or replace function keep_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('holdfast.audit_retention', true) = 'on' and (
    current_user <> '${systemRole}' or (old.created_at < now() - interval '30 days'
      and exists (select from audit_heads h where h.workspace_id = old.workspace_id and h.anchor_seq >= old.seq))
  ) then return old; end if;
  raise exception 'entries of the audit log are only appended' using errcode = '42501';
end $$;`;

const called = `coalesce(current_setting('holdfast.acting', true), '') <> ''`;

/** Values of tags are appended by the one statement that changes those of one document: another takes a tag away from all of them. */
const audited = /* sql */ `
drop trigger audit on knowledge_bases;
create constraint trigger audit after insert or update of name, description, max_size, min_size, overlap, tags or delete on knowledge_bases
  deferrable initially deferred for each row
  execute function audit_row('knowledge_base', 'id', 'name,description,max_size,min_size,overlap,tags', 'created,updated,deleted');
create constraint trigger audit_update after update of filename, enabled on documents deferrable initially deferred
  for each row when (${called}) execute function audit_row('document', 'id', 'filename,enabled', ',updated,');
create constraint trigger audit after insert on table_imports deferrable initially deferred
  for each row when (${called}) execute function audit_row('table_import', 'id', 'table_id,format,mode,size', 'created,,');
create constraint trigger audit_cancel after update of status on table_imports deferrable initially deferred
  for each row when (${called} and new.status = 'cancelled') execute function audit_row('table_import', 'id', 'status', ',cancelled,');`;
