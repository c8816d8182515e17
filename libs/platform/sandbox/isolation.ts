import { accessSync, constants, existsSync, lstatSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compiledProgram } from '../threads/compiled-program.ts';

/** `bubblewrap`: own file system, no network, own pids. `namespaces`: no network. `process`: a bare process. */
export type Isolation = 'bubblewrap' | 'namespaces' | 'process';

/** A command line that starts the child, without a shell. */
export interface Launcher {
  isolation: Isolation;
  file: string;
  args: string[];
}

export interface Caps {
  /** CPU seconds of all runs together after which the kernel kills the child, even when its parent has ended. */
  cpuS: number;
  /** Memory of the guest. The process gets 1 GiB more, because V8 does not start with less. */
  memoryBytes: number;
}

const child = compiledProgram('child.cjs', import.meta.url);

/**
 * Every way that this host offers to start the child, the strongest first. Each may fail: containers
 * forbid user namespaces in several ways, so the caller tries one after the other.
 */
export function launchers(caps: Caps, without: readonly Isolation[] = []): Launcher[] {
  const [sh, bwrap, unshare, setpriv] = ['sh', 'bwrap', 'unshare', 'setpriv'].map(findProgram);
  const limits = sh ? [sh, '-c', `${formatLimits(caps)} exec "$@"`, 'sh'] : [];
  const drop = setpriv ? [setpriv, '--no-new-privs', ...(process.getuid?.() === 0 ? nobody : [])] : [];
  const follow = setpriv ? [setpriv, '--pdeathsig=KILL'] : [];
  const node = [...nodeCommand(), String(caps.memoryBytes)];
  const plans: [Isolation, string[]][] = [];
  if (bwrap) plans.push(['bubblewrap', [...limits, ...drop, bwrap, ...rooms(), '--', ...node]]);
  if (unshare && setpriv) {
    plans.push([
      'namespaces',
      [...limits, ...drop, unshare, '--user', '--net', '--ipc', '--', ...follow, ...node],
    ]);
    // In a container without user namespaces, root can still enter a new network namespace before it gives up its rights.
    plans.push(['namespaces', [...limits, unshare, '--net', '--ipc', '--', ...drop, ...follow, ...node]]);
  }
  plans.push(['process', [...limits, ...drop, ...follow, ...node]], ['process', node]);
  return plans
    .filter(([isolation]) => !without.includes(isolation))
    .map(([isolation, [file = process.execPath, ...args]]) => ({ isolation, file, args }));
}

/** Not `nobody`: as root the embedded Postgres may run as that, and user code must not be able to read its files. */
const guestId = '64999';
const nobody = [
  `--reuid=${guestId}`,
  `--regid=${guestId}`,
  '--clear-groups',
  '--inh-caps=-all',
  '--bounding-set=-all',
];

/** No core dumps, no file growth, few descriptors; `-d` is in KiB. */
function formatLimits({ cpuS, memoryBytes }: Caps): string {
  const dataKib = 1024 * 1024 + Math.ceil(memoryBytes / 1024);
  return `ulimit -c 0; ulimit -f 0; ulimit -n 64; ulimit -t ${cpuS}; ulimit -d ${dataKib};`;
}

/**
 * The command line of Node: V8 without eval and addons and with a small heap. Node's permission model, whose flag has two names, allows
 * reads of our files only. `--liftoff-only`: QuickJS has one very large function, and its optimisation costs more than it saves.
 * Without it a start takes 140 instead of 250 ms of CPU, and 20 million loop turns take 2.5 instead of 6 s. `--single-threaded-gc`: each
 * third call ends with a collection of a small heap, for which threads cost more than they save: a sixth of the CPU of a call.
 */
function nodeCommand(): string[] {
  const permission = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  const small = [
    '--max-old-space-size=192',
    '--liftoff-only',
    '--single-threaded-gc',
    '--stack-size=3000',
    '--disallow-code-generation-from-strings',
    '--no-addons',
  ];
  return [process.execPath, '--no-warnings', ...small, permission, `--allow-fs-read=${readable}`, child];
}

/** The folder with the program of the child and the code of the engine. */
const readable = join(dirname(child), '/');

/** The arguments of bubblewrap: an empty root with the system's libraries, Node and our few files, all read-only. */
function rooms(): string[] {
  const system = ['/usr', '/lib', '/lib64'].filter((path) => existsSync(path)).flatMap(systemRoom);
  const ours = [process.execPath, dirname(child)]
    .filter((path) => !path.startsWith('/usr/'))
    .flatMap(readOnly);
  const cut = [
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    '--clearenv',
    '--chdir',
    '/',
  ];
  return [...cut, ...system, ...ours, '--uid', guestId, '--gid', guestId];
}

function systemRoom(path: string): string[] {
  return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : readOnly(path);
}

function readOnly(path: string): string[] {
  return ['--ro-bind', path, path];
}

function findProgram(name: string): string | undefined {
  return ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin'].map((at) => join(at, name)).find(runs);
}

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
