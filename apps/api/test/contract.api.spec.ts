import pg from 'pg';
import { readFileSync, writeFileSync } from 'node:fs';
import { newId } from '#libs/platform/ids/ids';
import { formatJson } from '#libs/platform/json/format-json';
import { contract } from './support/contract.ts';
import { approval, pure } from './support/definitions.ts';
import { block, line } from './support/graphs.ts';
import { ExampleRecorder } from './support/examples.ts';
import { Authenticator } from './support/authenticator.ts';
import { Mailbox } from './support/mailbox.ts';
import { toBrowserUser, ownerToken, pageHeaders } from './support/sessions.ts';
import { givenMember } from './support/people.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';

const file = 'apps/api/openapi-examples.json';
/** The answers that are no example: a value that is too large to show, and the whole language, which anyone may ask for. */
const withoutExample = ['followWorkspace', 'getExecutionValue', 'getDefinitionSchema'];

let stack: Stack;
let mailbox: Mailbox;
let recorder: ExampleRecorder;
let home: string;
beforeAll(async () => {
  mailbox = await Mailbox.start();
  stack = await Stack.startPublic({
    PRICE_PER_EXECUTION: '0.005',
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'holdfast@example.org',
    PUBLIC_URL: 'http://localhost:3000',
  });
  recorder = new ExampleRecorder(stack);
  home = `/api/v1/workspaces/${stack.home.id}`;
});
afterAll(async () => {
  await stack.stop();
  await mailbox.stop();
});

describe('every operation', () => {
  test('every operation gives the answer of its example in openapi.json', async () => {
    await callWorkspaces();
    await callKeysAndSecrets();
    await callSignIn();
    const workflow = await callWorkflows();
    await callExecutions(workflow);
    await callTriggers(workflow);
    await callAlerts();
    await callCalendars();
    await callMcpServers(workflow);
    await callEndpoints(workflow);
    await callHolds(workflow);
    await callBulk(workflow);
    await callPauses();
    await callTables();
    await callKnowledge();
    await callTheEnd(workflow);
    await callWrongly(workflow);
    const { examples } = recorder;
    if (process.env['HOLDFAST_RECORD_EXAMPLES'] === '1') writeFileSync(file, formatJson(examples));
    const cure = `${file} is out of date. Cure it with: HOLDFAST_RECORD_EXAMPLES=1 npm test -- contract && npm run openapi`;
    expect({ cure, examples: JSON.parse(readFileSync(file, 'utf8')) }).toEqual({ cure, examples });
  }, 600_000);

  test('every operation is described by the compiled process as in openapi.json', async () => {
    const { body } = await stack.get('/openapi.json');
    expect(body).toEqual(JSON.parse(readFileSync('apps/api/openapi.json', 'utf8')));
  });

  test('every operation has an example of each success', () => {
    const examples = JSON.parse(readFileSync(file, 'utf8')).operations;
    const operations = Object.values(contract.paths).flatMap((item) => Object.values(item));
    const missing = operations.flatMap(({ operationId, responses }) =>
      Object.keys(responses)
        .filter((status) => status.startsWith('2') && !(status in (examples[operationId]?.responses ?? {})))
        .map((status) => `${operationId} ${status}`),
    );
    expect(missing).toEqual(withoutExample.map((name) => `${name} 200`));
  });
});

