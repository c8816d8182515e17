import type pg from 'pg';
import { appRole, systemRole } from '../policies.ts';

/** Tables without data of a tenant, each with its reason. No role of this product may use them. */
export const exempt: Record<string, string> = {
  migrations: 'the names of the migrations that were applied, read and written by the owner alone',
};

interface Table {
  name: string;
  forced: boolean;
  keyed: boolean;
  written: string;
  policies: { name: string; roles: string[]; reading: string | null; writing: string | null }[];
}

/** Parts of the schema that could show one tenant's rows to another. Empty when nothing could. */
export async function tenancyFaults(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<Table>(readTables);
  const { rows: doors } = await owner.query<{ fault: string }>(sideDoors, [
    [appRole, systemRole],
    Object.keys(exempt),
  ]);
  return [
    ...rows.filter(({ name }) => !(name in exempt)).flatMap(faultsOf),
    ...doors.map(({ fault }) => fault),
  ];
}

/** A table whose rows belong to a workspace. */
export interface TenantTable {
  table: string;
  /** The column with the id of the workspace. */
  column: string;
  /** All columns except generated columns, separated by commas. */
  written: string;
}

export async function tenantTables(owner: pg.Client): Promise<TenantTable[]> {
  const { rows } = await owner.query<Table>(readTables);
  const parts = await partitions(owner);
  return rows
    .filter(({ name, keyed }) => (keyed || name === 'workspaces') && !parts.includes(name))
    .map(({ name, keyed, written }) => ({ table: name, column: keyed ? 'workspace_id' : 'id', written }));
}

/** The names of all partitions. */
export async function partitions(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(partsOf);
  return rows.map(({ name }) => name);
}

/** The rights of each role, as `table: verbs`. */
export async function listGrants(owner: pg.Client, role: string): Promise<string[]> {
  const { rows } = await owner.query<{ line: string }>(readGrants, [role]);
  return rows.map(({ line }) => line);
}

function faultsOf({ name, forced, keyed, policies }: Table): string[] {
  const faults: string[] = [];
  if (!forced) faults.push(`${name} does not force row-level security`);
  if (policies.length === 0) faults.push(`${name} has no policy`);
  for (const { name: policy, roles } of policies) {
    const stranger = roles.find((role) => role !== appRole && role !== systemRole);
    if (stranger) faults.push(`${name} has the policy ${policy} for ${stranger}`);
  }
  const ours = policies.filter(({ roles }) => roles.includes(appRole));
  // Postgres combines policies with `or`, so one policy that allows everything disables the others.
  if (ours.some(({ reading }) => reading === 'true'))
    faults.push(`${name} shows all of its rows to ${appRole}`);
  if (keyed && !ours.some(bindsWorkspace))
    faults.push(`${name} is not bound to the workspaces of a transaction`);
  return faults;
}

function bindsWorkspace({ reading, writing }: Table['policies'][number]): boolean {
  return [reading, writing].every(
    (rule) => rule?.includes('workspace_id') && rule.includes('holdfast_reach()'),
  );
}

/** Every schema of this product. The system role owns only the partitions of the vectors, so that it can create and drop their indexes. */
const schemas = `array['public'::regnamespace, 'vectors'::regnamespace]::oid[]`;

const readTables = /* sql */ `
select c.oid::regclass::text as name, c.relrowsecurity and c.relforcerowsecurity as forced,
  exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped) as keyed,
  (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as written,
  coalesce((
    select json_agg(json_build_object(
      'name', p.polname,
      'roles', (select json_agg(coalesce(r.rolname, 'everyone')) from unnest(p.polroles) as u(id) left join pg_roles r on r.oid = u.id),
      'reading', pg_get_expr(p.polqual, p.polrelid),
      'writing', pg_get_expr(p.polwithcheck, p.polrelid)))
    from pg_policy p where p.polrelid = c.oid
  ), '[]') as policies
from pg_class c
where c.relnamespace = any(${schemas}) and c.relkind in ('r', 'p', 'f')
order by 1`;

/** Partitions with a grant. There must be none, because statements must use the whole table. */
const partsOf = /* sql */ `
select c.oid::regclass::text as name from pg_class c where c.relnamespace = any(${schemas}) and c.relispartition`;

/** Ways around the policies: roles that bypass them, views and functions that run as their owner, exempt tables with a grant. */
const sideDoors = /* sql */ `
select rolname || ' skips row-level security' as fault from pg_roles
where rolname = any($1) and (rolsuper or rolbypassrls or rolcanlogin)
union all
select relname || ' is a view that reads as its owner' from pg_class
where relnamespace = any(${schemas}) and relkind in ('v', 'm')
  and not coalesce('security_invoker=true' = any(reloptions), false)
union all
select proname || ' is a function that runs as its owner' from pg_proc
where pronamespace = any(${schemas}) and prosecdef
union all
select distinct relname || ' is granted to ' || grantee from pg_class
join information_schema.role_table_grants on table_schema = 'public' and table_name = relname
where relname = any($2) and grantee = any($1)
union all
select distinct relname || ' is a part of a table and is granted to ' || grantee from pg_class
join information_schema.role_table_grants on table_schema = relnamespace::regnamespace::text and table_name = relname
where relispartition and grantee = any($1) and relowner <> grantee::regrole
union all
select relname || ' belongs to ' || rolname from pg_class join pg_roles on pg_roles.oid = relowner
where relnamespace = any(${schemas}) and rolname = any($1)
  and not (relnamespace = 'vectors'::regnamespace and (relispartition or relkind = 'i'))`;

const readGrants = /* sql */ `
select table_name || ': ' || string_agg(lower(privilege_type), ', ' order by privilege_type) as line
from information_schema.role_table_grants where table_schema in ('public', 'vectors') and grantee = $1
  and not exists (select from pg_tables t where t.schemaname = table_schema and t.tablename = table_name and t.tableowner = $1)
group by table_name order by table_name`;
