import { createInterface } from 'node:readline/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDataFolder, claim, endRun, refuseOtherDatabase, wipeDataFolder } from './data-folder.ts';
import { findLauncher, onLaunchersEnd } from './launcher.ts';
import { Local } from './local.ts';
import { keepSettings } from './kept-settings.ts';
import { checkout, dataFolder, rememberFolder } from './paths.ts';
import { say } from './say.ts';
import type { FirstAccess } from './set-up.ts';

const USAGE = `npm start [-- options]

  --fresh   delete all data first (asks)
  --yes     with --fresh: do not ask
  --help    this text

Settings come from the environment: HOLDFAST_DATA, PORT, HOST, DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE.
They are kept beside the data: a later start goes on with them. An empty variable takes one away.`;

let stopping: Promise<void> | undefined;

/** Starts everything, prints where it is, and stays until it is told to stop. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { fresh: { type: 'boolean' }, yes: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) return void process.stdout.write(`${USAGE}\n`);

  const folder = dataFolder();
  if (values.fresh && !(await wipe(folder, values.yes ?? false))) return;
  openDataFolder(folder);
  // Before the settings of this start are kept.
  refuseOtherDatabase(folder, process.env);
  rememberFolder(checkout(), folder);
  const kept = keepSettings(folder, process.env);
  Object.assign(process.env, kept);
  sayWhatIsKept(folder, Object.keys(kept));
  const launcher = findLauncher();
  const local = await Local.open({ folder, launcher, say });
  const stop = (why: string) => (stopping ??= end(local, why));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
  onLaunchersEnd(launcher, () => void stop('npm has gone'));
  await serve(local);
}

/** Tells a start with fewer settings than an earlier start about the settings that it keeps using. */
function sayWhatIsKept(folder: string, names: string[]): void {
  if (!process.env['HOLDFAST_DATA'] && folder !== join(checkout(), '.data'))
    say(`The data is in ${folder}, as at the last start; HOLDFAST_DATA=.data means another installation.`);
  if (names.length > 0)
    say(
      `Kept from an earlier start: ${names.join(', ')}. Give another value, or an empty one for the usual.`,
    );
}

async function serve(local: Local): Promise<void> {
  try {
    await local.start();
    announce(local);
  } catch (error) {
    // A start that fails because of a stop is no failure.
    if (stopping) return;
    await local.stop();
    throw error;
  } finally {
    // After a failure too, since the next start would not show the keys again.
    if (local.first) announceFirst(local.first);
  }
}

async function wipe(folder: string, isSure: boolean): Promise<boolean> {
  if (!isSure && !(await confirm(`Delete all workflows, runs and keys in ${folder}? (y/N) `))) {
    say('Nothing was deleted.');
    process.exitCode = 1;
    return false;
  }
  openDataFolder(folder);
  await claim(folder);
  wipeDataFolder(folder);
  endRun(folder);
  say(`The data in ${folder} is deleted.`);
  return true;
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    say('There is no terminal to ask on; add --yes to delete the data.');
    return false;
  }
  const asker = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await asker.question(question);
  asker.close();
  return /^y(es)?$/i.test(answer.trim());
}

function announce({ run: { urls } }: Local): void {
  const lines = [
    `Console      ${urls.api}/console`,
    `API          ${urls.api}`,
    `OpenAPI      ${urls.openapi}`,
    `Docs         ${urls.docs}`,
  ];
  if (urls.temporalUi) lines.push(`Temporal UI  ${urls.temporalUi}`);
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

function announceFirst({ workspace, keys, ownerLink }: FirstAccess): void {
  const lines = [
    'The first workspace; its keys are shown this once:',
    `Workspace    ${workspace.id} (${workspace.name})`,
    `Key          ${keys.workspace}`,
    `Personal key ${keys.personal}`,
    '',
    'Open this link to sign in as the owner. It works once, within an hour; `npm run owner-link` makes another:',
    ownerLink,
  ];
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

async function end(local: Local, why: string): Promise<void> {
  say(`\nStopping (${why}) ...`);
  await local.stop();
  say('Stopped.');
  process.exit(0);
}

try {
  await main();
} catch (error) {
  if (!stopping) {
    say(`\n${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
    setImmediate(() => process.exit());
  }
}
