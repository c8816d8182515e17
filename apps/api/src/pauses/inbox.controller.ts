import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Inbox } from '#libs/runs/pauses/inbox';
import { Links } from '#libs/runs/pauses/links';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { linksFor } from './caller-links.ts';
import { InboxItemView, InboxListQuery } from './pauses.dto.ts';

@ApiTags('Paused executions')
@Controller('api/v1/inbox')
export class InboxController {
  constructor(
    private readonly inbox: Inbox,
    private readonly links: Links,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the open pauses of a workspace, yours first',
    description:
      'Lists the open pauses of a workspace. The pauses that ask you come first. With `mine=true` it lists only these.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(
    200,
    { data: [InboxItemView] },
    'One page of open pauses: first the pauses that ask you, then the oldest.',
    { paged: true },
  )
  async listInbox(@CurrentCaller() admission: Admission, @Query() query: InboxListQuery) {
    const { workspaceId, caller } = admission;
    const links = linksFor(this.links, admission);
    const { mine: mineOnly, limit, cursor } = query;
    const who = caller.userId ?? undefined;
    const { items, nextCursor } = await this.inbox.list(workspaceId, { who, mineOnly, limit, cursor });
    return { data: items.map((item) => InboxItemView.ofItem(item, links)), nextCursor };
  }
}
