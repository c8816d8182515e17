import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { strToU8, zipSync } from 'fflate';

/** Writes a wheel of these files for the tests, and returns its SHA-256. Unix modes are left out, as some builders do. */
export function writeWheel(file: string, files: Record<string, string>): string {
  const bytes = zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])),
  );
  writeFileSync(file, bytes);
  return createHash('sha256').update(bytes).digest('hex');
}
