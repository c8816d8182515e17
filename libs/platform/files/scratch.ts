import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'holdfast-files-';

/** Creates a temporary folder for files in transit. The caller must remove it. */
export function newScratch(): Promise<string> {
  return mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
}

/**
 * Removes the folders of dead processes. Call this before the first `newScratch`. At that time, a folder with the id of this process
 * is from an earlier process with the same id. In a container, the id is often the same after a restart.
 */
export async function removeStaleScratch(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));
  for (const name of names) {
    const pid = Number(name.slice(prefix.length).split('-')[0]);
    if (pid === process.pid || !isAlive(pid))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process is alive and belongs to another user.
    return Object(error).code === 'EPERM';
  }
}
