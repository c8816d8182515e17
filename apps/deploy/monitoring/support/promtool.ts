import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '#libs/platform/binaries/cache-folder';

/**
 * The promtool of Prometheus: the one that `HOLDFAST_PROMTOOL` names, else of the PATH, else that of Debian's package, unpacked
 * and not installed: neither npm nor PyPI has it. Throws where none of them is to be had.
 */
export function promtool(): string {
  const named = process.env['HOLDFAST_PROMTOOL'] ?? 'promtool';
  return runs(named) ? named : debians();
}

function debians(): string {
  const kept = join(cacheFolder(), 'promtool-of-debian');
  if (existsSync(kept)) return kept;
  const folder = mkdtempSync(join(cacheFolder(), '.new-'));
  try {
    const download = () => run('apt-get', ['download', 'prometheus'], folder);
    try {
      download();
    } catch {
      // The lists of a fresh machine may be empty.
      run('apt-get', ['update'], folder);
      download();
    }
    run('sh', ['-c', 'dpkg -x prometheus_*.deb .'], folder);
    renameSync(join(folder, 'usr/bin/promtool'), kept);
    return kept;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runs(command: string): boolean {
  try {
    run(command, ['--version'], '.');
    return true;
  } catch {
    return false;
  }
}

function run(command: string, args: string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: 'ignore' });
}
