import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from './exit.ts';
import { parseObject } from './json-object.ts';

/** A workflow to begin with, as `holdfast new --list` tells it. */
export interface WorkflowTemplate {
  name: string;
  title: string;
  description: string;
}

/** They lie beside the program in its package, and else in the checkout that it was built in or runs from. */
const places = ['templates', '../../../../libs/templates', '../../../libs/templates'];
const folders = places.map((place) => join(import.meta.dirname, place));
const root = folders.find((folder) => existsSync(folder)) ?? '';

/** The names of the templates. */
export const templateNames = (): string[] =>
  (root === '' ? [] : readdirSync(root, { withFileTypes: true }))
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .toSorted();

export async function readTemplate(name: string): Promise<WorkflowTemplate> {
  const path = join(root, name, 'workflow.json');
  const { name: title, description } = parseObject(await readFile(path, 'utf8'), path);
  return { name, title: String(title), description: String(description) };
}

/** Copies a template into a new folder. Resolves with the names of its files. Throws UsageError where something is there already. */
export async function copyTemplate(name: string, folder: string): Promise<string[]> {
  const failed = (error: unknown) =>
    new UsageError(`${folder} cannot be made: ${Object(error).code ?? String(error)}.`);
  await mkdir(dirname(folder), { recursive: true }).catch((error: unknown) => {
    throw failed(error);
  });
  // Not recursive: when two processes make the same folder, the second is refused.
  await mkdir(folder).catch((error: unknown) => {
    throw Object(error).code === 'EEXIST'
      ? new UsageError(`${folder} is there already. Name a folder that is not.`)
      : failed(error);
  });
  await cp(join(root, name), folder, { recursive: true });
  return readdirSync(folder).toSorted();
}

/** The commands in the text of a template: they make the resources that it needs, deploy it and run it. */
export async function nextCommands(name: string): Promise<string[]> {
  const text = await readFile(join(root, name, 'README.md'), 'utf8');
  const commands = text.split('```sh\n')[1]?.split('```')[0] ?? '';
  return commands
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');
}
