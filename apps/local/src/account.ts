import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { reachableByOthers, runsAsRoot } from '#libs/platform/binaries/cache-folder';

/** The user that a program runs as when we are root and it refuses to be. */
export interface SystemAccount {
  uid: number;
  gid: number;
}

/**
 * The account for Postgres: nobody else's when we are a plain user. For root it is the owner of the data when there
 * is data, else the first of `postgres` and `nobody` that this system knows (initdb wants a name in the user list).
 */
export function postgresAccount(data: string): SystemAccount | undefined {
  if (!runsAsRoot()) return undefined;
  const marker = join(data, 'PG_VERSION');
  if (existsSync(marker) && statSync(marker).uid !== 0) {
    const { uid, gid } = statSync(marker);
    return { uid, gid };
  }
  const users = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => [line.split(':')[0], line.split(':')]),
  );
  const user = users.get('postgres') ?? users.get('nobody');
  if (!user)
    throw new Error(
      'Postgres does not run as root, and there is no user `postgres` or `nobody` to run it as.',
    );
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/**
 * The folder where Postgres keeps its files for a given wish. It is the wish itself, with one exception: root with a
 * folder that no other user can enter, such as a checkout below /root. Then it is a folder of the system for this wish.
 */
export function postgresFolder(wish: string): string {
  if (!runsAsRoot() || reachableByOthers(dirname(wish))) return wish;
  const name = createHash('sha256').update(wish).digest('hex').slice(0, 12);
  const place = existsSync('/var/lib') ? '/var/lib/holdfast' : join(realpathSync(tmpdir()), 'holdfast');
  mkdirSync(place, { recursive: true, mode: 0o755 });
  return join(place, name);
}

/** Makes a folder that only its account (or this user) can read. */
export function privateFolder(folder: string, account: SystemAccount | undefined): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  if (account) chownSync(folder, account.uid, account.gid);
}
