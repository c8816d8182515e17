import { execFileSync } from 'node:child_process';
import { checkout } from './paths.ts';

/** The commit of the build; null outside of a checkout of git. */
export function commitOfBuild(): string | null {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, {
        cwd: checkout(),
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    const changed = git('status', '--porcelain', '--untracked-files=no') ? ' and changes' : '';
    return git('rev-parse', '--short', 'HEAD') + changed;
  } catch {
    return null;
  }
}
