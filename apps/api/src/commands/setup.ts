import { existsSync, renameSync, writeFileSync } from 'node:fs';
import 'reflect-metadata';
import { migrate } from '#libs/platform/database/migrate';
import { orExit } from '#libs/platform/settings/cannot-start';
import { firstWorkspace } from '#libs/workspace/auth/first-workspace';
import { keepSecretCheck } from '#libs/workspace/auth/secret-check';
import { keepEngine } from '#libs/platform/temporal-client/engine';
import { ensureNamespace } from '#libs/platform/temporal-client/namespace';
import { settingsOrExit } from '#libs/platform/settings/boot';
import { createOwnerLink } from '#libs/workspace/sign-in/owner-link';

/**
 * Prepares the database and Temporal for this release. The very first run also creates the first workspace with its
 * keys. It may run any number of times, also in parallel. It writes one JSON line to standard output and its progress
 * to standard error. With FIRST_KEYS_FILE the keys go to that file, and the output has none.
 */
const settings = settingsOrExit();
const say = (line: string) => process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  // Before anything in the database is changed.
  await keepSecretCheck(settings);
  const engineId = await ensureNamespace(settings.temporal, say);
  await keepEngine(settings, engineId);
  const applied = await migrate(settings.databaseDirectUrl);
  say(applied.length > 0 ? `schema: applied ${applied.join(', ')}` : 'schema: up to date');
  await keepSecretCheck(settings);
  await keepEngine(settings, engineId);
  const file = settings.firstKeysFile;
  const created = await firstWorkspace(settings, (first) => {
    if (!file) return;
    // There is no workspace yet. So an existing file belongs to a set-up that ended before its commit, or to another
    // installation.
    if (existsSync(file)) {
      const aside = `${file}.${Date.now()}`;
      renameSync(file, aside);
      say(`${file} was there and is not of this installation; it is ${aside} now.`);
    }
    // Written before the commit: otherwise a crash would lose keys that are already stored.
    writeFileSync(file, `${JSON.stringify(first, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  });
  if (created && file) say(`The first keys are in ${file}.`);
  const link = created ? await createOwnerLink(settings) : null;
  process.stdout.write(
    `${JSON.stringify((!file && created && { ...created, ownerLink: link?.url ?? null }) || {})}\n`,
  );
}

await orExit(main());
