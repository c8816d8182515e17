import type { SavedView } from '#libs/workspace/saved-views/saved-views';
import { OneOf, Text, Time } from '../http/fields.ts';

const areas = ['executions', 'workflows', 'audit'] as const;

export class SaveViewBody {
  @OneOf(areas, { description: 'The list that the view filters.' }) area!: (typeof areas)[number];
  @Text({
    min: 1,
    max: 60,
    description: 'The name, unique for the list. A second call with it replaces the view.',
  })
  name!: string;
  @Text({ max: 2000, description: 'The filters, as in the query of the address of the list.' })
  query!: string;
}

export class SavedViewView {
  @Text({ description: 'The id of the view, which begins with `view_`.' }) id!: string;
  @OneOf(areas, { description: 'The list that the view filters.' }) area!: string;
  @Text({ description: 'The name of the view.' }) name!: string;
  @Text({ description: 'The filters, as in the query of the address of the list.' }) query!: string;
  @Time({ description: 'The time at which a view of this name was first saved, in ISO 8601 and UTC.' })
  createdAt!: string;

  static of({ id, area, name, query, createdAt }: SavedView): SavedViewView {
    return { id, area, name, query, createdAt: createdAt.toISOString() };
  }
}
