import { CannotStart } from '#libs/platform/settings/cannot-start';
import { readRun, type Run, readFolderSecrets } from './data-folder.ts';
import { postgresUrl } from './postgres.ts';
import { readCommand, isAlive } from './processes.ts';

/** The database that the programs of `npm start` use when Postgres is ours. */
export const DATABASE = 'holdfast';

/**
 * The variables for an operator's program to reach the installation on a data folder, except variables that the
 * environment has. An environment with both means another installation, and the result is empty. Throws, with advice,
 * when no installation runs there.
 */
export function buildReach(folder: string, given: NodeJS.ProcessEnv): Record<string, string> {
  const url = given['DATABASE_URL'] || given['DATABASE_URL_FILE'];
  const secret = given['HOLDFAST_SECRET'] || given['HOLDFAST_SECRET_FILE'];
  if (url && secret) return {};
  const run = readRun(folder);
  const serves = (name: string, look: string) => {
    const pid = run?.processes[name];
    return pid !== undefined && isAlive(pid) && readCommand(pid).includes(look);
  };
  const port = serves('postgres', 'postgres') ? run?.ports['postgres'] : undefined;
  if (port !== undefined && !url && !secret) {
    const { secret: own, postgresPassword: password } = readFolderSecrets(folder);
    return {
      DATABASE_URL: postgresUrl({ port, password, database: DATABASE }),
      HOLDFAST_SECRET: own,
      ...publicUrlOf(run, given),
    };
  }
  // Its Postgres is somebody else's, whose address is kept nowhere.
  if (url && run?.ports['postgres'] === undefined && serves('api', 'apps/api/src/main'))
    return { HOLDFAST_SECRET: readFolderSecrets(folder).secret, ...publicUrlOf(run, given) };
  if (url || secret)
    throw new CannotStart(
      `DATABASE_URL and HOLDFAST_SECRET go together: ${url ? 'HOLDFAST_SECRET' : 'DATABASE_URL'} is missing.`,
    );
  if (serves('api', 'apps/api/src/main'))
    throw new CannotStart(
      `The installation on ${folder} has a Postgres of yours: give its DATABASE_URL, as to \`npm start\`.`,
    );
  throw new CannotStart(
    `No installation runs on ${folder}. Start it with \`npm start\`, or give DATABASE_URL and HOLDFAST_SECRET of the one that you mean.`,
  );
}

/** The public address of the installation, for the links that a program prints. */
function publicUrlOf(run: Run | undefined, { PUBLIC_URL: given }: NodeJS.ProcessEnv): Record<string, string> {
  const url = given ?? run?.urls.publicUrl ?? run?.urls.api;
  return url ? { PUBLIC_URL: url } : {};
}
