import { Int, Text } from './fields.ts';
import { WorkspaceId } from './workspace-query.ts';

/** The two query parameters of every paged list. */
export class CursorQuery {
  @Int({
    query: true,
    optional: true,
    min: 1,
    max: 100,
    default: 50,
    description: 'The maximum number of items on a page.',
  })
  limit: number = 50;
  @Text({
    optional: true,
    max: 1000,
    description: 'The `nextCursor` of the previous page. Leave it out for the first page.',
  })
  cursor?: string;
}

/** The query of a call about one thing. A key that reaches only one workspace may leave the workspace out. */
export class WorkspaceQuery {
  @WorkspaceId() workspaceId?: string;
}

/** The query of a workspace's list. A key that reaches only one workspace may leave the workspace out. */
export class WorkspaceCursorQuery extends CursorQuery {
  @WorkspaceId() workspaceId?: string;
}
