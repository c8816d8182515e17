import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alone, binOf, CHECKOUT, node, say } from './tools.mjs';

const ROOMS = ['apps', 'libs', 'temporal'];
const SETTINGS = ['.swcrc', 'nest-cli.json', 'package.json', 'package-lock.json'];
const STAMP = join(CHECKOUT, 'dist', '.built');
/** What compiled programs make of the compiled code: the bundles of workflows, and programs of one file. */
const MAKERS = ['temporal/bundle.js', 'apps/local/src/pack.js'].map((path) => join(CHECKOUT, 'dist', path));

/** Compiles everything to dist when a source has changed, came or went since the last time. */
export async function build() {
  if (isBuilt()) return;
  await alone(async () => {
    if (isBuilt()) return;
    say('Building ...');
    const begin = performance.now();
    const state = sources();
    rmSync(STAMP, { force: true });
    await step([binOf('@nestjs/cli', 'nest'), 'build', 'api']);
    for (const maker of MAKERS) if (existsSync(maker)) await step(['--enable-source-maps', maker]);
    mkdirSync(join(CHECKOUT, 'dist'), { recursive: true });
    writeFileSync(STAMP, state);
    say(`  done in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  });
}

async function step(args) {
  if ((await node(args, { quiet: true })) !== 0) throw new Error('The build failed; the reason is above.');
}

function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources();
}

/** Name, size and time of every source: unlike the newest time alone, this also tells that a file has gone. */
function sources() {
  const files = ROOMS.flatMap((room) => filesBelow(join(CHECKOUT, room)));
  const settings = SETTINGS.map((name) => join(CHECKOUT, name)).filter((file) => existsSync(file));
  const hash = createHash('sha256');
  for (const file of [...files, ...settings].toSorted((a, b) => (a < b ? -1 : 1))) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path);
    return isSource(entry.name) ? [path] : [];
  });
}

function isSource(name) {
  return /\.(ts|tsx|sql)$/.test(name) && !name.endsWith('.spec.ts');
}
