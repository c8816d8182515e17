import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BulkJobs, type BulkOptions } from '#libs/runs/bulk/bulk-jobs';
import { Invalid } from '#libs/platform/errors/errors';
import { HttpAnswer, KeyedWork } from '../http/answer.ts';
import { Idempotent } from '../http/answer.interceptor.ts';
import { ApiResult } from '../http/api-result.ts';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { WorkspaceCursorQuery, WorkspaceQuery } from '../http/cursor-query.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import type { LogFilters } from '#libs/runs/history/filters';
import { parseFilters } from '../logs/log-filters.ts';
import {
  BulkItemsQuery,
  BulkItemView,
  BulkJobView,
  CreateBulkBody,
  CreatedBulkView,
  UndoBulkBody,
} from './bulk.dto.ts';

const perSecondDefault = 50;

function readFilters(filter: CreateBulkBody['filter']): LogFilters {
  try {
    return parseFilters(filter);
  } catch (error) {
    throw error instanceof Invalid ? error.under('filter') : error;
  }
}

/** Jobs that do one thing to many executions. */
@ApiTags('Bulk jobs')
@Controller('api/v1/bulk')
export class BulkController {
  constructor(private readonly jobs: BulkJobs) {}

  @Post()
  @ApiOperation({
    summary: 'Retry, cancel, answer, fork or delete many executions',
    description:
      'Does one thing to all executions that a filter finds now, in the background and at a rate. With `dryRun` the answer counts them, and nothing changes. What cannot be done to an execution is refused for it alone; the items of the job say why. Deleting needs the permission to admin.',
  })
  @RequirePermission('execute', 'workspace')
  @Idempotent('bulk')
  @ApiResult(202, { data: CreatedBulkView }, 'The job was accepted, or counted with `dryRun`.', {
    also: [409],
  })
  startBulk(@CurrentCaller() admission: Admission, @Body() body: CreateBulkBody) {
    const { workspaceId, caller, payer } = admission;
    const { verb, filter, perSecond = perSecondDefault, dryRun = false } = body;
    if (verb === 'delete') caller.require(workspaceId, 'admin');
    const options = parseOptions(body);
    const filters = readFilters(filter);
    return new KeyedWork(
      `bulk ${workspaceId}`,
      body,
      async (once): Promise<HttpAnswer<{ data: CreatedBulkView }>> => {
        const wish = { verb, options, filters };
        const actor = { ...caller.actor };
        if (dryRun)
          return new HttpAnswer({
            data: { dryRun, counts: await this.jobs.countBulk(workspaceId, wish, actor), job: null },
          });
        const written = { ...filter } as Record<string, string | number>;
        const { job, counts } = await this.jobs.createBulkJob(
          workspaceId,
          once.id,
          { ...wish, written, perSecond },
          { actor, payer },
        );
        return new HttpAnswer({ data: { dryRun, counts, job: BulkJobView.of(job) } });
      },
    );
  }

