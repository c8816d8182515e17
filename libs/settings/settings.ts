import { fileURLToPath } from 'node:url';
import { Global, Module } from '@nestjs/common';
import { daysOf, payloadKeysOf, type PayloadKey } from './operation.ts';

/** The configuration of one process, read once from the environment. Wrong values stop the boot with their name. */
export class Settings {
  readonly databaseUrl: string;
  readonly databasePoolMax: number;
  readonly temporal: TemporalSettings;
  /** Derives every key of the installation; losing it makes all API keys, links and tenant secrets void. */
  readonly secret: string;
  readonly host: string;
  readonly port: number;
  /** Base of every link that leaves the system; never taken from a request. */
  readonly publicUrl: string;
  readonly workerHealthPort: number;
  readonly logLevel: string;
  /** How a run is started: by eager start on a workflow worker in the API's process, or by update-with-start. */
  readonly startMode: 'eager' | 'update';
  readonly queue: string;
  /** Longest time that a synchronous caller is kept waiting. Milliseconds. */
  readonly syncWaitMsMax: number;
  readonly activeMsMax: { sync: number; async: number };
  readonly pricePerExecution: number;
  /** How often the relay and the reconciler look, in milliseconds. */
  readonly relayEveryMs: number;
  readonly reconcileEveryMs: number;
  readonly bodyBytesMax: number;
  /** The workflow code, bundled at build time. */
  readonly workflowBundle: string;
  /** Runs that a worker keeps in memory; one that was put out is replayed when it goes on. */
  readonly cachedRunsMax: number;
  /** A run whose history has more events goes on in a new one; Temporal refuses those of 50,000. */
  readonly historyEventsMax: number;
  /** Effects that one worker carries out at the same time. */
  readonly ioSlots: number;
  readonly codeSlots: number;
  readonly llmSlots: number;
  /** Where blocks find a model when they do not say. */
  readonly llmBaseUrl: string;
  /** With what payloads are sealed before Temporal gets them; the first one seals, all open. Empty: they are not sealed. */
  readonly payloadKeys: PayloadKey[];
  /** Opens the codec endpoints to whoever has the token, and to browsers of one origin; null: there is no such path. */
  readonly codec: { token: string; origin: string } | null;
  /** The Temporal worker deployment that this process is a version of; null: workers are not versioned. */
  readonly deployment: { deploymentName: string; buildId: string } | null;
  /** Where mail is handed over and who it is from; null: no mail is sent. */
  readonly mail: { url: string; from: string } | null;
  /** How long an execution is kept after its end, in milliseconds; null: for ever. */
  readonly retentionMs: number | null;

  constructor(readonly env: NodeJS.ProcessEnv = process.env) {
    this.databaseUrl = text(env, 'DATABASE_URL');
    this.databasePoolMax = whole(env, 'DATABASE_POOL_MAX', 10, 1, 500);
    this.temporal = temporalSettings(env);
    this.secret = text(env, 'HOLDFAST_SECRET');
    if (this.secret.length < 32) throw new Error('HOLDFAST_SECRET must have at least 32 characters.');
    this.host = env.HOST ?? '127.0.0.1';
    this.port = whole(env, 'PORT', 3000, 0, 65_535);
    this.publicUrl = (env.PUBLIC_URL ?? `http://localhost:${this.port}`).replace(/\/+$/, '');
    this.workerHealthPort = whole(env, 'WORKER_HEALTH_PORT', 3001, 0, 65_535);
    this.logLevel = oneOf(env, 'LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info');
    this.startMode = oneOf(env, 'START_MODE', ['eager', 'update'], 'eager');
    this.queue = env.TASK_QUEUE ?? 'holdfast';
    this.syncWaitMsMax = whole(env, 'SYNC_WAIT_S', 300, 1, 3600) * 1000;
    this.activeMsMax = {
      sync: whole(env, 'SYNC_TIMEOUT_S', 3000, 1, 604_800) * 1000,
      async: whole(env, 'ASYNC_TIMEOUT_S', 5400, 1, 604_800) * 1000,
    };
    this.pricePerExecution = Number(env.PRICE_PER_EXECUTION ?? 0);
    this.relayEveryMs = whole(env, 'RELAY_EVERY_MS', 1000, 50, 60_000);
    this.reconcileEveryMs = whole(env, 'RECONCILE_EVERY_MS', 60_000, 200, 3_600_000);
    this.payloadKeys = payloadKeysOf(env.PAYLOAD_KEYS ?? '');
    this.codec = codecSettings(env, this.temporal.uiUrl);
    this.deployment = deploymentSettings(env);
    this.mail = mailSettings(env);
    this.retentionMs = daysOf(env.EXECUTION_RETENTION ?? '30');
    this.workflowBundle = env.WORKFLOW_BUNDLE ?? bundleFor(this.payloadKeys);
    this.ioSlots = whole(env, 'IO_SLOTS', 50, 1, 1000);
    this.codeSlots = whole(env, 'CODE_SLOTS', 4, 1, 100);
    this.historyEventsMax = whole(env, 'HISTORY_EVENTS_MAX', 8000, 50, 40_000);
    this.llmSlots = whole(env, 'LLM_SLOTS', 20, 1, 1000);
    this.llmBaseUrl = httpUrl(env, 'LLM_BASE_URL', 'https://api.openai.com/v1');
    this.cachedRunsMax = whole(env, 'CACHED_RUNS_MAX', 500, 1, 100_000);
    this.bodyBytesMax = whole(env, 'BODY_BYTES_MAX', 10 * 1024 * 1024, 1024, 100 * 1024 * 1024);
  }
}

