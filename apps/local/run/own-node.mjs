import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { CHECKOUT, npm, say } from './tools.mjs';

const OLDEST = [22, 19];
/** The launcher itself runs on this release, and fetches a newer one. */
const OLDEST_LAUNCHER = 20;

/** True when this Node runs the product. Throws for one that cannot even run the launcher. */
export function isNodeNewEnough(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major < OLDEST_LAUNCHER)
    throw new Error(`Holdfast needs Node ${OLDEST.join('.')} or newer; this is ${version}.`);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** Runs the launcher again on the Node that `node.json` pins, fetched when the cache lacks it. Resolves to the exit code. */
export async function runOnOwnNode(args) {
  const program = await ownNode();
  const path = `${dirname(program)}${delimiter}${process.env.PATH}`;
  // The channel tells the other process when this one is killed.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  const child = spawn(program, args, { stdio, env: { ...process.env, PATH: path } });
  // A terminal sends its signals to both processes.
  const signals = ['SIGTERM', 'SIGHUP', ...(process.stdin.isTTY ? [] : ['SIGINT'])];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  if (process.stdin.isTTY) process.on('SIGINT', () => {});
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Ends this process when the launcher that started it was killed. */
export function endWithLauncher() {
  if (!process.channel) return;
  process.channel.unref();
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}

async function ownNode() {
  const platform = `${process.platform}-${process.arch}`;
  const pin = JSON.parse(readFileSync(join(CHECKOUT, 'apps', 'local', 'node.json'), 'utf8'))[platform];
  const advice = `Holdfast needs Node ${OLDEST.join('.')} or newer. This is ${process.versions.node}`;
  if (!pin) throw new Error(`${advice}, and no package of Node exists for ${platform}: install one.`);
  const cache = cacheFolder();
  const home = join(cache, `${pin.package}-${pin.version}`);
  if (!existsSync(home)) await fetchNode(home, pin, advice);
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(home, 'node_modules', pin.package, 'bin', name);
}

/** Lets npm load the package into a folder of its own. npm compares it with the checksum in the lock file that we write. */
export async function fetchNode(home, { package: name, version, integrity }, advice) {
  say(`Fetching Node ${version}, because this is ${process.versions.node} ...`);
  const begin = performance.now();
  const folder = mkdtempSync(`${home}-`);
  const root = { dependencies: { [name]: version } };
  const packages = { '': root, [`node_modules/${name}`]: { version, integrity } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(root));
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
  );
  const code = await npm(
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=5', '--loglevel=error'],
    {
      cwd: folder,
      quiet: true,
    },
  );
  if (code !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`${advice}. npm could not fetch a newer one, and says why above.`);
  }
  // The code of users runs as another user, when this one is root.
  chmodSync(folder, 0o755);
  try {
    renameSync(folder, home);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    // Another process was first.
    if (!existsSync(home)) throw error;
  }
  say(`  done in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}

/** Returns the cache of the other programs (libs/platform/binaries/cache-folder.ts), or a folder for temporary files. */
export function cacheFolder() {
  const user = process.getuid?.();
  const own =
    process.platform === 'win32'
      ? join(process.env.LOCALAPPDATA ?? homedir(), 'holdfast', 'cache')
      : process.platform === 'darwin'
        ? join(homedir(), 'Library', 'Caches', 'holdfast')
        : join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'holdfast');
  const folder = process.env.HOLDFAST_CACHE || (user === 0 ? '/var/cache/holdfast' : own);
  try {
    mkdirSync(folder, { recursive: true });
    return folder;
  } catch {
    const temporary = join(tmpdir(), `holdfast-cache-${user ?? 0}`);
    mkdirSync(temporary, { recursive: true });
    return temporary;
  }
}
