import { isDeepStrictEqual } from 'node:util';
import type { Holdfast, Schemas } from '#libs/sdk/src/holdfast';
import type { SeenRevisions } from './seen-revisions.ts';
import type { WorkflowFile, WorkflowSource } from './workflow-files.ts';

/** A workflow as the installation has it. */
export interface RemoteWorkflow extends WorkflowSource {
  id: string;
  etag: string;
  isDeployed: boolean;
  needsDeploy: boolean;
}

/**
 * The planned change of one workflow. `conflict`: it has changed in the installation since this folder has seen it, and would be overwritten.
 */
export interface PlannedChange {
  action: 'create' | 'update' | 'conflict' | 'deploy' | 'delete' | 'keep';
  name: string;
  path?: string;
  local?: WorkflowSource;
  remote?: RemoteWorkflow;
  /** True when it is deployed afterwards. */
  deploys: boolean;
  /** Faults that a deploy would be refused for. */
  faults: string[];
}

/** Every workflow of the workspace with its draft and revision. */
export async function readRemote(client: Holdfast, workspaceId: string): Promise<RemoteWorkflow[]> {
  const workflows: RemoteWorkflow[] = [];
  for await (const { id } of client.workflows.list({ workspaceId, limit: 100 })) {
    const [{ data, response }, status] = await Promise.all([
      client.workflows.get(id).withResponse(),
      client.workflows.getStatus(id),
    ]);
    workflows.push(findRemote(data, response.headers.get('etag') ?? '', status));
  }
  return workflows;
}

function findRemote(
  { id, name, description, folder, definition }: Schemas['WorkflowView'],
  etag: string,
  { isDeployed, needsRedeployment }: Schemas['WorkflowStatusView'],
): RemoteWorkflow {
  const needsDeploy = !isDeployed || needsRedeployment;
  return { id, name, description, folder, definition, etag, isDeployed, needsDeploy };
}

export interface PlanOptions {
  deploys: boolean;
  prunes: boolean;
  forces: boolean;
}

/** Plans the changes that make the installation as the files are. Changes nothing. */
export function planChanges(
  files: WorkflowFile[],
  remote: RemoteWorkflow[],
  seen: SeenRevisions,
  { deploys, prunes, forces }: PlanOptions,
): PlannedChange[] {
  const byName = new Map(remote.map((one) => [one.name.toLowerCase(), one]));
  const changes = files.map(({ path, workflow }): PlannedChange => {
    const there = byName.get(workflow.name.toLowerCase());
    byName.delete(workflow.name.toLowerCase());
    const about = { name: workflow.name, path, local: workflow, faults: [] };
    if (!there) return { ...about, action: 'create', deploys };
    const isSame = isDeepStrictEqual(toSource(there), workflow);
    const known = seen.get(there.id);
    const isUnseen = known !== undefined && known !== there.etag;
    if (isSame)
      return { ...about, remote: there, action: deploys && there.needsDeploy ? 'deploy' : 'keep', deploys };
    return { ...about, remote: there, action: isUnseen && !forces ? 'conflict' : 'update', deploys };
  });
  const left = prunes ? [...byName.values()] : [];
  return [
    ...changes,
    ...left.map((one): PlannedChange => ({
      action: 'delete',
      name: one.name,
      remote: one,
      deploys: false,
      faults: [],
    })),
  ];
}

/** Asks the installation for the faults of each draft to deploy. */
export async function checkChanges(
  client: Holdfast,
  workspaceId: string,
  changes: PlannedChange[],
): Promise<void> {
  for (const change of changes) {
    if (!change.local || change.action === 'keep' || change.action === 'delete') continue;
    const { faults } = await client.workflows.validate({ workspaceId, definition: change.local.definition });
    change.faults = faults.map(({ path, message, blockId }) => `${blockId ?? path}: ${message}`);
  }
}

export function toSource({ name, description, folder, definition }: WorkflowSource): WorkflowSource {
  return { name, description, folder, definition };
}
