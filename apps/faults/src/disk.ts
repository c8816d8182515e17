import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statfsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '#apps/local/src/processes';

const roomy = '4g';
const heldForMs = 5000;

/**
 * A disk of its own for one folder, in memory, which can be made full. It is mounted where the program alone sees it, and goes
 * when the program has gone. It needs Linux and root.
 */
export class Disk {
  static possible = process.platform === 'linux' && process.getuid?.() === 0;

  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
  }

  /** The command that starts a program on this disk. */
  around(command: string, args: string[]): [string, string[]] {
    const mount = `mount -t tmpfs -o size=${roomy},mode=0755 holdfast-faults "$0" && exec "$@"`;
    return ['unshare', ['--mount', 'sh', '-c', mount, this.folder, command, ...args]];
  }

  /** Leaves no byte until the program's log has said so, and for five seconds more. Resolves to how often it has said it. */
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

  /** A disk cannot be made smaller than what is in it, and that may have grown since it was read. */
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
