import { UsageError } from './exit.ts';
import type { CommandSession } from './session.ts';

interface Named {
  id: string;
  name: string;
  /** Of a workflow: the live version. */
  version?: number | null;
}

/** The workflow with this id or name. Throws UsageError where none or several have the name. */
export async function findWorkflow({ client }: CommandSession, idOrName: string): Promise<Named> {
  if (/^wf_[0-9a-f]{32}$/.test(idOrName)) return client.workflows.get(idOrName);
  const found = await client.workflows.list({ name: idOrName, limit: 100 }).toArray(100);
  return findOnly('workflow', idOrName, found);
}

/** A trigger of a workflow, each by its id or name. */
export async function findTrigger(
  session: CommandSession,
  workflow = '',
  trigger = '',
): Promise<Named & { workflowId: string }> {
  const { id: workflowId } = await findWorkflow(session, workflow);
  const found = await session.client.triggers.list(workflowId, { limit: 100 }).toArray(100);
  return { ...findOnly('trigger', trigger, found), workflowId };
}

export async function findTable(
  { client }: CommandSession,
  workspaceId: string,
  idOrName: string,
): Promise<Named> {
  return findOnly('table', idOrName, await client.tables.list({ workspaceId }).toArray());
}

export async function findKnowledgeBase(
  { client }: CommandSession,
  workspaceId: string,
  idOrName: string,
): Promise<Named> {
  return findOnly('knowledge base', idOrName, await client.knowledge.list({ workspaceId }).toArray());
}

function findOnly(thing: string, idOrName: string, found: Named[]): Named {
  const wanted = idOrName.toLowerCase();
  const named = found.filter(({ id, name }) => id === idOrName || name.toLowerCase() === wanted);
  const [only, other] = named;
  if (only && !other) return only;
  if (other)
    throw new UsageError(
      `Several have the name ${idOrName}; give the id of one: ${named.map(({ id }) => id).join(', ')}.`,
    );
  const like = found.slice(0, 5).map(({ name }) => name);
  const hint = like.length > 0 ? ` There are: ${like.join(', ')}.` : '';
  throw new UsageError(`There is no ${thing} ${idOrName}.${hint}`);
}
