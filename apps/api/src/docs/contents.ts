/** One heading of the navigation, with its pages in order. A page `a/b` is the file `apps/docs/pages/a/b.md`. */
export interface Group {
  title: string;
  pages: string[];
}

/** The page behind `/docs` itself. */
export const home = 'welcome';

export const contents: Group[] = [
  { title: 'Start', pages: [home, 'tour', 'concepts', 'calling', 'keys', 'moving-from-sim'] },
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
      'scenarios',
      'codes',
    ],
  },
  { title: 'Data', pages: ['tables', 'knowledge', 'logs', 'limits'] },
  {
    title: 'Running it',
    pages: ['configuration', 'operations', 'faults', 'upgrades', 'metrics', 'security', 'audit'],
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
      'contributing/tests',
      'contributing/debugging',
      'contributing/histories',
      'contributing/glossary',
    ],
  },
];
