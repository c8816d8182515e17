import { createServer, type Server } from 'node:http';
import type { HostedWorker } from '#libs/runs/temporal-workers/hosted-worker';
import type { Sandbox } from '#libs/platform/sandbox/sandbox';

/**
 * `/health/live` says that the process responds and can run all its workers. `/health/ready` says that each queue is polled and user code is
 * isolated.
 */
export function serveHealth(
  port: number,
  host: string,
  { workers, sandbox }: { workers: HostedWorker[]; sandbox: Sandbox },
): Promise<Server> {
  const server = createServer((request, response) => {
    void answer(request.url ?? '', workers, sandbox).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  return new Promise((resolve) => server.listen(port, host, () => resolve(server)));
}

async function answer(url: string, workers: HostedWorker[], sandbox: Sandbox) {
  if (url === '/health/live') {
    const lost = workers.filter(({ isLost }) => isLost).map(({ name }) => name);
    if (lost.length > 0) return { status: 503, body: { status: 'down', lost } };
    return { status: 200, body: { status: 'up' } };
  }
  if (url !== '/health/ready') return { status: 404, body: { error: 'No such page.' } };
  const queues = Object.fromEntries(workers.map(({ name, polling }) => [name, polling ? 'up' : 'down']));
  const walls = await sandbox.testedWalls();
  const up = workers.every(({ polling }) => polling) && walls.works;
  return { status: up ? 200 : 503, body: { status: up ? 'up' : 'down', queues, sandbox: walls } };
}
