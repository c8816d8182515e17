import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { parse, stringify } from 'yaml';
import { isHeld } from '#libs/platform/json/number-text';
import { UsageError } from '../exit.ts';
import { readText } from '../inputs.ts';
import { isObject, parseHeld } from '../json-object.ts';

/** A workflow as a file holds it. */
export interface WorkflowSource {
  name: string;
  description: string;
  folder: string;
  definition: Record<string, unknown>;
}

/** One workflow in a folder. */
export interface WorkflowFile {
  path: string;
  workflow: WorkflowSource;
}

/** The path of the schema for editors, in the folder of the files. */
const schemaPath = '.holdfast/workflow.schema.json';
const members = ['$schema', 'name', 'description', 'folder', 'definition'];

/** Every workflow below a folder, in the order of the paths. Throws UsageError that names each file that is wrong. */
export async function readWorkflowFiles(folder: string): Promise<WorkflowFile[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => {
    throw new UsageError(`There is no folder ${folder}. Make it with: holdfast pull ${folder}`);
  });
  const paths = names.filter((name) => isWorkflowFile(name)).toSorted();
  const faults: string[] = [];
  const files: WorkflowFile[] = [];
  for (const name of paths) {
    const path = join(folder, name);
    try {
      files.push({ path, workflow: parseWorkflow(await readText(path), path) });
    } catch (error) {
      faults.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  for (const [at, { path, workflow }] of files.entries()) {
    const other = files
      .slice(0, at)
      .find((one) => one.workflow.name.toLowerCase() === workflow.name.toLowerCase());
    if (other) faults.push(`${path}: ${other.path} has the name ${workflow.name} too.`);
  }
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  return files;
}

function isWorkflowFile(name: string): boolean {
  const isHidden = name.split('/').some((part) => part.startsWith('.') || part === 'node_modules');
  return !isHidden && /\.(json|ya?ml)$/.test(name) && !/\.(scenario|table)\.(json|ya?ml)$/.test(name);
}

/** Whole numbers are read with each digit first, because YAML would round those that JavaScript does not hold. */
function parseYaml(text: string): unknown {
  return parse(text, (_, value: unknown) => heldNumber(value), { intAsBigInt: true });
}

function heldNumber(value: unknown): unknown {
  if (typeof value !== 'bigint' && !(typeof value === 'number' && !Number.isFinite(value))) return value;
  if (!isHeld(String(value))) throw new Error(`The number ${value} would lose digits. Write it as text.`);
  return Number(value);
}

const parseDocument = (text: string, path: string): unknown =>
  path.endsWith('.json') ? parseHeld(text) : parseYaml(text);

/** The value that a file of JSON or YAML holds. */
export const readDocument = async (path: string): Promise<unknown> =>
  parseDocument(await readText(path), path);

function parseWorkflow(text: string, path: string): WorkflowSource {
  const value = parseDocument(text, path);
  if (!isObject(value)) throw new Error('It must hold an object with name and definition.');
  const unknown = Object.keys(value).filter((name) => !members.includes(name));
  if (unknown.length > 0)
    throw new Error(`${unknown.join(', ')} is not known here; use ${members.slice(1).join(', ')}.`);
  const { name, description = '', folder = '', definition } = value;
  if (typeof name !== 'string' || name.trim() === '') throw new Error('name must be a text.');
  if (typeof description !== 'string') throw new Error('description must be a text.');
  if (typeof folder !== 'string') throw new Error('folder must be a text.');
  if (!isObject(definition)) throw new Error('definition must be an object.');
  return { name, description, folder, definition };
}

/** A workflow as the text of a file, with the place of its schema for editors. */
export function formatWorkflow(
  { name, description, folder, definition }: WorkflowSource,
  schema: string,
  isYaml: boolean,
): string {
  const plain = { name, ...(description ? { description } : {}), ...(folder ? { folder } : {}), definition };
  if (isYaml) return `# yaml-language-server: $schema=${schema}\n${stringify(plain, { lineWidth: 100 })}`;
  return `${JSON.stringify({ $schema: schema, ...plain }, null, 2)}\n`;
}

/** Writes a workflow to its file. */
export async function writeWorkflowFile(root: string, path: string, workflow: WorkflowSource): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const schema = relative(dirname(path), join(root, schemaPath)).replaceAll('\\', '/');
  await writeFile(
    path,
    formatWorkflow(workflow, schema.startsWith('.') ? schema : `./${schema}`, !path.endsWith('.json')),
  );
}

/** The path of a new file: the folder of the workflow, and its name as file systems take it. */
export function newPathFor(
  root: string,
  { name, folder }: WorkflowSource,
  isYaml: boolean,
  taken: Set<string>,
): string {
  const plain =
    name
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '') || 'workflow';
  const parts = folder.split('/').map((part) => part.replaceAll(/[^\p{L}\p{N} _-]+/gu, '-'));
  for (let count = 1; ; count++) {
    const file = `${plain}${count === 1 ? '' : `-${count}`}.${isYaml ? 'yaml' : 'json'}`;
    const path = join(root, ...parts, file);
    if (!taken.has(path)) return path;
  }
}

/** Writes the schema that editors complete and check by. */
export async function writeEditorSchema(root: string, definitionSchema: { $defs?: unknown }): Promise<void> {
  // Its references begin at the root of the file.
  const { $defs, ...definition } = definitionSchema;
  const text = { type: 'string' };
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A workflow of Holdfast',
    type: 'object',
    required: ['name', 'definition'],
    additionalProperties: false,
    properties: { $schema: text, name: text, description: text, folder: text, definition },
    $defs,
  };
  const path = join(root, schemaPath);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(schema, null, 2)}\n`);
}
