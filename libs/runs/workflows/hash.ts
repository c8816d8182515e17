import { createHash } from 'node:crypto';
import { canonicalJson } from '#libs/language/definition/compile';

/** Equal content gives an equal hash, whatever the order of its keys. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
