import { Controller, Get, HttpCode, Param, Post, Query, Req, StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Audit } from '#libs/workspace/audit/audit';
import { Invalid } from '#libs/platform/errors/errors';
import { exportFormats, Exports, type ExportInput } from '#libs/tables/files/exports';
import type { TableRef } from '#libs/tables/writes/row-changes';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RawJson, RequirePermission } from '../http/route-decorators.ts';
import { LastingAnswers } from '../http/lasting-answers.ts';
import { RawBody } from '../http/raw-input.ts';
import { ApiErrors } from '../http/api-result.ts';
import { readFlag, readMembers, parseParameter, readText } from './exact-bodies.ts';
import { ExportBody, ExportQuery } from './files.dto.ts';

const AnswersFile = () =>
  ApiResponse({
    status: 200,
    description: 'All rows that match, as a streamed file.',
    content: {
      'text/csv': { schema: { type: 'string' } },
      'application/x-ndjson': { schema: { type: 'string' } },
    },
  });

/** Exports tables as files. */
@ApiTags('Tables')
@Controller('api/v1/tables/:tableId')
export class TableExportsController {
  constructor(
    private readonly exports: Exports,
    private readonly audit: Audit,
    private readonly lasting: LastingAnswers,
  ) {}

  @Get('export')
  @ApiOperation({
    summary: 'Download the rows as a file',
    description: 'Downloads all rows that match as CSV or as lines of JSON.',
  })
  @RequirePermission('read', 'workspace')
  @AnswersFile()
  @ApiErrors([431])
  exportRows(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Query() { format, guardFormulas, ...query }: ExportQuery,
    @Req() request: FastifyRequest,
  ): Promise<StreamableFile> {
    const filter = parseParameter(query.filter, 'filter');
    const sort = parseParameter(query.sort, 'sort');
    return this.file(request, { workspaceId, tableId }, { format, guardFormulas, filter, sort });
  }

  @Post('export')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Download the rows of a long filter as a file',
    description: 'Downloads the rows like the GET call, for a filter that is too long for an address.',
  })
  @RequirePermission('read', 'workspace')
  @RawJson()
  @ApiBody({ type: ExportBody })
  @AnswersFile()
  @ApiErrors()
  exportRowsByBody(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @RawBody() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<StreamableFile> {
    const members = readMembers(body ?? {}, ['filter', 'sort', 'format', 'guardFormulas']);
    const { filter, sort } = members;
    const named = readText(members, 'format') ?? 'csv';
    const format = exportFormats.find((one) => one === named);
    if (!format) throw Invalid.field('format', `must be one of ${exportFormats.join(', ')}`, 'enum');
    const guardFormulas = readFlag(members, 'guardFormulas') ?? true;
    return this.file(request, { workspaceId, tableId }, { format, guardFormulas, filter, sort });
  }

  private async file(request: FastifyRequest, ref: TableRef, input: ExportInput): Promise<StreamableFile> {
    const { workspaceId, tableId } = ref;
    const parts = await this.exports.writeExport(ref, input);
    const about = { resourceType: 'table', resourceId: tableId };
    await this.audit.noteEvent(workspaceId, { action: 'table.exported', ...about });
    const type = input.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
    const disposition = `attachment; filename="${tableId}.${input.format}"`;
    return new StreamableFile(this.lasting.file(request, parts), { type, disposition });
  }
}
