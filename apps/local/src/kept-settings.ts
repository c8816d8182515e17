import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Settings that identify an installation. A start without them means the installation as it was started before. */
export const keptNames = [
  'DATABASE_URL',
  'HOLDFAST_POSTGRES_PORT',
  'HOLDFAST_TEMPORAL_PORT',
  'HOLDFAST_TEMPORAL_UI_PORT',
  'HOST',
  'PORT',
  'PUBLIC_URL',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'WORKER_HEALTH_PORT',
] as const;

export type Kept = Partial<Record<(typeof keptNames)[number], string>>;

/**
 * Keeps the settings of this start beside the data, for its owner alone, and gives those of earlier starts that the environment does
 * not have. An empty variable takes a kept one away.
 */
export function keepSettings(folder: string, env: NodeJS.ProcessEnv): Kept {
  const before = readKept(folder);
  const missing: Kept = {};
  const now: Kept = {};
  for (const name of keptNames) {
    const given = env[name];
    if (given) now[name] = given;
    else if (given === undefined && before[name]) missing[name] = now[name] = before[name];
  }
  if (JSON.stringify(now) !== JSON.stringify(before)) writeKept(folder, now);
  return missing;
}

/** The settings that are kept beside this data. */
export function readKept(folder: string): Kept {
  const file = join(folder, 'settings.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : {};
}

/** Keeps the settings beside this data, for its owner alone. */
export function writeKept(folder: string, kept: Kept): void {
  writeFileSync(join(folder, 'settings.json'), `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
}
