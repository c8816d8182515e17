/** The filters of the audit log as they stand in the address: the names are those of the API. */
export const auditFilterNames = [
  'action',
  'resourceType',
  'resourceId',
  'actorId',
  'startDate',
  'endDate',
] as const;
