import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the path of the compiled program `file`, which is relative to the module with the URL `from`. A thread or process cannot run
 * TypeScript as the specs do, so it always runs the compiled file.
 */
export function compiledProgram(file: string, from: string): string {
  const path = fileURLToPath(new URL(file, from));
  if (!from.endsWith('.ts')) return path;
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  return join(root, 'dist', relative(root, path));
}
