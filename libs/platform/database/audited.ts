/**
 * Appends an entry to the audit log, for an event that no trigger can record. It locks the audit chain of the workspace until the
 * commit, so run it as the last statement of the transaction. $1 workspace, $2 action, $3 type and $4 id of the resource, $5 changes
 */
export const appendEntry = /* sql */ `select audit_append($1, $2, $3, $4, null, $5::jsonb)`;
