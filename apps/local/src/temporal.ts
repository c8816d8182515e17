import type { ChildProcess } from 'node:child_process';
import { Connection } from '@temporalio/client';
import { cliAttributes, dynamicConfig } from '#apps/deploy/temporal/dynamic-config';
import { obtain } from './binaries.ts';
import { endedAtOnce, launch, newLines, stopProcess, until } from './processes.ts';
import { ensureRunsFile } from './runs-file.ts';

export interface TemporalOptions {
  /** The SQLite file of all runs; in memory when absent. */
  file?: string;
  port: number;
  /** The port of the web interface; none when absent. */
  uiPort?: number;
  namespace: string;
  log: string;
}

/** A Temporal server of ours whose namespace is ready. */
export interface Temporal {
  child: ChildProcess;
  address: string;
}

const START_LIMIT_MS = 60_000;

/** Starts Temporal's own one-process server on the loopback address, with namespace and search attributes made. */
export async function startTemporal(options: TemporalOptions): Promise<Temporal> {
  const { file } = options;
  if (file !== undefined)
    await ensureRunsFile(file, async (path) => {
      const { child } = await started({ ...options, file: path, uiPort: undefined }, 'DELETE');
      await stopTemporal(child.pid ?? 0);
    });
  return started(options, 'WAL');
}

async function started(options: TemporalOptions, journal: 'WAL' | 'DELETE'): Promise<Temporal> {
  const command = await obtain('temporal');
  const args = [
    'server',
    'start-dev',
    ...places(options),
    ...storage(options, journal),
    ...registered(options),
  ];
  const said = newLines(options.log);
  const child = launch({
    command,
    args: [...args, '--log-level', 'warn'],
    // Its heap is small, so by default it is collected many times a second: a tenth of the server's CPU time (measured).
    env: { GOGC: '400', ...process.env },
    log: options.log,
  });
  const address = `127.0.0.1:${options.port}`;
  await ready(child, { address, namespace: options.namespace, said });
  return { child, address };
}

/** Stops the server; runs go on where they were at the next start with the same file. */
export async function stopTemporal(pid: number, graceMs = 3000): Promise<void> {
  await stopProcess(pid, 'SIGTERM', graceMs);
}

/** Temporal chooses the ports of its other servers, which nobody asks. */
function places({ port, uiPort }: TemporalOptions): string[] {
  const ui = uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort), '--ui-disable-news-fetch'];
  return ['--ip', '127.0.0.1', '--port', String(port), ...ui];
}

/**
 * Every commit is on disk before it is answered (measured: 373 instead of 12 calls of fsync for twenty starts of runs). With `NORMAL` the
 * last ones go when the power does, while Postgres keeps what it has recorded of them.
 */
function storage({ file }: TemporalOptions, journal: 'WAL' | 'DELETE'): string[] {
  if (file === undefined) return [];
  return [
    '--db-filename',
    file,
    '--sqlite-pragma',
    `journal_mode=${journal}`,
    '--sqlite-pragma',
    'synchronous=FULL',
    // A page that is changed again before a checkpoint is written into the file once. The log grows to 16 MB.
    '--sqlite-pragma',
    'wal_autocheckpoint=32000',
  ];
}

function registered({ namespace }: TemporalOptions): string[] {
  const attributes = Object.entries(cliAttributes).flatMap(([key, type]) => [
    '--search-attribute',
    `${key}=${type}`,
  ]);
  const config = Object.entries(dynamicConfig).flatMap(([key, value]) => [
    '--dynamic-config-value',
    `${key}=${JSON.stringify(value)}`,
  ]);
  return ['--namespace', namespace, ...attributes, ...config];
}

interface ServerOutput {
  address: string;
  namespace: string;
  /** The output of this process. */
  said(): string;
}

/** Nobody is asked before the process says that it has the port: a Temporal of somebody else's could answer on it. */
async function ready(child: ChildProcess, { address, namespace, said }: ServerOutput): Promise<void> {
  const listens = () => {
    if (child.exitCode !== null || child.pid === undefined) throw endedAtOnce('Temporal', said());
    return /^(Temporal )?Server:/m.test(said());
  };
  await until(listens, START_LIMIT_MS, `Temporal's start`);
  const connection = Connection.lazy({ address });
  const answers = () =>
    connection
      .withDeadline(Date.now() + 5000, () => connection.workflowService.describeNamespace({ namespace }))
      .then(
        () => true,
        () => false,
      );
  try {
    await until(answers, START_LIMIT_MS, `Temporal's first answer`);
  } finally {
    await connection.close();
  }
}
