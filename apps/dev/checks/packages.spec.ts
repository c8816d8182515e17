import { filesBelow, read, readJson } from './repository.ts';

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  overrides: Record<string, string>;
}

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
}

const manifest = readJson<Manifest>('package.json');
const { packages: locked } = readJson<{ packages: Record<string, Locked> }>('package-lock.json');
const wanted = { ...manifest.dependencies, ...manifest.devDependencies };

describe('package.json', () => {
  test('package.json names exact versions only', () => {
    const versions = Object.entries({ ...wanted, ...manifest.overrides });
    expect(versions.filter(([, version]) => !/^(npm:[a-z]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });
});

describe('package-lock.json', () => {
  const entries = Object.entries(locked).filter(([place]) => place !== '');

  test('package-lock.json names no host to download from, and checks every download', () => {
    expect(entries.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place)).toEqual([]);
    expect(entries.filter(([, { integrity }]) => !integrity).map(([place]) => place)).toEqual([]);
  });

  test('package-lock.json has the versions of package.json', () => {
    const differing = Object.entries(wanted).filter(
      ([name, version]) => locked[`node_modules/${name}`]?.version !== version.replace(/^npm:.*@/, ''),
    );
    expect(differing).toEqual([]);
  });

  /** With a copy of its own, a package of Temporal reads no history: "type must be a Type". */
  test('package-lock.json gives all packages of Temporal one protobufjs and one version', () => {
    const temporal = entries.filter(([place]) => /^node_modules\/@temporalio\/[^/]+$/.test(place));
    expect(new Set(temporal.map(([, { version }]) => version)).size).toBe(1);
    const copies = entries.filter(([place]) => /@temporalio\/.*protobufjs$/.test(place));
    expect(copies.map(([place]) => place)).toEqual([]);
    expect(locked['node_modules/protobufjs']?.version).toBe(manifest.dependencies.protobufjs);
  });
});

describe('the dotfiles', () => {
  test('the dotfiles deny install scripts and keep versions exact', () => {
    const settings = read('.npmrc').trim().split('\n');
    expect(settings).toEqual(expect.arrayContaining(['ignore-scripts=true', 'save-exact=true']));
    expect(settings.filter((line) => /registry|\/\//.test(line))).toEqual([]);
  });

  test('the dotfiles keep generated files out of the repository', () => {
    const ignored = read('.gitignore').split('\n');
    expect(ignored).toEqual(
      expect.arrayContaining(['node_modules/', 'dist/', '.data/', '*.log', 'generated/']),
    );
    expect(filesBelow().filter((path) => /(^|\/)\.env/.test(path))).toEqual([]);
  });

  test('the dotfiles have the one gate run', () => {
    expect(read('.ci/run')).toContain('run.mjs ci');
  });
});