async function callWorkspaces() {
  const mine = { 'x-api-key': stack.personalKey };
  const { call } = bound();
  await call('GET', '/health/live');
  await call('GET', '/health/ready');
  await call('GET', '/api/users/me/usage-limits');
  const { id } = (await call('POST', '/api/v1/workspaces', { name: 'Finance' }, mine)).body.data;
  await call('GET', '/api/v1/workspaces', undefined, mine);
  await call('GET', home);
  await call(
    'PATCH',
    `/api/v1/workspaces/${id}`,
    { name: 'Accounting', hostLimits: [{ host: 'api.example.com', concurrency: 5 }] },
    mine,
  );
  const person = { email: 'bob@example.org', name: 'Bob', role: 'viewer' };
  const invite = async (email: string) =>
    (await call('POST', `${home}/invitations`, { ...person, email })).body.data;
  const bob = await invite(person.email);
  await call('POST', '/api/v1/invitations/read', { token: bob.token });
  const token = { token: bob.token };
  const { userId, key } = (await call('POST', '/api/v1/invitations/accept', token, { 'x-api-key': '' })).body
    .data;
  await call('POST', '/api/v1/invitations/decline', { token: (await invite('eve@example.org')).token });
  await call('DELETE', `${home}/invitations/${(await invite('dan@example.org')).id}`);
  await call('GET', `${home}/invitations`);
  await call('GET', `${home}/members`);
  await call('PATCH', `${home}/members/${userId}`, { role: 'editor' });
  await call('PUT', `${home}/members/${userId}/cap`, { monthlyCost: 20 });
  await call('GET', `${home}/members/${userId}/cap`);
  await call('GET', `${home}/caps`);
  await call('DELETE', `${home}/members/${userId}/cap`);
  await call('DELETE', `/api/v1/users/me/workspaces/${stack.home.id}`, undefined, { 'x-api-key': key });
  const { id: cat } = await givenMember(stack, 'cat@example.org');
  await call('DELETE', `${home}/members/${cat}`);
}

async function callKeysAndSecrets() {
  const mine = { 'x-api-key': stack.personalKey };
  const { call } = bound();
  const key = (await call('POST', `${home}/keys`, { name: 'Nightly job', role: 'editor' })).body.data;
  await call('GET', `${home}/keys`);
  await call('DELETE', `${home}/keys/${key.id}`);
  await call('PATCH', `/api/v1/users/me/workspaces/${stack.home.id}`, { pauseMails: true }, mine);
  const own = (await call('POST', '/api/v1/users/me/keys', { name: 'Laptop' }, mine)).body.data;
  await call('GET', '/api/v1/users/me/keys', undefined, mine);
  await call('DELETE', `/api/v1/users/me/keys/${own.id}`, undefined, mine);
  const view = { area: 'executions', name: 'Failed today', query: 'status=failed' };
  const saved = await call('POST', `${home}/saved-views`, view, mine);
  await call('GET', `${home}/saved-views`, undefined, mine);
  await call('DELETE', `${home}/saved-views/${saved.body.data.id}`, undefined, mine);
  await call('PUT', `${home}/secrets/BILLING_TOKEN`, { value: 'the token of the billing service' });
  await call('GET', `${home}/secrets`);
  await call('DELETE', `${home}/secrets/BILLING_TOKEN`);
}

async function callSignIn() {
  const { call } = bound();
  const origin = 'http://localhost:3000';
  const page = { ...pageHeaders(stack), origin };
  const [signIn, me] = ['/api/v1/sign-in', '/api/v1/users/me'];
  await call('GET', signIn, undefined, page);
  await call('POST', `${signIn}/mail`, { email: 'joe@example.org' }, page);
  const { token } = (await call('POST', `${home}/invitations`, { email: 'joe@example.org', role: 'viewer' }))
    .body.data;
  await call('POST', `${signIn}/invitation`, { token }, page);
  const begun = await call('POST', `${signIn}/link`, { token: await ownerToken(stack) }, page);
  const mine = { ...toBrowserUser(stack, begun).headers, origin };
  await call('GET', me, undefined, mine);
  await call('PATCH', me, { name: 'Admin' }, mine);
  const authenticator = new Authenticator(origin);
  const made = (await call('POST', `${me}/passkeys/options`, {}, mine)).body.data;
  const response = authenticator.createPasskey(made.options);
  const passkey = (await call('POST', `${me}/passkeys`, { name: 'Laptop', response }, mine)).body.data;
  await call('GET', `${me}/passkeys`, undefined, mine);
  const asked = (await call('POST', `${signIn}/passkey/options`, {}, page)).body.data;
  const other = await call(
    'POST',
    `${signIn}/passkey`,
    { response: authenticator.signIn(asked.options) },
    page,
  );
  await call('GET', `${me}/sessions`, undefined, mine);
  await call('DELETE', `${me}/sessions/${other.body.data.sessionId}`, undefined, mine);
  await call('DELETE', `${me}/sessions`, undefined, mine);
  const identityId = await givenIdentity(begun.body.data.userId);
  await call('GET', `${me}/identities`, undefined, mine);
  await call('DELETE', `${me}/identities/${identityId}`, undefined, mine);
  // The last way to sign in cannot be deleted, so there is another passkey.
  const more = (await stack.post(`${me}/passkeys/options`, {}, mine)).body.data;
  const another = new Authenticator(origin).createPasskey(more.options);
  await stack.post(`${me}/passkeys`, { name: 'Phone', response: another }, mine);
  await call('DELETE', `${me}/passkeys/${passkey.id}`, undefined, mine);
  await call('POST', `${me}/sign-out`, {}, mine);
}

