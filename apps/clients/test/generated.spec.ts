import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type ApiDocument, readOperations } from '../src/api-document.ts';
import { generateClients } from '../src/generate.ts';
import { Holdfast } from '#libs/sdk/src/holdfast';

const document = async (): Promise<ApiDocument> =>
  JSON.parse(await readFile('apps/api/openapi.json', 'utf8'));

test('generating the clients anew changes no file', async () => {
  for (const [path, text] of await generateClients())
    expect({ path, isSame: (await readFile(path, 'utf8')) === text }).toEqual({ path, isSame: true });
});

test('each file of the generated TypeScript belongs to an existing resource', async () => {
  const folder = 'libs/sdk/src/generated';
  const paths = [...(await generateClients()).keys()].filter((path) => path.startsWith(folder));
  expect((await readdir(folder)).toSorted()).toEqual(paths.map((path) => basename(path)).toSorted());
});

test('every operation of the API is a method of the client', async () => {
  const client: object = new Holdfast({ apiKey: 'sk-holdfast-none' });
  const missing = readOperations(await document()).filter(({ resource, method }) => {
    const owner = resource.reduce<object>((value, name) => Reflect.get(value, name) ?? {}, client);
    return typeof Reflect.get(owner, method) !== 'function';
  });
  expect(missing.map(({ id }) => id)).toEqual([]);
});

describe('an operation', () => {
  test('without a method of its own is refused by name', async () => {
    const { paths, components } = await document();
    const added = { '/api/v1/added': { get: { operationId: 'getAdded', responses: {} } } };
    expect(() => readOperations({ components, paths: { ...paths, ...added } })).toThrow('getAdded');
  });

  test('is refused when it is gone and its method is left over', async () => {
    const { paths, components } = await document();
    const { '/health/live': _, ...left } = paths;
    expect(() => readOperations({ components, paths: left })).toThrow('checkLiveness');
  });
});
