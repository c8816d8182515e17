import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiDocument, readOperations } from '../src/api-document.ts';
import { pythonName } from '../src/python-methods.ts';
import { writeFolder } from '../src/write-folder.ts';
import { Holdfast } from '#libs/sdk/src/holdfast';

const document = async (): Promise<ApiDocument> =>
  JSON.parse(await readFile('apps/api/openapi.json', 'utf8'));

test('a folder of generated files loses what is no longer generated and keeps what is the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-generated-'));
  try {
    const first = new Map([
      ['gone.ts', '1'],
      ['same.ts', '2'],
    ]);
    await writeFolder(folder, first);
    const { ino } = await stat(join(folder, 'same.ts'));
    await writeFile(join(folder, 'kept.py'), '3');
    await writeFolder(folder, new Map([['same.ts', '2']]), ['kept.py']);
    expect((await readdir(folder)).toSorted()).toEqual(['kept.py', 'same.ts']);
    expect((await stat(join(folder, 'same.ts'))).ino).toBe(ino);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('every operation of the API is a method of the client', async () => {
  const client: object = new Holdfast({ apiKey: 'sk-holdfast-none' });
  const missing = readOperations(await document()).filter(({ resource, method }) => {
    const owner = resource.reduce<object>((value, name) => Reflect.get(value, name) ?? {}, client);
    return typeof Reflect.get(owner, method) !== 'function';
  });
  expect(missing.map(({ id }) => id)).toEqual([]);
});

test('every group of operations is a member of the Python client', async () => {
  const client = await readFile('libs/sdk-python/src/holdfast/_async/client.py', 'utf8');
  const groups = new Set(
    readOperations(await document()).map(({ resource: [name = ''] }) => pythonName(name)),
  );
  expect([...groups].filter((name) => !client.includes(`self.${name} = `))).toEqual([]);
});

describe('an operation', () => {
  test('an operation without a method of its own is refused by name', async () => {
    const { paths, components } = await document();
    const added = { '/api/v1/added': { get: { operationId: 'getAdded', responses: {} } } };
    expect(() => readOperations({ components, paths: { ...paths, ...added } })).toThrow('getAdded');
  });

  test('an operation is refused when it is gone and its method is left over', async () => {
    const { paths, components } = await document();
    const { '/health/live': _, ...left } = paths;
    expect(() => readOperations({ components, paths: left })).toThrow('checkLiveness');
  });
});
