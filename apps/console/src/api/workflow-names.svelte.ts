import type { Schemas } from './client.ts';
import { workflowsApi } from './resources/workflows.ts';

export type NamedWorkflow = Schemas['ListedWorkflowView'];
const most = 500;

/** The workflows of a workspace by their ids, for lists that hold ids alone and for choices. */
class WorkflowNames {
  all = $state.raw<NamedWorkflow[]>([]);
  #names = $derived(new Map(this.all.map(({ id, name }) => [id, name])));

  async read(workspaceId: string): Promise<void> {
    this.all = await workflowsApi.list({ workspaceId, limit: 100 }).toArray(most);
  }

  of(workflowId: string): string {
    return this.#names.get(workflowId) ?? `${workflowId.slice(0, 11)}…`;
  }
}

export const workflowNames = new WorkflowNames();
