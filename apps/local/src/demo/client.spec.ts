import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { freePort } from '../ports.ts';
import { Client } from './client.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }
});

/** An API that gives these statuses in turn, and counts. */
async function givenApi(port: number, ...statuses: number[]): Promise<{ calls: number }> {
  const seen = { calls: 0 };
  const server = createServer((request, response) => {
    seen.calls += 1;
    response.writeHead(statuses.shift() ?? 200).end(JSON.stringify({ key: request.headers['x-api-key'] }));
  });
  servers.push(server);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return seen;
}

const clientOf = (port: number) => new Client(`http://127.0.0.1:${port}`, 'hf_key');

describe('Client', () => {
  test('Client waits for an API that is away or not ready, when the request may be repeated', async () => {
    const port = await freePort();
    const client = clientOf(port);
    const answers = Promise.all([
      client.getJson('/a'),
      client.post('/b', {}, 'once'),
      client.putJson('/c', {}),
    ]);
    const seen = await givenApi(port, 503, 503, 503);

    expect(await answers).toEqual([{ key: 'hf_key' }, { key: 'hf_key' }, { key: 'hf_key' }]);
    expect(seen.calls).toBe(6);
  });

  test('Client never repeats a POST without a key', async () => {
    const port = await freePort();
    await expect(clientOf(port).post('/a', {})).rejects.toThrow('/a cannot be reached');
    const seen = await givenApi(port, 503);
    await expect(clientOf(port).post('/a', {})).rejects.toThrow('POST /a was answered with 503');
    expect(seen.calls).toBe(1);
  });

  test('Client throws with the message of the error response', async () => {
    const port = await freePort();
    await givenApi(port, 404);
    await expect(clientOf(port).getJson('/a')).rejects.toThrow(
      'GET /a was answered with 404: {"key":"hf_key"}',
    );
  });
});
