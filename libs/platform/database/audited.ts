/**
 * Appends an entry to the audit log within a transaction, for what no trigger can tell: $1 workspace, $2 action, $3 type and $4 id of the
 * resource, $5 what changed. The last statement of its transaction, because writers of one workspace wait for each other from here on.
 */
export const appendEntry = /* sql */ `select audit_append($1, $2, $3, $4, null, $5::jsonb)`;
