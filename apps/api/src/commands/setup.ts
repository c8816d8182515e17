import { existsSync, renameSync, writeFileSync } from 'node:fs';
import 'reflect-metadata';
import { migrate } from '#libs/platform/database/migrate';
import { firstWorkspace } from '#libs/workspace/auth/first-workspace';
import { ensureNamespace } from '#libs/platform/temporal-client/namespace';
import { settingsOrExit } from '#libs/platform/settings/boot';
import { createOwnerLink } from '#libs/workspace/sign-in/owner-link';

/**
 * Prepares the database and Temporal for this release; the very first run also creates the first workspace with its
 * keys. It may run any number of times, also several at once. It writes one JSON line to standard output and its
 * progress to standard error. With FIRST_KEYS_FILE the keys go there, and none of what is printed holds them.
 */
const settings = settingsOrExit();
const say = (line: string) => process.stderr.write(`${line}\n`);
const applied = await migrate(settings.databaseDirectUrl);
say(applied.length > 0 ? `schema: applied ${applied.join(', ')}` : 'schema: up to date');
await ensureNamespace(settings.temporal, say);
const file = settings.firstKeysFile;
const made = await firstWorkspace(settings, (first) => {
  if (!file) return;
  // There is no workspace yet, so a file that is there is of a set-up that ended before its commit, or of another installation.
  if (existsSync(file)) {
    const aside = `${file}.${Date.now()}`;
    renameSync(file, aside);
    say(`${file} was there and is not of this installation; it is ${aside} now.`);
  }
  // Before the commit: keys that were stored and not handed over would be lost.
  writeFileSync(file, `${JSON.stringify(first, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
});
if (made && file) say(`The first keys are in ${file}.`);
const link = made ? await createOwnerLink(settings) : null;
process.stdout.write(
  `${JSON.stringify((!file && made && { ...made, ownerLink: link?.url ?? null }) || {})}\n`,
);
