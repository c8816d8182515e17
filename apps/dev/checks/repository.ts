import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** What is made on a machine and never committed; the same as .gitignore says, and git itself. */
const made = new Set([
  'node_modules',
  'dist',
  '.data',
  'coverage',
  '.git',
  '__pycache__',
  '.venv',
  '.mypy_cache',
  '.svelte-kit',
  'generated',
]);

/** Every file of the repository below a folder, as paths from the top, sorted. */
export function filesBelow(folder = ''): string[] {
  const entries = readdirSync(join(checkout, folder), { withFileTypes: true });
  const found = entries.flatMap((entry) => {
    if (made.has(entry.name) || entry.name.endsWith('.log')) return [];
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
  return found.toSorted();
}

/** Every TypeScript source, specs included. */
export function sources(): string[] {
  return ['apps', 'libs', 'temporal']
    .flatMap((top) => filesBelow(top))
    .filter((path) => path.endsWith('.ts'));
}

export function read(path: string): string {
  return readFileSync(join(checkout, path), 'utf8');
}

/** A JSON file as the shape that the caller knows it to have. */
export function readJson<T>(path: string): T {
  return JSON.parse(read(path)) as T;
}

/** Specs, and the files that only specs use: they may use any package. */
export function isTestSupport(path: string): boolean {
  return /\.spec\.ts$|\/(test|support)\/|^apps\/dev\/checks\//.test(path);
}
