import type { EntityManager } from 'typeorm';

/** The runs of one version that wait for people. */
export interface Waiting {
  version: number;
  count: number;
  /** The ids of the oldest runs, at most ten. */
  executionIds: string[];
}

/** The paused runs of a workflow, by version. Each run stays on the version that it began on. */
export async function waitingRuns(tx: EntityManager, workflowId: string): Promise<Waiting[]> {
  const rows: Waiting[] = await tx.query(findWaiting, [workflowId]);
  return rows;
}

/** A sentence for each version with waiting runs, except the one that is about to become live. */
export function buildWarnings(waiting: Waiting[], live: number | null): string[] {
  return waiting
    .filter(({ version }) => version !== live)
    .map(({ version, count, executionIds }) => {
      const which = `${executionIds.join(', ')}${count > executionIds.length ? ', …' : ''}`;
      const runs = count === 1 ? '1 execution waits' : `${count} executions wait`;
      return `${runs} for people and will go on as version ${version}: ${which}.`;
    });
}

const findWaiting = /* sql */ `
select version, count(*)::int as count, (array_agg(id order by created_at))[1:10] as "executionIds"
from executions where workflow_id = $1 and status = 'paused' group by version order by version desc`;
