import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, getSchemaPath, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ErrorView, refusals } from './http/api-result.ts';
import { buildCurl } from './openapi-calls.ts';
import { type OpenapiExample, readExamples } from './openapi-examples.ts';

type PathItem = OpenAPIObject['paths'][string];
type DocumentedOperation = NonNullable<PathItem['get']>;

const about = `Holdfast runs workflows that are never lost, over HTTP.

Every call except the public calls sends an API key in the header X-API-Key. Every answer has X-Request-Id. An answer that
counted against a rate limit also has X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset. Every refusal has the
shape ErrorView. A path without the requested method is answered with 405 and the header Allow. Status 500 is a fault of this
service: its requestId tells the operator where to look.

In the examples \`$URL\` is the address of the installation, \`$KEY\` a key, and \`$WS\` the id of a workspace.`;

/** The tags in the order of the document: applications' calls come first. */
const tags: Record<string, string> = {
  'Execution and jobs': 'Run a workflow and wait for its result, or follow it as a job.',
  'Paused executions': 'Executions that wait for people: find them, answer them, see who answered.',
  Workflows: 'Workflows and their drafts.',
  Triggers: 'What starts a workflow by itself: addresses for webhooks, and the log of what came.',
  Deployments: 'The live version of a workflow: deploy, roll back, undeploy.',
  'Bulk jobs': 'Jobs that retry, cancel, fork or delete many executions.',
  Holds: 'Workflows and workspaces whose executions wait or are refused.',
  'MCP servers': 'The workflows that agents may call as tools.',
  Logs: 'The logs of executions, with their times, origin, cost and outcome.',
  Tables:
    'Tables with typed columns, and their rows. Their guarantees hold with any number of concurrent writers.',
  'Knowledge bases': 'Documents that are cut into chunks, embedded, and found by their meaning.',
  Events: 'Servers that hear of what happens in a workspace, and the log of deliveries to them.',
  Secrets: 'Credentials that blocks use by name. A value is never shown again.',
  'API keys': 'The keys that open this API. Only a hash of a key is stored.',
  Workspaces: 'Workspaces and their members.',
  'Sign-in': 'The sign-in of people to the console, and their account. Programs use keys instead.',
  Invitations: 'The ways to join and to leave a workspace.',
  Usage: 'The rate limits and the usage of a key.',
  Audit: 'The audit log: each change with its actor and its request. No entry can be changed or deleted.',
  Health: 'Checks for the system that starts and stops the processes. No key is needed.',
};

const meanings: Record<string, string> = {
  workflowId: 'The id of the workflow.',
  executionId: 'The id of the execution, or of a resume of it.',
  contextId: 'The id of the pause, from `pausePoints`.',
  valueId: 'The `$payload` of a reference in the block log.',
  logId: 'The id of the log, or of its execution.',
  auditLogId: 'The id of the entry.',
  jobId: 'The id of the job, or of its execution.',
  workspaceId: 'The id of the workspace. It may be left out when the key reaches only one.',
  version: 'The number of the version.',
  userId: 'The id of the member.',
  holdId: 'The id of the hold.',
  alertId: 'The id of the alert rule.',
  calendarId: 'The id of the calendar.',
  bulkId: 'The id of the bulk job.',
  backfillId: 'The id of the backfill.',
  endpointId: 'The id of the endpoint.',
  keyId: 'The id of the key.',
  invitationId: 'The id of the invitation.',
  sessionId: 'The id of the session.',
  passkeyId: 'The id of the passkey.',
  identityId: 'The id of the identity, from the list of your identities.',
  triggerId: 'The id of the trigger.',
  deliveryId: 'The id of the delivery.',
  token: 'The token of the trigger, from its address.',
  serverId: 'The id of the MCP server.',
  viewId: 'The id of the view, from the list of your saved views.',
  grantId: 'The id of the grant, from the list of grants.',
  tableId: 'The id of the table.',
  importId: 'The id of the import.',
  rowId: 'The id of the row.',
  knowledgeBaseId: 'The id of the knowledge base.',
  documentId: 'The id of the document.',
  fileId: 'The id of the file.',
  chunkId: 'The id of the chunk. When the document is processed again, its chunks get new ids.',
  name: 'The name of the secret.',
  limit: 'The maximum number of items on a page.',
};

