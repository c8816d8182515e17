import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { alone, binOf, CHECKOUT, node, say } from './tools.mjs';

const ROOMS = ['apps', 'libs', 'temporal'];
const SETTINGS = ['.swcrc', 'nest-cli.json', 'package.json', 'package-lock.json', 'apps/api/openapi.json'];
const STAMP = join(CHECKOUT, 'dist', '.built');
/** Compiled programs make these from the compiled code: the bundles of workflows, and programs of one file. */
const MAKERS = ['temporal/bundle.js', 'apps/local/src/pack.js'].map((path) => join(CHECKOUT, 'dist', path));

/** The last file that is generated; Git ignores all of them. */
const CLIENT_TYPES = join(CHECKOUT, 'libs', 'sdk', 'src', 'generated', 'openapi.ts');
const GENERATOR = join(CHECKOUT, 'node_modules', '.holdfast-generator.mjs');

const CONSOLE = join(CHECKOUT, 'apps', 'console');
/** The reader of PDFs finds the character maps of Asian fonts here. Their package is for browsers, and is needed for nothing else. */
const FONTS = join(CHECKOUT, 'dist', 'libs', 'knowledge', 'parsing', 'fonts');
/** The compiler of the rest begins with an empty dist, so the console is made elsewhere and copied at the end. */
const SITE = join(CONSOLE, '.svelte-kit', 'site');
const SITE_STAMP = join(CONSOLE, '.svelte-kit', '.built');
/**
 * The sources of the console: its own files, the client, the drawing of a run, the API description with the method
 * names, and an example.
 */
const CONSOLE_ROOMS = ['apps/console', 'libs/sdk/src', 'libs/platform/drawing'];
const CONSOLE_FILES = [
  'apps/api/openapi.json',
  'apps/clients/src/method-names.ts',
  'apps/clients/src/typescript-methods.ts',
  'apps/console/svelte.config.js',
  'apps/local/examples/approval.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/** Generates the TypeScript client and compiles everything to dist when a source has changed, came or went since the last time. */
export async function build() {
  if (isBuilt()) return;
  await alone(async () => {
    if (isBuilt()) return;
    say('Building ...');
    const begin = performance.now();
    const state = sources();
    rmSync(STAMP, { force: true });
    const { writeMethods, writeTypes } = await generator();
    await writeMethods();
    // Nothing that is compiled needs the types, and they take a second.
    await Promise.all([compile(), buildConsole(), writeTypes()]);
    mkdirSync(join(CHECKOUT, 'dist'), { recursive: true });
    cpSync(SITE, join(CHECKOUT, 'dist', 'apps', 'console'), { recursive: true });
    for (const kind of ['cmaps', 'standard_fonts'])
      cpSync(join(CHECKOUT, 'node_modules', 'pdfjs-dist', kind), join(FONTS, kind), { recursive: true });
    writeFileSync(STAMP, state);
    say(`  done in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  });
}

/** The generator of the client is a source too, so it is compiled by itself before the rest. */
async function generator() {
  const { build: bundle } = await import('esbuild');
  await bundle({
    entryPoints: [join(CHECKOUT, 'apps', 'clients', 'src', 'typescript-client.ts')],
    outfile: GENERATOR,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  return import(pathToFileURL(GENERATOR).href);
}

/** Compiles without the clients: they are made of the description of the API, which may be older than the code that is to write it. */
export async function buildForDescription() {
  if (isBuilt()) return;
  await alone(async () => {
    rmSync(STAMP, { force: true });
    await compile();
  });
}

async function compile() {
  await step([binOf('@nestjs/cli', 'nest'), 'build', 'api']);
  for (const maker of MAKERS) if (existsSync(maker)) await step(['--enable-source-maps', maker]);
}

/** Makes the console when one of its files has changed since the last time; it takes as long as all the rest. */
async function buildConsole() {
  const rooms = CONSOLE_ROOMS.flatMap((room) => filesBelow(join(CHECKOUT, room)));
  const state = stampOf([...rooms, ...CONSOLE_FILES.map((name) => join(CHECKOUT, name))]);
  if (existsSync(SITE) && existsSync(SITE_STAMP) && readFileSync(SITE_STAMP, 'utf8') === state) return;
  rmSync(SITE_STAMP, { force: true });
  await step([binOf('vite'), 'build', '--logLevel', 'warn'], CONSOLE);
  packSite();
  writeFileSync(SITE_STAMP, state);
}

/** Each text of the console lies beside its packed form: the API packs nothing while somebody waits. */
function packSite() {
  for (const entry of readdirSync(SITE, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && /\.(js|css|html|svg|json)$/.test(entry.name))
      writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  }
}

async function step(args, cwd = CHECKOUT) {
  if ((await node(args, { quiet: true, cwd })) !== 0)
    throw new Error('The build failed; the reason is above.');
}

function isBuilt() {
  return existsSync(CLIENT_TYPES) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources();
}

/** Name, size and time of every source: unlike the newest time alone, this also tells that a file has gone. */
function sources() {
  const files = ROOMS.flatMap((room) => filesBelow(join(CHECKOUT, room)));
  const settings = SETTINGS.map((name) => join(CHECKOUT, name)).filter((file) => existsSync(file));
  return stampOf([...files, ...settings]);
}

function stampOf(files) {
  const hash = createHash('sha256');
  for (const file of files.toSorted((a, b) => (a < b ? -1 : 1))) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return ['node_modules', '.svelte-kit', 'generated', 'dist'].includes(entry.name)
        ? []
        : filesBelow(path);
    return isSource(entry.name) ? [path] : [];
  });
}

function isSource(name) {
  return /\.(ts|tsx|sql|svelte|css|html|svg)$/.test(name) && !name.endsWith('.spec.ts');
}
