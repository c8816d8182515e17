import { Caller } from './caller.ts';
import { buildKinds, type Kind, noted, written } from './kinds.ts';
import { narrowPlan } from './product.ts';
import type { Target } from './target.ts';

/** Everything that the runs of a campaign need, and the callers. */
export interface CampaignStage {
  kinds: Record<string, Kind>;
  workflows: Map<string, string>;
  table: string;
  base: string;
  workspaceId: string;
  /** Callers with the key of the workspace, and with the key of the workspace with limits. */
  wide: Caller;
  narrow: Caller;
  /** Two people who vote. */
  people: Caller[];
}

/** Makes workflows, table, knowledge base, people and a second workspace. Nothing is broken yet. */
export async function setStage(target: Target, receiver: string, patienceMs: number): Promise<CampaignStage> {
  const caller = (key: string) => new Caller(target, key, patienceMs);
  const owner = caller(target.personalKey);
  const create = async (path: string, body: object, by: Caller) => {
    const reply = await by.call('POST', path, { body });
    if (reply.status >= 300)
      throw new Error(`POST ${path} was answered with ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  };
  const createWorkspace = async (name: string) => {
    const { id } = await create('/api/v1/workspaces', { name }, owner);
    const { key } = await create(`/api/v1/workspaces/${id}/keys`, { name: 'campaign', role: 'admin' }, owner);
    return { id: String(id), caller: caller(key) };
  };
  const { id: workspaceId, caller: wide } = await createWorkspace('Campaign');
  const { id: other, caller: narrow } = await createWorkspace('Narrow');
  await target.assignPlan(other, narrowPlan);
  const people: Caller[] = [];
  for (const name of ['ann', 'bob']) {
    const person = { email: `${name}@example.org`, role: 'editor' };
    const { token } = await create(`/api/v1/workspaces/${workspaceId}/invitations`, person, wide);
    people.push(caller((await create('/api/v1/invitations/accept', { token }, caller(''))).key));
  }
  const table = (await create('/api/v1/tables', { ...written, workspaceId }, wide)).table.id;
  const base = (await create('/api/v1/knowledge', { ...noted, workspaceId }, wide)).knowledgeBase.id;
  const child = await deploy(wide, 'child', buildKinds(receiver, '')['calls']);
  const kinds = buildKinds(receiver, child);
  const workflows = new Map<string, string>();
  for (const [name, kind] of Object.entries(kinds))
    workflows.set(name, await deploy(kind.narrow ? narrow : wide, `${name} under faults`, kind));
  return { kinds, workflows, table, base, workspaceId, wide, narrow, people };
}

/** Creates and deploys a workflow of a kind. Returns its id. */
export async function deploy(caller: Caller, name: string, kind: Kind | undefined): Promise<string> {
  const definition = kind?.definition;
  const created = await caller.call('POST', '/api/v1/workflows', { body: { name, definition } });
  const id = String(created.body.data?.id);
  const deployed = await caller.call('POST', `/api/v1/workflows/${id}/deploy`);
  if (deployed.status !== 200)
    throw new Error(`${name} cannot be deployed: ${JSON.stringify([created.body, deployed.body])}`);
  return id;
}
