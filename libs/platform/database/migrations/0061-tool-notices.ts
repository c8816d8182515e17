import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whoever listens to the tools of a workspace learns that another version is live, or that a server offers something else. */
export class ToolNotices1700000000061 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(notices);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const notices = /* sql */ `
create function notify_tools() returns trigger language plpgsql as $$
begin
  perform pg_notify('holdfast_settled', 'tools ' || coalesce(new.workspace_id, old.workspace_id));
  return null;
end $$;
create trigger notify_tools after update on workflows for each row
  when ((old.live_version, old.folder, old.name, old.description) is distinct from (new.live_version, new.folder, new.name, new.description)
    and (old.live_version is not null or new.live_version is not null))
  execute function notify_tools();
create trigger notify_tools_gone after delete on workflows for each row when (old.live_version is not null) execute function notify_tools();
create trigger notify_tools after update on mcp_servers for each row execute function notify_tools();`;
