interface PlantedImport {
  path: string;
  text: string;
  /** The files that must be there for the import to be found. */
  imports: string[];
  refusedBy: string[];
}

/** An import of one of our files by its path from the top. */
function ours(path: string, target: string, ...refusedBy: string[]): PlantedImport {
  return { path, text: `import '#${target.replace(/\.ts$/, '')}';`, imports: [target], refusedBy };
}

function fromPackage(path: string, name: string, ...refusedBy: string[]): PlantedImport {
  return { path, text: `import '${name}';`, imports: [`node_modules/${name}/index.js`], refusedBy };
}

function typesOf(path: string, target: string, ...refusedBy: string[]): PlantedImport {
  return {
    path,
    text: `import { type A } from '#${target.replace(/\.ts$/, '')}';`,
    imports: [target],
    refusedBy,
  };
}

/** One import against each rule, and one beside it that the rule lets through. */
export const plantedImports: PlantedImport[] = [
  ours('libs/platform/ids/planted.ts', 'libs/tables/reads/rows.ts', 'platform-stands-below-all'),
  ours('libs/platform/temporal-client/planted.ts', 'temporal/search-attributes.ts'),
  ours('libs/language/engine/planted.ts', 'libs/runs/pauses/answers.ts', 'language-knows-no-product'),
  typesOf('libs/language/engine/planted.ts', 'libs/platform/ids/ids.ts', 'language-knows-no-product'),
  {
    path: 'libs/language/definition/planted.ts',
    text: `await import('node:fs');`,
    imports: [],
    refusedBy: ['language-is-pure'],
  },
  fromPackage('libs/language/engine/planted.ts', 'uuid', 'language-is-pure'),
  fromPackage('libs/language/engine/planted.spec.ts', 'uuid'),
  ours('libs/language/definition/planted.ts', 'libs/language/engine/run.ts', 'definition-knows-no-engine'),
  ours('libs/language/engine/planted.ts', 'libs/language/definition/plan.ts'),
  ours('libs/import/planted.ts', 'libs/runs/pauses/answers.ts', 'import-only-converts'),
  ours('libs/import/planted.ts', 'libs/language/definition/plan.ts'),
  ours('libs/runs/history/planted.ts', 'libs/tables/reads/rows.ts', 'runs-stand-alone'),
  ours('libs/runs/temporal-workers/planted.ts', 'libs/workspace/limits/limits.ts'),
  ours('libs/workspace/auth/planted.ts', 'libs/runs/history/logs.ts', 'workspace-stands-alone'),
  ours('libs/tables/reads/planted.spec.ts', 'libs/knowledge/search/search.ts', 'tables-stand-alone'),
  ours('libs/knowledge/search/planted.ts', 'libs/workspace/limits/limits.ts', 'knowledge-stands-alone'),
  ours('libs/workspace/auth/planted.ts', 'libs/language/engine/run.ts', 'stored-things-speak-no-language'),
  ours('libs/runs/executions/planted.ts', 'temporal/workflows/execution.ts', 'libs-start-workflows-by-type'),
  typesOf('libs/tables/files/planted.ts', 'temporal/workflows/table-import.ts'),
  {
    path: 'libs/tables/files/planted.ts',
    text: `import { type A, b } from '#temporal/workflows/table-import';`,
    imports: [],
    refusedBy: ['libs-start-workflows-by-type'],
  },
  {
    path: 'libs/tables/files/planted.ts',
    text: `import type { A } from '#temporal/workflows/table-import'; export { b } from '#temporal/workflows/table-import';`,
    imports: [],
    refusedBy: ['libs-start-workflows-by-type'],
  },
  typesOf('libs/tables/files/planted.ts', 'temporal/messages.ts', 'stored-things-send-no-messages'),
  typesOf('libs/runs/pauses/planted.spec.ts', 'apps/api/src/main.ts', 'libs-know-no-app'),
  ours('libs/runs/executions/planted.ts', 'libs/runs/pauses/answers.ts', 'executions-stand-below-pauses'),
  ours('libs/runs/workflows/planted.ts', 'libs/runs/executions/jobs.ts', 'workflows-stand-below-executions'),
  ours('libs/runs/scenario/planted.ts', 'libs/platform/database/database.ts', 'scenarios-store-nothing'),
  ours('libs/knowledge/parsing/planted.ts', 'libs/platform/database/database.ts', 'parsing-stores-nothing'),
  ours('libs/platform/errors/planted.ts', 'libs/platform/ids/ids.ts', 'errors-and-json-import-nothing'),
  fromPackage(
    'temporal/workflows/planted.ts',
    '@temporalio/worker',
    'workflow-code-is-deterministic',
    'only-some-import-temporalio-worker',
  ),
  ours('apps/api/src/planted.ts', 'libs/language/engine/run.ts', 'api-runs-no-blocks'),
  typesOf('apps/api/src/planted.ts', 'libs/language/engine/run.ts'),
  ours('apps/api/src/http/planted.ts', 'apps/api/src/oauth/resources.ts', 'http-knows-no-resource'),
  ours('apps/api/src/http/planted.ts', 'apps/api/src/http/html.ts'),
  fromPackage('apps/api/src/planted.ts', 'pg', 'api-decides-nothing', 'only-some-import-pg'),
  fromPackage('apps/api/src/planted.spec.ts', 'pg'),
  ours('apps/cli/src/planted.ts', 'libs/platform/ids/ids.ts', 'clients-know-no-product'),
  ours('apps/cli/src/planted.ts', 'libs/sdk/src/client.ts'),
  {
    path: 'libs/sdk/src/planted.ts',
    text: `import 'node:fs';`,
    imports: [],
    refusedBy: ['sdk-needs-nothing'],
  },
  ours('apps/worker/src/planted.ts', 'apps/api/src/main.ts', 'apps-stand-alone'),
  ours('apps/worker/src/planted.spec.ts', 'apps/api/src/main.ts', 'tests-share-named-support'),
  ours('apps/worker/src/planted.spec.ts', 'apps/api/test/support/stack.ts'),
  ours('libs/runs/pauses/planted.ts', 'libs/worker/effect-host.ts', 'effects-are-carried-out-for-runs'),
  ours('libs/runs/pauses/planted.ts', 'libs/triggers/triggers.ts', 'triggers-stand-above-runs'),
  ours('libs/triggers/planted.ts', 'libs/tables/tables.module.ts', 'triggers-know-no-tables'),
  ours('apps/local/src/planted.ts', 'libs/platform/settings/settings.ts', 'local-starts-programs'),
  fromPackage('apps/worker/src/planted.ts', 'undici', 'only-some-import-undici'),
  fromPackage('apps/worker/src/planted.ts', 'ipaddr.js', 'only-some-import-ipaddr-js'),
  fromPackage('libs/runs/pauses/planted.ts', 'nodemailer', 'only-some-import-nodemailer'),
  fromPackage('libs/workspace/auth/planted.ts', 'openid-client', 'only-some-import-openid-client'),
  fromPackage('libs/workspace/oauth/planted.ts', 'oidc-provider', 'only-some-import-oidc-provider'),
  fromPackage('apps/worker/src/planted.ts', 'quickjs-emscripten', 'only-some-import-quickjs-emscripten'),
  fromPackage('libs/tables/files/planted.ts', '@temporalio/client', 'only-some-import-temporalio-client'),
  fromPackage('libs/runs/pauses/planted.ts', '@temporalio/activity', 'only-some-import-temporalio-activity'),
  fromPackage('libs/runs/pauses/planted.ts', '@temporalio/workflow', 'only-some-import-temporalio-workflow'),
  fromPackage('apps/worker/src/planted.ts', '@opentelemetry/api', 'only-some-import-opentelemetry'),
  fromPackage('apps/worker/src/planted.ts', 'pino', 'only-some-import-pino'),
  fromPackage('apps/worker/src/planted.ts', 'fastify', 'only-some-import-fastify'),
  fromPackage('apps/worker/src/planted.ts', 'onnxruntime-node', 'only-some-import-onnxruntime-node'),
  fromPackage('libs/tables/files/planted.ts', 'mammoth', 'only-some-import-unpdf'),
  fromPackage('libs/platform/temporal-client/planted.ts', 'sql.js', 'only-some-import-sql-js'),
  {
    path: 'apps/worker/src/planted.ts',
    text: `import './nowhere.ts';`,
    imports: [],
    refusedBy: ['imports-are-found'],
  },
];
