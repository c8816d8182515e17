import { createHash } from 'node:crypto';
import { canonicalJson } from '#libs/language/definition/compile';

/** Equal content gives an equal hash; the order of keys does not matter. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
