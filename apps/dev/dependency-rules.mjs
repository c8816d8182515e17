/**
 * Who may import whom. `npm run check` cruises all sources under these rules; by hand:
 *
 *     node_modules/.bin/depcruise -c apps/dev/dependency-rules.mjs apps libs temporal
 *
 * A `pathNot` of `to` names the imports that a rule lets through. A test fails when nothing needs an entry any more, and plants an
 * import against each rule.
 */

/** Specs, and the files that only specs use. They may use any package, and the same folders of ours as the code that they test. */
const tests = '\\.spec\\.ts$|/(test|support)/|^apps/dev/';
const code = { pathNot: tests };
/** An import of types alone: it leaves nothing in the compiled code. */
const values = { dependencyTypesNot: ['type-only'] };
const isPackage = {
  dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
};

const refuse = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const groups = [
  refuse(
    'platform-stands-below-all',
    'The platform serves any product. It must not know this one.',
    { path: '^libs/platform/' },
    // A server, embedded or of a test, must know the search attributes of a run before the first run.
    { path: '^(apps|libs|temporal)/', pathNot: ['^libs/platform/', '^temporal/search-attributes\\.ts$'] },
  ),
  refuse(
    'language-knows-no-product',
    'The language and its engine are calculation: they run in workflow code, in the API, and in a test without servers.',
    { path: '^libs/language/' },
    {
      path: '^(apps|libs|temporal)/',
      pathNot: [
        '^libs/language/',
        '^libs/platform/(errors|json)/',
        '^libs/platform/text/(characters|header-faults|whole-text|support/(cpu|random))\\.ts$',
      ],
    },
  ),
  refuse(
    'language-is-pure',
    'Workflow code must come to the same end each time, so it has no clock, no network and no file.',
    { path: '^libs/language/', ...code },
    { ...isPackage, pathNot: ['^node_modules/@marcbachmann/cel-js/'] },
  ),
  refuse(
    'import-only-converts',
    'A file of another product becomes a definition, and nothing is stored.',
    { path: '^libs/import/' },
    {
      path: '^(apps|libs|temporal)/',
      pathNot: [
        '^libs/import/',
        '^libs/language/definition/',
        '^libs/platform/(errors|json)/',
        '^libs/platform/text/(header-faults|whole-text|support/random)\\.ts$',
      ],
    },
  ),
  refuse(
    'definition-knows-no-engine',
    'A definition is checked and compiled without being run.',
    { path: '^libs/(language/definition|import)/' },
    { path: '^libs/language/engine/' },
  ),
  refuse(
    'runs-stand-alone',
    'A run names tables and knowledge by blocks alone, and the worker carries these out.',
    { path: '^libs/runs/' },
    // The worker of a workflow task counts the runs that are open, and frees the place of one that ends.
    {
      path: '^libs/(workspace|tables|knowledge)/',
      pathNot: ['^libs/workspace/limits/limits(\\.module)?\\.ts$'],
    },
  ),
  refuse(
    'workspace-stands-alone',
    'People, keys and limits are there before any workflow.',
    { path: '^libs/workspace/' },
    // A tool server offers the workflows of folders.
    {
      path: '^libs/(runs|tables|knowledge)/',
      pathNot: ['^libs/runs/workflows/(folder|workflow\\.entity)\\.ts$'],
    },
  ),
  refuse(
    'tables-stand-alone',
    'Tables are useful without workflows and without documents.',
    { path: '^libs/tables/' },
    // A workbook and a guessed encoding are read in one way, in one folder, which stores nothing.
    {
      path: '^libs/(runs|workspace|knowledge)/',
      pathNot: ['^libs/knowledge/parsing/(parse-file|parsed-document|encoding)\\.ts$'],
    },
  ),
  refuse(
    'knowledge-stands-alone',
    'Documents are useful without workflows and without tables.',
    { path: '^libs/knowledge/' },
    { path: '^libs/(runs|workspace|tables)/' },
  ),
  refuse(
    'stored-things-speak-no-language',
    'Only runs, the API and the worker know what a workflow says.',
    // The schemas of a tool come from the plan of its workflow.
    { path: '^libs/(workspace|tables|knowledge)/', pathNot: ['^libs/workspace/mcp-servers/'] },
    // A line of an imported file is checked as the body of a call is.
    { path: '^libs/language/', pathNot: ['^libs/language/definition/checks/screen\\.ts$'] },
  ),
  refuse(
    'libs-start-workflows-by-type',
    'The start of a workflow is typed by its function, but workflow code is loaded only into its sandbox.',
    { path: '^libs/' },
    { path: '^temporal/workflows/', ...values },
  ),
  refuse(
    'stored-things-send-no-messages',
    'Messages of runs are sent and read by runs alone.',
    { path: '^libs/(workspace|tables|knowledge)/' },
    { path: '^temporal/', pathNot: ['^temporal/workflows/'] },
  ),
  refuse(
    'triggers-stand-above-runs',
    'A trigger starts runs. What runs, and what a workspace has, does not know what started it.',
    { path: '^libs/(?!triggers/|worker/)|^temporal/' },
    { path: '^libs/triggers/' },
  ),
  refuse(
    'triggers-know-no-tables',
    'A trigger knows workflows, and its workspace with keys and secrets.',
    { path: '^libs/triggers/' },
    { path: '^libs/(tables|knowledge|worker|import)/|^libs/language/engine/' },
  ),
  refuse(
    'effects-are-carried-out-for-runs',
    'The worker stands above all that its blocks use; what is below gets it by injection.',
    { path: '^libs/(?!worker/)|^temporal/' },
    { path: '^libs/worker/' },
  ),
  refuse(
    'libs-know-no-app',
    'An app is a way to start the product. The product must not know how it was started.',
    { path: '^libs/|^temporal/(?!test/)' },
    { path: '^apps/' },
  ),
];

