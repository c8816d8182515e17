import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import type { ExecutionInput } from './messages.ts';

const keys = {
  workspace: defineSearchAttributeKey('HoldfastWorkspace', 'KEYWORD'),
  workflow: defineSearchAttributeKey('HoldfastWorkflow', 'KEYWORD'),
  workflowName: defineSearchAttributeKey('HoldfastWorkflowName', 'KEYWORD'),
  version: defineSearchAttributeKey('HoldfastVersion', 'INT'),
  trigger: defineSearchAttributeKey('HoldfastTrigger', 'KEYWORD'),
  state: defineSearchAttributeKey('HoldfastState', 'KEYWORD'),
};

/** The state of a paused run; the run itself sets it. */
export const stateAttribute = keys.state;

/**
 * The attributes by which operators can search for runs, with their types. A Temporal server on SQL holds at most ten
 * of each type.
 */
export const searchAttributes = Object.fromEntries(Object.values(keys).map(({ name, type }) => [name, type]));

/** The search attributes of a run from its start. The values are not sealed, even when payloads are. */
export function buildSearchAttributes(input: ExecutionInput): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: keys.workspace, value: input.workspaceId },
    { key: keys.workflow, value: input.workflowId },
    { key: keys.workflowName, value: input.workflowName },
    { key: keys.version, value: input.version },
    { key: keys.trigger, value: input.trigger },
    ...(input.carried?.isPaused ? [{ key: stateAttribute, value: 'paused' }] : []),
  ]);
}
