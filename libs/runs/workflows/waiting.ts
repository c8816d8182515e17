import type { EntityManager } from 'typeorm';
import { send } from '#libs/platform/database/database';

/** The runs of one version that wait for people. */
export interface Waiting {
  version: number;
  count: number;
  /** The ids of the oldest runs, at most ten. */
  executionIds: string[];
}

/** The paused runs of a workflow, by version. Each run stays on the version that it began on. */
export function waitingRuns(tx: EntityManager, workflowId: string): Promise<Waiting[]> {
  return send<Waiting>(tx, findWaiting, [workflowId]);
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

/** A sentence about the triggers that an undeploy stops; none when there are none. */
export async function warnOfTriggers(tx: EntityManager, workflowId: string): Promise<string[]> {
  const [row] = await send<{ count: number }>(tx, countActive, [workflowId]);
  if (!row || row.count === 0) return [];
  const which = row.count === 1 ? '1 trigger starts' : `${row.count} triggers start`;
  return [`${which} nothing until a version is live again.`];
}

const countActive = `select count(*)::int as count from triggers where workflow_id = $1 and status = 'active' and left_out_at is null`;

const findWaiting = /* sql */ `
select version, count(*)::int as count, (array_agg(id order by created_at))[1:10] as "executionIds"
from executions where workflow_id = $1 and status = 'paused' and not is_test group by version order by version desc`;
