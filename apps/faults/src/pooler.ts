import { execFileSync, type ChildProcess } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresAccount } from '#apps/local/src/account';
import { launch, newLines, until } from '#apps/local/src/processes';

/** Since this version transaction mode supports named prepared statements. */
const since = [1, 21] as const;

/** The version of the installed PgBouncer; null without a usable one. */
export function poolerVersion(): string | null {
  try {
    return poolerIn(
      execFileSync('pgbouncer', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    return null;
  }
}

/** The version in the output of `pgbouncer --version`; null when it is too old. */
export function poolerIn(output: string): string | null {
  const version = output.split('\n')[0]?.replace('PgBouncer ', '') ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > since[0] || (major === since[0] && minor >= since[1]) ? version : null;
}

export interface PoolerOptions {
  folder: string;
  port: number;
  log: string;
  postgres: { port: number; password: string };
}

/** Starts a PgBouncer in transaction mode with few connections, set as the page Scaling says. Resolves when it listens. */
export async function startPooler({ folder, port, log, postgres }: PoolerOptions): Promise<ChildProcess> {
  const account = postgresAccount(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${postgres.port} user=holdfast password=${postgres.password}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 1000
max_prepared_statements = 500
ignore_startup_parameters = options
server_login_retry = 1
`,
    { mode: 0o600 },
  );
  if (account) for (const path of [folder, file]) chownSync(path, account.uid, account.gid);
  const readLog = newLines(log);
  const child = launch({
    command: 'pgbouncer',
    args: [file],
    env: process.env,
    log,
    account,
    stopSignal: 'SIGINT',
  });
  const listens = () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended at once:\n${readLog()}`);
    return readLog().includes('process up');
  };
  await until(listens, 20_000, `PgBouncer's start`);
  return child;
}
