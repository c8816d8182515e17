import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'holdfast-files-';

/** A folder of this process for files on their way. Whoever asks for it removes it. */
export function newScratch(): Promise<string> {
  return mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
}

/**
 * Removes the folders of processes that ended without doing so. Call this before the first one is made: what bears the number of this
 * process is of one before it, as in a container, where each has the same.
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
    // It lives, and belongs to another user.
    return Object(error).code === 'EPERM';
  }
}
