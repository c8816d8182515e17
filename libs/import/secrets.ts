import { cutText } from '#libs/platform/text/whole-text';
import { toWords } from './values.ts';
import type { Needs } from './report.ts';

/** The name of a secret for what the other product kept under `name`. */
export function toSecretName(name: string): string {
  const words = toWords(name).toUpperCase();
  return cutText(/^[A-Z_]/.test(words) ? words : `S_${words}`, 60);
}

/** The expression that reads a secret, which the report asks for. */
export function readSecret(needs: Needs, name: string, note: string): string {
  needs.addNeed('secret', name, note);
  return `secrets.${name}`;
}
