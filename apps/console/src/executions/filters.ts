const boundNames = [
  'minDurationMs',
  'maxDurationMs',
  'minCost',
  'maxCost',
  'model',
  'failureCodes',
  'executionId',
] as const;

/** The filters of the list as they stand in the address: the names are those of the API, but for `since`. */
export const filterNames = [
  'status',
  'workflowIds',
  'triggers',
  'folderIds',
  'startDate',
  'endDate',
  'since',
  ...boundNames,
  'search',
  'order',
] as const;

export type Filters = Partial<Record<(typeof filterNames)[number], string>>;

/** The filters behind "More filters". */
export const rareNames = ['triggers', 'folderIds', ...boundNames, 'order'] as const;

const hour = 3_600_000;
const sinces: Record<string, number> = { '1h': hour, '24h': 24 * hour, '7d': 168 * hour, '30d': 720 * hour };

export function readFilters(params: URLSearchParams): Filters {
  const filters: Filters = {};
  for (const name of filterNames) {
    const value = params.get(name)?.trim();
    if (value) filters[name] = value;
  }
  return filters;
}

/** The parameters of the call: `since` becomes a moment, and numbers become numbers. */
export function paramsOf({ since, ...filters }: Filters, now: number): Record<string, string | number> {
  const params: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(filters))
    params[name] =
      /^(min|max)/.test(name) && value.trim() !== '' && !Number.isNaN(Number(value)) ? Number(value) : value;
  const length = since ? sinces[since] : undefined;
  // To the minute, so that a list which is read again asks the same question.
  if (length) params['startDate'] = new Date(Math.floor((now - length) / 60_000) * 60_000).toISOString();
  return params;
}
