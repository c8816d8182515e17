import { fileURLToPath } from 'node:url';
import type { EmbedderSettings } from './embedder.ts';
import { parseAllowedTargets } from '#libs/platform/egress/policy';
import { Environment } from './environment.ts';
import { type IdentityProvider, parseIdentityProviders } from './identity-providers.ts';
import {
  parseAuditDays,
  parseDays,
  parsePayloadKeys,
  parseHosts,
  parseProxies,
  type PayloadKey,
} from './operation.ts';
import { builtInPlans, type Plans, parsePlans } from './plans.ts';
import { type CallPrices, parseCallPrices, type ModelPrices, parseModelPrices } from './prices.ts';

/** The configuration of one process, read once from the environment. */
export class Settings {
  readonly databaseUrl: string;
  /** A URL without a connection pooler, for work that needs its own session: notices and migrations. */
  readonly databaseDirectUrl: string;
  readonly databasePoolMax: number;
  /** The longest wait of a call for a free connection, in milliseconds. After it, the call is refused. */
  readonly databaseWaitMs: number;
  readonly temporal: TemporalSettings;
  /** The master secret. Every key of the installation derives from it. Without it, all API keys, links and secrets of workspaces are lost. */
  readonly secret: string;
  /** The secret settings that are set, by name, so that a backup seals what this process has read. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly host: string;
  readonly port: number;
  /** The base URL of every link that the system sends. It never comes from a request. */
  readonly publicUrl: string;
  /** Further host names that agents and browser pages may use for MCP calls, beside those of the public URL and of this machine. */
  readonly mcpHosts: string[];
  readonly workerHealthPort: number;
  readonly logLevel: string;
  /** How a line of the log gives its level and its time: as numbers, or as a name and in ISO 8601. */
  readonly logFormat: 'numbers' | 'names';
  /**
   * The process that accepts an execution may run its first blocks inline for this time, in milliseconds. An execution that would take
   * longer starts in Temporal at once. 0: all executions do.
   */
  readonly inlineMaxMs: number;
  /** For this time, in milliseconds, the process that accepts an execution carries out its calls. Then Temporal goes on with it. */
  readonly directMaxMs: number;
  /**
   * Inline executions that are also written to Temporal, so that its UI lists them: all, or only failed ones. When more than
   * `backlogMax` wait for this, the oldest are left out.
   */
  readonly temporalSync: { shown: 'all' | 'failed'; backlogMax: number };
  /**
   * `api,calls`: the API carries out effects that follow each other by itself, as far as it can. `api`: it makes no calls for runs, and
   * the workers carry out each effect. `api,worker`: it makes these calls, and is a worker too.
   */
  readonly roles: 'api' | 'api,calls' | 'api,worker';
  readonly queue: string;
  /** The longest wait of a synchronous caller for its result, in milliseconds. */
  readonly syncWaitMsMax: number;
  readonly activeMsMax: { sync: number; async: number };
  readonly pricePerExecution: number;
  readonly modelPrices: ModelPrices;
  readonly callPrices: CallPrices;
  /** The interval of the outboxes and of the reconciler, in milliseconds. */
  readonly outboxEveryMs: number;
  readonly reconcileEveryMs: number;
  readonly bodyBytesMax: number;
  /** The API refuses calls with a key while its event loop is late by more than this, in milliseconds. */
  readonly eventLoopDelayMsMax: number;
  /** Calls, streams and waits that one caller may have open in one process of the API. */
  readonly openCallsMax: number;
  /** The workflow code, bundled at build time. */
  readonly workflowBundle: string;
  /** The most runs that a worker keeps in memory. A run that was removed from memory is replayed when it continues. */
  readonly cachedRunsMax: number;
  /** A run continues in a new Temporal run when its history has more events than this. Temporal ends a run at about 50,000 events. */
  readonly historyEventsMax: number;
  /** The most effects that one worker carries out at the same time. */
  readonly ioSlots: number;
  readonly codeSlots: number;
  /** The weakest isolation for code of users with which a worker reports that it is ready. `process`: any isolation. */
  readonly sandboxWall: (typeof sandboxWalls)[number];
  readonly llmSlots: number;
  /** The longest wait of a stopping worker for its effects in flight, in milliseconds. */
  readonly shutdownGraceMs: number;
  /** A stopping API still answers calls for this time while it reports that it is not ready, in milliseconds. */
  readonly shutdownDelayMs: number;
  /** The base URL of the model server for blocks that name none. */
  readonly llmBaseUrl: string;
  /** The embedder of knowledge bases. */
  readonly embedder: EmbedderSettings;
  /** The price of a million tokens of embedded text. */
  readonly embeddingPrice: number;
  /** The most documents that one worker processes at the same time. */
  readonly knowledgeSlots: number;
  /** The keys that seal payloads for Temporal: the first one seals, all can open. Empty: payloads are not sealed. */
  readonly payloadKeys: PayloadKey[];
  /** The codec endpoints for a client with this token, and for browsers of this origin. Null: the API has no such path. */
  readonly codec: { token: string; origin: string } | null;
  /** The Temporal worker deployment that this process is a version of; null: workers are not versioned. */
  readonly deployment: { deploymentName: string; buildId: string } | null;
  /** When a session of a person ends, in milliseconds: `idleMs` after its last use, and in any case `longestMs` after its begin. */
  readonly sessions: { idleMs: number; longestMs: number };
  /** The most live keys of one workspace, and of one person. */
  readonly keysMax: number;
  /** Private hosts from which documents of OAuth clients are read. Anybody can cause such a read, so `EGRESS_ALLOW` does not count. */
  readonly clientDocumentHosts: string[];
  /** The identity providers by which people sign in. */
  readonly identityProviders: IdentityProvider[];
  /** The mail server and the sender; null: no mail is sent. */
  readonly mail: { url: string; from: string } | null;
  /** The most mails about pauses of a workspace in a day, in all and to addresses of no member. */
  readonly mailsPerDay: number;
  readonly outsideMailsPerDay: number;
  /** Who may make workspaces, and how many each user may make. */
  readonly workspaces: { createdBy: 'all' | 'operators'; perUser: number };
  /** The ports that Prometheus reads; a port that is null is not opened. */
  readonly metrics: MetricsSettings;
  /** The address of the collector of traces; null: none are made. */
  readonly traces: TraceSettings | null;
  /** The time for which an ended execution is kept, in milliseconds; null: for ever. */
  readonly retentionMs: number | null;
  readonly audit: AuditSettings;

