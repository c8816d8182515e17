import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiDocument, type ClientOperation, readOperations } from './api-document.ts';
import { writeTypeScript } from './typescript-methods.ts';
import { writeFolder, writeWhole } from './write-folder.ts';

const folder = 'libs/sdk/src/generated';
const typesFile = 'openapi.ts';
const description = 'apps/api/openapi.json';

/** Reads the committed description of the API. */
export async function readApi(): Promise<{ document: ApiDocument; operations: ClientOperation[] }> {
  const document: ApiDocument = JSON.parse(await readFile(description, 'utf8'));
  return { document, operations: readOperations(document) };
}

/** Writes the methods of the TypeScript client, which programs run. */
export async function writeMethods(): Promise<void> {
  const { operations } = await readApi();
  await writeFolder(folder, writeTypeScript(operations), [typesFile]);
}

/** Writes the types of the TypeScript client, which nothing needs to run. They take most of a second, nearly all of it in the compiler. */
export async function writeTypes(): Promise<void> {
  const text = await readFile(description, 'utf8');
  const { default: toTypes, astToString } = await import('openapi-typescript');
  const types = astToString(await toTypes(text, { defaultNonNullable: false }));
  const head =
    '// This file is generated from the description of the API: change that, and run `npm run build`.';
  await writeWhole(join(folder, typesFile), `${head}\n${types}`);
}