/** The description of this API from its handlers, with examples from a test. */
export function describeApi(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Holdfast')
    .setDescription(about)
    .setVersion('0.1.0')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/', 'The installation that serves this document.')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'apiKey');
  for (const [name, description] of Object.entries(tags)) config.addTag(name, description);
  const document = SwaggerModule.createDocument(app, config.build(), {
    operationIdFactory: (_, method) => method,
    extraModels: [ErrorView],
  });
  const examples = readExamples();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of operationsIn(item)) {
      const example = examples.operations[operation.operationId ?? ''];
      complete(path, operation);
      exemplify(operation, example);
      const call = buildCurl(method, path, operation, example);
      operation.description = [operation.description, `\`\`\`sh\n${call}\n\`\`\``].join('\n\n');
    }
  }
  document.components = { ...document.components, responses: sharedRefusals(examples.refusals) };
  return document;
}

function operationsIn({ get, post, put, patch, delete: remove }: PathItem): [string, DocumentedOperation][] {
  return Object.entries({ get, post, put, patch, delete: remove }).flatMap(([method, operation]) =>
    operation ? [[method, operation]] : [],
  );
}

/** Adds the parts that no handler declares: the parameters that the guard reads, and the parts of every operation. */
function complete(path: string, operation: DocumentedOperation): void {
  operation.security ??= [];
  operation.parameters ??= [];
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    if (operation.parameters.some((one) => 'name' in one && one.name === name)) continue;
    operation.parameters.unshift({ name, in: 'path', required: true, schema: { type: 'string' } });
  }
  for (const one of operation.parameters) if ('name' in one) one.description ??= meanings[one.name];
  if (operation.requestBody)
    for (const status of [413, 415]) operation.responses[status] = { description: '' };
  for (const [status, { name }] of Object.entries(refusals))
    if (isRefusal(operation.responses[status]))
      operation.responses[status] = { $ref: `#/components/responses/${name}` };
}

/** True when an answer is a refusal. A 503 of the health check is a view of its own. */
function isRefusal(response: DocumentedOperation['responses'][string]): boolean {
  return response !== undefined && !('$ref' in response) && response.description === '';
}

/** Adds the test's call and its answer to the schemas. */
function exemplify(
  { parameters = [], requestBody, responses }: DocumentedOperation,
  example: OpenapiExample | undefined,
): void {
  if (!example) return;
  for (const one of parameters)
    if ('name' in one && one.in === 'path') Object.assign(one, exampleIn(example.parameters ?? {}, one.name));
  if (requestBody && 'content' in requestBody)
    for (const [type, media] of Object.entries(requestBody.content))
      if (type !== 'text/plain' || typeof example.request === 'string')
        Object.assign(media, exampleIn({ ...example }, 'request'));
  for (const [status, response] of Object.entries(responses))
    if (response && 'content' in response)
      for (const [type, media] of Object.entries(response.content ?? {}).slice(0, 1))
        Object.assign(
          media,
          exampleIn(type === 'text/event-stream' ? getData(example.responses) : example.responses, status),
        );
}

/** The data of the first event in each example of a stream. */
function getData(responses: Record<string, unknown>): Record<string, unknown> {
  const first = (text: unknown): unknown => JSON.parse(/^data: (.*)$/m.exec(String(text))?.[1] ?? '{}');
  return Object.fromEntries(Object.entries(responses).map(([status, text]) => [status, first(text)]));
}

/** An object with the example, to be merged into the document. Empty without one. */
function exampleIn(examples: Record<string, unknown>, name: string): { example?: unknown } {
  return name in examples ? { example: examples[name] } : {};
}

/** Each refusal once, for all operations. */
function sharedRefusals(examples: Record<string, unknown>) {
  const retryAfter = {
    description: 'Seconds to wait before the request is sent again.',
    schema: { type: 'integer' as const },
  };
  const entries = Object.entries(refusals).map(([status, { name, description }]) => {
    const headers = status === '429' || status === '503' ? { 'Retry-After': retryAfter } : undefined;
    const schema = { $ref: getSchemaPath(ErrorView) };
    const content = { 'application/json': { schema, ...exampleIn(examples, status) } };
    return [name, { description, ...(headers ? { headers } : {}), content }] as const;
  });
  return Object.fromEntries(entries);
}