async function callWorkflows(): Promise<string> {
  const { call } = bound();
  await call('POST', '/api/v1/workflows/validate', { definition: pure });
  const wanted = { name: 'Size of an order', description: 'Large orders go another way.', definition: pure };
  const { id } = (await call('POST', '/api/v1/workflows', wanted)).body.data;
  const workflow = `/api/v1/workflows/${id}`;
  await call('GET', `${workflow}/deploy/preview?backtest=2`);
  await call('POST', `${workflow}/deploy`, { name: 'First', description: 'As it was agreed.' });
  await call('GET', workflow);
  await call('GET', `/api/workflows/${id}/status`);
  await call('PATCH', workflow, { description: 'Orders over 1,000 go another way.' });
  const [changed] = (await call('GET', '/api/v1/audit-logs?limit=1&action=workflow.updated')).body.data;
  await call('GET', `/api/v1/audit-logs/${changed.id}`);
  const exported = (await call('GET', `${workflow}/export`)).body.data;
  await call('POST', '/api/v1/workflows/import', { ...exported, name: 'Size of an order, copied' });
  await call('GET', '/api/v1/workflows?limit=1');
  await call('POST', `${workflow}/deploy`, { name: 'Second' });
  await call('GET', `${workflow}/versions`);
  await call('GET', `${workflow}/versions/1`);
  await call('POST', `${workflow}/rollback`, { version: 1 });
  return id;
}

async function callAlerts() {
  const { call } = bound();
  const alerts = `/api/v1/workspaces/${stack.home.id}/alerts`;
  // A worker checks rules that are enabled at any moment.
  const rule = { name: 'Many failures', metric: 'failureRate', threshold: 20, enabled: false };
  const { id } = (await call('POST', alerts, rule)).body.data;
  await call('GET', alerts);
  await call('PATCH', `${alerts}/${id}`, { threshold: 30 });
  await call('GET', `${alerts}/${id}`);
  await call('DELETE', `${alerts}/${id}`);
}

async function callCalendars() {
  const { call } = bound();
  const calendars = `/api/v1/workspaces/${stack.home.id}/calendars`;
  const { id } = (await call('POST', calendars, { name: 'holidays', dates: ['2030-12-25'] })).body.data;
  await call('GET', calendars);
  await call('PATCH', `${calendars}/${id}`, { weekdays: ['sunday'] });
  await call('GET', `${calendars}/${id}`);
  await call('DELETE', `${calendars}/${id}`);
}

