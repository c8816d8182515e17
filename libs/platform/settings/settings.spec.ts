import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { secretSettings } from './environment.ts';
import { Settings } from './settings.ts';

const thisFile = fileURLToPath(import.meta.url);
const needed = { DATABASE_URL: 'postgres://nowhere/none', HOLDFAST_SECRET: 'x'.repeat(32) };
const key = Buffer.alloc(32, 1).toString('base64');

interface Case {
  /** Variables that must be set beside this one. */
  beside?: Record<string, string>;
  read: (settings: Settings) => unknown;
  good: [text: string, value: unknown][];
  bad: string[];
}

/** A case for a whole number. It refuses the numbers just outside the range, and every text that is no whole number. */
function whole(read: Case['read'], min: number, max: number, unit = 1): Case {
  const good = [min, max].map((value): [string, number] => [String(value), value * unit]);
  return {
    read,
    good,
    bad: [String(min - 1), String(max + 1), 'abc', '1.5', '1e3', '0x10', ' 7', '-1', 'NaN'],
  };
}

function httpUrl(read: Case['read']): Case {
  return {
    read,
    good: [['https://a.example/b/', 'https://a.example/b']],
    bad: ['a.example', 'ftp://a.example', '/b'],
  };
}

/** Reads a setting that only a hosted embedder has. */
function hosted<T>(read: (embedder: Extract<Settings['embedder'], { baseUrl: string }>) => T): Case['read'] {
  return ({ embedder }) => (embedder.kind === 'openai-compatible' ? read(embedder) : undefined);
}

const provider = {
  id: 'corp',
  issuer: 'https://login.example',
  clientId: 'holdfast',
  clientSecret: 'hidden',
};
const rule = { workspaceId: 'ws_1', role: 'viewer' };
const wrongProviders = [
  { ...provider },
  [{ ...provider, id: 'Corp!' }],
  [{ ...provider, issuer: 'ldap://login.example' }],
  [{ ...provider, clientSecret: undefined }],
  [{ ...provider, sessionHours: 0 }],
  [{ ...provider, colour: 'red' }],
  [provider, provider],
  [{ ...provider, join: [rule] }],
  [{ ...provider, join: [{ ...rule, domain: 'a.example', group: 'ops' }] }],
  [{ ...provider, join: [{ ...rule, role: 'owner', group: 'ops' }] }],
  [{ ...provider, join: [{ ...rule, workspaceId: 'corp', group: 'ops' }] }],
];

