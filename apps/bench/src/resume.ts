import type { Json } from '#libs/platform/json/json';
import type { Contest, Ours } from './comparison.ts';
import { approval } from './definitions.ts';
import type { Ground } from './ground.ts';
import { type Installation, isObject } from './installation.ts';
import { TemporalSync } from './temporal-sync.ts';

/** A synchronous answer to a person's pause, followed by a response, beside a bare update and its run's result. */
export async function resume({ bare, installation }: Ground): Promise<Contest> {
  return {
    name: 'resume',
    bare: bare.update,
    ours: await resuming(installation, 'ours'),
    beside: [],
  };
}

export async function resuming(
  installation: Installation,
  name: string,
): Promise<Ours & Required<Pick<Ours, 'prepare'>>> {
  const workflowId = await installation.deployed(name, approval);
  const sync = new TemporalSync(installation);
  const waits: { executionId: string; path: string }[] = [];
  let last = '';
  return {
    name,
    lastRun: () => last,
    prepare: async (runs) => {
      for (let made = 0; made < runs; made++)
        waits.push(
          pathOf(workflowId, await installation.post(`/api/workflows/${workflowId}/execute`, {}, 200)),
        );
      // People answer long after Temporal has the run.
      await sync.settle();
    },
    once: async () => {
      const wait = waits.pop();
      if (!wait) throw new Error('There is no waiting run left.');
      const { output } = await installation.post(wait.path, { input: { approved: true } }, 200);
      if (!isObject(output) || output['approved'] !== true) throw new Error('The run gave another output.');
      last = wait.executionId;
    },
  };
}

/** The URL path that answers the only pause of a run, from the response of its execution. */
function pathOf(workflowId: string, { executionId, paused }: Record<string, Json>) {
  const points = isObject(paused) ? paused['pausePoints'] : undefined;
  const point = Array.isArray(points) ? points[0] : undefined;
  if (!isObject(point)) throw new Error('The run did not pause.');
  return {
    executionId: String(executionId),
    path: `/api/resume/${workflowId}/${String(executionId)}/${String(point['contextId'])}`,
  };
}
