const isoDuration =
  /^P(?=\d|T\d)(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$/;
const partsMs = [365 * 86_400_000, 30 * 86_400_000, 7 * 86_400_000, 86_400_000, 3_600_000, 60_000, 1000];

/** A year with its leap day: the longest wait. */
export const yearMs = 366 * 86_400_000;

/**
 * Milliseconds of an ISO-8601 duration or of a number of seconds; undefined when it is neither. A year counts as
 * 365 days and a month as 30, because a duration has no calendar.
 */
export function durationMs(value: unknown): number | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) && value >= 0 ? Math.round(value * 1000) : undefined;
  const parts = typeof value === 'string' ? isoDuration.exec(value) : null;
  if (!parts) return undefined;
  return Math.round(partsMs.reduce((sum, ms, i) => sum + Number(parts[i + 1] ?? 0) * ms, 0));
}

const isoMoment =
  /^\d{4}-\d{2}-\d{2}(?:T(?:[01]\d|2[0-3]):\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Milliseconds since the epoch of an ISO date or date-time; without a zone it is UTC on every machine. */
export function momentMs(value: unknown): number | undefined {
  const match = typeof value === 'string' ? isoMoment.exec(value) : null;
  if (!match) return undefined;
  const [text, zone] = match;
  const ms = Date.parse(text.includes('T') && !zone ? `${text}Z` : text);
  return Number.isNaN(ms) || !daysExist(text) ? undefined : ms;
}

/** False for a day that does not exist: `Date.parse` makes 30 February a day in March, and knows a year 0. */
function daysExist(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  // A leap year comes again after 400 years, and Date.UTC takes years below 100 for those after 1900.
  return year > 0 && day <= new Date(Date.UTC((year % 400) + 2000, month, 0)).getUTCDate();
}
