import 'reflect-metadata';
import { migrate } from '#libs/database/migrate';
import { firstWorkspace } from '#libs/auth/first-workspace';
import { ensureNamespace } from '#libs/temporal-client/namespace';
import { settingsOrExit } from '#libs/settings/boot';

/**
 * Makes database and Temporal ready for this release, and on the very first run the first workspace with its keys.
 * May run any number of times and beside itself. Standard output holds one JSON line, standard error the rest.
 */
const settings = settingsOrExit();
const say = (line: string) => process.stderr.write(`${line}\n`);
const applied = await migrate(settings.databaseUrl);
say(applied.length > 0 ? `schema: applied ${applied.join(', ')}` : 'schema: up to date');
await ensureNamespace(settings.temporal, say);
const made = await firstWorkspace(settings);
process.stdout.write(`${JSON.stringify(made ?? {})}\n`);
