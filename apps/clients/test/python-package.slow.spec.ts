import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stack } from '#apps/api/test/support/stack';
import { type ApiDocument, readOperations } from '../src/api-document.ts';
import { describeWith } from '#libs/platform/binaries/support/needs';
import { packPython } from '../src/package-python.ts';
import { pythonName } from '../src/python-methods.ts';
import { installTools, installWheel, needPython } from '../src/python-tools.ts';
import { asking } from './asking.ts';
import { flavours, PythonDriver } from './python-driver.ts';
import { parseExamples } from './readme.ts';

const run = promisify(execFile);
let root: string;
let stack: Stack;
let program: string;
let driver: PythonDriver;
let env: Record<string, string>;

beforeAll(async () => {
  const python = await needPython();
  root = await mkdtemp(join(tmpdir(), 'holdfast-python-'));
  const { wheel } = await packPython(python, join(root, 'packed'));
  [stack, program] = await Promise.all([Stack.shared(), installWheel(python, wheel, join(root, 'clean'))]);
  env = {
    HOLDFAST_URL: stack.url,
    HOLDFAST_API_KEY: stack.home.key,
    HOLDFAST_WORKSPACE_ID: stack.home.id,
  };
  driver = PythonDriver.start(program, env);
});
afterAll(async () => {
  await driver?.stop();
  await stack?.stop();
  if (root) await rm(root, { recursive: true, force: true });
});

const examples = parseExamples(readFileSync('libs/sdk-python/README.md', 'utf8'), 'python');
describeWith('the tools of the Python client')('the Python package', () => {
  test.each(examples.map((example) => [example.title, example] as const))(
    'the Python package prints the shown output of the example "%s" of the README',
    async (_, { code, output }) => {
      const { stdout } = await run(program, ['-I', '-c', code], { env });
      expect(stdout).toBe(output);
    },
  );

  test('the Python package has the version that its description names', async () => {
    const described = /^version = "(.*)"$/m.exec(readFileSync('libs/sdk-python/pyproject.toml', 'utf8'))?.[1];
    expect((await driver.run('return holdfast.version')).value).toBe(described);
  });

  test('the Python package has types that the strict checker accepts', async () => {
    const words = [
      '-m',
      'mypy',
      '--config-file',
      'libs/sdk-python/pyproject.toml',
      '--python-executable',
      program,
    ];
    const said = await run(await installTools(await needPython()), [
      ...words,
      '--cache-dir',
      join(root, 'types'),
      'libs/sdk-python/src',
    ]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(said).toContain('no issues found');
  });

  describe.each(flavours)('the client in its %s form', (flavour, write) => {
    const valueOf = async (code: string, scope: Record<string, unknown> = {}) => {
      const { value, error } = await driver.run(write(`client = AsyncHoldfast()\n${code}`), scope);
      if (error) throw new Error(error.trace);
      return value;
    };

    test('the Python client has a method for every operation of the API', async () => {
      const document: ApiDocument = JSON.parse(await readFile('apps/api/openapi.json', 'utf8'));
      const names = readOperations(document).map(({ resource, method }) =>
        [...resource, method].map(pythonName),
      );
      expect(names.length).toBeGreaterThan(100);
      const code = `
import functools
return [name for name in names if not callable(functools.reduce(lambda value, one: getattr(value, one, None), name, client))]`;
      expect(await valueOf(code, { names })).toEqual([]);
    });

    test.each(['False', 'True'])(
      'the Python client answers a pause of an execution that is waited for, polling: %s',
      async (poll) => {
        const code = `
workflow = await client.workflows.create(name=name, definition=definition)
await client.deployments.deploy(workflow.id)
paused = await client.workflows.execute(workflow.id)
point = paused.paused.pause_points[0]
answered = await client.pauses.answer(workflow.id, paused.execution_id, point.context_id, input={"ship": True})
states = []
job_id = (await client.workflows.start(workflow.id)).job_id
job = await client.executions.wait(
    job_id,
    poll=${poll},
    on_state=lambda job: states.append("paused" if job.paused else job.status),
    on_pause=lambda pause: pause.answer({"ship": False}),
)
rests = await client.executions.wait((await client.workflows.start(workflow.id)).job_id, poll=${poll})
return [paused.status, answered.output, job.status, job.output, "paused" in states, rests.status]`;
        const scope = { name: `Ask ${flavour} ${poll}`, definition: asking };
        expect(await valueOf(code, scope)).toEqual([
          'paused',
          { ship: true },
          'completed',
          { ship: false },
          true,
          'paused',
        ]);
      },
    );

    test('the Python client takes the only workspace that the key reaches', async () => {
      const code = `
import os
named = os.environ.pop("HOLDFAST_WORKSPACE_ID", None)
try:
    return isinstance((await AsyncHoldfast().tables.list()).items, list)
finally:
    if named:
        os.environ["HOLDFAST_WORKSPACE_ID"] = named`;
      expect(await valueOf(code)).toBe(true);
    });

    test('the Python client imports, exports and pages through rows', async () => {
      const code = `
schema = holdfast.models.SchemaBody(columns=[holdfast.models.ColumnBody(name="name", type="string")])
table = (await client.tables.create(name=name, schema=schema)).table
await client.tables.imports.create(table.id, iter([b"name\\n", b"Ann\\nBob\\n", b"Cid\\n"]))
pages = [len(page.items) async for page in (await client.tables.rows.list(table.id, limit=2)).pages()]
download = await client.tables.rows.export(table.id, format="jsonl")
names = [value["name"] async for value in download.values()]
return [pages, names]`;
      const expected = [
        [2, 1],
        ['Ann', 'Bob', 'Cid'],
      ];
      expect(await valueOf(code, { name: `rows_${flavour}` })).toEqual(expected);
    });
  });
});
