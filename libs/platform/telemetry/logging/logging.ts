import type { LoggerService } from '@nestjs/common';
import { type LogLevel, Runtime } from '@temporalio/worker';
import { type DestinationStream, pino, type Logger, type LoggerOptions, stdTimeFunctions } from 'pino';
import type { Settings } from '#libs/platform/settings/settings';
import { toLogFields, scope } from '../tracing/scope.ts';
import { errorFields } from './error-fields.ts';

/** Names of fields that may hold a credential. */
const secretNames = [
  'authorization',
  'cookie',
  'x-api-key',
  'apiKey',
  'value',
  'secret',
  'password',
  'token',
];

/** A logger that writes JSON lines to standard output. It hides fields whose names look like credentials, and texts in the form of our keys. */
export function createLogger(
  name: string,
  { logLevel: level, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>,
  target?: DestinationStream,
): Logger {
  const options: LoggerOptions = {
    name,
    level,
    ...(logFormat === 'names' ? named : {}),
    mixin: () => toLogFields(scope.getStore() ?? {}),
    redact: {
      paths: secretNames.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `headers["${key}"]`]),
      censor: '[redacted]',
    },
    hooks: {
      logMethod(args, method) {
        const [first, ...rest] = args;
        method.apply(this, typeof first === 'string' ? [withoutKeys(first), ...rest] : args);
      },
    },
  };
  return target ? pino(options, target) : pino(options);
}

const named: LoggerOptions = {
  formatters: { level: (level) => ({ level }) },
  timestamp: stdTimeFunctions.isoTime,
};

function withoutKeys(text: string): string {
  return text.replaceAll(/sk-holdfast-[0-9A-Za-z]+/g, 'sk-holdfast-[redacted]');
}

/** A logger for Nest that writes the same lines. An object gives the fields of the line, with the text in `msg`. */
export function nestLogger(logger: Logger): LoggerService {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error' | 'fatal') =>
    (message: unknown, ...rest: unknown[]) => {
      const text = message instanceof Error ? (message.stack ?? message.message) : String(message);
      logger[level](
        { context: rest.at(-1), ...(rest.length > 1 ? { detail: rest[0] } : {}) },
        withoutKeys(text),
      );
    };
  const texts = at('debug');
  // At each start Nest logs every route. These lines are left out.
  return {
    log: (message: unknown, ...rest: unknown[]) =>
      isLine(message) ? logger.info({ context: rest.at(-1), ...message }) : texts(message, ...rest),
    debug: at('debug'),
    verbose: at('debug'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
  };
}

const isLine = (message: unknown): message is object =>
  typeof message === 'object' && message !== null && !(message instanceof Error);

/** Log levels by the levels of Temporal's SDK. Its messages about each start and stop of a worker are logged at debug level. */
const levels = { TRACE: 'trace', DEBUG: 'trace', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** Buckets in seconds. The SDK's own buckets begin at 50 ms, and most of our times are shorter. */
const sdkBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300];
const sdkDurations = [
  'request_latency',
  'workflow_task_schedule_to_start_latency',
  'workflow_task_execution_latency',
  'workflow_endtoend_latency',
  'activity_schedule_to_start_latency',
  'activity_execution_latency',
  'local_activity_execution_latency',
];

/**
 * Installs the runtime of Temporal's SDK. Call it once in a process, before any connection, because otherwise the SDK's signal
 * handlers compete with ours. With `metricsAddress` the SDK serves its metrics there; without it, it has no metrics.
 */
export function installTemporalRuntime(logger: Logger, metricsAddress?: string): void {
  const child = logger.child({ component: 'temporal' });
  const log = (level: LogLevel, message: string, meta: SdkFields = {}) =>
    child[levels[level]](fieldsOfSdk(meta), message);
  const at = (level: LogLevel) => (message: string, meta?: object) => log(level, message, meta);
  Runtime.install({
    shutdownSignals: [],
    logger: {
      log,
      trace: at('TRACE'),
      debug: at('DEBUG'),
      info: at('INFO'),
      warn: at('WARN'),
      error: at('ERROR'),
    },
    telemetryOptions: {
      logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } },
      ...(metricsAddress ? { metrics: { prometheus: prometheusAt(metricsAddress) } } : {}),
    },
  });
}

interface SdkFields {
  workflowId?: unknown;
  error?: unknown;
  /** The reason why a run has failed. Its error does not contain it. */
  failed?: unknown;
}

/** The fields of a log line of the SDK. Errors have no text of users. */
function fieldsOfSdk({ error, failed, ...meta }: SdkFields): object {
  return {
    ...(meta.workflowId ? { executionId: meta.workflowId } : {}),
    ...meta,
    ...(error === undefined ? {} : { error: failed ?? errorFields(error) }),
  };
}

function prometheusAt(bindAddress: string) {
  const histogramBucketOverrides = Object.fromEntries(sdkDurations.map((name) => [name, sdkBuckets]));
  const names = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };
  return { bindAddress, histogramBucketOverrides, ...names };
}
