import type { EntityManager } from 'typeorm';
import { send } from '#libs/platform/database/database';
import { Invalid } from '#libs/platform/errors/errors';
import { requireWorkflows } from '#libs/workspace/endpoints/endpoints';
import { eventTypes, rowEventTypes } from '#libs/workspace/endpoints/event-types';
import type { EventSettings } from '../trigger.entity.ts';

/** The types of events that can start a workflow. */
export const startingTypes = [...eventTypes, ...rowEventTypes] as const;

const isOfRows = (type: string): boolean => rowEventTypes.some((known) => known === type);

/**
 * Throws `Invalid` for events of which none can start the workflow: a table without events of rows, a workflow or a table that the
 * workspace does not have, and a workflow that would start itself.
 */
export async function requireEvents(
  tx: EntityManager,
  workspaceId: string,
  workflowId: string,
  { types, workflowIds, tableId }: EventSettings,
): Promise<void> {
  const rowTypes = types.filter(isOfRows);
  if (tableId === null && rowTypes.length > 0)
    throw Invalid.field('event.tableId', `is required for ${rowTypes.join(', ')}`, 'required');
  if (tableId !== null && rowTypes.length < types.length)
    throw Invalid.field('event.tableId', 'goes with events of rows alone', 'conflict');
  const own = workflowIds.indexOf(workflowId);
  if (own >= 0)
    throw Invalid.field(
      `event.workflowIds.${own}`,
      'is the workflow itself, which would start itself for ever',
      'loop',
    );
  await requireWorkflows(tx, workspaceId, workflowIds, 'event.workflowIds');
  if (tableId === null) return;
  const found = await send(tx, 'select from tables where workspace_id = $1 and id = $2', [
    workspaceId,
    tableId,
  ]);
  if (found.length === 0) throw Invalid.field('event.tableId', 'is no table of the workspace', 'unknown');
}
