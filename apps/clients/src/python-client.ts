import { writePython } from './python-methods.ts';
import { PythonModels, writeModels } from './python-models.ts';
import { readSync, toSync } from './python-sync.ts';
import type { Python } from './python-tools.ts';
import { readApi } from './typescript-client.ts';
import { writeFolder } from './write-folder.ts';

const source = 'libs/sdk-python/src/holdfast';

/** Writes the generated sources of the Python client; a tool in Python makes its models. */
export async function writePythonClient(python: Python): Promise<void> {
  const { document, operations } = await readApi();
  const models = new PythonModels(document, operations);
  const resources = writePython(operations, models);
  const generated = new Map([
    ['__init__.py', '"""What is generated from the description of the API."""\n'],
    ['async_resources.py', resources],
    ['resources.py', toSync(resources)],
    ['models.py', await writeModels(python, models)],
  ]);
  await writeFolder(`${source}/generated`, generated, ['__pycache__']);
  await writeFolder(`${source}/_sync`, await readSync(`${source}/_async`), ['flavour.py', '__pycache__']);
}
