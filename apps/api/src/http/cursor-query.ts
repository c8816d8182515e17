import { Int, Text } from './fields.ts';
import { WorkspaceId } from './workspace-query.ts';

/** The two query parameters of every list that is read by pages. */
export class CursorQuery {
  @Int({
    query: true,
    optional: true,
    min: 1,
    max: 100,
    default: 50,
    description: 'How many items the page has at most.',
  })
  limit: number = 50;
  @Text({
    optional: true,
    max: 1000,
    description: 'The `nextCursor` of the page before. Leave it out for the first page.',
  })
  cursor?: string;
}

/** Of a call about one thing; a key that reaches only one workspace may leave it out. */
export class WorkspaceQuery {
  @WorkspaceId() workspaceId?: string;
}

/** The same for the lists of a workspace; a key that reaches only one workspace may leave it out. */
export class WorkspaceCursorQuery extends CursorQuery {
  @WorkspaceId() workspaceId?: string;
}
