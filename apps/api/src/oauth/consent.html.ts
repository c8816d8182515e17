import { markup, page, pageHeaders } from '../http/html.ts';

/** The request of a client. */
export interface ConsentRequest {
  /** The name that the client gives itself, which anybody may choose. */
  clientName: string;
  /** The address of its metadata document, which nobody else can choose. */
  clientHost: string;
  /** The address to which the browser goes afterwards. */
  redirectUri: string;
  /** The address of the MCP server. */
  resource: string;
  scopes: string[];
}

/** The headers of the page. Browsers hold the redirect that follows the form to the same rule as the form. */
export function consentHeaders(redirectUri: string): Record<string, string> {
  const { origin, protocol } = new URL(redirectUri);
  const target = origin === 'null' ? protocol : origin;
  const policy = pageHeaders['Content-Security-Policy'].replace(
    `form-action 'self'`,
    `form-action 'self' ${target}`,
  );
  return { ...pageHeaders, 'Content-Security-Policy': policy };
}

export function consentPage(request: ConsentRequest, fault?: string): string {
  const { clientName, clientHost, redirectUri, resource, scopes } = request;
  const mayRun = scopes.some((scope) => scope.startsWith('execute:'));
  const body = markup`
<p><strong dir="auto">${clientName}</strong> of <span class="host">${clientHost}</span> wants to use an MCP server of this Holdfast for you.</p>
<dl>
<div class="pair"><dt>Server</dt><dd class="host">${resource}</dd></div>
<div class="pair"><dt>It may</dt><dd>${mayRun ? 'run the workflows that the server offers, and read its tools and results' : 'read the tools of the server and their results'}</dd></div>
<div class="pair"><dt>It never may</dt><dd>answer a pause for you, unless the author of the pause lets agents answer; use anything else of the workspace</dd></div>
<div class="pair"><dt>You go back to</dt><dd class="host">${redirectUri}</dd></div>
</dl>
${fault !== undefined && markup`<div class="faults" role="alert"><p>${fault}</p></div>`}
<form method="post">
<div class="field"><label for="key">Your personal key</label>
<p class="hint" id="about-key">Holdfast sees it, the client does not. What you allow ends when you revoke this key.</p>
<input id="key" name="key" type="password" autocomplete="off" spellcheck="false" aria-describedby="about-key"${fault !== undefined && markup` aria-invalid="true"`}></div>
<p><button name="decision" value="allow">Allow</button></p>
<p><button name="decision" value="deny" class="quiet">Do not allow</button></p>
</form>`;
  return page('May this client act for you?', body);
}

/** The page for a request that cannot be sent back to its client. */
export function refusedPage(code: string, description = ''): string {
  const title = code === 'server_error' ? 'This did not work just now' : 'This request cannot be allowed';
  const said =
    description === ''
      ? 'Please start again from your client.'
      : `${sentence(description)} Please start again from your client.`;
  return page(title, markup`<p>${said}</p><p class="hint">Error <code>${code}</code></p>`);
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
