import { parse, serialize } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

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
const bindingName = 'holdfast_sign_in';
const bindingLastsS = 600;

/** The secret of the session in a request; undefined without one. */
export function sessionSecretOf(request: FastifyRequest, home: CookieHome): string | undefined {
  return cookieOf(request, cookieName(home, sessionName));
}

/** The secret that binds a sign-in at a provider to the browser that began it. */
export function bindingSecretOf(request: FastifyRequest, home: CookieHome): string {
  return cookieOf(request, cookieName(home, bindingName)) ?? '';
}

export function setSessionCookie(
  reply: FastifyReply,
  home: CookieHome,
  secret: string,
  expiresAt: Date,
): void {
  const maxAge = Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000));
  setCookie(reply, home, { name: sessionName, value: secret, maxAge });
}

export function clearSessionCookie(reply: FastifyReply, home: CookieHome): void {
  setCookie(reply, home, { name: sessionName, value: '', maxAge: 0 });
}

/** An empty secret removes the cookie. */
export function setBindingCookie(reply: FastifyReply, home: CookieHome, secret: string): void {
  setCookie(reply, home, { name: bindingName, value: secret, maxAge: secret ? bindingLastsS : 0 });
}

function setCookie(
  reply: FastifyReply,
  home: CookieHome,
  { name, value, maxAge }: { name: string; value: string; maxAge: number },
): void {
  const cookie = serialize(cookieName(home, name), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(home),
    maxAge,
  });
  void reply.header('Set-Cookie', cookie);
}

function cookieOf({ headers }: FastifyRequest, name: string): string | undefined {
  return headers.cookie === undefined ? undefined : parse(headers.cookie)[name];
}
