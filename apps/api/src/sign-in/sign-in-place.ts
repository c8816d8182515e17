import bowser from 'bowser';
import type { FastifyRequest } from 'fastify';
import type { SignInPlace } from '#libs/workspace/auth/sessions';
import { cutText } from '#libs/platform/text/whole-text';

/** The client of a request: its address, and its browser in words such as `Chrome on Linux`. */
export function toSignInPlace({ ip, headers }: FastifyRequest): SignInPlace {
  return { address: ip, browser: parseBrowser(headers['user-agent'] ?? '') };
}

/** The family of a browser, which an update does not change. */
export function parseBrowser(userAgent: string): string {
  if (userAgent === '') return 'unknown';
  const { browser, os } = bowser.parse(cutText(userAgent, 1000));
  const names = [browser.name, os.name].filter(Boolean);
  return names.length === 0 ? 'unknown' : names.join(' on ');
}
