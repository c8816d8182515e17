import type { Schemas } from '#libs/sdk/src/holdfast';
import type { CommandSession } from '../session.ts';
import type { PlannedChange, RemoteWorkflow } from './plan.ts';
import type { SeenRevisions } from './seen-revisions.ts';
import type { WorkflowSource } from './workflow-files.ts';

/** The change that was made to one workflow. */
export interface AppliedChange {
  name: string;
  id: string;
  action: PlannedChange['action'];
  version?: number | null;
  warnings?: string[];
  triggers?: Schemas['MadeTriggerChangeView'][];
}

/**
 * Carries a plan out, one workflow after the other. Each draft is changed in the revision that the plan was made for, so a change that came
 * between is not overwritten. Every step may be repeated.
 */
export async function applyPlan(
  session: CommandSession,
  changes: PlannedChange[],
  seen: SeenRevisions,
): Promise<AppliedChange[]> {
  const applied: AppliedChange[] = [];
  const work = changes.filter(({ action }) => action !== 'keep' && action !== 'conflict');
  try {
    for (const [at, change] of work.entries()) {
      session.terminal.progress(`${at + 1}/${work.length} ${change.action} ${change.name}`);
      applied.push(await applyChange(session, change, seen));
    }
  } finally {
    session.terminal.progress('');
    await seen.write();
  }
  return applied;
}

async function applyChange(
  session: CommandSession,
  change: PlannedChange,
  seen: SeenRevisions,
): Promise<AppliedChange> {
  const { client } = session;
  const { action, name, local, remote, deploys } = change;
  if (action === 'delete' && remote) {
    await client.workflows.delete(remote.id);
    return { name, id: remote.id, action };
  }
  const { id, etag } = await writeDraft(session, local, remote, action);
  seen.set(id, etag);
  if (!deploys) return { name, id, action };
  const { version, warnings, triggers } = await client.deployments.deploy(id, {}, { ifMatch: etag });
  return { name, id, action, version, warnings, triggers };
}

async function writeDraft(
  session: CommandSession,
  local: WorkflowSource | undefined,
  remote: RemoteWorkflow | undefined,
  action: PlannedChange['action'],
): Promise<{ id: string; etag: string }> {
  if (remote && (action === 'deploy' || !local)) return remote;
  if (!local) throw new Error('A change has neither a file nor a workflow.');
  const { client } = session;
  const { data, response } = remote
    ? await client.workflows.update(remote.id, { ...local }, { ifMatch: remote.etag }).withResponse()
    : await client.workflows.create({ ...local, workspaceId: await session.workspaceId() }).withResponse();
  return { id: data.id, etag: response.headers.get('etag') ?? '' };
}