export interface TemporalSettings {
  address: string;
  namespace: string;
  apiKey?: string;
  tls?: { ca?: string; cert?: string; key?: string; serverName?: string } | true;
  /** Base of the Temporal web UI, for links; empty when there is none. */
  uiUrl: string;
}

function temporalSettings(env: NodeJS.ProcessEnv): TemporalSettings {
  const files = { ca: env.TEMPORAL_TLS_CA, cert: env.TEMPORAL_TLS_CERT, key: env.TEMPORAL_TLS_KEY };
  const serverName = env.TEMPORAL_TLS_SERVER_NAME;
  const asked = env.TEMPORAL_TLS === 'true' || Boolean(env.TEMPORAL_API_KEY);
  const detailed = Boolean(files.ca || files.cert || files.key || serverName);
  return {
    address: env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233',
    namespace: env.TEMPORAL_NAMESPACE ?? 'default',
    apiKey: env.TEMPORAL_API_KEY,
    tls: detailed ? { ...files, serverName } : asked ? true : undefined,
    uiUrl: (env.TEMPORAL_UI_URL ?? '').replace(/\/+$/, ''),
  };
}

/** Where payloads are sealed, the workflow code must put its failure messages into payloads too: a bundle of its own. */
function bundleFor(keys: PayloadKey[]): string {
  const name = keys.length > 0 ? 'workflows.sealed.bundle.js' : 'workflows.bundle.js';
  return fileURLToPath(new URL(`../../temporal/${name}`, import.meta.url));
}

function codecSettings(env: NodeJS.ProcessEnv, uiUrl: string): Settings['codec'] {
  const token = env.CODEC_TOKEN;
  if (!token) return null;
  if (token.length < 32) throw new Error('CODEC_TOKEN must have at least 32 characters.');
  const url = env.CODEC_ORIGIN || uiUrl;
  if (url && !URL.canParse(url)) throw new Error(`CODEC_ORIGIN must be an origin: it is ${url}.`);
  return { token, origin: url ? new URL(url).origin : '' };
}

function mailSettings(env: NodeJS.ProcessEnv): Settings['mail'] {
  const { SMTP_URL: url, MAIL_FROM: from } = env;
  if (!url) return null;
  if (!URL.canParse(url) || !/^smtps?:$/.test(new URL(url).protocol))
    throw new Error('SMTP_URL must be an smtp or smtps URL.');
  if (!from) throw new Error('MAIL_FROM must be set beside SMTP_URL.');
  return { url, from };
}

function deploymentSettings(env: NodeJS.ProcessEnv): Settings['deployment'] {
  const { DEPLOYMENT_NAME: deploymentName, BUILD_ID: buildId } = env;
  if (!deploymentName && !buildId) return null;
  if (deploymentName && buildId) return { deploymentName, buildId };
  throw new Error('DEPLOYMENT_NAME and BUILD_ID must be set together.');
}

function text(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} must be set.`);
  return value;
}

function httpUrl(env: NodeJS.ProcessEnv, name: string, fallback: string): string {
  const value = env[name] ?? fallback;
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new Error(`${name} must be an http or https URL: it is ${value}.`);
  return value.replace(/\/+$/, '');
}

function whole(env: NodeJS.ProcessEnv, name: string, fallback: number, min: number, max: number): number {
  const value = Number(env[name] ?? fallback);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new Error(`${name} must be a whole number from ${min} to ${max}: it is ${env[name]}.`);
  }
  return value;
}

function oneOf<const T extends string>(
  env: NodeJS.ProcessEnv,
  name: string,
  allowed: readonly T[],
  fallback: T,
): T {
  const value = env[name] ?? fallback;
  const found = allowed.find((one) => one === value);
  if (!found) throw new Error(`${name} must be one of ${allowed.join(', ')}: it is ${value}.`);
  return found;
}

@Global()
@Module({ providers: [{ provide: Settings, useFactory: () => new Settings() }], exports: [Settings] })
export class SettingsModule {}
