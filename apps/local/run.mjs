// The entry of every npm script. It runs before anything is installed, so it and run/ import from node: alone.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, buildForDescription } from './run/build.mjs';
import { checkAlone, lint, types } from './run/check.mjs';
import { ci } from './run/ci.mjs';
import { install } from './run/install.mjs';
import { test, testSlowly } from './run/test.mjs';
import { endWithLauncher, isNodeNewEnough, runOnOwnNode } from './run/own-node.mjs';
import { CHECKOUT } from './run/tools.mjs';

const PROGRAMS = {
  start: 'dist/apps/local/src/start.js',
  demo: 'dist/apps/local/src/demo.js',
  bench: 'dist/apps/bench/src/main.js',
  faults: 'dist/apps/faults/src/main.js',
  scenario: 'dist/apps/cli/src/main.js',
  openapi: 'dist/apps/api/src/commands/openapi.js',
  clients: 'dist/apps/clients/src/main.js',
  admin: 'dist/apps/admin/src/main.js',
  audit: 'dist/apps/api/src/commands/audit.js',
  plans: 'dist/apps/api/src/commands/plans.js',
  workspaces: 'dist/apps/api/src/commands/workspaces.js',
  'owner-link': 'dist/apps/api/src/commands/owner-link.js',
};

/** The checks that a person runs alone. */
const GATES = { types: () => types(), lint };

/** Programs of the operator, which mean the installation that this checkout runs unless the environment names another. */
const REACHING = ['audit', 'plans', 'workspaces', 'owner-link'];

async function reach() {
  const from = (name) => import(pathToFileURL(join(CHECKOUT, 'dist/apps/local/src', name)).href);
  const [{ buildReach }, { dataFolder }] = await Promise.all([from('installation.js'), from('paths.js')]);
  Object.assign(process.env, buildReach(dataFolder(), process.env));
}

/** Runs a compiled program in this process: signals reach it and its exit code is ours, with nothing in between. */
async function runProgram(name, args) {
  const file = join(CHECKOUT, PROGRAMS[name]);
  if (!existsSync(file)) throw new Error(`This checkout has no ${PROGRAMS[name]}.`);
  // The command line plays scenarios, so that they need no checkout.
  process.argv = [process.argv[0], file, ...(name === 'scenario' ? [name] : []), ...args];
  await import(pathToFileURL(file).href);
}

/** Keeps compiled code for the next start of this process and of all that it starts. */
function cacheCompiledCode() {
  process.env.NODE_COMPILE_CACHE ??= join(CHECKOUT, 'node_modules', '.cache', 'compiled');
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
}

async function main() {
  const [command = 'start', ...args] = process.argv.slice(2);
  if (
    ![...Object.keys(PROGRAMS), ...Object.keys(GATES), 'build', 'test', 'test:all', 'check', 'ci'].includes(
      command,
    )
  )
    throw new Error(`There is no \`${command}\`.`);
  // It only starts npm, and keeps the end of CI also when nothing can be installed.
  if (command === 'ci') {
    process.exitCode = await ci();
    return;
  }
  if (!isNodeNewEnough()) {
    process.exitCode = await runOnOwnNode(process.argv.slice(1));
    return;
  }
  endWithLauncher();
  cacheCompiledCode();
  process.chdir(CHECKOUT);
  await install();
  if (command === 'test') process.exitCode = await test(args);
  else if (command === 'test:all') process.exitCode = await testSlowly();
  else if (command === 'check') process.exitCode = await checkAlone();
  else {
    await (command === 'openapi' ? buildForDescription() : build());
    // Without arguments they only print how they are used.
    if (REACHING.includes(command) && (args.length > 0 || command === 'owner-link')) await reach();
    if (command in GATES) process.exitCode = await GATES[command](args);
    else if (command !== 'build') await runProgram(command, args);
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
