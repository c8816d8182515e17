import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { WorkflowHost } from '#libs/temporal-workers/workflow-host';
import { createLogger, installTemporalRuntime, nestLogger } from '#libs/logging/logging';
import { Sandbox } from '#libs/sandbox/sandbox';
import { settingsOrExit } from '#libs/settings/boot';
import { MaintenanceLoops } from './maintenance-loops.ts';
import { EffectHost } from './effect-host.ts';
import { ImportHost } from './imports/import-host.ts';
import { IngestionHost } from './ingestion/ingestion-host.ts';
import { serveHealth } from './health.ts';
import { WorkerModule } from './worker.module.ts';

const settings = settingsOrExit();
const logger = createLogger('worker', settings.logLevel);
installTemporalRuntime(logger);
const app = await NestFactory.createApplicationContext(WorkerModule, {
  logger: nestLogger(logger),
  abortOnError: false,
});
const loops = app.get(MaintenanceLoops);
const workers = [
  app.get(WorkflowHost).worker,
  ...app.get(EffectHost).workers,
  ...app.get(IngestionHost).workers,
  app.get(ImportHost).worker,
];

for (const worker of workers) worker.start();
loops.start();
const health = await serveHealth(settings.workerHealthPort, settings.host, {
  workers,
  sandbox: app.get(Sandbox),
});
logger.info({ queue: settings.queue, healthPort: settings.workerHealthPort }, 'the worker is running');

let stopping = false;
/** Stops polling, waits for the tasks in flight within their grace, then closes the connections. */
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  health.close();
  await loops.stop();
  await Promise.all(workers.map((worker) => worker.stop()));
  await app.close();
  process.exit(0);
}

process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
