import type { LoggerService } from '@nestjs/common';
import { type LogLevel, Runtime } from '@temporalio/worker';
import { pino, type Logger } from 'pino';

/** Names under which something that opens a door could reach a log line. */
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

/** JSON lines on standard output; what could open a door is left out by name and by the shape of our own keys. */
export function createLogger(name: string, level: string): Logger {
  return pino({
    name,
    level,
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
  });
}

function withoutKeys(text: string): string {
  return text.replaceAll(/sk-holdfast-[0-9A-Za-z]+/g, 'sk-holdfast-[redacted]');
}

/** The same lines for Nest and for everything that logs through it. */
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
  // Nest's own boot lines say which route was mapped; they are noise on each start.
  return {
    log: at('debug'),
    debug: at('debug'),
    verbose: at('debug'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
  };
}

/** A worker tells its state at every start and stop; that is news to nobody but a developer. */
const levels = { TRACE: 'trace', DEBUG: 'trace', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** Once a process, before any connection: the SDK's own signal handlers would race ours. */
export function installTemporalRuntime(logger: Logger): void {
  const child = logger.child({ component: 'temporal' });
  const log = (level: LogLevel, message: string, meta: object = {}) => child[levels[level]](meta, message);
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
    telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } } },
  });
}
