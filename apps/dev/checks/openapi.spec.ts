import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testAsWarning } from '#libs/platform/settings/support/warnings';
import { type ApiDescription, lint, listOperations, listProperties } from './openapi.ts';
import { checkout, read, readJson, sources } from './repository.ts';

const committed = readJson<ApiDescription>('apps/api/openapi.json');
const operations = listOperations(committed);

/** Words that begin with a capital or with code, and end as a sentence does. */
const isSentence = (text = '') => /^[A-Z`][^]* [^]*\.$/.test(text);

/** Handlers that anyone may call without a key. */
const open = [
  'GET /api/v1/definition-schema',
  'GET /api/v1/sign-in',
  'GET /health/live',
  'GET /health/ready',
  'POST /api/v1/invitations/decline',
  'POST /api/v1/invitations/read',
  'POST /api/v1/sign-in/invitation',
  'POST /api/v1/sign-in/link',
  'POST /api/v1/sign-in/mail',
  'POST /api/v1/sign-in/passkey',
  'POST /api/v1/sign-in/passkey/options',
  'POST /hooks/{token}',
];

describe('apps/api/openapi.json', () => {
  test('apps/api/openapi.json equals the description that the code gives', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-openapi-'));
    try {
      const fresh = join(folder, 'openapi.json');
      await promisify(execFile)(process.execPath, ['dist/apps/api/src/commands/openapi.js', fresh], {
        cwd: checkout,
      });
      const text = await readFile(fresh, 'utf8');
      const cure = 'apps/api/openapi.json is out of date. Cure it with: npm run openapi';
      expect({ cure, document: committed }).toEqual({ cure, document: JSON.parse(text) });
      expect(read('apps/api/openapi.json')).toBe(text);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('apps/api/openapi.json is an OpenAPI 3.1 document with a title, a version and a licence', () => {
    expect(committed.openapi).toMatch(/^3\.1\.\d$/);
    expect(committed.info).toMatchObject({
      title: 'Holdfast',
      version: '0.1.0',
      license: { name: 'Apache-2.0' },
    });
  });

  test('apps/api/openapi.json passes the linter', async () => {
    expect(await lint('apps/api/openapi.json')).toEqual([]);
  });

  testAsWarning('apps/api/openapi.json has a summary and one tag for every operation', () => {
    expect(operations.filter(([, { summary }]) => !summary).map(([name]) => name)).toEqual([]);
    expect(operations.filter(([, { tags }]) => tags?.length !== 1).map(([name]) => name)).toEqual([]);
  });

  test('apps/api/openapi.json has a unique id for every operation', () => {
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
  });

  test('two bodies or views of the API never have one name, because one would replace the other in the description', () => {
    const names = sources()
      .filter((path) => path.startsWith('apps/api/src/') && path.endsWith('.dto.ts'))
      .flatMap((path) => [...read(path).matchAll(/^export class (\w+)/gm)].map(([, name]) => name));
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  testAsWarning('apps/api/openapi.json describes every operation in sentences, with a call to copy', () => {
    const silent = operations.filter(([, { description = '', summary }]) => {
      const [prose, call, rest] = description.split('\n\n```sh\n');
      const isCall = /^curl [^"]*"\$URL\/[^]*\n```$/.test(call ?? '') && rest === undefined;
      return !isSentence(prose) || prose === `${summary}.` || !isCall;
    });
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  testAsWarning(
    'apps/api/openapi.json describes every parameter, and every property of every schema, in a sentence',
    () => {
      const parameters = operations.flatMap(([name, { parameters: all = [] }]) =>
        all.map((one): [string, string | undefined] => [`${name} ${one.in} ${one.name}`, one.description]),
      );
      const properties = listProperties(committed);
      expect(properties.length).toBeGreaterThan(700);
      const silent = [...parameters, ...properties].filter(([, description]) => !isSentence(description));
      expect(silent).toEqual([]);
    },
  );

  testAsWarning('apps/api/openapi.json has one name for each thing that a path names', () => {
    const names = new Set(Object.keys(committed.paths).flatMap((path) => path.match(/(?<=\{)\w+/g) ?? []));
    expect([...names].filter((name) => !/^[a-z][a-zA-Z]+Id$/.test(name)).toSorted()).toEqual([
      'name',
      'token',
      'version',
    ]);
  });

  testAsWarning('apps/api/openapi.json describes every answer in a sentence', () => {
    const shared = Object.entries(committed.components.responses);
    const own = operations.flatMap(([name, { responses }]) =>
      Object.entries(responses)
        .filter(([, one]) => !('$ref' in one))
        .map(([status, one]) => [`${name} ${status}`, one] as const),
    );
    const silent = [...shared, ...own].filter(
      ([, { description }]) => !/^[A-Z].{20,}\.$/.test(description ?? ''),
    );
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  testAsWarning('apps/api/openapi.json names each operation as a client would name its method', () => {
    const names = operations.map(([, { operationId }]) => operationId ?? '');
    expect(names.filter((name) => !/^[a-z]+([A-Z][a-z]+)+$/.test(name))).toEqual([]);
  });

  test('apps/api/openapi.json has bounds in requests, and none in answers', () => {
    const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern'];
    const schemas = Object.entries(committed.components.schemas);
    const bounded = schemas
      .filter(([name]) => name.endsWith('View'))
      .flatMap(([name, { properties = {} }]) =>
        Object.entries(properties)
          .filter(([, schema]) => bounds.some((bound) => bound in schema))
          .map(([field]) => `${name}.${field}`),
      );
    expect(bounded).toEqual([]);
    const unbounded = schemas
      .filter(([name]) => name.endsWith('Body'))
      .flatMap(([name, { properties = {} }]) =>
        Object.entries(properties)
          .filter(
            ([, schema]) =>
              schema['type'] === 'string' &&
              !('maxLength' in schema || 'enum' in schema || schema['format'] === 'date-time'),
          )
          .map(([field]) => `${name}.${field}`),
      );
    expect(unbounded).toEqual([]);
  });

  test('apps/api/openapi.json gives every list that is read by pages its nextCursor', () => {
    const paged = operations.filter(([, { parameters = [] }]) =>
      parameters.some(({ name }) => name === 'cursor'),
    );
    expect(paged.length).toBeGreaterThan(0);
    const without = paged.filter(
      ([, { responses }]) => !JSON.stringify(responses['200']).includes('"nextCursor"'),
    );
    expect(without.map(([name]) => name)).toEqual([]);
  });

  test('apps/api/openapi.json answers 201 to every create, except the two creates of the interface', () => {
    const creates = operations.filter(([, { operationId }]) =>
      /^(create|insert|add|upload|import(?!Rows))/.test(operationId ?? ''),
    );
    expect(creates.length).toBeGreaterThan(5);
    const others = creates.filter(([, { responses }]) => !('201' in responses));
    expect(new Set(others.map(([, { operationId }]) => operationId))).toEqual(
      new Set(['createKnowledgeBase', 'createTable']),
    );
  });

  test('apps/api/openapi.json asks for a key everywhere except in public calls', () => {
    const unkeyed = operations.filter(([, { security }]) => !security?.some((one) => 'apiKey' in one));
    expect(unkeyed.map(([name]) => name).toSorted()).toEqual(open);
    expect(committed.components.securitySchemes).toHaveProperty('apiKey');
  });

  test('apps/api/openapi.json lists a success and, where a key is needed, the refusal without a key', () => {
    const statuses = operations.map(([name, { responses }]) => ({ name, codes: Object.keys(responses) }));
    expect(statuses.filter(({ codes }) => !codes.some((code) => code.startsWith('2')))).toEqual([]);
    const silent = statuses.filter(({ name, codes }) => !open.includes(name) && !codes.includes('401'));
    expect(silent).toEqual([]);
  });
});

describe('the linter', () => {
  test('the linter refuses a member that 3.1 does not know', async () => {
    const planted = {
      Absent: { properties: { a: { $ref: '#/components/schemas/Nothing' } } },
      Old: { type: 'string', nullable: true },
      Typed: { type: 'date' },
      Required: { type: 'object', properties: {}, required: ['a'] },
    };
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-openapi-'));
    try {
      const file = join(folder, 'openapi.json');
      const { components } = committed;
      const schemas = { ...components.schemas, ...planted };
      await writeFile(file, JSON.stringify({ ...committed, components: { ...components, schemas } }));
      expect(await lint(file)).toEqual(
        expect.arrayContaining([
          expect.stringContaining("Can't resolve $ref"),
          expect.stringContaining('`nullable` is not expected'),
          expect.stringContaining('struct: `type`'),
          expect.stringContaining("'a' is not defined"),
        ]),
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