  /** The most runs below one outermost run, in all and at the same time. */
  readonly descendants: { max: number; openMax: number };

  /** Private targets that blocks may call, as `EGRESS_ALLOW` names them. */
  readonly egressAllow: string[];
  /** The longest header section of an answer that a block reads. */
  readonly egressHeadersMaxBytes: number;
  /** The set-up writes the first keys into this file, readable only by its owner. Null: it prints them. */
  readonly firstKeysFile: string | null;
  /** The plans that a workspace may have. `defaultPlan` is the plan of a new workspace. */
  readonly plans: Plans;
  readonly defaultPlan: string;
  /** Limits of this installation. They replace the numbers of every plan. */
  readonly limits: { sync?: number; async?: number; api?: number; usage?: number; storage?: number };
  /** The most calls without a key from one client address in a minute. */
  readonly publicCallsPerMinute: number;
  /** The trusted proxies, as addresses and CIDR blocks. Only their headers may give the address of a client. Empty: no proxy is trusted. */
  readonly trustedProxies: string[];

  /** Throws `WrongSettings`, which names every variable that is wrong or missing. */
  constructor(env: NodeJS.ProcessEnv = process.env) {
    const read = new Environment(env);
    read.required('DATABASE_URL', 'HOLDFAST_SECRET');
    this.databaseUrl = databaseUrl(read, 'DATABASE_URL', '');
    this.databaseDirectUrl = databaseUrl(read, 'DATABASE_DIRECT_URL', this.databaseUrl);
    this.databasePoolMax = read.whole('DATABASE_POOL_MAX', 10, { min: 1, max: 500 });
    this.databaseWaitMs = read.whole('DATABASE_WAIT_MS', 10_000, { min: 100, max: 60_000 });
    this.temporal = temporalSettings(read);
    this.secret = read.secret('HOLDFAST_SECRET', '', 32);
    this.secrets = read.secrets;
    this.host = read.text('HOST', '127.0.0.1', 'a host name or an address', /^[\w.:-]+$/);
    this.port = read.whole('PORT', 3000, { min: 0, max: 65_535 });
    this.publicUrl = read.httpUrl('PUBLIC_URL', `http://localhost:${this.port}`);
    this.mcpHosts = read.parsed('MCP_HOSTS', [], '', parseHosts);
    this.workerHealthPort = read.whole('WORKER_HEALTH_PORT', 3001, { min: 0, max: 65_535 });
    this.logLevel = read.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info');
    this.logFormat = read.oneOf('LOG_FORMAT', ['numbers', 'names'], 'numbers');
    this.inlineMaxMs = read.whole('INLINE_MAX_MS', 5, { min: 0, max: 1000 });
    this.directMaxMs = read.whole('DIRECT_MAX_MS', 1000, { min: 0, max: 60_000 });
    this.temporalSync = temporalSyncSettings(read);
    this.roles = read.oneOf('ROLES', ['api', 'api,calls', 'api,worker'], 'api,calls');
    this.queue = read.text('TASK_QUEUE', 'holdfast', 'a name of at most 200 characters', /^[\w.:-]{1,200}$/);
    this.syncWaitMsMax = read.whole('SYNC_WAIT_S', 300, { min: 1, max: 3600 }) * 1000;
    this.activeMsMax = {
      sync: read.whole('SYNC_TIMEOUT_S', 3000, { min: 1, max: 604_800 }) * 1000,
      async: read.whole('ASYNC_TIMEOUT_S', 5400, { min: 1, max: 604_800 }) * 1000,
    };
    this.plans = read.parsed('PLANS', builtInPlans, '', parsePlans);
    this.defaultPlan = read.oneOf('DEFAULT_PLAN', Object.keys(this.plans), 'self_hosted');
    this.limits = limitSettings(read);
    this.publicCallsPerMinute = read.whole('RATE_PUBLIC_PER_MINUTE', 1200, { min: 1, max: 1_000_000_000 });
    this.trustedProxies = read.parsed('TRUSTED_PROXIES', [], '', parseProxies);
    this.pricePerExecution = read.decimal('PRICE_PER_EXECUTION', 0, { min: 0, max: 1_000_000 });
    this.modelPrices = read.parsed('MODEL_PRICES', {}, '', parseModelPrices);
    this.callPrices = read.parsed('CALL_PRICES', {}, '', parseCallPrices);
    this.outboxEveryMs = read.whole('OUTBOX_EVERY_MS', 1000, { min: 50, max: 60_000 });
    this.reconcileEveryMs = read.whole('RECONCILE_EVERY_MS', 60_000, { min: 200, max: 3_600_000 });
    this.payloadKeys = read.parsed('PAYLOAD_KEYS', [], '', parsePayloadKeys);
    this.codec = codecSettings(read, this.temporal.uiUrl);
    this.deployment = deploymentSettings(read);
    this.mail = mailSettings(read);
    this.mailsPerDay = read.whole('MAILS_PER_DAY', 1000, { min: 0, max: 10_000_000 });
    this.outsideMailsPerDay = read.whole('OUTSIDE_MAILS_PER_DAY', 200, { min: 0, max: 10_000_000 });
    this.workspaces = {
      createdBy: read.oneOf('WORKSPACES_CREATED_BY', ['all', 'operators'], 'all'),
      perUser: read.whole('WORKSPACES_PER_USER', 10, { min: 0, max: 1_000_000 }),
    };
    this.sessions = {
      idleMs: read.whole('SESSION_IDLE_HOURS', 72, { min: 1, max: 8760 }) * 3_600_000,
      longestMs: read.whole('SESSION_MAX_HOURS', 720, { min: 1, max: 8760 }) * 3_600_000,
    };
    this.identityProviders = read.parsed('OIDC_PROVIDERS', [], '', parseIdentityProviders);
    this.keysMax = read.whole('KEYS_MAX', 100, { min: 1, max: 10_000 });
    this.clientDocumentHosts = read.parsed('CLIENT_DOCUMENT_HOSTS', [], '', (text) =>
      parseAllowedTargets(text, 'CLIENT_DOCUMENT_HOSTS'),
    );
    this.metrics = metricsSettings(read);
    this.traces = traceSettings(read);
    this.egressAllow = read.parsed('EGRESS_ALLOW', [], '', parseAllowedTargets);
    this.egressHeadersMaxBytes = read.whole('EGRESS_HEADERS_MAX_BYTES', 16_384, {
      min: 16_384,
      max: 262_144,
    });
    this.firstKeysFile = read.text('FIRST_KEYS_FILE', null, 'an absolute path of a file', /^\/.*[^/]$/);
    this.retentionMs = read.parsed('EXECUTION_RETENTION', parseDays('30'), '', parseDays);
    this.audit = auditSettings(read);
    this.workflowBundle = read.file('WORKFLOW_BUNDLE') ?? bundleFor(this.payloadKeys);
    this.ioSlots = read.whole('IO_SLOTS', 50, { min: 1, max: 1000 });
    this.codeSlots = read.whole('CODE_SLOTS', 4, { min: 1, max: 100 });
    this.sandboxWall = read.oneOf('SANDBOX_WALL', [...sandboxWalls], 'process');
    this.historyEventsMax = read.whole('HISTORY_EVENTS_MAX', 8000, { min: 50, max: 40_000 });
    this.llmSlots = read.whole('LLM_SLOTS', 20, { min: 1, max: 1000 });
    this.shutdownGraceMs = read.whole('SHUTDOWN_GRACE_S', 25, { min: 0, max: 3600 }) * 1000;
    this.shutdownDelayMs = read.whole('SHUTDOWN_DELAY_S', 0, { min: 0, max: 300 }) * 1000;
    this.llmBaseUrl = read.httpUrl('LLM_BASE_URL', 'https://api.openai.com/v1');
    this.embedder = embedderSettings(read, this.egressAllow);
    this.embeddingPrice = read.decimal('PRICE_PER_MILLION_EMBEDDED_TOKENS', 0, { min: 0, max: 1_000_000 });
    this.knowledgeSlots = read.whole('KNOWLEDGE_SLOTS', 2, { min: 1, max: 100 });
    this.cachedRunsMax = read.whole('CACHED_RUNS_MAX', 500, { min: 1, max: 100_000 });
    this.bodyBytesMax = read.whole('BODY_BYTES_MAX', 10 * 1024 * 1024, { min: 1024, max: 100 * 1024 * 1024 });
    this.eventLoopDelayMsMax = read.whole('EVENT_LOOP_DELAY_MAX_MS', 300, { min: 50, max: 60_000 });
    this.openCallsMax = read.whole('OPEN_CALLS_MAX', 500, { min: 1, max: 100_000 });
    this.descendants = {
      max: read.whole('DESCENDANTS_MAX', 10_000, { min: 1, max: 1_000_000 }),
      openMax: read.whole('DESCENDANTS_OPEN_MAX', 1000, { min: 1, max: 100_000 }),
    };
    read.finish();
  }
}

