import { importsOf } from './imports.ts';
import { filesBelow, isTestSupport, read, readJson, sources } from './repository.ts';

interface Manifest {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  overrides: Record<string, string>;
}

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const manifest = readJson<Manifest>('package.json');
const { packages: locked } = readJson<{ packages: Record<string, Locked> }>('package-lock.json');
const wanted = { ...manifest.dependencies, ...manifest.devDependencies };

/** Packages that nothing imports, with the package or file that needs them. */
const unimported: Record<string, { peerOf: string } | { namedIn: string } | { because: string }> = {
  rxjs: { peerOf: '@nestjs/core' },
  protobufjs: { because: 'one copy at the top for all of @temporalio, see below' },
  '@redocly/cli': { namedIn: 'libs/house/openapi.ts' },
  '@nestjs/cli': { namedIn: 'apps/local/run/build.mjs' },
  '@sparticuz/chromium': { namedIn: 'apps/api/test/support/browser.ts' },
  '@codemirror/merge': { namedIn: 'apps/console/src/editor/TextDiff.svelte' },
  '@sveltejs/adapter-static': { namedIn: 'apps/console/svelte.config.js' },
  '@sveltejs/vite-plugin-svelte': { namedIn: 'apps/console/svelte.config.js' },
  '@xyflow/svelte': { namedIn: 'apps/console/src/graph/GraphView.svelte' },
  uplot: { namedIn: 'apps/console/src/usage/DayChart.svelte' },
  'svelte-check': { namedIn: 'apps/local/run/check.mjs' },
  '@swc/cli': { peerOf: '@nestjs/cli' },
  '@swc/core': { peerOf: '@swc/cli' },
  '@swc/jest': { namedIn: 'package.json' },
  '@types/jest': { namedIn: 'tsconfig.json' },
  '@types/markdown-it': { because: 'the types of markdown-it' },
  '@types/node': { namedIn: 'tsconfig.json' },
  '@types/oidc-provider': { because: 'the types of oidc-provider' },
  '@types/nodemailer': { because: 'the types of nodemailer' },
  '@types/pg': { because: 'the types of pg' },
  '@types/smtp-server': { because: 'the types of smtp-server' },
  '@types/sql.js': { because: 'the types of sql.js' },
  '@types/yauzl': { because: 'the types of yauzl' },
  jest: { namedIn: 'apps/local/run/test.mjs' },
  oxfmt: { namedIn: 'apps/local/run/check.mjs' },
  oxlint: { namedIn: 'apps/local/run/check.mjs' },
  'oxlint-tsgolint': { peerOf: 'oxlint' },
};

describe('package.json', () => {
  test('has at most 17 scripts, each short enough to read', () => {
    const scripts = Object.entries(manifest.scripts);
    expect(scripts.length).toBeLessThanOrEqual(17);
    expect(scripts.filter(([, command]) => command.length >= 100)).toEqual([]);
  });

  test('names exact versions only', () => {
    const versions = Object.entries({ ...wanted, ...manifest.overrides });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  test('holds every package that a source imports', () => {
    const missing = sources().flatMap((path) => {
      // The console is built: nothing is looked up when it runs.
      const has = isTestSupport(path) || path.startsWith('apps/console/') ? wanted : manifest.dependencies;
      const imports = importsOf({ path, text: read(path) }).filter(
        // Kit gives its modules names that begin with a dollar.
        ({ ours, target }) => !ours && target !== 'node' && !target.startsWith('$'),
      );
      return imports
        .filter(({ target }) => !(target in has))
        .map(({ target }) => `${path} imports ${target}`);
    });
    expect(missing).toEqual([]);
  });

  test('holds no package that nothing uses', () => {
    const imported = new Set(
      sources().flatMap((path) => importsOf({ path, text: read(path) }).map(({ target }) => target)),
    );
    expect(Object.keys(wanted).filter((name) => !imported.has(name) && !(name in unimported))).toEqual([]);
    expect(Object.keys(unimported).filter((name) => !(name in wanted) || imported.has(name))).toEqual([]);
  });

  test.each(Object.entries(unimported))('has a use for %s that is still there', (name, use) => {
    if ('peerOf' in use)
      expect(locked[`node_modules/${use.peerOf}`]?.peerDependencies).toHaveProperty([name]);
    else if ('namedIn' in use) expect(read(use.namedIn)).toContain(name.replace('@types/', ''));
    else expect(use.because).not.toBe('');
  });
});

describe('package-lock.json', () => {
  const entries = Object.entries(locked).filter(([place]) => place !== '');

  test('names no host to download from, and checks whatever comes', () => {
    expect(entries.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place)).toEqual([]);
    expect(entries.filter(([, { integrity }]) => !integrity).map(([place]) => place)).toEqual([]);
  });

  test('has the versions of package.json', () => {
    const differing = Object.entries(wanted).filter(
      ([name, version]) => locked[`node_modules/${name}`]?.version !== version,
    );
    expect(differing).toEqual([]);
  });

  /** With a copy of its own, a package of Temporal reads no history: "type must be a Type". */
  test('gives all packages of Temporal one protobufjs and one version', () => {
    const temporal = entries.filter(([place]) => /^node_modules\/@temporalio\/[^/]+$/.test(place));
    expect(new Set(temporal.map(([, { version }]) => version)).size).toBe(1);
    const copies = entries.filter(([place]) => /@temporalio\/.*protobufjs$/.test(place));
    expect(copies.map(([place]) => place)).toEqual([]);
    expect(locked['node_modules/protobufjs']?.version).toBe(manifest.dependencies.protobufjs);
  });
});

describe('the dotfiles', () => {
  test('deny install scripts and keep versions exact', () => {
    const settings = read('.npmrc').trim().split('\n');
    expect(settings).toEqual(expect.arrayContaining(['ignore-scripts=true', 'save-exact=true']));
    expect(settings.filter((line) => /registry|\/\//.test(line))).toEqual([]);
  });

  test('leave what is made on a machine out of the repository', () => {
    const ignored = read('.gitignore').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['node_modules/', 'dist/', '.data/', '*.log']));
    expect(filesBelow().filter((path) => /(^|\/)\.env/.test(path))).toEqual([]);
  });

  test('have the one gate run', () => {
    expect(read('.ci/run')).toContain('npm test');
  });
});
