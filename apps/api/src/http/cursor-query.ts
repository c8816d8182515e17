import { Int, Text } from './fields.ts';

/** The two parameters of every cursor list. */
export class CursorQuery {
  @Int({ query: true, optional: true, min: 1, max: 100, default: 50 }) limit: number = 50;
  @Text({ optional: true, max: 1000, description: 'nextCursor of the page before.' }) cursor?: string;
}

/** The same for one workspace; a key that reaches only one need not name it. */
export class WorkspaceCursorQuery extends CursorQuery {
  @Text({ optional: true, max: 100 }) workspaceId?: string;
}
