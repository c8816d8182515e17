/**
 * Records the histories that replay.spec.ts replays, by running the product:
 *
 *     npm run build && node dist/temporal/test/record.js [name ...]
 *
 * The files are in temporal/histories/v<version>/, one for each behaviour. Histories of a released version are never
 * recorded again, because runs of that version may still be under way. After a raise of the version the next
 * histories are recorded into a folder of their own.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Receiver } from '#apps/api/test/support/receiver';
import { Stack } from '#apps/api/test/support/stack';
import setUp from '#apps/local/src/testing';
import tearDown from '#apps/local/src/testing-teardown';
import { inTemporal, scenarios, type Ground } from './scenarios.ts';
import { formatHistory, scrubbed } from './scrub.ts';

async function main(names: string[]): Promise<void> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  const folder = `temporal/histories/v${version}`;
  await mkdir(folder, { recursive: true });
  await setUp();
  const ground = await prepare();
  try {
    for (const name of names) {
      const id = await scenarios[name]?.(ground);
      if (!id) throw new Error(`There is no scenario ${name}.`);
      const history = await recorded(ground, id);
      await writeFile(`${folder}/${name}.json`, formatHistory(history));
      process.stdout.write(`${folder}/${name}.json\n`);
    }
  } finally {
    ground.receiver.stop();
    await ground.stack.stop();
    await ground.temporal.connection.close();
    await tearDown();
  }
}

async function prepare(): Promise<Ground> {
  const receiver = await Receiver.start((_, response) => {
    if (receiver.received.length <= 2) response.statusCode = 500;
    response.end('{}');
  });
  const stack = await Stack.start({ ROLES: 'api' });
  const connection = await Connection.connect({ address: stack.env.TEMPORAL_ADDRESS });
  return { receiver, stack, temporal: new Client({ connection }) };
}

/** The history of a run that has ended, whichever way. */
async function recorded({ temporal }: Ground, id: string): Promise<{ events: unknown[] }> {
  const handle = await inTemporal(temporal, id);
  await handle.result().catch(() => undefined);
  const { events } = JSON.parse(historyToJSON(await handle.fetchHistory()));
  return { events: events.map((event: never) => scrubbed(event)) };
}

await main(process.argv.length > 2 ? process.argv.slice(2) : Object.keys(scenarios));
process.exit(0);
