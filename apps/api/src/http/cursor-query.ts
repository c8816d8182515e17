import { Int, Text } from './fields.ts';
import { WorkspaceId } from './workspace-query.ts';

/**
 * The query parameter `limit`: the size of a page of these items, from 1 to `max`, and `size` when it is left out. `more`
 * is a further sentence of its description.
 */
export function PageLimit(items: string, size: number, { max = 100, more = '' } = {}): PropertyDecorator {
  const description = `The maximum number of ${items} on a page.${more && ` ${more}`}`;
  return Int({ query: true, optional: true, min: 1, max, default: size, description });
}

/** The query parameter `offset`: the number of these items before the page. */
export function PageOffset(items: string): PropertyDecorator {
  const description = `The number of ${items} to skip.`;
  return Int({ query: true, optional: true, min: 0, max: 1_000_000, default: 0, description });
}

/** The query parameter `cursor`. `more` is a further sentence of its description. */
export function PageCursor(more = ''): PropertyDecorator {
  const description = `The \`nextCursor\` of the previous page.${more && ` ${more}`}`;
  return Text({ optional: true, max: 1000, description });
}

/** The two query parameters of every paged list. */
export class CursorQuery {
  @PageLimit('items', 50) limit: number = 50;
  @PageCursor('Leave it out for the first page.') cursor?: string;
}

/** The query of a call about one thing. A key that reaches only one workspace may leave the workspace out. */
export class WorkspaceQuery {
  @WorkspaceId() workspaceId?: string;
}

/** The query of a workspace's list. A key that reaches only one workspace may leave the workspace out. */
export class WorkspaceCursorQuery extends CursorQuery {
  @WorkspaceId() workspaceId?: string;
}
