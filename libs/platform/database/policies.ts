/** Roles without a login. Each transaction of this product runs as one of them. */
export const appRole = 'holdfast_app';
export const systemRole = 'holdfast_system';

/** Creates the two roles. They belong to the whole server, so no copy of a database has them. */
export const rolesGround = /* sql */ `
do $$
begin
  if not exists (select 1 from pg_roles where rolname = '${appRole}') then
    create role ${appRole} nologin;
  end if;
  if not exists (select 1 from pg_roles where rolname = '${systemRole}') then
    create role ${systemRole} nologin;
  end if;
exception when duplicate_object or unique_violation then
  null; -- Another database of the same cluster created them at the same time.
end $$;
grant ${appRole}, ${systemRole} to current_user;`;

/**
 * Creates the two roles, and the function that returns the workspaces of the current transaction. All policies use them. The function
 * raises an error when the workspaces are not set, because an empty result would hide the bug.
 */
export const tenancyGround = /* sql */ `${rolesGround}
grant usage on schema public to ${appRole}, ${systemRole};
create or replace function holdfast_reach() returns text[] language plpgsql stable parallel safe as $$
declare
  reach text := current_setting('holdfast.reach', true);
begin
  if coalesce(reach, '') = '' then
    raise exception 'no workspace is bound to this transaction' using errcode = '42501';
  end if;
  return string_to_array(reach, ',');
end $$;`;

/**
 * A statement of a migration over existing rows. It runs without forced row-level security. Forced policies also apply to the owner of
 * the schema, who reaches no workspace. So without this, an owner that is no superuser would find no rows, or get an error.
 */
export function overAllRows(tables: string[], statement: string): string {
  const each = (change: string) =>
    tables.map((table) => `alter table ${table} ${change} row level security;`).join(' ');
  return `${each('no force')} ${statement}; ${each('force')}`;
}
