import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { linkLastsS } from '#libs/workspace/sign-in/link-records';

/** The settings of a cookie: whether browsers use TLS. */
export interface CookieHome {
  publicUrl: string;
}

const isSecure = ({ publicUrl }: CookieHome): boolean => publicUrl.startsWith('https:');

/**
 * With the prefix `__Host-` a browser accepts the cookie only over TLS and only from this host. Plain http, which is
 * for this machine only, cannot have it.
 */
const cookieName = (home: CookieHome, name: string): string => (isSecure(home) ? `__Host-${name}` : name);

const sessionName = 'holdfast_session';
/** The cookies that bind what a browser has begun to this browser, with their lives in seconds. */
const bindings = {
  provider: { name: 'holdfast_sign_in', lastsS: 600 },
  mail: { name: 'holdfast_mail_link', lastsS: linkLastsS },
};
export type Binding = keyof typeof bindings;

/** The secret of the session in a request; undefined without one. */
export function readSessionSecret(request: FastifyRequest, home: CookieHome): string | undefined {
  return readCookie(request, cookieName(home, sessionName));
}

/** The secret that binds a sign-in to the browser that began it; empty without one. */
export function readBindingSecret(request: FastifyRequest, home: CookieHome, binding: Binding): string {
  return readCookie(request, cookieName(home, bindings[binding].name)) ?? '';
}

export function setSessionCookie(
  reply: FastifyReply,
  home: CookieHome,
  secret: string,
  expiresAt: Date,
): void {
  const maxAge = Math.max(0, Math.floor((expiresAt.getTime() - readClockMs()) / 1000));
  setCookie(reply, home, { name: sessionName, value: secret, maxAge });
}

export function clearSessionCookie(reply: FastifyReply, home: CookieHome): void {
  setCookie(reply, home, { name: sessionName, value: '', maxAge: 0 });
}

/** An empty secret removes the cookie. */
export function setBindingCookie(
  reply: FastifyReply,
  home: CookieHome,
  binding: Binding,
  secret: string,
): void {
  const { name, lastsS } = bindings[binding];
  setCookie(reply, home, { name, value: secret, maxAge: secret ? lastsS : 0 });
}

function setCookie(
  reply: FastifyReply,
  home: CookieHome,
  { name, value, maxAge }: { name: string; value: string; maxAge: number },
): void {
  const cookie = stringifySetCookie({
    name: cookieName(home, name),
    value,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(home),
    maxAge,
  });
  void reply.header('Set-Cookie', cookie);
}

function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  return headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[name];
}
