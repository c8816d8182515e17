import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { TooMany } from '#libs/platform/errors/errors';
import { OpenCalls } from './open-calls.ts';

test('OpenCalls limits the open calls of each caller, and stops counting a call when its client has gone', async () => {
  const calls = new OpenCalls(2);
  const server = createServer((request, response) => take(calls, request, response)).listen(0);
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const open = async (owner: string) => {
    const end = new AbortController();
    const { status } = await fetch(`${url}/${owner}`, { signal: end.signal });
    return { status, end: () => end.abort() };
  };
  const [first, second, third] = [await open('ann'), await open('ann'), await open('ann')];
  expect([first.status, second.status, third.status]).toEqual([200, 200, 429]);
  expect((await open('bob')).status).toBe(200);
  const closed = new Promise((resolve) => server.once('gone', resolve));
  first.end();
  await closed;
  expect((await open('ann')).status).toBe(200);
  server.closeAllConnections();
  server.close();

  /** Admits the call and keeps its response open. */
  function take(admitting: OpenCalls, { url: path = '' }: IncomingMessage, response: ServerResponse): void {
    try {
      admitting.admit(path, response);
      response.once('close', () => server.emit('gone'));
      response.writeHead(200).flushHeaders();
    } catch (error) {
      response.writeHead(error instanceof TooMany ? 429 : 500).end();
    }
  }
});