const folders = [
  refuse(
    'executions-stand-below-pauses',
    'An answer goes on with an execution; an execution does not know who answers it.',
    { path: '^libs/runs/(executions|workflows)/' },
    { path: '^libs/runs/(pauses|history|temporal-workers|scenario)/' },
  ),
  refuse(
    'workflows-stand-below-executions',
    'A workflow is deployed before it is executed.',
    { path: '^libs/runs/workflows/' },
    { path: '^libs/runs/(?!workflows/)' },
  ),
  refuse(
    'scenarios-store-nothing',
    'A scenario is played for an author, without Postgres and without network.',
    { path: '^libs/runs/scenario/', ...code },
    {
      path: '^libs/(runs|platform)/|^temporal/workflows/',
      pathNot: [
        '^libs/runs/scenario/',
        '^libs/platform/(errors|json)/',
        '^libs/platform/text/(characters|whole-text|support/cpu)\\.ts$',
        // Large values travel as references, packed as the product packs them.
        '^libs/runs/executions/record/pack\\.ts$',
      ],
    },
  ),
  refuse(
    'parsing-stores-nothing',
    'Parsers read files of strangers in threads, so they get bytes and give text.',
    { path: '^libs/knowledge/(parsing|chunking|ranking)/', ...code },
    {
      path: '^libs/|^node_modules/(pg|typeorm|@nestjs)/',
      pathNot: [
        '^libs/knowledge/(parsing|chunking|ranking)/',
        '^libs/platform/(text|semaphore)/',
        '^libs/platform/threads/compiled-program',
      ],
    },
  ),
  refuse(
    'errors-and-json-import-nothing',
    'Every other folder imports these two.',
    { path: '^libs/platform/(errors|json)/', ...code },
    { path: '.', pathNot: ['^libs/platform/(errors|json)/', '^node_modules/lossless-json/'] },
  ),
  refuse(
    'workflow-code-is-deterministic',
    'A replay must order the same commands, so workflow code uses only what Temporal bundles with it.',
    { path: '^temporal/(workflows/|(messages|activities|run-type|search-attributes)\\.ts$)', ...code },
    {
      path: '.',
      pathNot: [
        '^temporal/(workflows/|(messages|activities|run-type|search-attributes)\\.ts$)',
        '^libs/language/(definition|engine)/',
        '^libs/platform/(errors|json)/',
        '^libs/platform/text/(characters|whole-text|support/cpu)\\.ts$',
        '^node_modules/@temporalio/(workflow|common)/',
      ],
    },
  ),
];

