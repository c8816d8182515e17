import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { Conflict, NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';

export interface SavedView {
  id: string;
  area: string;
  name: string;
  query: string;
  createdAt: Date;
}

export type NewSavedView = Pick<SavedView, 'area' | 'name' | 'query'>;

/** The most views of one person in a workspace. A list has no pages, so it reads all of them. */
const viewsMax = 100;

/** Saved views: filters of lists that a person has named. Each person has their own, in each workspace. */
@Injectable()
export class SavedViews {
  constructor(private readonly database: Database) {}

  /** Lists the views of a person in the order of their names. */
  listViews(workspaceId: string, userId: string): Promise<SavedView[]> {
    return this.database.statement<SavedView>(workspaceId, listed, [workspaceId, userId]);
  }

  /** Saves a view. It replaces the view with the same list and name. */
  async saveView(
    workspaceId: string,
    userId: string,
    { area, name, query }: NewSavedView,
  ): Promise<SavedView> {
    const values = [newId('view'), workspaceId, userId, area, name, query, viewsMax];
    const [view] = await this.database.statement<SavedView>(workspaceId, saved, values);
    if (!view) throw new Conflict(`You have ${viewsMax} saved views here. Delete one first.`);
    return view;
  }

  /** Deletes a view. Throws `NotFound` for a view of another person. */
  async deleteView(workspaceId: string, userId: string, id: string): Promise<void> {
    const gone = await this.database.statement(workspaceId, deleted, [workspaceId, userId, id]);
    if (gone.length === 0) throw new NotFound('saved view');
  }
}

const columns = 'id, area, name, query, created_at as "createdAt"';

/** $1 workspace, $2 user */
const listed = `select ${columns} from saved_views where workspace_id = $1 and user_id = $2 order by area, name`;

/** $1 id, $2 workspace, $3 user, $4 area, $5 name, $6 query, $7 the most views of a person */
const saved = /* sql */ `
insert into saved_views (id, workspace_id, user_id, area, name, query)
select $1, $2, $3, $4, $5, $6 where exists (
    select from saved_views where workspace_id = $2 and user_id = $3 and area = $4 and name = $5)
  or (select count(*) from saved_views where workspace_id = $2 and user_id = $3) < $7::int
on conflict (workspace_id, user_id, area, name) do update set query = excluded.query
returning ${columns}`;

/** $1 workspace, $2 user, $3 id */
const deleted = 'delete from saved_views where workspace_id = $1 and user_id = $2 and id = $3 returning id';
