import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Document, operationsOf, pathFaults, schemaFaults } from './openapi.ts';
import { checkout, readJson } from './repository.ts';

const committed = readJson<Document>('apps/api/openapi.json');
const operations = operationsOf(committed);

/** Handlers that anyone may call without a key. */
const open = ['GET /api/v1/definition-schema', 'GET /health/live', 'GET /health/ready'];

describe('apps/api/openapi.json', () => {
  test('is what the code describes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-openapi-'));
    try {
      const fresh = join(folder, 'openapi.json');
      await promisify(execFile)(process.execPath, ['dist/apps/api/src/openapi.js', fresh], { cwd: checkout });
      const described: unknown = JSON.parse(await readFile(fresh, 'utf8'));
      const cure = 'apps/api/openapi.json is out of date. Cure it with: npm run openapi';
      expect({ cure, document: committed }).toEqual({ cure, document: described });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('is an OpenAPI 3.1 document with a title, a version and a licence', () => {
    expect(committed.openapi).toMatch(/^3\.1\.\d$/);
    expect(committed.info).toMatchObject({
      title: 'Holdfast',
      version: '0.1.0',
      license: { name: 'Apache-2.0' },
    });
  });

  test('has no schema that 3.1 does not know', () => {
    expect(schemaFaults(committed)).toEqual([]);
  });

  test('declares the parameters of every path', () => {
    expect(operations.flatMap(pathFaults)).toEqual([]);
  });

  test('says of every operation what it does, under an id of its own', () => {
    expect(operations.filter(([, { summary }]) => !summary).map(([name]) => name)).toEqual([]);
    expect(operations.filter(([, { tags }]) => tags?.length !== 1).map(([name]) => name)).toEqual([]);
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
  });

  test('says of every answer what it means', () => {
    const silent = operations.flatMap(([name, { responses }]) =>
      Object.entries(responses)
        .filter(([, { description }]) => !description)
        .map(([status]) => `${name} ${status}`),
    );
    expect(silent).toEqual([]);
  });

  test('asks for a key everywhere but where anyone may call', () => {
    const unkeyed = operations.filter(([, { security }]) => !security?.some((one) => 'apiKey' in one));
    expect(unkeyed.map(([name]) => name).toSorted()).toEqual(open);
    expect(committed.components.securitySchemes).toHaveProperty('apiKey');
  });

  test('lists a success and, where a key is asked for, the refusal without one', () => {
    const statuses = operations.map(([name, { responses }]) => ({ name, codes: Object.keys(responses) }));
    expect(statuses.filter(({ codes }) => !codes.some((code) => code.startsWith('2')))).toEqual([]);
    const silent = statuses.filter(({ name, codes }) => !open.includes(name) && !codes.includes('401'));
    expect(silent).toEqual([]);
  });
});

describe('schemaFaults', () => {
  const holding = (schema: object): Document => ({
    ...committed,
    paths: {},
    components: { ...committed.components, schemas: { Planted: schema } },
  });

  test.each([
    ['a reference to nothing', { properties: { a: { $ref: '#/components/schemas/' } } }, /refers to/],
    ['a missing schema', { items: { $ref: '#/components/schemas/Absent' }, type: 'array' }, /Absent/],
    ['the nullable of 3.0', { type: 'string', nullable: true }, /nullable/],
    ['a type that JSON has not', { type: 'date' }, /the type date/],
    ['a list without items', { type: 'array' }, /list of nothing/],
    [
      'a required member that is not there',
      { type: 'object', properties: {}, required: ['a'] },
      /requires a/,
    ],
  ])('finds %s', (_, schema, fault) => {
    expect(schemaFaults(holding(schema))).toEqual([expect.stringMatching(fault)]);
  });

  test('takes a property that is called type', () => {
    expect(schemaFaults(holding({ type: 'object', properties: { type: { type: 'string' } } }))).toEqual([]);
  });
});
