import { fastify, type FastifyInstance } from 'fastify';
import { Unavailable } from '#libs/platform/errors/errors';
import { refuseUnderPressure } from './pressure.ts';

let server: FastifyInstance;
let url: string;

beforeAll(async () => {
  server = fastify();
  server.setErrorHandler((error, _, reply) => reply.status(error instanceof Unavailable ? 503 : 500).send());
  await refuseUnderPressure(server, 100);
  server.get('/keyed', { config: { needsKey: 'api' } }, () => 'served');
  server.get('/open', () => 'served');
  url = await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

const statusOf = async (path: string) => (await fetch(url + path)).status;

/** Blocks the event loop for `ms`. */
function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

test('calls with a key are refused while the event loop runs behind, and served when it has caught up', async () => {
  expect(await statusOf('/keyed')).toBe(200);
  const statuses: number[] = [];
  for (let tries = 0; !statuses.includes(503) && tries < 50; tries++) {
    block(400);
    statuses.push(await statusOf('/keyed'));
  }
  expect(statuses.at(-1)).toBe(503);
  expect(await statusOf('/open')).toBe(200);
  // The average covers three seconds. A quick machine fills them with more calls than any number of tries.
  for (const until = performance.now() + 60_000; statuses.at(-1) !== 200 && performance.now() < until;)
    statuses.push(await statusOf('/keyed'));
  expect(statuses.at(-1)).toBe(200);
});
