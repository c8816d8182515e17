import 'reflect-metadata';
import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { Database } from '#libs/platform/database/database';
import { InlineStartOutbox } from '#libs/runs/executions/deliver/inline-start-outbox';
import { StartOutbox } from '#libs/runs/executions/deliver/start-outbox';
import { AnswerOutbox } from '#libs/runs/pauses/answer-outbox';
import { DocumentOutbox } from '#libs/knowledge/ingestion/document-outbox';
import { ImportOutbox } from '#libs/tables/files/import-outbox';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import { WorkflowHost } from '#libs/runs/temporal-workers/workflow-host';
import { createLogger, installTemporalRuntime, nestLogger } from '#libs/platform/telemetry/logging/logging';
import { stopOnSignal } from '#libs/platform/telemetry/logging/stop-on-signal';
import { formatAddress, freeAddress, serveMetrics } from '#libs/platform/telemetry/metrics/serve-metrics';
import { watchPools } from '#libs/platform/telemetry/metrics/watch-pools';
import { startTracing } from '#libs/platform/telemetry/tracing/tracing';
import { Sandbox } from '#libs/platform/sandbox/sandbox';
import { settingsOrExit } from '#libs/platform/settings/boot';
import { orExit } from '#libs/platform/settings/cannot-start';
import { refuseOtherSecret } from '#libs/workspace/auth/secret-check';
import { MaintenanceLoops } from '#libs/worker/maintenance-loops';
import { WorkerEnds } from '#libs/worker/effects/worker-ends';
import { EffectHost } from '#libs/worker/effect-host';
import { ImportHost } from '#libs/worker/imports/import-host';
import { IngestionHost } from '#libs/worker/ingestion/ingestion-host';
import { serveHealth } from './health.ts';
import { watchQueues, watchOutboxes } from './watch-work.ts';
import { WorkerModule } from '#libs/worker/worker.module';

const settings = settingsOrExit();
const logger = createLogger('worker', settings);
const { workerPort } = settings.metrics;
const sdkAddress = workerPort === null ? undefined : await freeAddress();
installTemporalRuntime(logger, sdkAddress);
const endTraces = settings.traces ? await startTracing('holdfast-worker', settings.traces) : undefined;
const app = await NestFactory.createApplicationContext(WorkerModule, {
  logger: nestLogger(logger),
  abortOnError: false,
});
await orExit(refuseOtherSecret(app.get(Database), settings.secret));
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
let metrics: Server | undefined;
if (workerPort !== null && sdkAddress) {
  watchPools(app.get(Database));
  watchOutboxes({
    executions: () => app.get(StartOutbox).lag(),
    inline_starts: () => app.get(InlineStartOutbox).lag(),
    ended_runs: () => app.get(InlineStartOutbox).endedLag(),
    answers: () => app.get(AnswerOutbox).lag(),
    documents: () => app.get(DocumentOutbox).lag(),
    imports: () => app.get(ImportOutbox).lag(),
  });
  const [, ...activities] = workers.map(({ name }) => name);
  watchQueues(app.get(TemporalClient), settings.queue, activities);
  metrics = await serveMetrics({ ...settings.metrics, port: workerPort, sdkAddress });
  logger.info({ address: formatAddress(metrics) }, 'metrics are served');
}
logger.info({ queue: settings.queue, healthPort: settings.workerHealthPort }, 'the worker is running');

/**
 * Stops polling and the maintenance loops at the same moment, waits for running tasks within their grace time, then
 * closes the connections.
 */
async function stop(): Promise<void> {
  health.close();
  metrics?.close();
  await Promise.all([...workers, loops].map((one) => one.stop()));
  await app.close();
  await endTraces?.();
}

const giveUp = stopOnSignal(stop, logger);
for (const { name, lost } of workers)
  void lost.then(async (atMs) => {
    await app.get(WorkerEnds).noteEnd(atMs);
    giveUp(`the worker ${name} cannot run again in this process, so it ends`);
  });
