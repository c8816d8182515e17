import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';

/** The compiled bare workflows, for the SDK's own bundler. */
export const workflowsPath = fileURLToPath(new URL('./bare-workflows.js', import.meta.url));

/** The other side of the comparison: a worker with the defaults of the SDK. */
async function main(): Promise<void> {
  const connection = await NativeConnection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' });
  const worker = await Worker.create({
    connection,
    taskQueue: process.env['TASK_QUEUE'] ?? '',
    workflowsPath,
    activities: { call: async (url: string) => (await fetch(url)).text().then(({ length }) => length) },
  });
  process.on('SIGTERM', () => worker.shutdown());
  await worker.run();
  await connection.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
