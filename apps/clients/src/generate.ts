import { readFile, writeFile } from 'node:fs/promises';
import openapiTypes, { astToString } from 'openapi-typescript';
import { type ApiDocument, readOperations } from './api-document.ts';
import { writeTypeScript } from './typescript-methods.ts';

/** The files that are generated from the description of the API, by their paths from the top. */
export async function generateClients(): Promise<Map<string, string>> {
  const text = await readFile('apps/api/openapi.json', 'utf8');
  const document: ApiDocument = JSON.parse(text);
  const operations = readOperations(document);
  const folder = 'libs/sdk/src/generated';
  return new Map([
    [`${folder}/openapi.ts`, await typesOf(text)],
    [`${folder}/resources.ts`, writeTypeScript(operations)],
  ]);
}

/** Writes them. */
export async function writeClients(): Promise<void> {
  for (const [path, text] of await generateClients()) await writeFile(path, text);
}

async function typesOf(text: string): Promise<string> {
  const nodes = await openapiTypes(text, { defaultNonNullable: false });
  return `// This file is generated from the description of the API: change that, and run \`npm run clients\`.\n${astToString(nodes)}`;
}
