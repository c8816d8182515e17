import { readFileSync } from 'node:fs';
import { docker } from './docker.ts';

/** What a deployment has on the engine: how its names are listed, and how some of them are removed. Networks go after their containers. */
const kinds = [
  { list: ['ps', '--all', '--format', '{{.Names}}'], remove: ['rm', '--force', '--volumes'] },
  { list: ['network', 'ls', '--format', '{{.Name}}'], remove: ['network', 'rm'] },
  { list: ['volume', 'ls', '--format', '{{.Name}}'], remove: ['volume', 'rm', '--force'] },
  { list: ['image', 'ls', '--format', '{{.Repository}}:{{.Tag}}'], remove: ['image', 'rm', '--force'] },
];

/** Names a test by its process. A number alone would name another process after a while, so the moment of its start is added. */
export function nameTest(pid = process.pid): string {
  return `holdfast-test-${pid}-${readStart(pid) ?? 0}`;
}

/** Returns the name of the test to which a thing on the engine belongs; undefined for a thing of somebody else. */
export function findTest(name: string): string | undefined {
  return /^holdfast-test-\d+-\d+(?=[-_:])/.exec(name)?.[0];
}

/** True while the process of the test lives. */
export function isAlive(test: string): boolean {
  return nameTest(Number(test.split('-')[2])) === test;
}

/**
 * Removes what the tests of these names have on the engine. Returns the number of things that were there. Throws for what cannot be removed, once
 * all the rest is gone: an engine may keep a network whose containers are gone until it starts again.
 */
export async function removeTests(isTheirs: (test: string) => boolean): Promise<number> {
  let count = 0;
  const faults: Error[] = [];
  for (const { list, remove } of kinds) {
    const names = (await docker(...list)).split('\n');
    const theirs = names.filter((name) => {
      const test = findTest(name);
      return test !== undefined && isTheirs(test);
    });
    if (theirs.length > 0) await docker(...remove, ...theirs).catch((fault: Error) => faults.push(fault));
    count += theirs.length;
  }
  if (faults[0]) throw faults[0];
  return count;
}

/** Ticks of the clock from the start of the machine to that of the process; undefined when it has ended. */
function readStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in brackets and may hold spaces. Nineteen fields stand between it and the start.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
