import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { requireUser } from '#libs/workspace/auth/keys';
import { SavedViews } from '#libs/workspace/saved-views/saved-views';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { DeletedView } from '../workflows/workflows.dto.ts';
import { SavedViewView, SaveViewBody } from './saved-views.dto.ts';

/** The named filters of the caller. They are for people, so a workspace key has none. */
@ApiTags('Workspaces')
@Controller('api/v1/workspaces/:workspaceId/saved-views')
export class SavedViewsController {
  constructor(private readonly views: SavedViews) {}

  @Get()
  @ApiOperation({
    summary: 'List your saved views',
    description: 'Lists your named filters of lists in this workspace. Other users do not see them.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { data: [SavedViewView] }, 'Your saved views, by list and name.')
  async listSavedViews(@CurrentCaller() { workspaceId, caller }: Admission) {
    const views = await this.views.listViews(workspaceId, requireUser(caller));
    return { data: views.map((view) => SavedViewView.of(view)) };
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Save a view',
    description:
      'Keeps the filters of a list under a name. A view of the same list and name is replaced; you may have a hundred.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { data: SavedViewView }, 'The view as it was saved.', { also: [409] })
  async saveView(@CurrentCaller() { workspaceId, caller }: Admission, @Body() body: SaveViewBody) {
    return { data: SavedViewView.of(await this.views.saveView(workspaceId, requireUser(caller), body)) };
  }

  @Delete(':viewId')
  @ApiOperation({ summary: 'Delete a saved view', description: 'Deletes one of your saved views.' })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { data: DeletedView }, 'The view was deleted; its filters stay in the address of the list.')
  async deleteSavedView(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Param('viewId') viewId: string,
  ) {
    await this.views.deleteView(workspaceId, requireUser(caller), viewId);
    return { data: { id: viewId, deleted: true } };
  }
}