async function callTriggers(workflowId: string) {
  const { call } = bound();
  const triggers = `/api/v1/workflows/${workflowId}/triggers`;
  const wanted = {
    kind: 'webhook',
    name: 'Orders of the shop',
    webhook: { scheme: 'bearer', respond: 'result' },
    inputs: { amount: '{{ event.body.total }}' },
    when: 'event.body.type == "order.paid"',
    secret: 'the token of the shop',
  };
  const { id, url } = (await call('POST', triggers, wanted)).body.data;
  const trigger = `${triggers}/${id}`;
  await call('GET', triggers);
  const shop = { 'x-api-key': '', authorization: `Bearer ${wanted.secret}`, 'webhook-id': 'order-1' };
  const order = { type: 'order.paid', total: 1200 };
  const hook = new URL(url).pathname;
  await call('POST', hook, { ...order, type: 'order.made' }, { ...shop, 'webhook-id': 'order-0' });
  await call('PATCH', trigger, { webhook: { scheme: 'bearer' } });
  await call('POST', hook, order, shop);
  await call('POST', `${trigger}/pause`, { note: 'Moving the database.' });
  for (const id of ['order-2', 'order-3']) await stack.post(hook, order, { ...shop, 'webhook-id': id });
  await call('GET', trigger);
  await call('POST', `${trigger}/resume`);
  const [paused] = (await call('GET', `${trigger}/deliveries?verdict=paused`)).body.data;
  await call('POST', `${trigger}/deliveries/${paused.id}/replay`);
  await call('POST', `${trigger}/deliveries/replay`, { verdict: 'paused' });
  const event = { body: order, headers: { 'shop-region': 'eu' } };
  const { deliveryId } = (await call('POST', `${trigger}/run`, event)).body.data;
  await call('GET', `${trigger}/deliveries/${deliveryId}`);
  await call('POST', `${trigger}/rotate`, { url: true });
  await call('DELETE', trigger);
  const nightly = {
    kind: 'schedule',
    name: 'Each hour',
    schedule: { everySeconds: 3600 },
    inputs: { amount: 5 },
  };
  const schedule = `${triggers}/${(await stack.post(triggers, nightly)).body.data.id}`;
  const range = { from: '2026-01-06T00:00:00Z', to: '2026-01-06T03:00:00Z' };
  const { backfill } = (await call('POST', `${schedule}/backfill`, range)).body.data;
  await call('GET', `${schedule}/backfills`);
  await until(
    () => stack.get(`${schedule}/backfills/${backfill.id}`),
    ({ body }) => body.data.status === 'completed',
  );
  await call('GET', `${schedule}/backfills/${backfill.id}`);
  // With so many moments it is under way when it is aborted.
  const other = await stack.post(`${schedule}/backfill`, { ...range, from: '2025-01-01T00:00:00Z' });
  await call('POST', `${schedule}/backfills/${other.body.data.backfill.id}/abort`);
}

async function callMcpServers(workflowId: string) {
  const { call } = bound();
  const tools = [{ workflowId, name: 'size_of_order', readOnlyHint: true }];
  const wanted = { name: 'Order desk', description: 'What agents of the order desk may do.', tools };
  const { id } = (await call('POST', '/api/v1/mcp-servers', wanted)).body.data;
  await call('GET', '/api/v1/mcp-servers');
  await call('GET', `/api/v1/mcp-servers/${id}`);
  await call('PATCH', `/api/v1/mcp-servers/${id}`, { folder: 'orders', waitSeconds: 10 });
  const grantId = await givenGrant(id);
  await call('GET', `/api/v1/mcp-servers/${id}/grants`);
  await call('DELETE', `/api/v1/mcp-servers/${id}/grants/${grantId}`);
  await call('DELETE', `/api/v1/mcp-servers/${id}`);
}

async function callEndpoints(workflowId: string) {
  const { call } = bound();
  const receiver = await Receiver.start();
  const types = ['execution.completed', 'execution.failed'];
  const wanted = {
    url: receiver.url('/holdfast'),
    description: 'The shop',
    types,
    workflowIds: [workflowId],
  };
  const { id } = (await call('POST', `${home}/endpoints`, wanted)).body.data;
  const one = `${home}/endpoints/${id}`;
  const delivery = (await call('POST', `${one}/test`)).body.data.id;
  const tested = `${home}/event-deliveries/${delivery}`;
  await until(
    () => stack.get(tested),
    ({ body }) => body.data.status === 'delivered',
  );
  await call('GET', tested);
  await call('GET', `${home}/event-deliveries?endpointId=${id}`);
  await call('GET', `${home}/endpoints`);
  await call('GET', one);
  await call('PATCH', one, { types: [] });
  await call('POST', `${one}/rotate`);
  await call('POST', `${tested}/replay`);
  await call('POST', `${one}/replay`, { failed: true });
  await call('DELETE', one);
  receiver.stop();
}