const apps = [
  refuse(
    'api-runs-no-blocks',
    'Controllers speak HTTP. The engine runs behind `libs/runs`, and code of users runs in the worker.',
    { path: '^apps/api/', ...code },
    { path: '^libs/(language/engine|platform/sandbox)/', ...values },
  ),
  refuse(
    'http-knows-no-resource',
    'Every resource stands on `http`. What it must know of one is given to it, as the forms of refusals are.',
    { path: '^apps/api/src/http/', ...code },
    { path: '^apps/api/src/', pathNot: '^apps/api/src/http/' },
  ),
  refuse(
    'api-decides-nothing',
    'Statements stand in `libs`, where the worker uses them too.',
    { path: '^apps/api/', ...code },
    { path: '^node_modules/(pg|typeorm|@nestjs/typeorm)/' },
  ),
  refuse(
    'clients-know-no-product',
    'A client knows the description of the API and nothing behind it.',
    { path: '^(libs/sdk|apps/(?:cli|console))/', ...code },
    {
      path: '^(apps|libs|temporal)/',
      pathNot: [
        '^$1/',
        '^libs/sdk/',
        // One drawing serves the console and the timeline page. It is pure and knows nothing of the product.
        '^libs/platform/drawing/',
        // One judge of return addresses serves the server and the console. It is pure too.
        '^libs/platform/return-addresses/',
        // What a text or a number of others is, is the same on both sides of the wire.
        '^libs/platform/(json|text)/',
        // A call that is copied from the console names the method of the client.
        '^apps/clients/src/method-names\\.ts$',
        // A scenario is played by the engine itself, so that its author needs neither a checkout nor an installation.
        '^libs/runs/scenario/(run-scenarios|scenario)\\.ts$',
        // The first workflow that the console offers is the example of the tour.
        '^apps/local/examples/approval\\.json$',
      ],
    },
  ),
  refuse(
    'sdk-needs-nothing',
    'The SDK runs in a browser and in any Node, without packages.',
    { path: '^libs/sdk/', ...code },
    isPackage,
  ),
  refuse(
    'apps-stand-alone',
    'Two programs that need one thing find it in `libs`.',
    // The clients have a rule of their own.
    { path: '^apps/([^/]+)/', pathNot: [tests, '^apps/(cli|console)/'] },
    {
      path: '^apps/',
      pathNot: [
        '^apps/$1/',
        // The benches, the fault campaign and a restore start servers as `npm start` does.
        '^apps/local/src/',
        // The servers of one machine have the settings of a deployment.
        '^apps/deploy/temporal/',
      ],
    },
  ),
  refuse(
    'tests-share-named-support',
    'Support of tests that others use is named here, so that a change of it is made for all.',
    { path: '^(apps/[^/]+|temporal).*(?:/test/|/support/|\\.spec\\.ts$)' },
    {
      path: '^apps/',
      pathNot: [
        '^$1/',
        '^apps/[^/]+/(test/)?support/',
        // The tests of the pages read what the checks of the repository know.
        '^apps/dev/checks/(folders|repository)\\.ts$',
        // A test without servers of its own brings them as `npm start` does.
        '^apps/local/src/',
        '^apps/deploy/temporal/',
        // Links of a page are checked as the API renders them.
        '^apps/api/src/docs/',
        // The console has the colours of the page for answers.
        '^apps/api/src/http/page-style\\.ts$',
      ],
    },
  ),
  refuse(
    'local-starts-programs',
    'It installs and starts a product that is not compiled yet.',
    { path: '^apps/local/', ...code },
    {
      path: '^(libs|temporal)/',
      pathNot: [
        '^libs/platform/binaries/',
        // What stops a start is said to an operator, whoever starts it.
        '^libs/platform/settings/cannot-start\\.ts$',
        // The receiver of the demo checks events as a user of the SDK does.
        '^libs/sdk/src/webhooks\\.ts$',
        // Each program is packed into one file, and so is the one that runs code of users.
        '^libs/platform/sandbox/support/child-program\\.ts$',
      ],
    },
  ),
];

