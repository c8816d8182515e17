import type { Schemas } from '../api/client.ts';
import { holdsApi } from '../api/resources/holds.ts';
import { triggersApi } from '../api/resources/triggers.ts';

/** A hold, with the name of the trigger that it holds; null for any other, and for one that is gone. */
export type NamedHold = Schemas['HoldView'] & { triggerName: string | null };

/** Grows when this page sets or releases a hold, so that all that shows holds reads them again. */
class HoldActs {
  count = $state(0);
}
export const holdActs = new HoldActs();

export async function listHolds(workspaceId: string): Promise<NamedHold[]> {
  void holdActs.count;
  const { items } = await holdsApi.list(workspaceId);
  return Promise.all(items.map(async (hold) => ({ ...hold, triggerName: await readTriggerName(hold) })));
}

async function readTriggerName({ workflowId, triggerId }: Schemas['HoldView']): Promise<string | null> {
  if (workflowId === null || triggerId === null) return null;
  try {
    return (await triggersApi.get(workflowId, triggerId)).name;
  } catch {
    // A deploy may have left the trigger out. Its hold stays, and must be seen.
    return null;
  }
}

/** True for a hold that keeps back what starts a workflow, or one of its triggers when that is given. */
export function meetsWorkflow(hold: NamedHold, workflowId: string, triggerId: string): boolean {
  if (hold.host !== null || (hold.workflowId !== null && hold.workflowId !== workflowId)) return false;
  return hold.triggerId === null || triggerId === '' || hold.triggerId === triggerId;
}
