import 'reflect-metadata';
import { WorkflowHost } from '#libs/temporal-workers/workflow-host';
import { createLogger, installTemporalRuntime, nestLogger } from '#libs/logging/logging';
import { settingsOrExit } from '#libs/settings/boot';
import { createApi } from './create-api.ts';
import { HealthController } from './health/health.controller.ts';

const settings = settingsOrExit();
const logger = createLogger('api', settings.logLevel);
installTemporalRuntime(logger);
const app = await createApi(settings, { logger: nestLogger(logger) });
// A workflow worker beside the API makes starts eager: the first task comes back with the start itself.
const workflows = settings.startMode === 'eager' ? app.get(WorkflowHost).worker : null;
workflows?.start();
await app.listen(settings.port, settings.host);
logger.info({ url: await app.getUrl() }, 'the API is listening');

let stopping = false;
/** Readiness goes first, then new connections, then what is in flight, then the run's worker and the connections. */
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  HealthController.stopping = true;
  const server = app.getHttpServer().close();
  // A connection that has had its last answer would be kept alive for the next request, and this process with it.
  setInterval(() => server.closeIdleConnections(), 100).unref();
  await workflows?.stop();
  await app.close();
  process.exit(0);
}

process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
