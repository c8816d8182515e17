import { execFileSync } from 'node:child_process';
import { checkout } from './repository.ts';

/** The last commit before subjects had a form. */
export const lastFreeCommit = '2d24412';

const subjectMax = 60;
const form = /^[a-z0-9-]+(, [a-z0-9-]+)*: \S/;

/** True when a subject reads as `area: what changes` in at most 60 characters. */
export function isGoodSubject(subject: string): boolean {
  return subject.length <= subjectMax && form.test(subject);
}

/** The subjects after `lastFreeCommit`; null where the history is not there, as in a shallow clone or an archive. */
export function newSubjects(): string[] | null {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: checkout, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    git('merge-base', '--is-ancestor', lastFreeCommit, 'HEAD');
    return git('log', '--no-merges', '--format=%s', `${lastFreeCommit}..HEAD`).split('\n').filter(Boolean);
  } catch {
    return null;
  }
}