async function callHolds(workflowId: string) {
  const { call } = bound();
  const wanted = { workflowId, stops: 'effects', reason: 'The ledger is being moved to another server.' };
  const { id } = (await call('POST', `${home}/holds`, wanted)).body.data;
  const one = `${home}/holds/${id}`;
  await call('GET', `${home}/holds`);
  await call('GET', one);
  await call('PATCH', one, { reason: 'The ledger is being checked.' });
  await call('POST', `${one}/release`, { perSecond: 50 });
  await until(
    () => stack.get(`${home}/holds`),
    ({ body }) => body.data.length === 0,
  );
}

async function callBulk(workflowId: string) {
  const { call } = bound();
  // The counts of the examples are those of a workflow at rest.
  await until(
    () => stack.get(`/api/v1/logs?workflowIds=${workflowId}&status=queued,running`),
    ({ body }) => body.data.length === 0,
  );
  const wish = { verb: 'fork', filter: { workflowIds: workflowId }, perSecond: 0.1 };
  await call('POST', '/api/v1/bulk', { ...wish, dryRun: true });
  const { id } = (await call('POST', '/api/v1/bulk', wish)).body.data.job;
  const one = `/api/v1/bulk/${id}`;
  // The first act comes at once, and the second after ten seconds.
  await until(
    () => stack.get(one),
    ({ body }) => body.data.done === 1,
  );
  await call('GET', '/api/v1/bulk');
  await call('GET', one);
  await call('GET', `${one}/items`);
  await call('POST', `${one}/abort`);
  await call('POST', `${one}/undo`, { dryRun: true });
}

/** An identity as a sign-in leaves it; `identity-providers.api.spec.ts` plays how people get one. */
async function givenIdentity(userId: string): Promise<string> {
  const owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
  const id = newId('idn');
  await owner.query(
    `insert into identities (id, provider, subject, user_id, email) values ($1, 'corp', 'joe', $2, 'joe@corp.example')`,
    [id, userId],
  );
  await owner.end();
  return id;
}

/** A grant as a person leaves it; `oauth.api.spec.ts` plays how they do. */
async function givenGrant(serverId: string): Promise<string> {
  const owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
  const grantId = 'Zk3vQeT1bW9xR5uYc7aPd0LmN2oHs4JgFiKqXyVwBtE';
  const client = 'https://desktop.example/client.json';
  await owner.query(
    `insert into oauth_records (kind, digest, payload, grant_id, server_id, expires_at)
     select 'Grant', 'digest', json_build_object('clientId', $1::text, 'accountId', id,
       'resources', json_build_object('resource', $2::text)), $3, $4, now() + interval '90 days'
     from api_keys where kind = 'personal' limit 1`,
    [client, `execute:${serverId} read`, grantId, serverId],
  );
  await owner.end();
  return grantId;
}

async function callExecutions(workflow: string) {
  const { call } = bound();
  const path = `/api/workflows/${workflow}`;
  const { executionId } = (await call('POST', `${path}/execute`, { inputs: { amount: 5 } })).body;
  const { jobId } = (await call('POST', `${path}/execute`, { inputs: { amount: 5 }, async: true })).body;
  await call('GET', `/api/jobs/${jobId}?wait=60`);
  await call('GET', `/api/jobs/${jobId}/events`);
  await call('GET', `${path}/executions/${executionId}`);
  await call('GET', `/api/v1/executions/${executionId}/timeline`);
  const log = executionId.replace('exec_', 'log_');
  const full = 'details=full&includeFinalOutput=true&includeTraceSpans=true';
  await call('GET', `/api/v1/logs?${full}&executionId=${executionId}`);
  await call('GET', '/api/v1/logs/stats?by=day&startDate=2026-01-01&endDate=2026-01-02');
  await call('GET', `/api/v1/logs/export?executionId=${executionId}`);
  await call('GET', `/api/v1/logs/${log}`);
  await call('GET', `/api/v1/logs/executions/${executionId}`);
  await call('POST', `${path}/executions/${executionId}/fork`, { inputs: { amount: 6 } });
  const failing = block(
    'call',
    'http',
    { url: 'http://127.0.0.1:1/', method: 'POST' },
    { retry: { maxAttempts: 1 } },
  );
  const broken = await given('Call a server that is away', line(failing));
  const failed = (await call('POST', `/api/workflows/${broken}/execute`, { inputs: {} })).body.executionId;
  await call('POST', `/api/workflows/${broken}/executions/${failed}/retry`);
  await call('POST', `/api/v1/workflows/${workflow}/backtest`, { version: 1, executions: 1 });
  await call('POST', `/api/v1/workflows/${workflow}/test`, { inputs: { amount: 6 } });
  await call('GET', `${path}/executions/${executionId}/definition`);
  await call('GET', `${path}/executions/${executionId}/scenario`);
}

