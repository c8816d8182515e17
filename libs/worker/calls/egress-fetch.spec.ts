import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Egress } from '#libs/platform/egress/egress';
import { openGate } from '#libs/platform/egress/support/given';
import { soon } from '#libs/platform/settings/support/soon';
import { EgressFetch } from './egress-fetch.ts';

type Message = { id?: number; method: string };
const initialized = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'open', version: '1' },
};

/** Calls a tool of a server that never ends an answer. `tell` writes the answer to the call. */
async function callTool(tell: (response: ServerResponse, id: number) => unknown) {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(parts).toString()) as Message;
      if (id === undefined) return response.writeHead(202).flushHeaders();
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      if (method === 'initialize') write(response, { id, result: initialized });
      else tell(response, id);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const egress = new Egress({ allow: ['127.0.0.1'] });
  const door = doorTo(egress);
  const client = new Client({ name: 'test', version: '1' });
  const address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  try {
    await client.connect(new StreamableHTTPClientTransport(address, { fetch: door.fetch }));
    return await client.callTool({ name: 'add', arguments: {} });
  } finally {
    await client.close();
    // The egress has closed the connections whose answers it left.
    await soon(async () => (await connectionsOf(server)) === 0);
    await egress.close();
    server.close();
  }
}

const doorTo = (egress: Egress) =>
  new EgressFetch(egress, { timeoutMs: 200_000, signal: new AbortController().signal, gate: openGate });

const connectionsOf = (server: ReturnType<typeof createServer>) =>
  new Promise<number>((resolve) => {
    server.getConnections((_, count) => resolve(count));
  });
const write = (response: ServerResponse, message: object) =>
  response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
const result = { content: [{ type: 'text', text: 'Ä 42' }] };

describe('the answer of an MCP server that leaves its streams open', () => {
  test('the answer of an MCP server that leaves its streams open is taken, also when it comes byte by byte', async () => {
    const found = await callTool(async (response, id) => {
      const event = `: note\r\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\r\n\r\n`;
      for (const byte of Buffer.from(event)) {
        response.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
    });
    expect(found).toEqual(result);
  });

  test('the answer of an MCP server that leaves its streams open is awaited behind messages of the server', async () => {
    const found = await callTool((response, id) => {
      write(response, { method: 'notifications/message', params: { level: 'info', data: 'begun' } });
      write(response, { id, method: 'ping' });
      write(response, { id: id + 1000, result: { content: [] } });
      setImmediate(() => write(response, { id, result }));
    });
    expect(found).toEqual(result);
  });

  test('the answer of an MCP server that leaves its streams open may have 3 MB', async () => {
    const text = 'x'.repeat(3_000_000);
    const found = await callTool((response, id) =>
      write(response, { id, result: { content: [{ type: 'text', text }] } }),
    );
    expect(found.content).toEqual([{ type: 'text', text }]);
  });

  test('the answer of an MCP server that leaves its streams open is awaited by each of two requests', async () => {
    let first: ServerResponse | undefined;
    const server = createServer((request, response) => {
      request.on('data', (part: Buffer) => {
        const { id } = JSON.parse(part.toString()) as Message;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        // The first answer begins behind the second request.
        if (id === 1) first = response;
        else write(response, { id, result });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const egress = new Egress({ allow: ['127.0.0.1'] });
    const door = doorTo(egress);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const ask = async (id: number) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call' });
      return (await door.fetch(url, { method: 'POST', body })).text();
    };
    const asked = ask(1);
    await soon(() => first !== undefined);
    expect(await ask(2)).toContain('"id":2');
    if (first) write(first, { method: 'notifications/progress' });
    if (first) write(first, { id: 1, result });
    expect(await asked).toContain('"id":1');
    await egress.close();
    server.close();
  });
});
