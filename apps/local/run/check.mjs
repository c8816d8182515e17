import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from './build.mjs';
import { runJest } from './run-tests.mjs';
import { addFault, addResults, newTally, printEnd, describeMachine } from './tally.mjs';
import { binOf, capture, CHECKOUT, node, say } from './tools.mjs';

/** Builds, runs all gates, and prints the end of the output. Resolves to the exit code. */
export async function checkAlone() {
  await build();
  const tally = newTally();
  await check({ tally });
  describeMachine(tally);
  printEnd(tally);
  return tally.failed === 0 ? 0 : 1;
}

/**
 * Runs every gate, also after one failed, and says in the tally how each failure is cured. What protects a user is red; what pleases a
 * reader is a warning. The specs of the repository are left out where they run with all others.
 */
export async function check({ tally, specs = true }) {
  for (const { name, cure, run, isStyle } of GATES) {
    const begin = performance.now();
    const { code, warning } = await run();
    const verdict = code === 0 ? (warning ? 'warned' : 'ok') : isStyle ? 'warned' : 'FAILED';
    say(`${verdict.padEnd(6)} ${name.padEnd(7)} ${((performance.now() - begin) / 1000).toFixed(1)} s`);
    if (code !== 0 && !isStyle) addFault(tally, `the gate "${name}" failed. ${cure}`);
    else if (code !== 0) tally.warning.push(`the gate "${name}" failed. ${cure}`);
    if (warning) tally.warning.push(`${name}: ${warning}. ${cure}`);
  }
  if (specs) addResults(tally, await repository());
}

/** Each gives its exit code, and a sentence for what only warns. */
const GATES = [
  { name: 'types', cure: 'See each error with: npm run types', run: findTypeFaults },
  {
    name: 'lint',
    cure: 'See each with: npm run lint (some go away with: npm run lint -- --fix).',
    run: findLintFaults,
  },
  {
    name: 'unused',
    cure: 'Remove what knip names, or say in apps/dev/knip.jsonc who uses it: npm run check',
    run: () =>
      quietly(binOf('knip'), '--config', 'apps/dev/knip.jsonc', '--tsConfig', 'apps/dev/knip.tsconfig.json'),
    isStyle: true,
  },
  {
    name: 'format',
    cure: 'Cure it with: npm run format',
    run: () => quietly(binOf('oxfmt'), '--check'),
    isStyle: true,
  },
];

/**
 * Checks the types of everything, then those of each pure room under its own stricter settings. TypeScript 7 does so in a
 * third of the CPU time; it has no interface for programs, so all other tools still use TypeScript 6.
 */
async function findTypeFaults() {
  const projects = [CHECKOUT, ...['libs', 'temporal'].flatMap((top) => projectsBelow(join(CHECKOUT, top)))];
  let worst = 0;
  for (const project of projects) {
    const place = relative(CHECKOUT, project) || '.';
    worst = Math.max(worst, await node([binOf('typescript-7', 'tsc'), '-p', place], { quiet: true }));
  }
  // The pages of the console, whose types only their own compiler knows.
  const { code, warning } = await countWarnings(
    [binOf('svelte-check'), '--tsconfig', 'tsconfig.json'],
    join(CHECKOUT, 'apps', 'console'),
  );
  return { code: Math.max(worst, code), warning };
}

export const types = async () => (await findTypeFaults()).code;

function findLintFaults() {
  return countWarnings([binOf('oxlint'), '--type-aware']);
}

/** Runs a tool that ends with the number of its warnings, and shows what it says when it fails. */
async function countWarnings(args, cwd = CHECKOUT) {
  const { code, output } = await capture(process.execPath, args, { cwd });
  const count = Number(/\b(\d+) warnings?\b/.exec(output.split('\n').slice(-4).join('\n'))?.[1] ?? 0);
  if (code !== 0) process.stderr.write(output);
  return { code, warning: count > 0 ? `${count} warnings` : undefined };
}

function projectsBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name === 'tsconfig.json')
    .map((entry) => entry.parentPath);
}

export function lint(args = []) {
  return node([binOf('oxlint'), '--type-aware', ...args]);
}

/** Shows what a tool says only when it fails. */
async function quietly(...args) {
  return { code: await node(args, { quiet: true }) };
}

/** These tests read the repository alone, so no server is started for them. */
function repository() {
  return runJest(['apps/dev/checks'], { env: { HOLDFAST_TEST_SERVERS: 'none' } });
}
