import 'reflect-metadata';
import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { Database } from '#libs/platform/database/database';
import { createLogger, installTemporalRuntime, nestLogger } from '#libs/platform/telemetry/logging/logging';
import { stopOnSignal } from '#libs/platform/telemetry/logging/stop-on-signal';
import { formatAddress, freeAddress, serveMetrics } from '#libs/platform/telemetry/metrics/serve-metrics';
import { watchPools } from '#libs/platform/telemetry/metrics/watch-pools';
import { startTracing } from '#libs/platform/telemetry/tracing/tracing';
import { settingsOrExit } from '#libs/platform/settings/boot';
import { orExit } from '#libs/platform/settings/cannot-start';
import { keepKeyIds } from '#libs/platform/temporal-client/payload-keys';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import { refuseOtherSecret } from '#libs/workspace/auth/secret-check';
import { WorkerModule } from '#libs/worker/worker.module';
import { WorkerRole } from '#libs/worker/worker-role';

const settings = settingsOrExit();
const logger = createLogger('worker', settings);
const { workerPort } = settings.metrics;
const sdkAddress = workerPort === null ? undefined : await freeAddress();
installTemporalRuntime(logger, sdkAddress);
const endTraces = settings.traces ? await startTracing('holdfast-worker', settings.traces) : undefined;
const app = await orExit(
  NestFactory.createApplicationContext(WorkerModule, { logger: nestLogger(logger), abortOnError: false }),
);
await orExit(refuseOtherSecret(app.get(Database), settings.secret));
await orExit(keepKeyIds(app.get(Database), settings.payloadKeys));
await orExit(app.get(TemporalClient).refuseOtherEngine());
const role = app.get(WorkerRole);
let metrics: Server | undefined;
const giveUp = stopOnSignal(stop, logger);
await role.start(giveUp);
if (workerPort !== null && sdkAddress) {
  watchPools(app.get(Database));
  role.watchWork();
  metrics = await serveMetrics({ ...settings.metrics, port: workerPort, sdkAddress });
  logger.info({ address: formatAddress(metrics) }, 'metrics are served');
}
logger.info({ queue: settings.queue, healthPort: settings.workerHealthPort }, 'the worker is running');

/** Stops the work of this process, then closes the connections. */
async function stop(): Promise<void> {
  metrics?.close();
  await role.stop();
  await app.close();
  await endTraces?.();
}