/** The strongest first. */
export const sandboxWalls = ['bubblewrap', 'namespaces', 'process'] as const;

function temporalSyncSettings(read: Environment): Settings['temporalSync'] {
  return {
    shown: read.oneOf('TEMPORAL_SYNC', ['all', 'failed'], 'all'),
    backlogMax: read.whole('TEMPORAL_SYNC_BACKLOG_MAX', 10_000, { min: 0, max: 10_000_000 }),
  };
}

/** Reads the URL of a Postgres. */
export function databaseUrl<Fallback extends string | undefined>(
  read: Environment,
  name: string,
  fallback: Fallback,
): string | Fallback {
  return read.secretUrl(name, fallback, 'a postgres or postgresql URL', /^postgres(ql)?:$/);
}

export interface TemporalSettings {
  address: string;
  namespace: string;
  /** The id of the namespace that the set-up accepts for a database that remembers another; null: none. */
  namespaceId: string | null;
  apiKey?: string;
  tls?: { ca?: string; cert?: string; key?: string; serverName?: string } | true;
  /** Base of the Temporal web UI, for links; empty when there is none. */
  uiUrl: string;
}

function temporalSettings(read: Environment): TemporalSettings {
  const isTlsOn = read.oneOf('TEMPORAL_TLS', ['true', 'false'], 'false') === 'true';
  const apiKey = read.hidden('TEMPORAL_API_KEY', undefined, 'be one line without spaces', isWord);
  const files = {
    ca: read.file('TEMPORAL_TLS_CA'),
    cert: read.file('TEMPORAL_TLS_CERT'),
    key: read.file('TEMPORAL_TLS_KEY'),
  };
  read.together('TEMPORAL_TLS_CERT', 'TEMPORAL_TLS_KEY');
  const serverName = read.text('TEMPORAL_TLS_SERVER_NAME', undefined, 'a host name', /^[\w.:-]+$/);
  const detailed = Boolean(files.ca || files.cert || files.key || serverName);
  return {
    address: read.text('TEMPORAL_ADDRESS', '127.0.0.1:7233', 'a host and a port', addressPattern),
    namespace: read.text('TEMPORAL_NAMESPACE', 'default', 'the name of a namespace', /^[\w.-]{2,255}$/),
    namespaceId: read.text('TEMPORAL_NAMESPACE_ID', null, 'the id of a namespace', /^[\w-]{1,64}$/),
    apiKey,
    tls: detailed ? { ...files, serverName } : isTlsOn || apiKey ? true : undefined,
    uiUrl: read.httpUrl('TEMPORAL_UI_URL', ''),
  };
}

