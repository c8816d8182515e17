import { Caller } from './caller.ts';
import { kindsOf, type Kind, noted, written } from './kinds.ts';
import { narrowPlan, type Product } from './product.ts';

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
export async function setStage(
  product: Product,
  receiver: string,
  patienceMs: number,
): Promise<CampaignStage> {
  const caller = (key: string) => new Caller(product, key, patienceMs);
  const wide = caller(product.key);
  const create = async (path: string, body: object, by = wide) =>
    (await by.call('POST', path, { body })).body.data;
  const { id: workspaceId } = (await wide.call('GET', '/api/v1/workspaces')).body.data[0];
  const owner = caller(product.personalKey);
  const { id: other } = await create('/api/v1/workspaces', { name: 'Narrow' }, owner);
  product.assignPlan(other, narrowPlan);
  const { key } = await create(
    `/api/v1/workspaces/${other}/keys`,
    { name: 'campaign', role: 'admin' },
    owner,
  );
  const narrow = caller(key);
  const people: Caller[] = [];
  for (const name of ['ann', 'bob']) {
    const person = { email: `${name}@example.org`, role: 'editor' };
    const { token } = await create(`/api/v1/workspaces/${workspaceId}/invitations`, person);
    people.push(caller((await create('/api/v1/invitations/accept', { token }, caller(''))).key));
  }
  const table = (await create('/api/v1/tables', { ...written, workspaceId })).table.id;
  const base = (await create('/api/v1/knowledge', { ...noted, workspaceId })).knowledgeBase.id;
  const child = await deploy(wide, 'child', kindsOf(receiver, '')['calls']);
  const kinds = kindsOf(receiver, child);
  const workflows = new Map<string, string>();
  for (const [name, kind] of Object.entries(kinds))
    workflows.set(name, await deploy(kind.narrow ? narrow : wide, `${name} under faults`, kind));
  return { kinds, workflows, table, base, workspaceId, wide, narrow, people };
}

async function deploy(caller: Caller, name: string, kind: Kind | undefined): Promise<string> {
  const definition = kind?.definition;
  const created = await caller.call('POST', '/api/v1/workflows', { body: { name, definition } });
  const id = String(created.body.data?.id);
  const deployed = await caller.call('POST', `/api/v1/workflows/${id}/deploy`);
  if (deployed.status !== 200)
    throw new Error(`${name} cannot be deployed: ${JSON.stringify([created.body, deployed.body])}`);
  return id;
}
