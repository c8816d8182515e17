import type { Json } from '#libs/platform/json/json';

import { momentMs } from './durations.ts';

/** True when the value is of the declared type. Any value is `json`; a `date` is ISO text. */
export function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'array':
      return Array.isArray(value);
    case 'date':
      return momentMs(value) !== undefined;
    default:
      return type === 'json';
  }
}

/** True when HTTP can carry the text as the value of a header: no line break, no control character, nothing beyond Latin-1. */
export function isSendable(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
