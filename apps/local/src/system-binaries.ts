import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { BinaryName } from './binaries.ts';

const POSTGRES_OLDEST = 15;
/** Folders in which packages keep each version: Debian, Red Hat, Homebrew on ARM and on Intel. */
const POSTGRES_PLACES = ['/usr/lib/postgresql', '/usr', '/opt/homebrew/opt', '/usr/local/opt'];

/** The path of a program that this system has installed. Refuses a Postgres without pgvector or older than 15. */
export function systemProgram(name: BinaryName): Promise<string> {
  const found = name === 'postgres' ? systemPostgres() : onPath(name);
  if (found) return Promise.resolve(found);
  const what =
    name === 'postgres'
      ? 'no PostgreSQL of 15 or newer with pgvector is installed'
      : `no \`${name}\` on the PATH`;
  return Promise.reject(new Error(what));
}

function systemPostgres(): string | undefined {
  const first = onPath('initdb');
  const folders = POSTGRES_PLACES.flatMap(versionsIn);
  return [...(first ? [dirname(realpathSync(first))] : []), ...folders]
    .filter((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb')))
    .map((folder) => realpathSync(join(folder, 'postgres')))
    .filter((program) => postgresMajor(program) >= POSTGRES_OLDEST && hasVector(program))
    .toSorted((a, b) => postgresMajor(b) - postgresMajor(a))[0];
}

function versionsIn(place: string): string[] {
  if (!existsSync(place)) return [];
  const versions = readdirSync(place).filter((name) => /^(\d+|pgsql-\d+|postgresql@\d+)$/.test(name));
  return versions.map((name) => join(place, name, 'bin'));
}

/** The major version of a Postgres program, 0 when it does not run. */
export function postgresMajor(program: string): number {
  try {
    const answer = execFileSync(program, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number(/^\D*(\d+)(\.|devel|beta|rc|\s|$)/.exec(answer)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function hasVector(program: string): boolean {
  const config = join(dirname(program), 'pg_config');
  try {
    const folder = execFileSync(config, ['--sharedir'], { encoding: 'utf8' }).trim();
    return existsSync(join(folder, 'extension', 'vector.control'));
  } catch {
    const version = String(postgresMajor(program));
    return existsSync(join('/usr/share/postgresql', version, 'extension', 'vector.control'));
  }
}

function onPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