async function callPauses() {
  const { call } = bound();
  const [asked, ...others] = approval.blocks;
  const approvals = { required: 1, decision: 'approved', assignees: ['ann@example.org'] };
  const blocks = [{ ...asked, params: { ...asked?.params, approvals } }, ...others];
  const ann = await givenMember(stack, 'ann@example.org');
  const request = { ...approval, blocks };
  const [plain, asking] = [await given('Ask anyone', approval), await given('Ask Ann', request)];
  const first = await stack.givenPaused(asking, { amount: 12 });
  await call('GET', `/api/workflows/${asking}/paused`);
  await call('GET', '/api/v1/inbox', undefined, ann.headers);
  // The message is sent by then, so that it stands in the trail at the same place in each run.
  await until(
    () => stack.get(`${first.apiUrl}/trail`),
    ({ body }) => JSON.stringify(body).includes('"told"'),
  );
  await call('POST', `${first.apiUrl}/delegate`, { to: 'bob@example.org', note: 'I am away.' }, ann.headers);
  await call('GET', `${first.apiUrl}/trail`);
  const second = await stack.givenPaused(plain, { amount: 12 });
  await call('POST', second.apiUrl, { input: { approved: true, note: 'Agreed.' } });
  await call('GET', `/api/resume/${plain}/${second.executionId}`);
  const third = await stack.givenPaused(plain, { amount: 12 });
  await call('POST', third.apiUrl, { input: { approved: true }, async: true });
  await call('POST', third.apiUrl, { input: { approved: false } });
  const fourth = await stack.givenPaused(plain);
  const part = 'Content-Disposition: form-data; name="file"; filename="scan.txt"\r\nContent-Type: text/plain';
  const parts = `--x\r\n${part}\r\n\r\nThe signed paper.\r\n--x--\r\n`;
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
  const kept = await call('POST', `${fourth.apiUrl}/files`, parts, multipart);
  await call('GET', new URL(kept.body.data.files[0].url).pathname);
  await call('POST', `/api/workflows/${plain}/executions/${fourth.executionId}/cancel`);
}

