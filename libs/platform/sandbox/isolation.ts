import { accessSync, constants, existsSync, lstatSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `bubblewrap`: own file system, no network, own pids. `namespaces`: no network. `process`: a bare process. */
export type Isolation = 'bubblewrap' | 'namespaces' | 'process';

/** A command line that starts the child, without a shell. */
export interface Launcher {
  isolation: Isolation;
  file: string;
  args: string[];
}

export interface Caps {
  /** CPU seconds after which the kernel ends the child, also when nobody is left who would kill it. */
  cpuS: number;
  /** Memory of the guest. The process gets 1 GiB more, because V8 does not start with less. */
  memoryBytes: number;
}

// A child process cannot run TypeScript as the specs do, so it always runs the compiled file.
const child = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../../dist/libs/platform/sandbox/child.cjs' : './child.cjs',
    import.meta.url,
  ),
);

/**
 * Every way that this host offers to start the child, the strongest first. Each may fail: containers
 * forbid user namespaces in several ways, so the caller tries one after the other.
 */
export function launchers(caps: Caps, without: readonly Isolation[] = []): Launcher[] {
  const [sh, bwrap, unshare, setpriv] = ['sh', 'bwrap', 'unshare', 'setpriv'].map(programOf);
  const limits = sh ? [sh, '-c', `${limitsOf(caps)} exec "$@"`, 'sh'] : [];
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
    // Root in a container that forbids user namespaces may still leave the network behind before it drops to nobody.
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
function limitsOf({ cpuS, memoryBytes }: Caps): string {
  const dataKib = 1024 * 1024 + Math.ceil(memoryBytes / 1024);
  return `ulimit -c 0; ulimit -f 0; ulimit -n 64; ulimit -t ${cpuS}; ulimit -d ${dataKib};`;
}

/**
 * V8 without eval, addons and a large heap; Node's permission model, under either of its names, reads our files only.
 * `--liftoff-only`: optimising QuickJS's one giant function costs more than it brings (start 250 to 140 ms of CPU, and
 * 20 million loop turns in 2.5 s instead of 6).
 */
function nodeCommand(): string[] {
  const permission = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  const small = [
    '--max-old-space-size=192',
    '--liftoff-only',
    '--stack-size=3000',
    '--disallow-code-generation-from-strings',
    '--no-addons',
  ];
  return [process.execPath, '--no-warnings', ...small, permission, `--allow-fs-read=${readable}`, child];
}

/** The folder of the child, which is one file, with the engine's code beside it. */
const readable = join(dirname(child), '/');

/** An empty root with the system's libraries, Node and our own few files, all read-only. */
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

function programOf(name: string): string | undefined {
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
