import { createServer, type Server } from 'node:http';
import type { HostedWorker } from '#libs/runs/temporal-workers/hosted-worker';
import type { Sandbox, SandboxIsolation } from '#libs/platform/sandbox/sandbox';

/** A test of the sandbox starts processes and keeps a core busy, so callers within this time share one result. */
const testedForMs = 10_000;

/** Returns the result of a sandbox test that is at most ten seconds old. Callers during a test wait for its result. */
export function testedWalls(
  sandbox: Pick<Sandbox, 'selfTest'>,
  forMs = testedForMs,
): () => Promise<SandboxIsolation> {
  let tested: { walls: Promise<SandboxIsolation>; until: number } | null = null;
  return () => {
    if (!tested || tested.until < performance.now()) {
      const walls = sandbox.selfTest();
      const mine = { walls, until: Infinity };
      tested = mine;
      const settled = () => (mine.until = performance.now() + forMs);
      void walls.then(settled, settled);
    }
    return tested.walls;
  };
}

/**
 * `/health/live` says that the process responds and can run all its workers. `/health/ready` says that each queue is polled and user code is
 * isolated.
 */
export function serveHealth(
  port: number,
  host: string,
  { workers, sandbox }: { workers: HostedWorker[]; sandbox: Sandbox },
): Promise<Server> {
  const walls = testedWalls(sandbox);
  const server = createServer((request, response) => {
    void answer(request.url ?? '', workers, walls).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  return new Promise((resolve) => server.listen(port, host, () => resolve(server)));
}

async function answer(url: string, workers: HostedWorker[], testWalls: () => Promise<SandboxIsolation>) {
  if (url === '/health/live') {
    const lost = workers.filter(({ isLost }) => isLost).map(({ name }) => name);
    if (lost.length > 0) return { status: 503, body: { status: 'down', lost } };
    return { status: 200, body: { status: 'up' } };
  }
  if (url !== '/health/ready') return { status: 404, body: { error: 'No such page.' } };
  const queues = Object.fromEntries(workers.map(({ name, polling }) => [name, polling ? 'up' : 'down']));
  const walls = await testWalls();
  const up = workers.every(({ polling }) => polling) && walls.works;
  return { status: up ? 200 : 503, body: { status: up ? 'up' : 'down', queues, sandbox: walls } };
}
