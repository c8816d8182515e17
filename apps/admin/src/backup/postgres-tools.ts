import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { obtain } from '#apps/local/src/binaries';
import { postgresMajor } from '#apps/local/src/system-binaries';
import { CannotStart } from '#libs/platform/settings/cannot-start';
import { openWay } from './tls-tunnel.ts';

const debianPlace = '/usr/lib/postgresql';

/**
 * The path of a program of Postgres that is as new as the server at least: from the PATH, the packages of Debian, or the Postgres
 * of `npm start`. Throws in words when there is none.
 */
export async function findTool(name: 'pg_dump' | 'pg_restore', serverMajor: number): Promise<string> {
  const debian = existsSync(debianPlace)
    ? readdirSync(debianPlace).map((version) => join(debianPlace, version, 'bin'))
    : [];
  const folders = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), ...debian];
  const found = folders.map((folder) => join(folder, name)).filter((file) => existsSync(file));
  const fits = (file: string) => postgresMajor(file) >= serverMajor;
  const own =
    found.find(fits) ??
    (await obtain('postgres').then(
      (file) => join(dirname(file), name),
      () => '',
    ));
  if (existsSync(own) && fits(own)) return own;
  const newest = Math.max(0, ...found.map(postgresMajor));
  throw new CannotStart(
    `${newest ? `${name} here is of version ${newest}, older than the server` : `There is no ${name} here`}, and the server is Postgres ${serverMajor}. ` +
      `Install the client programs of Postgres ${serverMajor} (Debian: postgresql-client-${serverMajor}), or run this command where they are.`,
  );
}

type Tool = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts a tool on a database. The password is in its environment, where other users of the machine do not see it. */
export async function startTool(
  program: string,
  url: string,
  args: string[],
): Promise<{ tool: Tool; ended: Promise<void> }> {
  const way = await openWay(url);
  const address = new URL(way.url);
  const password = decodeURIComponent(address.password);
  address.password = '';
  const env = { ...process.env, ...(password ? { PGPASSWORD: password } : {}) };
  const tool = spawn(program, [`--dbname=${address.href}`, ...args], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  tool.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
  const ended = new Promise<void>((resolve, reject) => {
    tool.once('error', reject);
    tool.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(new CannotStart(`${program} ended with ${code}: ${said.trim() || 'it said nothing'}`)),
    );
  }).finally(way.close);
  // Who awaits it gets the failure; a stream that fails first must not leave it unhandled.
  ended.catch(() => undefined);
  return { tool, ended };
}
