import 'reflect-metadata';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { toOperatorSentence } from '#libs/platform/settings/cannot-start';
import { WrongSettings } from '#libs/platform/settings/environment';
import { buildReach } from '#apps/local/src/installation';
import { checkout, dataFolder } from '#apps/local/src/paths';
import { backUp } from './backup/back-up.ts';
import { restore } from './backup/restore.ts';
import { verify } from './backup/verify.ts';
import { doctor } from './doctor.ts';

/** The commands that stand in files of their own, which `npm run NAME` runs too. */
const programs = {
  setup: 'migrates the database, and makes the namespace, the first workspace and its keys',
  audit: 'proves the audit log, prints its anchors, and deletes old entries',
  plans: 'lists plans, and gives a workspace one',
  workspaces: 'lists, makes and opens workspaces',
  hold: 'holds all workspaces, for example for an upgrade, and releases them at a rate',
  'owner-link': 'prints a link that signs in the owner',
};

const program = new Command('holdfast-admin')
  .description(
    'Operates an installation: that of DATABASE_URL and HOLDFAST_SECRET, else that of npm start here.',
  )
  .showHelpAfterError();

for (const [name, description] of Object.entries(programs))
  program
    .command(name)
    .description(description)
    .argument('[args...]')
    .helpOption(false)
    .allowUnknownOption()
    .action((args: string[]) => runProgram(name, args));

program
  .command('backup')
  .description('copies database, runs of Temporal and secrets into a new folder, while everything runs')
  .argument('<folder>', 'made by this command: a folder, or s3://BUCKET/FOLDER')
  .option('--passphrase-file <file>', 'a file with the passphrase, instead of BACKUP_PASSPHRASE')
  .option(
    '--without-temporal',
    'leaves the store of Temporal out: open runs begin again after a restore, or are lost',
  )
  .action(backUp);
program
  .command('restore')
  .description('restores a backup into an empty installation')
  .argument('<folder>', 'of the backup: a folder, or s3://BUCKET/FOLDER')
  .option('--passphrase-file <file>', 'a file with the passphrase, instead of BACKUP_PASSPHRASE')
  .option('--secrets <file>', 'writes the secrets of the backup into this new file, for its owner alone')
  .option('--without-temporal', 'leaves the store of Temporal as it is')
  .action(restore);
program
  .command('verify')
  .description(
    'restores a backup beside the installation, compares it with its manifest, and deletes the copy',
  )
  .argument('<folder>', 'of the backup: a folder, or s3://BUCKET/FOLDER')
  .option('--passphrase-file <file>', 'a file with the passphrase, instead of BACKUP_PASSPHRASE')
  .action(verify);
program
  .command('doctor')
  .description('examines the installation; exits with 1 when something is wrong')
  .option('--json', 'prints each finding as a line of JSON')
  .action(doctor);

/** Runs a program of the API in this process: its arguments, its output and its exit code are ours. */
async function runProgram(name: string, args: string[]): Promise<void> {
  // Without arguments they only print how they are used.
  if (name !== 'setup' && (args.length > 0 || name === 'owner-link'))
    Object.assign(process.env, buildReach(dataFolder(), process.env));
  const file = join(checkout(), 'dist/apps/api/src/commands', `${name}.js`);
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
}

/** The trace of a bug; the message alone of everything that somebody has worded. */
function toSentence(error: unknown): string {
  const sentence = toOperatorSentence(error);
  if (sentence !== null || !(error instanceof Error)) return sentence ?? String(error);
  return error instanceof WrongSettings || error.constructor === Error ? error.message : (error.stack ?? '');
}

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${toSentence(error)}\n`);
  process.exit(1);
}
