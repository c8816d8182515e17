import type { EntityManager } from 'typeorm';
import type { DefinitionFault } from '#libs/language/definition/checks/faults';
import type { JsonObject } from '#libs/platform/json/json';

/** What becomes of one trigger of a definition when that definition goes live. */
export interface TriggerChange {
  /** A trigger that an earlier version has carried is restored, in its former state. */
  change: 'added' | 'changed' | 'restored' | 'removed';
  kind: string;
  name: string;
  /** The members that differ, as `schedule.cron`; empty for another change. */
  fields: string[];
  /** What becomes of its address; null for a kind without one. */
  address: 'new' | 'kept' | 'closed' | null;
  /** The reason of a hold of this trigger, which stays; null without one. */
  heldFor: string | null;
}

/** A change that was made, with what is shown only once. */
export interface MadeTriggerChange extends TriggerChange {
  id: string;
  url?: string;
  secret?: string;
}

/** The triggers of a definition, looked at and not changed. */
export interface TriggersReport {
  /** Reasons for which it cannot be deployed. */
  faults: DefinitionFault[];
  /** Things that it names and the workspace lacks. */
  missing: DefinitionFault[];
  warnings: string[];
  changes: TriggerChange[];
}

/** The workflow whose triggers are meant. A definition alone has no id. */
export interface KeptWorkflow {
  workspaceId: string;
  id: string | null;
}

/** Keeps the triggers that definitions carry. Triggers stand above workflows, so their keeper makes itself known. */
export interface TriggerKeeper {
  report(tx: EntityManager, workflow: KeptWorkflow, definition: JsonObject): Promise<TriggersReport>;
  /** Makes, changes, restores and leaves out triggers, so that they are those of the definition. A trigger with a fault stays as it is. */
  keep(
    tx: EntityManager,
    workflow: KeptWorkflow & { id: string },
    definition: JsonObject,
    actor: { kind: 'user' | 'key'; id: string },
  ): Promise<MadeTriggerChange[]>;
}

/** The keeper of definitions without triggers. */
export const noTriggers: TriggerKeeper = {
  report: async () => ({ faults: [], missing: [], warnings: [], changes: [] }),
  keep: async (_tx, { id }, { start }) => {
    if (start && Object.hasOwn(Object(start), 'triggers'))
      throw new Error(`Nothing in this process keeps the triggers of ${id}.`);
    return [];
  },
};
