import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type TimelineLink, Timelines } from '#libs/runs/executions/read/timelines';
import { idPattern } from '#libs/platform/ids/ids';
import { Callers } from '#libs/workspace/auth/callers';
import { Settings } from '#libs/platform/settings/settings';
import { Public } from '../http/route-decorators.ts';
import { pageHeaders } from '../http/html.ts';
import { IsPage } from '../http/page-route.ts';
import { RawQuery } from '../http/raw-input.ts';
import { findHolder } from '../pauses/caller-links.ts';
import { problemPage } from '../pauses/resume-page.html.ts';
import { timelinePage } from './timeline.html.ts';
import { TimelineViews } from './timeline-views.ts';

/** The visits on one page. Nobody reads a page with thousands of lines. */
const limit = 100;

type PageLink = TimelineLink & { cursor?: unknown };

/** The page behind `pageUrl`. The token in the link is the permission, for one execution only. */
@ApiExcludeController()
@Controller('timeline/:executionId')
export class TimelinePageController {
  constructor(
    private readonly timelines: Timelines,
    private readonly views: TimelineViews,
    private readonly callers: Callers,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Public()
  @IsPage()
  async show(
    @Param('executionId') executionId: string,
    @RawQuery() { token, as, cursor }: PageLink,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.headers(pageHeaders);
    const opened = idPattern.test(executionId)
      ? await this.timelines.opened(executionId, { token, as })
      : null;
    const names = typeof as === 'string' ? { as } : null;
    const caller = opened && names && (await findHolder(this.callers, names.as, opened.workspaceId));
    // The answer is the same whether the execution exists or not.
    if (opened === null || (names && !caller)) {
      void reply.status(403);
      return problemPage('badLink');
    }
    const page = { limit, ...(typeof cursor === 'string' ? { cursor } : {}) };
    const timeline = await this.timelines.read(opened.workspaceId, executionId, page);
    const view = await this.views.toView(
      timeline,
      caller && { caller, workspaceId: opened.workspaceId },
      opened.untilMs,
    );
    const { nextCursor } = timeline.visits;
    const next =
      nextCursor && `?${new URLSearchParams({ token: String(token), ...names, cursor: nextCursor })}`;
    const consoleUrl = `${this.settings.publicUrl}/console/w/${opened.workspaceId}/executions/${executionId}?tab=blocks`;
    return timelinePage(view, { next, isFirst: cursor === undefined, consoleUrl });
  }
}
