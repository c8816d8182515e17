import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { HostedWorker } from '../hosted-worker.ts';

/** A message that no failure of the product has: Temporal's library cannot send it, and cannot replace the worker then. */
const undecodable = 'half an emoji \ud83d';

/** Runs a worker that fails at its first activity, and ends with 7 once that worker says that it is lost. */
async function main([address = '', taskQueue = '']: string[]): Promise<void> {
  Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('ERROR', () => undefined) });
  const native = await NativeConnection.connect({ address });
  const temporal = { nativeConnection: async () => native, reachable: async () => true };
  // Temporal's own converter sends the message as it is. The product's screens it.
  const activities = { stop: () => Promise.reject(new Error(undecodable)) };
  const hosted = new HostedWorker(taskQueue, temporal, (connection) =>
    Worker.create({ connection, taskQueue, activities }),
  );
  hosted.start();
  const { activity } = new Client({ connection: await Connection.connect({ address }) });
  await activity.start('stop', { id: taskQueue, taskQueue, startToCloseTimeout: '1m' });
  await hosted.lost;
  await hosted.stop();
  process.exit(hosted.isLost && !hosted.polling ? 7 : 1);
}

await main(process.argv.slice(2));
