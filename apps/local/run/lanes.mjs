/**
 * The parts of the product, with the paths of their test files, for whoever works on one: `npm test -- --lane core`. A file is of the first
 * lane that fits. What fits none is of `edge`: limits, names, keys, logs, triggers, and the repository itself.
 */
const PARTS = {
  core: [
    /^temporal\//,
    /^libs\/(language|runs|worker)\//,
    /^apps\/api\/test\/(answers|containers|continue|direct-runs|effect-lines|execute|lost-attempts|orphans|races)\./,
  ],
  tables: [/^libs\/tables\//, /^apps\/api\/test\/table/],
  knowledge: [/^libs\/knowledge\//, /^apps\/api\/test\/(ingestion|knowledge)/],
  people: [
    /^libs\/workspace\//,
    /^apps\/api\/(src\/pauses|test\/(approvals|audit|caller-links|identity|notices|oauth|passkeys|paused|resume|secrets))/,
    /^apps\/api\/test\/(sign-in|workspaces)\./,
  ],
  agents: [
    /^libs\/(import|templates)\//,
    /^apps\/api\/(src\/mcp|test\/(effect-blocks-models|mcp|operators))/,
  ],
  console: [/^apps\/console\//, /^apps\/api\/src\/console\//],
  clients: [/^apps\/(clients|cli)\//, /^apps\/api\/test\/(compat|contract|mistyped)\./],
  docs: [/^apps\/docs\//, /^apps\/local\/(examples|src\/demo)/],
};

/** Files that need no server and nothing that is built. They are of other lanes, too. */
const PURE = [
  /^apps\/console\/src\//,
  /^libs\/(import|language|templates|triggers)\//,
  /^libs\/platform\/(clock|crypto|cursors|drawing|egress|errors|ids|json|return-addresses|semaphore|telemetry|text)\//,
  /^libs\/(knowledge\/ranking|runs\/executions\/record|runs\/scenario|worker\/calls|worker\/effects|workspace\/mcp-servers)\//,
  /^temporal\/workflows\//,
];

export const LANES = [...Object.keys(PARTS), 'edge', 'pure'];

/** Returns those of the test files that are of a lane. Throws for a lane that there is not. */
export function pickLane(lane, files) {
  if (!LANES.includes(lane))
    throw new Error(`There is no lane "${lane ?? ''}". There are ${LANES.join(', ')}.`);
  const fits = (patterns, file) => patterns.some((pattern) => pattern.test(file));
  const findPart = (file) => Object.keys(PARTS).find((part) => fits(PARTS[part], file)) ?? 'edge';
  return files.filter((file) => (lane === 'pure' ? fits(PURE, file) : findPart(file) === lane));
}