const isWord = (text: string): boolean => /^\S+$/.test(text);
const addressPattern = /^([\w.-]+|\[[\da-fA-F:.]+\])(:\d{1,5})?$/;

/** The workflow bundle. With payload keys, failure messages must be in payloads too, and this needs another bundle. */
function bundleFor(keys: PayloadKey[]): string {
  const name = keys.length > 0 ? 'workflows.sealed.bundle.js' : 'workflows.bundle.js';
  return fileURLToPath(new URL(`../../../temporal/${name}`, import.meta.url));
}

function limitSettings(read: Environment): Settings['limits'] {
  const range = { min: 1, max: 1_000_000_000 };
  return {
    sync: read.whole('RATE_SYNC_PER_MINUTE', undefined, range),
    async: read.whole('RATE_ASYNC_PER_MINUTE', undefined, range),
    api: read.whole('RATE_API_PER_MINUTE', undefined, range),
    usage: read.decimal('USAGE_LIMIT', undefined, { min: 0, max: 1_000_000_000 }),
    storage: read.whole('STORAGE_LIMIT_BYTES', undefined, { min: 1, max: Number.MAX_SAFE_INTEGER }),
  };
}

function codecSettings(read: Environment, uiUrl: string): Settings['codec'] {
  const token = read.secret('CODEC_TOKEN', null, 32);
  const url = read.httpUrl('CODEC_ORIGIN', uiUrl);
  return token ? { token, origin: url ? new URL(url).origin : '' } : null;
}

