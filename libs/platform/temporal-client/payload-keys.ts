import type { Database } from '#libs/platform/database/database';
import type { PayloadKey } from '#libs/platform/settings/operation';

/** Keeps which payload keys the processes of this installation have, because nothing else tells a backup that one is missing. */
export async function keepKeyIds(database: Database, keys: PayloadKey[]): Promise<void> {
  await database.system(keepIds, [toKeyIds(keys)]);
}

/** The ids of the keys that can open payloads. */
const toKeyIds = (keys: PayloadKey[]): string[] => keys.flatMap(({ id, bytes }) => (bytes ? [id] : []));

/** Returns those of the ids whose key is not in the list. */
export function findMissingKeys(ids: string[], keys: PayloadKey[]): string[] {
  const known = toKeyIds(keys);
  return ids.filter((id) => !known.includes(id));
}

/** $1 the ids of the keys of a process that starts */
const keepIds = /* sql */ `
with had as (
  insert into payload_keys (id) select unnest($1::text[])
  on conflict (id) do update set left_at = null where payload_keys.left_at is not null
)
update payload_keys set left_at = now() where left_at is null and id <> all ($1)`;

/** The ids of the keys that processes have, or that runs need which began before the processes left them. */
export const neededKeyIds = /* sql */ `
select id from payload_keys k where left_at is null or exists (
  select from executions where status in ('queued', 'running', 'paused') and created_at < k.left_at
) order by id`;
