/** What hosted embeddings cost, in the ledger. The acting member is not known where a worker embeds: the document stands for it. */
export const bookEmbedding = /* sql */ `
insert into usage_entries (workspace_id, actor, cost) values ($1, $2, $3)`;
