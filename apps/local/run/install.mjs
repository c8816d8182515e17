import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alone, CHECKOUT, npm, say } from './tools.mjs';

const LOCK_FILE = join(CHECKOUT, 'package-lock.json');
const STAMP = join(CHECKOUT, 'node_modules', '.holdfast-installed');
const HIDDEN_LOCK = join(CHECKOUT, 'node_modules', '.package-lock.json');

/** Makes node_modules equal to package-lock.json. Does nothing when it already is. */
export async function install() {
  if (isInstalled()) return;
  await alone(async () => {
    if (isInstalled()) return;
    say('Installing the dependencies (npm ci) ...');
    const begin = performance.now();
    // Development packages are part of it: the compiler is one. No install script runs, see .npmrc.
    const code = await npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
    if (code !== 0) throw new Error('The dependencies could not be installed; npm says why above.');
    writeFileSync(STAMP, wanted());
    say(`  done in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  });
}

function isInstalled() {
  if (!existsSync(HIDDEN_LOCK)) return false;
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted()) return true;
  if (!matchesByHand()) return false;
  writeFileSync(STAMP, wanted());
  return true;
}

/** The packages hold binaries, so another system or processor needs another installation. */
function wanted() {
  const lock = createHash('sha256').update(readFileSync(LOCK_FILE)).digest('hex');
  return `${lock} ${process.platform}-${process.arch}\n`;
}

/** True when the person's own `npm install` has installed exactly the versions of the lock file. */
function matchesByHand() {
  if (existsSync(STAMP) && !readFileSync(STAMP, 'utf8').endsWith(`${process.platform}-${process.arch}\n`))
    return false;
  const { packages: locked } = JSON.parse(readFileSync(LOCK_FILE, 'utf8'));
  const { packages: present } = JSON.parse(readFileSync(HIDDEN_LOCK, 'utf8'));
  return Object.entries(locked).every(([place, { version, optional, devOptional, peer, link }]) => {
    if (place === '' || link) return true;
    const isMissing = present[place] === undefined;
    return isMissing ? Boolean(optional || devOptional || peer) : present[place].version === version;
  });
}
