import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { packChild } from '#libs/platform/sandbox/support/child-program';

const dist = fileURLToPath(new URL('../../..', import.meta.url));

/** The programs that are started often, and again after each crash. */
const programs = ['apps/api/src/main.js', 'apps/worker/src/main.js'];

/** These load native code, or files beside their own; the viewer of the reference is megabytes that few processes ever need. */
const leftAlone = [
  '@scalar/*',
  '@temporalio/*',
  'onnxruntime-node',
  'pdfjs-dist',
  // TypeORM loads it by name, and both must have one copy of its classes.
  'pg',
  'pino',
  'piscina',
  'undici',
];

/**
 * Writes each program and what it imports as one file in the place of its first module. A process reads some two thousand modules at
 * its start, and most of its start goes by with finding and compiling them one by one. There is no source map, whose reading would
 * take as long; before each module the one file names the module's own.
 */
async function main(): Promise<void> {
  await Promise.all(programs.map(pack));
  const child = join(dist, 'libs/platform/sandbox/child');
  packChild(`${child}.js`, `${child}.cjs`);
}

async function pack(name: string): Promise<void> {
  const file = join(dist, name);
  await build({
    entryPoints: [file],
    outfile: file,
    allowOverwrite: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    // Names of classes are names of schemas and of log contexts.
    keepNames: true,
    external: leftAlone,
    plugins: [moduleUrls(dirname(file)), packages],
    logLevel: 'error',
    // Modules of packages are CommonJS. They load the packages that are not packed with this function.
    banner: {
      js: `import { createRequire as createRequire0 } from 'node:module'; const require = createRequire0(import.meta.url);`,
    },
  });
  const module = moduleWithOwnPlace(await readFile(file, 'utf8'));
  if (module)
    throw new Error(`${module} asks where it is, and so must be left alone by ${import.meta.filename}.`);
}

/** The first module that uses a name which only a CommonJS module in a file of its own has. */
function moduleWithOwnPlace(text: string): string | undefined {
  let module = '';
  for (const line of text.split('\n')) {
    if (/^\/\/ \S+\.[cm]?js$/.test(line)) module = line.slice(3);
    else if (/\b__(?:dirname|filename)\b/.test(line)) return module;
  }
  return undefined;
}

const moduleFolder = `decodeURI(new URL('.', moduleUrl).pathname.slice(0, -1))`;

/** Gives each module its original URL, relative to the URL of the packed file. */
function moduleUrls(folder: string): Plugin {
  return {
    name: 'module URLs',
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/, namespace: 'file' }, async ({ path }) => {
        if (path.includes('/node_modules/') || !path.startsWith(dist)) return undefined;
        const text = await readFile(path, 'utf8');
        const here = `const moduleUrl = new URL(${JSON.stringify(relative(folder, path))}, import.meta.url).href;`;
        const contents = text.includes('import.meta')
          ? here +
            text.replaceAll('import.meta.url', 'moduleUrl').replaceAll('import.meta.dirname', moduleFolder)
          : text;
        return { contents, loader: 'js' };
      });
    },
  };
}

/** A module that is not installed is optional: packages ask for it and go on without it. */
const packages: Plugin = {
  name: 'packages',
  setup({ onResolve, resolve }) {
    const asked = { asked: true };
    onResolve({ filter: /^[^./#]/ }, async ({ path, pluginData, ...rest }) => {
      if (pluginData === asked || path.startsWith('node:')) return undefined;
      const found = await resolve(path, { ...rest, pluginData: asked });
      return found.errors.length > 0 ? { path, external: true } : found;
    });
  },
};

await main();