// Over 400 lines: one table has a case for each variable.
const cases: Record<string, Case> = {
  DATABASE_URL: {
    read: ({ databaseUrl }) => databaseUrl,
    good: [
      ['postgres://u:p@h:5432/d?sslmode=require', 'postgres://u:p@h:5432/d?sslmode=require'],
      ['postgresql:///d?host=/run', 'postgresql:///d?host=/run'],
    ],
    bad: ['none', 'mysql://h/d', 'h:5432'],
  },
  DATABASE_DIRECT_URL: {
    read: ({ databaseDirectUrl }) => databaseDirectUrl,
    good: [['postgres://u:p@h:5432/d', 'postgres://u:p@h:5432/d']],
    bad: ['none', 'mysql://h/d', 'h:5432'],
  },
  DATABASE_POOL_MAX: whole(({ databasePoolMax }) => databasePoolMax, 1, 500),
  DATABASE_WAIT_MS: whole(({ databaseWaitMs }) => databaseWaitMs, 100, 60_000),
  TEMPORAL_ADDRESS: {
    read: ({ temporal }) => temporal.address,
    good: ['temporal:7233', '127.0.0.1:7233', '[::1]:7233', 'temporal'].map((text) => [text, text]),
    bad: ['http://temporal:7233', 'a b', 'temporal:port', ':7233'],
  },
  TEMPORAL_NAMESPACE: {
    read: ({ temporal }) => temporal.namespace,
    good: [['orders.a1b2c', 'orders.a1b2c']],
    bad: ['a', 'a b', 'a/b'],
  },
  TEMPORAL_NAMESPACE_ID: {
    read: ({ temporal }) => temporal.namespaceId,
    good: [['01a22748-daed-795f-ac92-0cbac326ab45', '01a22748-daed-795f-ac92-0cbac326ab45']],
    bad: ['a b', 'a/b'],
  },
  TEMPORAL_TLS: {
    read: ({ temporal }) => temporal.tls,
    good: [
      ['true', true],
      ['false', undefined],
    ],
    bad: ['yes', '1', 'TRUE'],
  },
  TEMPORAL_API_KEY: {
    read: ({ temporal }) => temporal,
    good: [['k', expect.objectContaining({ apiKey: 'k', tls: true })]],
    bad: ['a b', 'a\n'],
  },
  TEMPORAL_TLS_CA: {
    read: ({ temporal }) => temporal.tls,
    good: [[thisFile, expect.objectContaining({ ca: thisFile })]],
    bad: ['/no/such/file'],
  },
  TEMPORAL_TLS_CERT: {
    beside: { TEMPORAL_TLS_KEY: thisFile },
    read: ({ temporal }) => temporal.tls,
    good: [[thisFile, expect.objectContaining({ cert: thisFile, key: thisFile })]],
    bad: ['/no/such/file'],
  },
  TEMPORAL_TLS_KEY: {
    beside: { TEMPORAL_TLS_CERT: thisFile },
    read: ({ temporal }) => temporal.tls,
    good: [[thisFile, expect.objectContaining({ cert: thisFile, key: thisFile })]],
    bad: ['/no/such/file'],
  },
  TEMPORAL_TLS_SERVER_NAME: {
    read: ({ temporal }) => temporal.tls,
    good: [['t.example', expect.objectContaining({ serverName: 't.example' })]],
    bad: ['a b', 'https://t.example'],
  },
  TEMPORAL_UI_URL: httpUrl(({ temporal }) => temporal.uiUrl),
  HOLDFAST_SECRET: {
    read: ({ secret }) => secret,
    good: [['s'.repeat(32), 's'.repeat(32)]],
    bad: ['s'.repeat(31)],
  },
  HOST: {
    read: ({ host }) => host,
    good: ['0.0.0.0', '::', 'a.example'].map((text) => [text, text]),
    bad: ['a b', 'http://a'],
  },
  PORT: whole(({ port }) => port, 0, 65_535),
  PUBLIC_URL: httpUrl(({ publicUrl }) => publicUrl),
  MCP_HOSTS: {
    read: ({ mcpHosts }) => mcpHosts,
    good: [['Api, [::1]', ['api', '[::1]']]],
    bad: ['https://a.example', 'a.example:3000', '*', 'a,'],
  },
  WORKER_HEALTH_PORT: whole(({ workerHealthPort }) => workerHealthPort, 0, 65_535),
  LOG_LEVEL: {
    read: ({ logLevel }) => logLevel,
    good: [
      ['debug', 'debug'],
      ['silent', 'silent'],
    ],
    bad: ['loud', 'INFO'],
  },
  LOG_FORMAT: {
    read: ({ logFormat }) => logFormat,
    good: [
      ['numbers', 'numbers'],
      ['names', 'names'],
    ],
    bad: ['json', 'Names'],
  },
  INLINE_MAX_MS: whole(({ inlineMaxMs }) => inlineMaxMs, 0, 1000),
  DIRECT_MAX_MS: whole(({ directMaxMs }) => directMaxMs, 0, 60_000),
  TEMPORAL_SYNC: {
    read: ({ temporalSync }) => temporalSync.shown,
    good: [
      ['all', 'all'],
      ['failed', 'failed'],
    ],
    bad: ['some', 'none', '0.5'],
  },
  TEMPORAL_SYNC_BACKLOG_MAX: whole(({ temporalSync }) => temporalSync.backlogMax, 0, 10_000_000),
  ROLES: {
    read: ({ roles }) => roles,
    good: [
      ['api', 'api'],
      ['api,calls', 'api,calls'],
      ['api,worker', 'api,worker'],
    ],
    bad: ['worker', 'all'],
  },
  TASK_QUEUE: {
    read: ({ queue }) => queue,
    good: [['holdfast-2', 'holdfast-2']],
    bad: ['a b', 'q'.repeat(201)],
  },
  SYNC_WAIT_S: whole(({ syncWaitMsMax }) => syncWaitMsMax, 1, 3600, 1000),
  SYNC_TIMEOUT_S: whole(({ activeMsMax }) => activeMsMax.sync, 1, 604_800, 1000),
  ASYNC_TIMEOUT_S: whole(({ activeMsMax }) => activeMsMax.async, 1, 604_800, 1000),
  RATE_SYNC_PER_MINUTE: whole(({ limits }) => limits.sync, 1, 1_000_000_000),
  RATE_ASYNC_PER_MINUTE: whole(({ limits }) => limits.async, 1, 1_000_000_000),
  RATE_API_PER_MINUTE: whole(({ limits }) => limits.api, 1, 1_000_000_000),
  FIRST_KEYS_FILE: {
    read: ({ firstKeysFile }) => firstKeysFile,
    good: [['/keys/first.json', '/keys/first.json']],
    bad: ['keys.json', '/keys/'],
  },
  RATE_PUBLIC_PER_MINUTE: whole(({ publicCallsPerMinute }) => publicCallsPerMinute, 1, 1_000_000_000),
  TRUSTED_PROXIES: {
    read: ({ trustedProxies }) => trustedProxies,
    good: [
      ['10.0.0.0/8, 192.0.2.7', ['10.0.0.0/8', '192.0.2.7']],
      ['2001:db8::/32', ['2001:db8::/32']],
    ],
    bad: ['true', '10.0.0.0/33', '0.0.0.0/0', 'proxy.example', '10.0.0.1/8/8', '10.0.0.1,'],
  },
  USAGE_LIMIT: {
    read: ({ limits }) => limits.usage,
    good: [
      ['0', 0],
      ['2.5', 2.5],
    ],
    bad: ['-1', 'abc', '1e3', '.5', '2.', '1000000001'],
  },
  STORAGE_LIMIT_BYTES: {
    read: ({ limits }) => limits.storage,
    good: [
      ['1', 1],
      ['1099511627776', 1_099_511_627_776],
    ],
    bad: ['0', '-1', '1.5', '1 GB'],
  },
  PLANS: {
    read: ({ plans }) => plans['gold'],
    good: [
      [
        '{"gold":{"sync":600,"usage":2.5,"maxRowsPerTable":7},"free":{"storage":1}}',
        {
          perMinute: { sync: 600, async: 12_000, api: 24_000 },
          usageLimit: 2.5,
          storageBytes: 1024 ** 4,
          maxTables: 10_000,
          maxRowsPerTable: 7,
          openExecutions: 100_000,
          pausedExecutions: 1_000_000,
        },
      ],
    ],
    bad: [
      'gold',
      '[]',
      '{"gold":1}',
      '{"Gold":{}}',
      '{"__proto__":{}}',
      '{"gold":{"sync":0}}',
      '{"gold":{"sync":1.5}}',
      '{"gold":{"sync":"1"}}',
      '{"gold":{"rows":1}}',
      '{"gold":{"usage":-1}}',
    ],
  },
  DEFAULT_PLAN: {
    beside: { PLANS: '{"gold":{}}' },
    read: ({ defaultPlan }) => defaultPlan,
    good: [
      ['gold', 'gold'],
      ['free', 'free'],
    ],
    bad: ['silver', 'toString'],
  },
  MODEL_PRICES: {
    read: ({ modelPrices }) => modelPrices,
    good: [
      [
        '{"a/b":{"input":2.5},"*":{"output":1}}',
        { 'a/b': { input: 2.5, output: 0 }, '*': { input: 0, output: 1 } },
      ],
    ],
    bad: ['1', '{"a":2}', '{"a":{"input":-1}}', '{"a":{"cached":1}}'],
  },
  CALL_PRICES: {
    read: ({ callPrices }) => callPrices,
    good: [['{"http":0.001,"mcp":0}', { http: 0.001, mcp: 0 }]],
    bad: ['http', '{"llm":1}', '{"http":"1"}', '{"http":1000000000}'],
  },
  PRICE_PER_EXECUTION: {
    read: ({ pricePerExecution }) => pricePerExecution,
    good: [
      ['0', 0],
      ['0.005', 0.005],
    ],
    bad: ['abc', '-1', '1,5', 'Infinity', '1000001'],
  },
  OUTBOX_EVERY_MS: whole(({ outboxEveryMs }) => outboxEveryMs, 50, 60_000),
  RECONCILE_EVERY_MS: whole(({ reconcileEveryMs }) => reconcileEveryMs, 200, 3_600_000),
  PAYLOAD_KEYS: {
    read: ({ payloadKeys }) => payloadKeys.map(({ id }) => id),
    good: [
      [`a:${key}`, ['a']],
      [`off,a:${key}`, ['off', 'a']],
    ],
    bad: ['a', 'a:short', `a:${key},a:${key}`],
  },
  CODEC_TOKEN: {
    read: ({ codec }) => codec?.token,
    good: [['t'.repeat(32), 't'.repeat(32)]],
    bad: ['short'],
  },
  CODEC_ORIGIN: {
    beside: { CODEC_TOKEN: 't'.repeat(32) },
    read: ({ codec }) => codec?.origin,
    good: [['https://ui.example/a', 'https://ui.example']],
    bad: ['ui.example'],
  },
  DEPLOYMENT_NAME: {
    beside: { BUILD_ID: '1' },
    read: ({ deployment }) => deployment?.deploymentName,
    good: [['h', 'h']],
    bad: ['a b'],
  },
  BUILD_ID: {
    beside: { DEPLOYMENT_NAME: 'h' },
    read: ({ deployment }) => deployment?.buildId,
    good: [['1.2', '1.2']],
    bad: ['a b'],
  },
  SESSION_IDLE_HOURS: whole(({ sessions }) => sessions.idleMs / 3_600_000, 1, 8760),
  SESSION_MAX_HOURS: whole(({ sessions }) => sessions.longestMs / 3_600_000, 1, 8760),
  KEYS_MAX: whole(({ keysMax }) => keysMax, 1, 10_000),
  CLIENT_DOCUMENT_HOSTS: {
    read: ({ clientDocumentHosts }) => clientDocumentHosts,
    good: [['agents.internal:443, 10.1.0.0/16', ['agents.internal:443', '10.1.0.0/16']]],
    bad: ['https://agents.internal', '10.0.0.0/33'],
  },
  OIDC_PROVIDERS: {
    read: ({ identityProviders }) =>
      identityProviders.map(({ id, name, scope, sessionMs }) => [id, name, scope, sessionMs]),
    good: [[JSON.stringify([provider]), [['corp', 'corp', 'openid email profile', 43_200_000]]]],
    bad: wrongProviders.map((entry) => JSON.stringify(entry)).concat('corp'),
  },
  SMTP_URL: {
    beside: { MAIL_FROM: 'a@b.example' },
    read: ({ mail }) => mail?.url,
    good: [['smtps://u:p@mail.example', 'smtps://u:p@mail.example']],
    bad: ['mail.example', 'https://mail.example'],
  },
  MAIL_FROM: {
    beside: { SMTP_URL: 'smtp://mail.example' },
    read: ({ mail }) => mail?.from,
    good: [['Holdfast <a@b.example>', 'Holdfast <a@b.example>']],
    bad: ['nobody', 'a@b.example\r\nBcc: c@d.example'],
  },
  METRICS_PORT: whole(({ metrics }) => metrics.port, 0, 65_535),
  WORKER_METRICS_PORT: whole(({ metrics }) => metrics.workerPort, 0, 65_535),
  METRICS_HOST: {
    beside: { METRICS_TOKEN: 't'.repeat(32) },
    read: ({ metrics }) => metrics.host,
    good: ['0.0.0.0', '::1', 'a.example'].map((text) => [text, text]),
    bad: ['a b', 'http://a'],
  },
  METRICS_TOKEN: {
    read: ({ metrics }) => metrics.token,
    good: [['t'.repeat(32), 't'.repeat(32)]],
    bad: ['t'.repeat(31)],
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl(({ traces }) => traces?.endpoint),
  OTEL_EXPORTER_OTLP_HEADERS: {
    beside: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.example' },
    read: ({ traces }) => traces?.headers,
    good: [['authorization=Basic=,x-team=7', { authorization: 'Basic=', 'x-team': '7' }]],
    bad: ['authorization', 'a=b,', 'a=b c'],
  },
  OTEL_TRACES_SAMPLER_ARG: {
    beside: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.example' },
    read: ({ traces }) => traces?.ratio,
    good: [
      ['0', 0],
      ['0.1', 0.1],
      ['1', 1],
    ],
    bad: ['1.1', '-0.1', '10%'],
  },
  EGRESS_ALLOW: {
    read: ({ egressAllow }) => egressAllow,
    good: [['a.internal:80, 10.0.0.0/8', ['a.internal:80', '10.0.0.0/8']]],
    bad: ['http://a', '10.0.0.0/33'],
  },
  EGRESS_HEADERS_MAX_BYTES: whole(({ egressHeadersMaxBytes }) => egressHeadersMaxBytes, 16_384, 262_144),
  EXECUTION_RETENTION: {
    read: ({ retentionMs }) => retentionMs,
    good: [
      ['30', 30 * 86_400_000],
      ['P7D', 7 * 86_400_000],
      ['off', null],
    ],
    bad: ['0', '7D', 'P1M', 'never', '1.5'],
  },
  WORKFLOW_BUNDLE: {
    read: ({ workflowBundle }) => workflowBundle,
    good: [[thisFile, thisFile]],
    bad: ['/no/such/file'],
  },
  IO_SLOTS: whole(({ ioSlots }) => ioSlots, 1, 1000),
  CODE_SLOTS: whole(({ codeSlots }) => codeSlots, 1, 100),
  LLM_SLOTS: whole(({ llmSlots }) => llmSlots, 1, 1000),
  SHUTDOWN_DELAY_S: whole(({ shutdownDelayMs }) => shutdownDelayMs / 1000, 0, 300),
  SHUTDOWN_GRACE_S: whole(({ shutdownGraceMs }) => shutdownGraceMs / 1000, 0, 3600),
  EMBEDDER: {
    read: ({ embedder }) => embedder.kind,
    good: ['local', 'openai-compatible', 'hash'].map((text) => [text, text]),
    bad: ['openai', 'Local', 'none'],
  },
  EMBEDDER_FOLDER: {
    read: ({ embedder }) => (embedder.kind === 'local' ? embedder.folder : undefined),
    good: [['/models/bge', '/models/bge']],
    bad: ['models', './models'],
  },
  EMBEDDER_PROCESSES: whole(
    ({ embedder }) => (embedder.kind === 'local' ? embedder.processes : undefined),
    1,
    64,
  ),
  EMBEDDING_BASE_URL: {
    ...httpUrl(hosted(({ baseUrl }) => baseUrl)),
    beside: { EMBEDDER: 'openai-compatible' },
  },
  EMBEDDING_API_KEY: {
    beside: { EMBEDDER: 'openai-compatible' },
    read: hosted(({ apiKey }) => apiKey),
    good: [['key-1', 'key-1']],
    bad: ['a b'],
  },
  EMBEDDING_MODEL: {
    beside: { EMBEDDER: 'openai-compatible' },
    read: hosted(({ model }) => model),
    good: [['nomic-embed-text', 'nomic-embed-text']],
    bad: ['a b'],
  },
  EMBEDDING_DIMENSION: {
    ...whole(
      hosted(({ dimension }) => dimension),
      1,
      3900,
    ),
    beside: { EMBEDDER: 'openai-compatible' },
  },
  KNOWLEDGE_SLOTS: whole(({ knowledgeSlots }) => knowledgeSlots, 1, 100),
  AUDIT_ANCHORS_EVERY_S: whole(({ audit }) => audit.anchorsEveryMs / 1000, 1, 86_400),
  AUDIT_RETENTION: {
    read: ({ audit }) => audit.retentionMs,
    good: [
      ['30', 30 * 86_400_000],
      ['P365D', 365 * 86_400_000],
      ['off', null],
    ],
    bad: ['29', '0', 'never', '1.5'],
  },
  PRICE_PER_MILLION_EMBEDDED_TOKENS: {
    read: ({ embeddingPrice }) => embeddingPrice,
    good: [['0.02', 0.02]],
    bad: ['-1', 'free', '1e3'],
  },
  LLM_BASE_URL: httpUrl(({ llmBaseUrl }) => llmBaseUrl),
  HISTORY_EVENTS_MAX: whole(({ historyEventsMax }) => historyEventsMax, 50, 40_000),
  CACHED_RUNS_MAX: whole(({ cachedRunsMax }) => cachedRunsMax, 1, 100_000),
  EVENT_LOOP_DELAY_MAX_MS: whole(({ eventLoopDelayMsMax }) => eventLoopDelayMsMax, 50, 60_000),
  MAILS_PER_DAY: whole(({ mailsPerDay }) => mailsPerDay, 0, 10_000_000),
  OUTSIDE_MAILS_PER_DAY: whole(({ outsideMailsPerDay }) => outsideMailsPerDay, 0, 10_000_000),
  WORKSPACES_PER_USER: whole(({ workspaces }) => workspaces.perUser, 0, 1_000_000),
  WORKSPACES_CREATED_BY: {
    read: ({ workspaces }) => workspaces.createdBy,
    good: [
      ['all', 'all'],
      ['operators', 'operators'],
    ],
    bad: ['admins', 'none'],
  },
  OPEN_CALLS_MAX: whole(({ openCallsMax }) => openCallsMax, 1, 100_000),
  SANDBOX_WALL: {
    read: ({ sandboxWall }) => sandboxWall,
    good: [
      ['bubblewrap', 'bubblewrap'],
      ['namespaces', 'namespaces'],
    ],
    bad: ['none', 'docker'],
  },
  DESCENDANTS_MAX: whole(({ descendants }) => descendants.max, 1, 1_000_000),
  DESCENDANTS_OPEN_MAX: whole(({ descendants }) => descendants.openMax, 1, 100_000),
  BODY_BYTES_MAX: whole(({ bodyBytesMax }) => bodyBytesMax, 1024, 100 * 1024 * 1024),
};

describe.each(Object.entries(cases))('%s', (name, { beside = {}, read, good, bad }) => {
  const settings = (text: string) => new Settings({ ...needed, ...beside, [name]: text });

  test.each(good)('the setting takes %j', (text, value) => {
    expect(read(settings(text))).toEqual(value);
  });

  test.each(bad.map((text) => [text]))('the setting stops the boot with one line for %j', (text) => {
    expect(() => settings(text)).toThrow(new RegExp(`^${name}:? [^\n]*\\.$`));
  });
});

test('every variable that the settings read has cases here', () => {
  const source = readFileSync(new URL('./settings.ts', import.meta.url), 'utf8');
  const names = source.match(/'[A-Z]+_?[A-Z_]+'/g)?.map((name) => name.slice(1, -1));
  expect([...new Set(names)].toSorted()).toEqual(Object.keys(cases).toSorted());
});

describe('a secret from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (text: string) => {
    const path = join(folder, String(text.length));
    writeFileSync(path, text);
    return path;
  };
  const withFile = (name: string, text: string, more: object = {}) => {
    const others = { ...needed, ...cases[name]?.beside, [name]: '' };
    return new Settings({ ...others, [`${name}_FILE`]: file(text), ...more });
  };
  const names = secretSettings.filter((name) => name in cases);

  test.each(names)('%s is read without its last line break, in the place of the variable', (name) => {
    const { good = [], read } = cases[name] ?? {};
    for (const [text, value] of good)
      for (const end of ['', '\n', '\r\n']) expect(read?.(withFile(name, text + end))).toEqual(value);
  });

  test.each(names)(
    '%s is refused in words beside its variable, and when the file is missing or empty',
    (name) => {
      const [text = ''] = cases[name]?.good[0] ?? [];
      expect(() => withFile(name, text, { [name]: text })).toThrow(
        `${name} and ${name}_FILE are both set: give one of them.`,
      );
      expect(() => withFile(name, '\n')).toThrow(/^\w+_FILE: the file \S+ is empty\.$/);
      const missing = { [`${name}_FILE`]: '/no/such/file' };
      expect(() => withFile(name, '', missing)).toThrow(
        `${name}_FILE: the file /no/such/file cannot be read (ENOENT).`,
      );
    },
  );

  test('a file may hold every setting whose value is hidden', () => {
    const source = readFileSync(new URL('./settings.ts', import.meta.url), 'utf8');
    const hidden = [
      ...source.matchAll(/(?:read\.(?:secret|hidden|secretUrl)\(|databaseUrl\(read, )'(\w+)'/g),
    ];
    expect(hidden.length).toBeGreaterThan(5);
    expect(hidden.map(([, name]) => name).filter((name) => !names.includes(name as never))).toEqual([]);
    const page = readFileSync('apps/docs/pages/configuration.md', 'utf8');
    expect(secretSettings.filter((name) => !page.includes(`\`${name}_FILE\``))).toEqual([]);
  });
});

describe('settings', () => {
  test('settings name all wrong and missing settings at once, one line each', () => {
    const env = { PORT: 'abc', PRICE_PER_EXECUTION: 'abc', TEMPORAL_TLS: 'yes', HOLDFAST_SECRET: 'short' };
    expect(() => new Settings(env)).toThrow(
      [
        'DATABASE_URL must be set.',
        'TEMPORAL_TLS must be one of true, false: it is "yes".',
        'HOLDFAST_SECRET must have at least 32 characters.',
        'PORT must be a whole number from 0 to 65535: it is "abc".',
        'PRICE_PER_EXECUTION must be a number from 0 to 1000000: it is "abc".',
      ].join('\n'),
    );
  });

  test('settings take an empty variable as unset', () => {
    const empty = Object.fromEntries(Object.keys(cases).map((name) => [name, '']));
    expect(new Settings({ ...empty, ...needed })).toEqual(new Settings(needed));
  });

  test.each([
    'DATABASE_URL',
    'HOLDFAST_SECRET',
    'PAYLOAD_KEYS',
    'CODEC_TOKEN',
    'SMTP_URL',
    'TEMPORAL_API_KEY',
    'METRICS_TOKEN',
    'OTEL_EXPORTER_OTLP_HEADERS',
  ])('settings do not show the secret %s when it is wrong', (name) => {
    const boot = () => new Settings({ ...needed, [name]: 'hunter2 ' });
    expect(boot).toThrow(name);
    expect(boot).not.toThrow('hunter2');
  });

  test.each<[Record<string, string>, string]>([
    [{ DEPLOYMENT_NAME: 'holdfast' }, 'DEPLOYMENT_NAME and BUILD_ID must be set together.'],
    [{ BUILD_ID: '1' }, 'DEPLOYMENT_NAME and BUILD_ID must be set together.'],
    [{ TEMPORAL_TLS_CERT: thisFile }, 'TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY must be set together.'],
    [{ SMTP_URL: 'smtp://mail.example' }, 'MAIL_FROM must be set.'],
    [{ METRICS_HOST: '0.0.0.0' }, 'METRICS_TOKEN must be set.'],
  ])('settings stop the boot when one is missing beside %j', (env, message) => {
    expect(() => new Settings({ ...needed, ...env })).toThrow(message);
  });

  test('settings give no codec endpoint without a token, and the origin of the Temporal UI without one of its own', () => {
    expect(new Settings({ ...needed, CODEC_ORIGIN: 'https://ui.example' }).codec).toBeNull();
    const token = 't'.repeat(32);
    const env = { ...needed, CODEC_TOKEN: token, TEMPORAL_UI_URL: 'http://localhost:8233/' };
    expect(new Settings(env).codec).toEqual({ token, origin: 'http://localhost:8233' });
  });
});
