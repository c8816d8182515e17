import { readRun } from '../data-folder.ts';
import { until } from '../processes.ts';
import type { Screen } from './screen.ts';

const programs = ['worker', 'api'];
const returnMsMax = 60_000;

/** Kills the API, and a worker beside it, with SIGKILL. Resolves when the supervisor has started them again. `when` is for the screen. */
export async function crash(folder: string, screen: Screen, when: string): Promise<void> {
  const before = processes(folder);
  const victims = programs.filter((name) => before[name] !== undefined);
  const named = victims.map((name) => `${name} ${before[name]}`).join(' and ');
  screen.step('kill -9', `${named}, ${when}`);
  for (const name of victims) process.kill(pidOf(before, name), 'SIGKILL');
  const isBack = (name: string) => ![undefined, before[name]].includes(processes(folder)[name]);
  await until(() => victims.every(isBack), returnMsMax, `The return of ${named}`);
}

function processes(folder: string): Record<string, number> {
  return readRun(folder)?.processes ?? {};
}

function pidOf(all: Record<string, number>, name: string): number {
  const pid = all[name];
  // 0 and negative numbers would mean a whole group, ours among them.
  if (!pid || pid < 1) throw new Error(`run.json names no process of ${name}.`);
  return pid;
}
