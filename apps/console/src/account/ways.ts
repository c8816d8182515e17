import { base } from '$app/paths';
import { toReturnAddress } from '#libs/platform/return-addresses/return-address';
import { accountApi } from '../api/resources/account.ts';
import { signInApi } from '../api/resources/sign-in.ts';

/** Returns the URL to return to after sign-in, or the home of the console if it is missing or on another origin. */
export const returnAddress = (requested: string | null): string =>
  toReturnAddress(requested ?? '', location.origin) ?? `${base}/`;

/** True when a page of the console shows the address, without a load of another page. */
export const isOfConsole = (address: string): boolean => address.startsWith(`${base}/`);

/** Signs in by a passkey of this device. Rejects when the person turns it down. */
export async function signInByPasskey(): Promise<void> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const { options } = await signInApi.startPasskey();
  const response = await startAuthentication({ optionsJSON: options as never });
  await signInApi.byPasskey({ response: { ...response } });
}

/** A name for the passkey of this device; its person may make others under better names. */
export const nameOfDevice = (): string => navigator.platform || 'Browser';

/** Makes a passkey on this device and keeps it for the account. */
export async function createPasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const { options } = await accountApi.passkeys.start();
  const response = await startRegistration({ optionsJSON: options as never });
  await accountApi.passkeys.create({ name, response: { ...response } });
}

/** True when the person declined the request of the browser. */
export const isTurnedDown = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');

/** The address of the sign-in by an identity provider. */
export function providerAddress(id: string, to: string, { isLink = false } = {}): string {
  const query = new URLSearchParams({ returnTo: to, ...(isLink ? { link: '1' } : {}) });
  return `/api/v1/sign-in/providers/${encodeURIComponent(id)}?${query}`;
}