  @Get()
  @ApiOperation({
    summary: 'List bulk jobs',
    description: 'Lists the bulk jobs of the workspace with their progress, for 30 days after their end.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { data: [BulkJobView] }, 'One page of jobs, the newest first.', { paged: true })
  async listBulk(@CurrentCaller() { workspaceId }: Admission, @Query() page: WorkspaceCursorQuery) {
    const { items, nextCursor } = await this.jobs.listBulk(workspaceId, page);
    return { data: items.map((job) => BulkJobView.of(job)), nextCursor };
  }

  @Get(':bulkId')
  @ApiOperation({
    summary: 'Read a bulk job',
    description: 'Shows a bulk job with its progress, and why it waits.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { data: BulkJobView }, 'The bulk job with its progress, as it is now.')
  async getBulk(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('bulkId') id: string,
    @Query() _query: WorkspaceQuery,
  ) {
    return { data: BulkJobView.of(await this.jobs.getBulk(workspaceId, id)) };
  }

  @Get(':bulkId/items')
  @ApiOperation({
    summary: 'List the executions of a bulk job',
    description: 'Lists what became of each execution of a bulk job, in the order of the job.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { data: [BulkItemView] }, 'One page of executions with their outcomes.', { paged: true })
  async listBulkItems(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('bulkId') id: string,
    @Query() { outcome, limit, cursor }: BulkItemsQuery,
  ) {
    const page = { limit, ...(outcome ? { outcome } : {}), ...(cursor === undefined ? {} : { cursor }) };
    const { items, nextCursor } = await this.jobs.listItems(workspaceId, id, page);
    return { data: items.map((item) => BulkItemView.of(item)), nextCursor };
  }

  @Post(':bulkId/abort')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Abort a bulk job',
    description:
      'Ends a job after the acts under way. What it has done stays done; the rest is left as it is.',
  })
  @RequirePermission('execute', 'workspace')
  @ApiResult(200, { data: BulkJobView }, 'The job, which does nothing more.', { also: [409] })
  async abortBulk(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('bulkId') id: string,
    @Query() _query: WorkspaceQuery,
  ) {
    return { data: BulkJobView.of(await this.jobs.abortBulk(workspaceId, id)) };
  }

  @Post(':bulkId/undo')
  @ApiOperation({
    summary: 'Undo a bulk job where nothing ran',
    description:
      'Takes back the retries or forks of a job that has ended, as far as nothing of them ran: a retried execution that waits in its line fails again as it had failed, and a fork that has begun no call is cancelled. It is a job of its own. With `dryRun` the answer counts what can be undone, and nothing changes. A cancel, an answer and a delete cannot be undone.',
  })
  @RequirePermission('execute', 'workspace')
  @Idempotent('bulk')
  @ApiBody({ type: UndoBulkBody, required: false })
  @ApiResult(202, { data: CreatedBulkView }, 'The undo was accepted as a job, or counted with `dryRun`.', {
    also: [409],
  })
  undoBulk(
    @CurrentCaller() { workspaceId, caller, payer }: Admission,
    @Param('bulkId') bulkId: string,
    @Body() body: UndoBulkBody,
  ) {
    const { perSecond = perSecondDefault, dryRun = false } = body;
    const undo = async (id: string): Promise<CreatedBulkView> => {
      if (dryRun) return { dryRun, counts: await this.jobs.countUndo(workspaceId, bulkId), job: null };
      const by = { actor: { ...caller.actor }, payer };
      const made = await this.jobs.createUndo(workspaceId, id, { job: bulkId, perSecond }, by);
      return { dryRun, counts: made.counts, job: BulkJobView.of(made.job) };
    };
    return new KeyedWork(
      `undo ${bulkId}`,
      body,
      async (once) => new HttpAnswer({ data: await undo(once.id) }),
    );
  }
}

/** The most that the answers of a job may have, in characters of JSON. */
const answersCharsMax = 16_384;

/** Returns the options of the verb. Throws for those of another verb, and for answers that are missing or too long. */
function parseOptions({ verb, from, version, answers, block }: CreateBulkBody): BulkOptions {
  for (const [owner, options] of [
    ['fork', { from, version }],
    ['answer', { answers, block }],
  ] as const)
    for (const [field, value] of Object.entries(options))
      if (value !== undefined && verb !== owner)
        throw Invalid.field(field, `is only for the verb ${owner}`, 'unknown');
  if (verb === 'fork') return { from: from ?? 'start', version: version ?? 'live' };
  if (verb !== 'answer') return {};
  if (answers === undefined)
    throw Invalid.field('answers', 'is required: the answers that each pause gets', 'required');
  if (JSON.stringify(answers).length > answersCharsMax)
    throw Invalid.field('answers', `must have at most ${answersCharsMax} characters`, 'size');
  return { answers, ...(block === undefined ? {} : { block }) };
}
