type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Removes the names of the recording machine from a history. A replay does not read them. */
export function scrubbed(value: Json, name = ''): Json {
  if (name === 'identity') return 'worker@test';
  if (name === 'stackTrace') return '';
  if (typeof value === 'string') return value.replace(/^\d+@[^\s]*?(-[0-9a-f]{16,})?$/, 'worker@test$1');
  if (Array.isArray(value)) return value.map((one) => scrubbed(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, scrubbed(member, key)]));
}

/** Formats a history with one event a line. */
export function formatHistory({ events }: { events: unknown[] }): string {
  return `{"events":[\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]}\n`;
}
