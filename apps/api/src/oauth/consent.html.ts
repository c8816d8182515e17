import { type Html, markup, page, pageHeaders } from '../http/html.ts';
import type { SignedInReader } from './consenters.ts';

export interface ConsentRequest {
  /** The name that the client gives itself. It proves nothing. */
  clientName: string;
  /** The host of its metadata document. Only its owner can use it. */
  clientHost: string;
  /** The URL to which the browser goes afterwards. */
  redirectUri: string;
  /** The URL of the MCP server. */
  resource: string;
  scopes: string[];
  /** The path of the page, for the way back from a sign-in. */
  path: string;
}

/**
 * The headers of the page. Browsers apply the form rule of the policy to the redirect after the form too. The form must
 * send its origin, which guards a session; a page without referrers would send none.
 */
export function consentHeaders(redirectUri: string): Record<string, string> {
  const { origin, protocol } = new URL(redirectUri);
  const target = origin === 'null' ? protocol : origin;
  const policy = pageHeaders['Content-Security-Policy'].replace(
    `form-action 'self'`,
    `form-action 'self' ${target}`,
  );
  return { ...pageHeaders, 'Content-Security-Policy': policy, 'Referrer-Policy': 'same-origin' };
}

export function consentPage(
  request: ConsentRequest,
  { reader, fault }: { reader: SignedInReader | null; fault?: string },
): string {
  const { clientName, clientHost, redirectUri, resource, scopes } = request;
  const mayRun = scopes.some((scope) => scope.startsWith('execute:'));
  const body = markup`
<p><strong dir="auto">${clientName}</strong> of <span class="host">${clientHost}</span> wants to use an MCP server of this Holdfast for you.</p>
<dl>
<div class="pair"><dt>Server</dt><dd class="host">${resource}</dd></div>
<div class="pair"><dt>It may</dt><dd>${mayRun ? 'run the workflows that the server offers, also those that editors of the workspace add to it later, and read its tools and results' : 'read the tools of the server and their results'}</dd></div>
<div class="pair"><dt>It may not</dt><dd>answer a pause for you, unless the author of the pause lets agents answer; use anything else of the workspace</dd></div>
<div class="pair"><dt>You go back to</dt><dd class="host">${redirectUri}</dd></div>
</dl>
${fault !== undefined && markup`<div class="faults" role="alert"><p>${fault}</p></div>`}
${reader ? readerForm(reader, request.path) : keyForm(request.path, fault !== undefined)}`;
  return page('May this client act for you?', body);
}

const deny = markup`<p><button name="decision" value="deny" class="quiet">Do not allow</button></p>`;

const signInUrl = (path: string) => `/console/sign-in?${new URLSearchParams({ to: path })}`;

function readerForm({ userId, email, isRecent }: SignedInReader, path: string): Html {
  const who = markup`<p>You are signed in as <strong class="host">${email}</strong>.</p>`;
  const allow = isRecent
    ? markup`<p class="hint">The client gets a key of its own. Your account lists it among your keys, and you can revoke it there.</p>
<p><button name="decision" value="allow">Allow</button></p>`
    : markup`<p class="hint">Your sign-in is more than an hour old. <a href="${signInUrl(path)}">Sign in again</a> to allow it.</p>`;
  return markup`<form method="post">${who}<input type="hidden" name="user" value="${userId}">${allow}
${deny}</form>`;
}

function keyForm(path: string, isWrong: boolean): Html {
  return markup`<form method="post">
<p><a href="${signInUrl(path)}">Sign in</a>, or show a personal key.</p>
<div class="field"><label for="key">Your personal key</label>
<p class="hint" id="about-key">Holdfast sees it, the client does not. What you allow ends when you revoke this key.</p>
<input id="key" name="key" type="password" autocomplete="off" spellcheck="false" aria-describedby="about-key"${isWrong && markup` aria-invalid="true"`}></div>
<p><button name="decision" value="allow">Allow</button></p>
${deny}
</form>`;
}

/** The page for a request that cannot be sent back to its client. */
export function refusedPage(code: string, description = ''): string {
  const title = code === 'server_error' ? 'This did not work just now' : 'This request cannot be allowed';
  const message =
    description === ''
      ? 'Please start again from your client.'
      : `${sentence(description)} Please start again from your client.`;
  return page(title, markup`<p>${message}</p><p class="hint">Error <code>${code}</code></p>`);
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
