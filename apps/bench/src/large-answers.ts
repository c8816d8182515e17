import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

/** Large answers of a server, by their paths. */
const builds = {
  objects: () =>
    JSON.stringify(Array.from({ length: 160_000 }, (_, n) => ({ id: n, name: `the object ${n}`, b: true }))),
  empty: () => `[${'{},'.repeat(3_400_000)}{}]`,
  text: () => JSON.stringify({ text: 'some words '.repeat(700_000) }),
};
export type LargeAnswer = keyof typeof builds;

/** Starts a server with large answers, in a thread, so that the bench does not wait for it. Resolves to its URL. */
export async function startLargeAnswers(): Promise<{ url: string; stop(): Promise<unknown> }> {
  const thread = new Worker(fileURLToPath(import.meta.url));
  const url = await new Promise<string>((resolve, reject) => {
    thread.once('message', resolve).once('error', reject);
  });
  return { url, stop: () => thread.terminate() };
}

function serve(): void {
  const bodies = new Map(Object.entries(builds).map(([name, build]) => [`/${name}`, Buffer.from(build())]));
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json').end(bodies.get(request.url ?? ''));
  });
  server.listen(0, '127.0.0.1', () => {
    parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

if (!isMainThread) serve();
