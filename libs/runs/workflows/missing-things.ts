import type { EntityManager } from 'typeorm';
import type { DefinitionFault } from '#libs/language/definition/checks/faults';
import { type NamedThing, namedThings } from '#libs/language/definition/checks/named-things';
import { send } from '#libs/platform/database/database';
import type { JsonObject } from '#libs/platform/json/json';

/** A fault for each secret, table, knowledge base and workflow that a valid definition names and the workspace lacks. */
export async function missingThings(
  tx: EntityManager,
  workspaceId: string,
  definition: JsonObject,
): Promise<DefinitionFault[]> {
  const things = namedThings(definition);
  if (things.length === 0) return [];
  const [kinds, names] = [things.map(({ kind }) => kind), things.map(({ name }) => name)];
  const rows = await send<Pick<NamedThing, 'kind' | 'name'>>(tx, absentNames, [workspaceId, kinds, names]);
  const absent = new Set(rows.map(({ kind, name }) => `${kind} ${name}`));
  return things
    .filter(({ kind, name }) => absent.has(`${kind} ${name}`))
    .map(({ kind, name, path, blockId }) => ({
      blockId,
      path,
      code: `${kind.replace(' ', '_')}_not_found`,
      message: `There is no ${kind} "${name}" in this workspace, so "${blockId}" would fail.`,
    }));
}

/** A fault as a warning. A definition may be deployed before the things that it names exist. */
export function toWarning({ path, message }: DefinitionFault): string {
  return `${path}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

/** Definitions name tables and knowledge bases by id or by name; case does not matter in names. */
const absentNames = /* sql */ `
select distinct w.kind, w.name from unnest($2::text[], $3::text[]) as w (kind, name)
where not case w.kind
  when 'secret' then exists (select 1 from secrets s where s.workspace_id = $1 and s.name = w.name)
  when 'table' then exists (
    select 1 from tables t where t.workspace_id = $1 and (t.id = w.name or lower(t.name) = lower(w.name)))
  when 'knowledge base' then exists (
    select 1 from knowledge_bases b where b.workspace_id = $1 and (b.id = w.name or lower(b.name) = lower(w.name)))
  else exists (select 1 from workflows f where f.workspace_id = $1 and f.id = w.name) end`;