function embedderSettings(read: Environment, egressAllow: string[]): EmbedderSettings {
  const kind = read.oneOf('EMBEDDER', ['local', 'openai-compatible', 'hash'], 'local');
  const processes = read.whole('EMBEDDER_PROCESSES', undefined, { min: 1, max: 64 });
  const folder = read.text('EMBEDDER_FOLDER', undefined, 'an absolute path of a folder', /^\/./);
  const baseUrl = read.httpUrl('EMBEDDING_BASE_URL', 'https://api.openai.com/v1');
  const apiKey = read.hidden('EMBEDDING_API_KEY', undefined, 'be one line without spaces', isWord);
  const model = read.text(
    'EMBEDDING_MODEL',
    'text-embedding-3-small',
    'a name without spaces',
    /^\S{1,200}$/,
  );
  const dimension = read.whole('EMBEDDING_DIMENSION', 1536, { min: 1, max: 3900 });
  if (kind === 'openai-compatible') return { kind, baseUrl, apiKey, model, dimension, egressAllow };
  return kind === 'hash' ? { kind } : { kind, folder, processes };
}

function mailSettings(read: Environment): Settings['mail'] {
  const url = read.secretUrl('SMTP_URL', null, 'an smtp or smtps URL', /^smtps?:$/);
  const from = read.text('MAIL_FROM', '', 'a mail address', /^[^\r\n@]*@[^\r\n]+$/);
  if (url) read.required('MAIL_FROM');
  return url ? { url, from } : null;
}

