import { startingTypes } from '#libs/triggers/events/event-settings';
import type { EventSettings } from '#libs/triggers/trigger.entity';
import { Invalid } from '#libs/platform/errors/errors';
import { requireChoices } from '../endpoints/event-choices.ts';
import { Text, Texts } from '../http/fields.ts';

const typesText = `The types of events that start the workflow: ${startingTypes.map((type) => `\`${type}\``).join(', ')}.`;
const workflowIdsText =
  'The workflows of which the events tell. Empty: every workflow of the workspace but this one. Events of documents, tables and rows belong to no workflow.';
const tableIdText =
  'The table of the rows; required for events of rows, and null for all others. The event holds the row and what it was before.';

export class StartingEventsBody {
  @Texts({ description: typesText }) types!: string[];
  @Texts({ optional: true, description: workflowIdsText }) workflowIds?: string[];
  @Text({ optional: true, nullable: true, max: 100, description: tableIdText }) tableId?: string | null;

  static toSettings({ types, workflowIds = [], tableId = null }: StartingEventsBody): EventSettings {
    if (types.length === 0) throw Invalid.field('event.types', 'must name at least one type', 'too_few');
    requireChoices({ types, workflowIds }, startingTypes, 'event.');
    return { types, workflowIds, tableId };
  }
}

export class StartingEventsView {
  @Texts({ description: typesText }) types!: string[];
  @Texts({ description: workflowIdsText }) workflowIds!: string[];
  @Text({ nullable: true, description: tableIdText }) tableId!: string | null;
}
