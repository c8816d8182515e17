import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statfsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '#apps/local/src/processes';

const roomy = '4g';
const heldForMs = 5000;

/**
 * A disk in memory for one folder, which can be made full. Only the program sees it, and it ends with the program. It
 * needs Linux and root.
 */
export class Disk {
  static possible = process.platform === 'linux' && process.getuid?.() === 0;

  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
  }

  /** The command that starts a program with this disk. */
  around(command: string, args: string[]): [string, string[]] {
    const mount = `mount -t tmpfs -o size=${roomy},mode=0755 holdfast-faults "$0" && exec "$@"`;
    return ['unshare', ['--mount', 'sh', '-c', mount, this.folder, command, ...args]];
  }

  /** Leaves no byte until the program's log reports it, and for five seconds more. Resolves to the number of reports. */
  async fill(pid: number, log: string): Promise<number> {
    const refusals = () => readFileSync(log, 'utf8').split('No space left on device').length - 1;
    const before = refusals();
    try {
      this.leaveNone(pid);
      await until(() => refusals() > before, 60_000, 'A refusal of a full disk');
      await pause(heldForMs);
      return refusals() - before;
    } finally {
      this.resize(pid, roomy);
    }
  }

  /** Tries again, because the content may grow after it was read, and a disk cannot be smaller than its content. */
  private leaveNone(pid: number, tries = 20): void {
    try {
      this.resize(pid, this.bytesIn(pid));
    } catch (error) {
      if (tries === 1) throw error;
      this.leaveNone(pid, tries - 1);
    }
  }

  private bytesIn(pid: number): string {
    const { blocks, bfree, bsize } = statfsSync(`/proc/${pid}/root${this.folder}`);
    return String((blocks - bfree) * bsize);
  }

  private resize(pid: number, size: string): void {
    const within = ['--target', String(pid), '--mount'];
    const args = [...within, 'mount', '-o', `remount,size=${size}`, this.folder];
    execFileSync('nsenter', args, { stdio: 'pipe' });
  }
}