/** Packages that reach outside, or do what no program should do for itself, each with the folders that may import it. */
const owners = [
  [
    'pg|typeorm|@nestjs/typeorm',
    '^libs/(platform|runs|triggers|worker|workspace|tables|knowledge)/|^apps/(bench|faults|local|admin)/',
    'The edges and the language know no SQL.',
  ],
  [
    'undici',
    '^libs/platform/egress/|^apps/bench/',
    'One folder calls out, so one policy says which addresses may be called.',
  ],
  ['ipaddr\\.js', '^libs/platform/egress/', 'The policy of addresses stands in one place.'],
  ['nodemailer', '^libs/platform/mail/', 'Mail goes to the server of the operator, and no block reaches it.'],
  [
    'openid-client|@simplewebauthn/server',
    '^libs/workspace/sign-in/',
    'Proofs of identity are checked in one place.',
  ],
  ['oidc-provider', '^apps/api/src/oauth/', 'One folder speaks OAuth.'],
  ['quickjs-emscripten', '^libs/platform/sandbox/', 'Code of users runs in one place.'],
  [
    '@temporalio/(client|proto)',
    '^libs/(platform/temporal-client|runs)/|^apps/(worker|bench|faults|local|admin)/',
    'Only runs and the platform talk to Temporal.',
  ],
  [
    '@temporalio/(worker|testing)',
    '^libs/(platform|runs|worker)/|^apps/bench/|^temporal/bundle\\.ts$',
    'A process hosts workflow code in one of these ways.',
  ],
  ['@temporalio/activity', '^libs/worker/', 'Activities that wait for others run in the worker.'],
  ['@temporalio/workflow', '^temporal/|^apps/bench/', 'Workflow code stands in one folder.'],
  ['@opentelemetry', '^libs/platform/telemetry/|^apps/api/src/', 'Traces are made in one way.'],
  ['pino|prom-client', '^libs/platform/telemetry/', 'Logs and metrics are written in one way.'],
  [
    'fastify|@fastify|@nestjs/(platform-fastify|swagger)',
    '^apps/api/',
    'Only the API speaks HTTP to callers.',
  ],
  ['onnxruntime-node', '^libs/knowledge/embedder/', 'One folder knows which model embeds.'],
  [
    'unpdf|mammoth|@e965/xlsx|htmlparser2|chardet|@zone-eu/mailsplit|libmime|libqp|iconv-lite',
    '^libs/knowledge/parsing/',
    'Files of strangers are parsed in threads of one folder.',
  ],
  ['sql\\.js', '^apps/local/', 'Only the embedded Temporal has an SQLite file.'],
].map(([name, folder, comment]) =>
  refuse(
    `only-some-import-${name
      .split('|')[0]
      .replaceAll(/[^a-z]+/g, '-')
      .replace(/^-|-$/g, '')}`,
    comment,
    { path: '^(apps|libs|temporal)/', pathNot: [tests, folder] },
    { path: `^node_modules/(@types/)?(${name})(/|$)` },
  ),
);

const resolvable = refuse(
  'imports-are-found',
  'An import that nobody can follow passes every other rule.',
  {},
  // Kit and Vite give these modules their names, and the docs serve the library of their search beside their script.
  { couldNotResolve: true, pathNot: ['^\\$(app|lib)/', '^virtual:', 'minisearch\\.js$'] },
);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [...groups, ...folders, ...apps, ...owners, resolvable],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(libs/sdk/)?dist/|/\\.svelte-kit/' },
    moduleSystems: ['es6'],
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types', 'svelte'],
      extensions: ['.ts', '.mjs', '.js', '.json', '.svelte', '.d.ts'],
    },
  },
};
