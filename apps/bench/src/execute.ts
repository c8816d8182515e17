import type { Contest, Ours } from './comparison.ts';
import { pure } from './definitions.ts';
import type { Ground } from './ground.ts';
import { type Installation, isObject } from './installation.ts';

/** A synchronous execution of three pure blocks over HTTP, beside a bare start and its result. */
export async function execute({ bare, installations }: Ground): Promise<Contest> {
  return {
    name: 'execute',
    bare: bare.start,
    ours: {
      eager: await executing(installations.eager, 'ours, eager'),
      update: await executing(installations.update, 'ours, update'),
    },
    beside: [bare.updateWithStart, bare.eagerStart],
    goals: { ratioP50At1: 1.5, ratioThroughputAt10: 0.6 },
  };
}

async function executing(installation: Installation, name: string): Promise<Ours> {
  const path = `/api/workflows/${await installation.deployed('pure', pure)}/execute`;
  let last = '';
  return {
    name,
    lastRun: () => last,
    once: async () => {
      const { executionId, output } = await installation.post(path, { inputs: { amount: 5000 } }, 200);
      if (!isObject(output) || output['size'] !== 'large') throw new Error('The run gave another output.');
      last = String(executionId);
    },
  };
}
