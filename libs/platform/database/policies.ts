/** Roles without a login. Each connection of this product takes one of them at its start and keeps it. */
export const appRole = 'holdfast_app';
export const systemRole = 'holdfast_system';

/**
 * The two roles, and the function that gives the reach of the current transaction; all policies use them. The function
 * raises when the reach is not set: an empty result would hide the bug.
 */
export const tenancyGround = /* sql */ `
do $$
begin
  if not exists (select 1 from pg_roles where rolname = '${appRole}') then
    create role ${appRole} nologin;
  end if;
  if not exists (select 1 from pg_roles where rolname = '${systemRole}') then
    create role ${systemRole} nologin;
  end if;
exception when duplicate_object or unique_violation then
  null; -- Another database of the same cluster made them at this moment.
end $$;
grant ${appRole}, ${systemRole} to current_user;
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
 * A statement of a migration over rows that are there already. Forced policies bind the owner of the schema as well, who
 * reaches no workspace: without this it would find no rows, or be refused, unless it is a superuser.
 */
export function overAllRows(tables: string[], statement: string): string {
  const each = (change: string) =>
    tables.map((table) => `alter table ${table} ${change} row level security;`).join(' ');
  return `${each('no force')} ${statement}; ${each('force')}`;
}
