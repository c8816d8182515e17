import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from './build.mjs';
import { binOf, CHECKOUT, node, say } from './tools.mjs';

/** Builds, because the gates read the generated client. Then runs every gate, also after one failed, and says how each failure is cured. True when all passed. */
export async function check({ checks = true } = {}) {
  await build();
  const failed = [];
  for (const { name, cure, run } of gates(checks)) {
    const begin = performance.now();
    const passed = (await run()) === 0;
    say(
      `${passed ? 'ok    ' : 'FAILED'} ${name.padEnd(7)} ${((performance.now() - begin) / 1000).toFixed(1)} s`,
    );
    if (!passed) failed.push({ name, cure });
  }
  for (const { name, cure } of failed) say(`The gate "${name}" failed. ${cure}`);
  return failed.length === 0;
}

function gates(checks) {
  const all = [
    { name: 'types', cure: 'See each error with: npm run types', run: types },
    {
      name: 'lint',
      cure: 'See each with: npm run lint (some go away with: npm run lint -- --fix)',
      run: lint,
    },
    {
      name: 'unused',
      cure: 'Remove what knip names, or say in apps/dev/knip.jsonc who uses it.',
      run: unused,
    },
    { name: 'format', cure: 'Cure it with: npm run format', run: format },
  ];
  if (checks && hasSpecs(join(CHECKOUT, 'apps', 'dev', 'checks'))) {
    all.push({ name: 'checks', cure: 'Each failed test above says what it wants.', run: repository });
  }
  return all;
}

/**
 * Checks the types of everything, then those of each pure room under its own stricter settings. TypeScript 7 does so in a
 * third of the CPU time; it has no interface for programs, so all other tools still use TypeScript 6.
 */
export async function types() {
  const projects = [CHECKOUT, ...['libs', 'temporal'].flatMap((top) => projectsBelow(join(CHECKOUT, top)))];
  let worst = 0;
  for (const project of projects) {
    const place = relative(CHECKOUT, project) || '.';
    worst = Math.max(worst, await node([binOf('typescript-7', 'tsc'), '-p', place], { quiet: true }));
  }
  return Math.max(worst, await consoleTypes());
}

/** The pages of the console, whose types only their own compiler knows. */
function consoleTypes() {
  const cwd = join(CHECKOUT, 'apps', 'console');
  return node([binOf('svelte-check'), '--tsconfig', 'tsconfig.json', '--fail-on-warnings'], {
    quiet: true,
    cwd,
  });
}

function projectsBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name === 'tsconfig.json')
    .map((entry) => entry.parentPath);
}

export function lint(args = []) {
  return node([binOf('oxlint'), '--type-aware', ...args], { quiet: true });
}

function unused() {
  return node(
    [binOf('knip'), '--config', 'apps/dev/knip.jsonc', '--tsConfig', 'apps/dev/knip.tsconfig.json'],
    { quiet: true },
  );
}

function format() {
  return node([binOf('oxfmt'), '--check'], { quiet: true });
}

/** These tests read the repository alone, so no server is started for them. */
function repository() {
  const env = {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules`,
    HOLDFAST_TEST_SERVERS: 'none',
  };
  return node([binOf('jest'), 'apps/dev/checks'], { env, quiet: true });
}

function hasSpecs(folder) {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('.spec.ts'));
}