export interface AuditSettings {
  /** The time for which an entry is kept, in milliseconds; null: for ever. */
  retentionMs: number | null;
  /** The interval at which a worker logs the ends of the audit logs, in milliseconds. */
  anchorsEveryMs: number;
}

function auditSettings(read: Environment): AuditSettings {
  return {
    retentionMs: read.parsed('AUDIT_RETENTION', null, '', parseAuditDays),
    anchorsEveryMs: read.whole('AUDIT_ANCHORS_EVERY_S', 3600, { min: 1, max: 86_400 }) * 1000,
  };
}

export interface MetricsSettings {
  /** The port for metrics of the API. */
  port: number | null;
  workerPort: number | null;
  host: string;
  /** The bearer token for a scrape; null: a scrape needs no token. */
  token: string | null;
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/** Reads the settings of metrics. A port that other machines can reach needs a token, because metrics are private. */
function metricsSettings(read: Environment): MetricsSettings {
  const host = read.text('METRICS_HOST', '127.0.0.1', 'a host name or an address', /^[\w.:-]+$/);
  if (!loopback.test(host)) read.required('METRICS_TOKEN');
  return {
    port: read.whole('METRICS_PORT', null, { min: 0, max: 65_535 }),
    workerPort: read.whole('WORKER_METRICS_PORT', null, { min: 0, max: 65_535 }),
    host,
    token: read.secret('METRICS_TOKEN', null, 32),
  };
}

/** The settings of traces. The variables have the names of the OpenTelemetry specification. */
export interface TraceSettings {
  endpoint: string;
  headers: Record<string, string>;
  /** The share of calls without a trace that begin a new trace, from 0 to 1. */
  ratio: number;
}

function traceSettings(read: Environment): TraceSettings | null {
  const endpoint = read.httpUrl('OTEL_EXPORTER_OTLP_ENDPOINT', null);
  const ratio = read.decimal('OTEL_TRACES_SAMPLER_ARG', 1, { min: 0, max: 1 });
  const pairs = read.hidden('OTEL_EXPORTER_OTLP_HEADERS', '', 'be name=value pairs by comma', arePairs);
  const headers = pairs.split(',').map((pair) => [pair.slice(0, pair.indexOf('=')), getValue(pair)]);
  return endpoint === null ? null : { endpoint, ratio, headers: pairs ? Object.fromEntries(headers) : {} };
}

const arePairs = (text: string): boolean => text.split(',').every((pair) => /^[\w-]+=[!-~]+$/.test(pair));
const getValue = (pair: string): string => pair.slice(pair.indexOf('=') + 1);

function deploymentSettings(read: Environment): Settings['deployment'] {
  read.together('DEPLOYMENT_NAME', 'BUILD_ID');
  const rule = 'a name of at most 200 characters without spaces';
  const deploymentName = read.text('DEPLOYMENT_NAME', '', rule, /^\S{1,200}$/);
  const buildId = read.text('BUILD_ID', '', rule, /^\S{1,200}$/);
  return deploymentName && buildId ? { deploymentName, buildId } : null;
}
