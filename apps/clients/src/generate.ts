import { readFile, writeFile } from 'node:fs/promises';
import openapiTypes, { astToString } from 'openapi-typescript';
import { type ApiDocument, type Operation, readOperations } from './api-document.ts';
import { writePython } from './python-methods.ts';
import { PythonModels, writeModels } from './python-models.ts';
import { readSync, toSync } from './python-sync.ts';
import { findPython } from './python-tools.ts';
import { writeTypeScript } from './typescript-methods.ts';

const pythonFolder = 'libs/sdk-python/src/holdfast';

/** The generated files by their paths from the top, without the files that Python code generates. */
export async function generateClients(): Promise<Map<string, string>> {
  const { text, document, operations } = await readApi();
  const folder = 'libs/sdk/src/generated';
  const resources = writePython(operations, new PythonModels(document, operations));
  const sync = await readSync(`${pythonFolder}/_async`);
  return new Map([
    [`${folder}/openapi.ts`, await typesOf(text)],
    ...[...writeTypeScript(operations)].map(([name, source]) => [`${folder}/${name}`, source] as const),
    [`${pythonFolder}/generated/async_resources.py`, resources],
    [`${pythonFolder}/generated/resources.py`, toSync(resources)],
    ...[...sync].map(([name, source]) => [`${pythonFolder}/_sync/${name}`, source] as const),
  ]);
}

/** The models of the Python client, which a tool in Python makes; none where there is no Python. */
export async function generateModels(): Promise<Map<string, string>> {
  const python = await findPython();
  if (!python) return new Map();
  const { document, operations } = await readApi();
  const models = await writeModels(python, new PythonModels(document, operations));
  return new Map([[`${pythonFolder}/generated/models.py`, models]]);
}

/** Writes them. */
export async function writeClients(): Promise<void> {
  const models = await generateModels();
  if (models.size === 0)
    process.stdout.write(
      'There is no python3 from 3.10 on, so the models of the Python client stay as they are.\n',
    );
  for (const [path, text] of [...(await generateClients()), ...models]) await writeFile(path, text);
}

async function readApi(): Promise<{ text: string; document: ApiDocument; operations: Operation[] }> {
  const text = await readFile('apps/api/openapi.json', 'utf8');
  const document: ApiDocument = JSON.parse(text);
  return { text, document, operations: readOperations(document) };
}

async function typesOf(text: string): Promise<string> {
  const nodes = await openapiTypes(text, { defaultNonNullable: false });
  return `// This file is generated from the description of the API: change that, and run \`npm run clients\`.\n${astToString(nodes)}`;
}
