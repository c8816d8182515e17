/** One heading of the navigation, with its pages in order. */
export interface PageGroup {
  title: string;
  pages: string[];
}

/** Pages whose text and tests are elsewhere: the README of a package, and the decisions. */
export const readmes: Record<string, string> = {
  'clients/typescript': 'libs/sdk/README.md',
  'clients/python': 'libs/sdk-python/README.md',
  'clients/command-line': 'apps/cli/package/README.md',
  'contributing/decisions': 'apps/api/decisions.md',
};

/** The file of a page: `apps/docs/pages/a/b.md` for `a/b`, unless a package has it. */
export const toPageFile = (page: string): string => readmes[page] ?? `apps/docs/pages/${page}.md`;

/** The page at `/docs` itself. */
export const home = 'welcome';

export const contents: PageGroup[] = [
  {
    title: 'Start',
    pages: [
      home,
      'tour',
      'concepts',
      'console',
      'calling',
      'webhooks',
      'forms',
      'schedules',
      'events',
      'hold',
      'flow',
      'agents',
      'keys',
      'moving-from-sim',
    ],
  },
  {
    title: 'Workflows',
    pages: [
      'expressions',
      'blocks',
      'blocks/condition',
      'blocks/variables',
      'blocks/response',
      'blocks/effects',
      'blocks/http',
      'blocks/webhook',
      'blocks/function',
      'blocks/llm',
      'blocks/router',
      'blocks/evaluator',
      'blocks/mcp',
      'blocks/table',
      'blocks/knowledge',
      'blocks/human',
      'blocks/wait',
      'blocks/loop',
      'blocks/parallel',
      'blocks/workflow',
      'approvals',
      'run-control',
      'backtest',
      'scenarios',
      'templates',
      'codes',
    ],
  },
  {
    title: 'Clients',
    pages: ['clients', 'clients/typescript', 'clients/python', 'clients/command-line', 'importing'],
  },
  { title: 'Data', pages: ['tables', 'knowledge', 'logs', 'values', 'limits'] },
  {
    title: 'Running it',
    pages: [
      'configuration',
      'sign-in',
      'operations',
      'temporal',
      'backup',
      'scaling',
      'upgrades',
      'metrics',
      'incidents',
      'faults',
      'benchmarks',
      'security',
      'audit',
      'changes',
    ],
  },
  {
    title: 'Contributing',
    pages: [
      'contributing/architecture',
      'contributing/runs',
      'contributing/engine',
      'contributing/add-a-block',
      'contributing/add-an-endpoint',
      'contributing/add-a-migration',
      'contributing/add-a-decision',
      'contributing/decisions',
      'contributing/tests',
      'contributing/debugging',
      'contributing/histories',
      'contributing/glossary',
    ],
  },
];

/**
 * The place in the console for the subject of a page. A page with calls names the place where people do the same by
 * hand.
 */
export const consolePlaces: Record<string, string> = {
  agents: 'settings?tab=mcp',
  approvals: 'inbox',
  audit: 'audit',
  backtest: 'workflows',
  blocks: 'workflows',
  calling: 'executions',
  clients: 'settings?tab=keys',
  events: 'settings?tab=events',
  expressions: 'workflows',
  flow: 'executions',
  hold: 'settings?tab=holds',
  importing: 'workflows',
  keys: 'settings?tab=keys',
  knowledge: 'knowledge',
  limits: 'usage',
  logs: 'executions',
  'moving-from-sim': 'workflows',
  operations: 'executions',
  'run-control': 'executions?status=failed',
  'sign-in': 'account',
  tables: 'tables',
  temporal: 'executions',
  templates: 'workflows',
  tour: 'inbox',
  values: 'executions',
  schedules: 'workflows',
  webhooks: 'workflows',
  forms: 'workflows',
  welcome: 'workflows',
};
