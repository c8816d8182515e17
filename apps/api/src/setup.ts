import 'reflect-metadata';
import { migrate } from '#libs/database/migrate';
import { firstWorkspace } from '#libs/auth/first-workspace';
import { ensureNamespace } from '#libs/temporal-client/namespace';
import { settingsOrExit } from '#libs/settings/boot';

/**
 * Prepares the database and Temporal for this release; the very first run also creates the first workspace with its
 * keys. It may run any number of times, also several at once. It writes one JSON line to standard output and its
 * progress to standard error.
 */
const settings = settingsOrExit();
const say = (line: string) => process.stderr.write(`${line}\n`);
const applied = await migrate(settings.databaseUrl);
say(applied.length > 0 ? `schema: applied ${applied.join(', ')}` : 'schema: up to date');
await ensureNamespace(settings.temporal, say);
const made = await firstWorkspace(settings);
process.stdout.write(`${JSON.stringify(made ?? {})}\n`);