async function callTables() {
  const { call } = bound();
  const columns = [
    { name: 'email', type: 'string', required: true, unique: true },
    { name: 'score', type: 'number' },
    { name: 'stage', type: 'string', default: 'new' },
  ];
  const wanted = {
    workspaceId: stack.home.id,
    name: 'leads',
    description: 'Who may buy.',
    schema: { columns },
  };
  const table = `/api/v1/tables/${(await call('POST', '/api/v1/tables', wanted)).body.data.table.id}`;
  await call('GET', `/api/v1/tables?workspaceId=${stack.home.id}`);
  await call('GET', table);
  await call('PATCH', table, { description: 'Who may buy, and who has.' });
  await call('POST', `${table}/columns`, { column: { name: 'met', type: 'date' } });
  await call('PATCH', `${table}/columns`, {
    columnName: 'score',
    updates: { name: 'points', required: false },
  });
  await call('DELETE', `${table}/columns`, { columnName: 'met' });
  const rows = [
    { email: 'ann@example.org', points: 8 },
    { email: 'bob@example.org', points: 5 },
  ];
  const [ann, bob] = (await call('POST', `${table}/rows`, { rows })).body.data.rows;
  const found = new URLSearchParams({
    filter: '{"points":{"$gt":3}}',
    sort: '{"points":"desc"}',
    limit: '1',
  });
  await call('GET', `${table}/rows?workspaceId=${stack.home.id}&${found}`);
  await call('POST', `${table}/rows/query`, { filter: { points: { $gte: 5 } }, sort: { points: 'desc' } });
  await call('POST', `${table}/rows/upsert`, { data: { email: 'bob@example.org', stage: 'won' } });
  const aggregates = { rows: { count: '*' }, total: { sum: 'points' } };
  await call('POST', `${table}/rows/aggregate`, { groupBy: ['stage'], aggregates });
  await call('PATCH', `${table}/rows`, { updates: [{ rowId: ann.id, data: { points: 9 } }] });
  await call('PUT', `${table}/rows`, { filter: { points: { $lt: 9 } }, data: { stage: 'lost' } });
  const { headers } = await call('GET', `${table}/rows/${ann.id}`);
  await call(
    'PATCH',
    `${table}/rows/${ann.id}`,
    { data: { stage: 'won' } },
    { 'if-match': headers.get('etag') ?? '' },
  );
  await call('PATCH', `${table}/rows/${ann.id}`, { data: { stage: 'lost' } }, { 'if-match': '"1"' });
  await call('DELETE', `${table}/rows/${bob.id}`, { workspaceId: stack.home.id });
  await call('DELETE', `${table}/rows`, { rowIds: [ann.id] });
  const csv = { 'content-type': 'text/csv' };
  await call(
    'POST',
    `${table}/import?mode=good`,
    'email,points\ncid@example.org,4\ndan@example.org,many\n',
    csv,
  );
  await call('POST', `${table}/import/preview`, 'E-Mail;points\neve@example.org;1,5\n', csv);
  const query = `workspaceId=${stack.home.id}`;
  const clients = 'Name;City\nAnn;Bonn\nBob;Köln\n';
  await call('POST', `/api/v1/tables/import/preview?${query}`, clients, csv);
  const made = await call('POST', `/api/v1/tables/import?name=clients&${query}`, clients, csv);
  await call('DELETE', `/api/v1/tables/${made.body.data.tableId}?${query}`);
  const later = await call('POST', `/api/v1/tables/import?name=clients&async=true&${query}`, clients, csv);
  await call('GET', `${later.body.data.statusUrl.replace(/^.*(?=\/api)/, '')}?wait=60`);
  await call('GET', `${table}/export`);
  await call('POST', `${table}/export`, { filter: { points: { $gte: 4 } }, format: 'jsonl' });
  await callImports(table);
  await call('DELETE', table);
}

async function callImports(table: string) {
  const { call } = bound();
  const send = () =>
    call('POST', `${table}/import?async=true`, 'email\ndan@example.org\n', { 'content-type': 'text/csv' });
  const { id } = (await send()).body.data.import;
  await call('GET', `${table}/imports/${id}?wait=60`);
  await call('GET', `${table}/imports`);
  // Without a worker the next one has not ended when it is cancelled.
  await stack.worker.kill('SIGTERM');
  const waiting = (await send()).body.data.import;
  await call('POST', `${table}/imports/${waiting.id}/cancel`);
  await stack.startWorker();
}

