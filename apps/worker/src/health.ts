import { createServer, type Server } from 'node:http';
import type { HostedWorker } from '#libs/temporal-workers/hosted-worker';
import type { Sandbox } from '#libs/sandbox/sandbox';

/** `/health/live` says that the process responds, `/health/ready` that each queue is polled and user code is isolated. */
export function serveHealth(
  port: number,
  host: string,
  parts: { workers: HostedWorker[]; sandbox: Sandbox },
): Promise<Server> {
  const server = createServer((request, response) => {
    void answer(request.url ?? '', parts).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  return new Promise((resolve) => server.listen(port, host, () => resolve(server)));
}

async function answer(url: string, { workers, sandbox }: { workers: HostedWorker[]; sandbox: Sandbox }) {
  if (url === '/health/live') return { status: 200, body: { status: 'up' } };
  if (url !== '/health/ready') return { status: 404, body: { error: 'No such page.' } };
  const queues = Object.fromEntries(workers.map(({ name, polling }) => [name, polling ? 'up' : 'down']));
  const walls = await sandbox.selfTest();
  const up = workers.every(({ polling }) => polling) && walls.works;
  return { status: up ? 200 : 503, body: { status: up ? 'up' : 'down', queues, sandbox: walls } };
}
