import 'reflect-metadata';
import type { Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Database } from '#libs/platform/database/database';
import { WorkflowHost } from '#libs/runs/temporal-workers/workflow-host';
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
import { DirectEffects } from '#libs/worker/direct-effects';
import { WorkerRole } from '#libs/worker/worker-role';
import { createApi } from './create-api.ts';
import { HealthController } from './health/health.controller.ts';

const settings = settingsOrExit();
const logger = createLogger('api', settings);
const { port: metricsPort } = settings.metrics;
const sdkAddress = metricsPort === null ? undefined : await freeAddress();
installTemporalRuntime(logger, sdkAddress);
const endTraces = settings.traces ? await startTracing('holdfast-api', settings.traces) : undefined;
const app = await orExit(
  createApi({ ...settings, metricsOn: metricsPort !== null }, { logger: nestLogger(logger) }),
);
await orExit(refuseOtherSecret(app.get(Database), settings.secret));
await orExit(keepKeyIds(app.get(Database), settings.payloadKeys));
await orExit(app.get(TemporalClient).refuseOtherEngine());
// A workflow worker in this process makes eager starts possible: Temporal returns the first task with the start itself.
const workflows = app.get(WorkflowHost).worker;
const role = settings.roles === 'api,worker' ? app.get(WorkerRole) : undefined;
let metrics: Server | undefined;
const giveUp = stopOnSignal(stop, logger);
if (role) {
  await role.start(giveUp);
} else {
  workflows.start();
  void workflows.lost.then(() =>
    giveUp('the worker of workflows cannot run again in this process, so it ends'),
  );
}
if (metricsPort !== null && sdkAddress) {
  watchPools(app.get(Database));
  role?.watchWork();
  metrics = await serveMetrics({ ...settings.metrics, port: metricsPort, sdkAddress });
  logger.info({ address: formatAddress(metrics) }, 'metrics are served');
}
await app.listen(settings.port, settings.host);
logger.info({ url: await app.getUrl() }, 'the API is listening');

/**
 * Stops in this order: report not ready, refuse new connections, finish open requests, stop the worker and the
 * runs of this process, close connections.
 */
async function stop(): Promise<void> {
  HealthController.stopping = true;
  // After its next readiness check a load balancer sends nothing more here.
  await setTimeout(settings.shutdownDelayMs);
  const server = app.getHttpServer().close();
  // Otherwise an idle keep-alive connection would keep this process alive.
  setInterval(() => server.closeIdleConnections(), 100).unref();
  await Promise.all([role?.stop() ?? workflows.stop(), app.get(DirectEffects).stop()]);
  metrics?.close();
  await app.close();
  await endTraces?.();
}