async function callKnowledge() {
  const { call } = bound();
  const wanted = {
    workspaceId: stack.home.id,
    name: 'manuals',
    description: 'How our machines are used.',
    chunkingConfig: { maxSize: 200, minSize: 1, overlap: 0 },
  };
  const { id } = (await call('POST', '/api/v1/knowledge', wanted)).body.data.knowledgeBase;
  const base = `/api/v1/knowledge/${id}`;
  await call('GET', '/api/v1/knowledge');
  await call('GET', `${base}?workspaceId=${stack.home.id}`);
  await call('PUT', base, { description: 'How our machines are used and mended.' });
  await call('PUT', `${base}/tags`, { tags: [{ name: 'machine', type: 'text' }] });
  await call('GET', `${base}/tags`);
  const text =
    '# Pumps\n\nThe pump P-100 is started by the green button.\n\n# Fans\n\nThe fan stops by itself.';
  const document = { text, filename: 'machines.md', tags: { machine: 'P-100' } };
  const added = await call('POST', `${base}/documents?wait=60`, document);
  const one = `${base}/documents/${added.body.data.document.id}`;
  await call('GET', `${base}/documents?workspaceId=${stack.home.id}`);
  await call('GET', one);
  await call('PATCH', one, { filename: 'pumps and fans.md' });
  await call('GET', `${one}/content`);
  const [first, second] = (await call('GET', `${one}/chunks`)).body.data.chunks;
  await call('GET', `${one}/chunks/${first.id}`);
  await call('PATCH', `${one}/chunks/${second.id}`, { enabled: false });
  const tagFilters = [{ tagName: 'machine', operator: 'starts_with', value: 'p-' }];
  const query = 'How is the pump started?';
  await call('POST', '/api/v1/knowledge/search', { knowledgeBaseIds: [id], query, topK: 3, tagFilters });
  await call('DELETE', `${one}/chunks/${second.id}`);
  const failed = await call('POST', `${base}/documents?wait=60`, {
    text: '<!-- nothing -->',
    filename: 'empty.html',
  });
  await call('POST', `${base}/documents/${failed.body.data.document.id}/retry`);
  await call('DELETE', one);
  await call('DELETE', base);
}

async function callTheEnd(workflow: string) {
  const { call } = bound();
  await call('DELETE', `/api/v1/workflows/${workflow}/deploy`);
  const { id } = (await stack.post('/api/v1/workflows', { name: 'Not needed', definition: pure })).body.data;
  await call('DELETE', `/api/v1/workflows/${id}`);
}

/** One refusal of each status. For the last two, the limits of the installation are set low. */
async function callWrongly(workflow: string) {
  const { call } = bound();
  const wrong = { name: '', definition: pure };
  await call('POST', '/api/v1/workflows', wrong);
  await call('GET', '/api/v1/folders');
  await call('GET', '/api/v1/usage?groupBy=workflow&endDate=2026-01-31');
  await call('GET', '/api/v1/usage/export?groupBy=kind&endDate=2026-01-31');
  await call('GET', '/api/v1/workflows', undefined, { 'x-api-key': 'sk-holdfast-unknown' });
  const { key } = (await stack.post(`${home}/keys`, { name: 'Reader', role: 'viewer' })).body.data;
  await call('DELETE', `/api/v1/workflows/${workflow}`, undefined, { 'x-api-key': key });
  await call('GET', '/api/v1/workflows/wf_01957c6a8e0070008000999999999999');
  await call('POST', '/api/v1/workflows', 'name=x', { 'content-type': 'text/plain' });
  const large = await given('Small amounts', pure);
  await call('POST', `/api/workflows/${large}/execute`, { note: 'x'.repeat(11_000_000) });
  const keyed = { 'idempotency-key': 'order 4711' };
  await stack.execute(large, { inputs: { amount: 5 } }, keyed);
  await call('POST', `/api/workflows/${large}/execute`, { inputs: { amount: 6 } }, keyed);
  await stack.api.kill('SIGTERM');
  await stack.startApi({ USAGE_LIMIT: '0.001', RATE_API_PER_MINUTE: '1' });
  await call('POST', `/api/workflows/${large}/execute`, { inputs: { amount: 5 } });
  for (let n = 0; n < 3; n++) await call('GET', '/api/v1/workflows');
}

async function given(name: string, definition: object): Promise<string> {
  const { id } = (await stack.post('/api/v1/workflows', { name, definition })).body.data;
  await stack.post(`/api/v1/workflows/${id}/deploy`);
  return id;
}

function bound() {
  return { call: recorder.call.bind(recorder) };
}
