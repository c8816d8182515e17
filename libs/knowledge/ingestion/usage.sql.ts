/** Books the cost of embedding for the caller who asked for it: $2 is a user or a key. */
export const bookEmbedding = /* sql */ `
insert into usage_entries (workspace_id, actor, kind, cost) values ($1, $2, 'embedding', $3)`;
