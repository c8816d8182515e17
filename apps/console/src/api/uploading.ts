import { readConnection } from '#libs/sdk/src/connection';
import { Transport } from '#libs/sdk/src/transport';
import { connection } from './connection.svelte.ts';

/** A large file takes long: this is the time-out of an upload. */
const timeout = 3_600_000;

/**
 * The way of one upload. `fetch` tells nobody how far it is, and Chromium sends no stream over HTTP/1.1, so the older way of
 * browsers sends the body and `ontold` gets the bytes that have left.
 */
export function uploader(ontold: (sent: number, total: number) => void): Transport {
  const fetch = connection.through((input, init) => send(String(input), init ?? {}, ontold));
  return new Transport(readConnection({ baseUrl: location.origin, fetch, maxRetries: 0, timeout }));
}

async function send(
  url: string,
  { method = 'POST', headers, body, signal }: RequestInit,
  ontold: (sent: number, total: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.responseType = 'blob';
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => ontold(loaded, total));
    request.addEventListener('load', () => {
      const { status, response } = request;
      resolve(new Response(response as Blob, { status, headers: parseHeaders(request) }));
    });
    request.addEventListener('error', () => reject(new TypeError('The connection broke.')));
    request.addEventListener('abort', () => reject(new DOMException('The upload was ended.', 'AbortError')));
    signal?.addEventListener('abort', () => request.abort());
    request.send(body as XMLHttpRequestBodyInit);
  });
}

function parseHeaders(request: XMLHttpRequest): Headers {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const at = line.indexOf(':');
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  return headers;
}
