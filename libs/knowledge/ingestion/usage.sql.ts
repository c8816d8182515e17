/** Books the cost of an embedding. $1 workspace, $2 the caller who asked for it, a user or a key, $3 cost */
export const bookEmbedding = /* sql */ `
insert into usage_entries (workspace_id, actor, kind, cost) values ($1, $2, 'embedding', $3)`;
