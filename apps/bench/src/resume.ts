import type { Json } from '#libs/platform/json/json';
import { approval } from './definitions.ts';
import { round } from './figures.ts';
import type { Ground } from './ground.ts';
import { type Installation, isObject } from './installation.ts';
import { goalsHold } from './reports.ts';
import { measure, type Subject } from './rounds.ts';
import { TemporalSync } from './temporal-sync.ts';

const warmUp = 60;

/** Times a synchronous answer to a person's pause, followed by a response, beside a bare update and its run's result. */
export async function resume(
  { bare, installation }: Ground,
  { rounds, runs, say }: { rounds: number; runs: number; say: (line: string) => void },
): Promise<object> {
  const [ours, update] = [await resuming(installation, 'ours'), bare.update];
  const timesAt = async (clients: number, scale: number) => {
    const plan = { rounds, runs: runs * scale, clients, warmUp: warmUp * scale, say };
    const times = await measure([update, ours], plan);
    const beside = (name: 'p50Ms' | 'runsPerS') =>
      round((times.get(ours.name)?.[name] ?? NaN) / (times.get(update.name)?.[name] ?? NaN));
    return { times: Object.fromEntries(times), p50: beside('p50Ms'), throughput: beside('runsPerS') };
  };
  const [at1, at10] = [await timesAt(1, 1), await timesAt(10, 5)];
  const figures = {
    ratioP50At1: at1.p50,
    ratioP50At10: at10.p50,
    ratioThroughputAt10: at10.throughput,
  };
  const times = { at1: at1.times, at10: at10.times };
  return { bench: 'resume', ...figures, goalsHold: goalsHold('resume', figures), ...times };
}

export async function resuming(
  installation: Installation,
  name: string,
): Promise<Subject & Required<Pick<Subject, 'prepare'>>> {
  const workflowId = await installation.deployed(name, approval);
  const sync = new TemporalSync(installation, workflowId);
  const waits: string[] = [];
  return {
    name,
    prepare: async (runs) => {
      for (let made = 0; made < runs; made++)
        waits.push(
          toPath(workflowId, await installation.post(`/api/workflows/${workflowId}/execute`, {}, 200)),
        );
      // People answer long after Temporal has the run.
      await sync.settle();
    },
    once: async () => {
      const wait = waits.pop();
      if (!wait) throw new Error('There is no waiting run left.');
      const { output } = await installation.post(wait, { input: { approved: true } }, 200);
      if (!isObject(output) || output['approved'] !== true) throw new Error('The run gave another output.');
    },
    // What Temporal is told afterwards must not be beside another system.
    settle: () => sync.settle(),
  };
}

/** The URL path that answers the only pause of a run, from the response of its execution. */
function toPath(workflowId: string, { executionId, paused }: Record<string, Json>): string {
  const points = isObject(paused) ? paused['pausePoints'] : undefined;
  const point = Array.isArray(points) ? points[0] : undefined;
  if (!isObject(point)) throw new Error('The run did not pause.');
  return `/api/resume/${workflowId}/${String(executionId)}/${String(point['contextId'])}`;
}
