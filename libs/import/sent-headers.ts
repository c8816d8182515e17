import type { Json, JsonObject } from '#libs/platform/json/json';
import { findHeaderFault } from '#libs/platform/text/header-faults';

/** The headers that a block may set. What the call sets itself is left out and told; of a name that is there twice the last one counts. */
export function sentHeaders(headers: JsonObject, change: (note: string) => void): JsonObject {
  const sent = new Map<string, [string, Json]>();
  for (const [name, value] of Object.entries(headers)) {
    const literal = typeof value === 'string' && !value.includes('{{') ? value : undefined;
    const fault = findHeaderFault(name, literal);
    if (fault === undefined) sent.set(name.toLowerCase(), [name, value]);
    else change(`Its header ${name} is left out. ${fault}`);
  }
  return Object.fromEntries(sent.values());
}
