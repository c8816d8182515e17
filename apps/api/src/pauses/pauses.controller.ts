import { Body, Controller, Get, Headers, Injectable, Param, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Idempotency } from '#libs/idempotency/idempotency';
import { Delegations } from '#libs/pauses/delegations';
import { Inbox } from '#libs/pauses/inbox';
import { Links } from '#libs/pauses/links';
import { Pauses, statusesOf } from '#libs/pauses/pauses';
import { Trail } from '#libs/pauses/trail';
import { Admitted, type Admission, Needs } from '../http/caller.guard.ts';
import { Responds } from '../http/responds.ts';
import { keyedOnce } from '../http/idempotency-key.ts';
import {
  DelegateBody,
  InboxItemView,
  InboxListQuery,
  PausedDetailView,
  PausedExecutionView,
  PausedQuery,
  ResumeAcknowledgementView,
  ResumeBody,
  ResumeResultView,
  TrailEntryView,
} from './pauses.shapes.ts';
import { readAnswer, Resume } from './resume.ts';

/** Which pause a path names. */
export interface ResumeParams {
  workflowId: string;
  executionId: string;
  contextId: string;
}

/** What there is beside the answers themselves. */
@Injectable()
export class AskedPeople {
  constructor(
    readonly inbox: Inbox,
    readonly trail: Trail,
    readonly delegations: Delegations,
  ) {}
}

@ApiTags('Paused executions')
@Controller('api')
export class PausesController {
  constructor(
    private readonly pauses: Pauses,
    private readonly links: Links,
    private readonly resume: Resume,
    private readonly people: AskedPeople,
    private readonly idempotency: Idempotency,
  ) {}

  @Get('workflows/:id/paused')
  @ApiOperation({ summary: 'List the paused executions of a workflow' })
  @Needs('read', 'workflow')
  @Responds(200, { pausedExecutions: [PausedExecutionView] })
  async list(@Admitted() { workspaceId }: Admission, @Param('id') id: string, @Query() query: PausedQuery) {
    const statuses = statusesOf(query.status);
    const { items, nextCursor } = await this.pauses.list(workspaceId, id, { ...query, statuses });
    return { pausedExecutions: items.map((item) => PausedExecutionView.of(item, this.links)), nextCursor };
  }

  @Get('resume/:workflowId/:executionId')
  @ApiOperation({ summary: 'Read one paused execution with its snapshot and queue' })
  @Needs('read', 'workflow')
  @Responds(200, PausedDetailView)
  async detail(
    @Admitted() { workspaceId }: Admission,
    @Param() { workflowId, executionId }: ResumeParams,
  ): Promise<PausedDetailView> {
    return PausedDetailView.ofDetail(await this.pauses.get(workspaceId, workflowId, executionId), this.links);
  }

  @Get('v1/inbox')
  @ApiOperation({ summary: 'List what waits for an answer, yours first, then the oldest' })
  @Needs('read', 'workspace')
  @Responds(200, { data: [InboxItemView] })
  async waiting(@Admitted() { workspaceId, caller }: Admission, @Query() query: InboxListQuery) {
    const { mine: mineOnly, limit, cursor } = query;
    const who = caller.userId ?? undefined;
    const { items, nextCursor } = await this.people.inbox.list(workspaceId, { who, mineOnly, limit, cursor });
    return { data: items.map((item) => InboxItemView.ofItem(item, this.links)), nextCursor };
  }

  @Get('resume/:workflowId/:executionId/:contextId/trail')
  @ApiOperation({ summary: 'Read what became of a request: who was told, who answered, when' })
  @Needs('read', 'workflow')
  @Responds(200, { data: [TrailEntryView] })
  async trail(@Admitted() { workspaceId }: Admission, @Param() params: ResumeParams) {
    return this.trailOf(workspaceId, params);
  }

  @Post('resume/:workflowId/:executionId/:contextId/delegate')
  @ApiOperation({ summary: 'Let another person answer in your place' })
  @Needs('execute', 'workflow')
  @Responds(200, { data: [TrailEntryView] }, { also: [409] })
  async delegate(
    @Admitted() { workspaceId, caller }: Admission,
    @Param() params: ResumeParams,
    @Body() { to, note = '' }: DelegateBody,
  ) {
    const who = caller.userId ?? undefined;
    await this.people.delegations.make({ ...params, workspaceId, who, to, note, actor: caller.actor });
    return this.trailOf(workspaceId, params);
  }

  @Post('resume/:workflowId/:executionId/:contextId')
  @ApiOperation({ summary: 'Answer a pause' })
  @Needs('execute', 'workflow')
  @ApiBody({ type: ResumeBody, required: false })
  @ApiHeader({ name: 'Idempotency-Key', required: false })
  @Responds(200, ResumeResultView, { also: [409, 422], description: 'The run has settled again.' })
  @ApiResponse({
    status: 202,
    type: ResumeAcknowledgementView,
    description: 'The answer was accepted; the run goes on.',
  })
  async answer(
    @Admitted() admission: Admission,
    @Param() params: ResumeParams,
    @Headers('idempotency-key') key: string | undefined,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    const { workspaceId } = admission;
    const answer = readAnswer(body);
    const route = `resume ${params.executionId} ${params.contextId}`;
    const keyed = {
      idempotency: this.idempotency,
      key,
      workspaceId,
      route,
      body,
      prefix: 'res' as const,
      reply,
    };
    return keyedOnce(keyed, (entryId) =>
      this.resume.answer({
        ...params,
        ...answer,
        entryId,
        workspaceId,
        actor: admission.caller.actor,
        who: admission.caller.userId ?? undefined,
      }),
    );
  }

  private async trailOf(workspaceId: string, params: ResumeParams) {
    const entries = await this.people.trail.of(workspaceId, params);
    return { data: entries.map(({ at, ...rest }) => ({ ...rest, at: at.toISOString() })) };
  }
}
