import { Readable } from 'node:stream';
import { Body, Controller, Get, Headers, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Exports } from '#libs/tables/exports';
import { Imports } from '#libs/tables/imports';
import { Invalid } from '#libs/faults/faults';
import { Admitted, type Admission, Needs } from '../http/caller.guard.ts';
import { Refuses, Responds } from '../http/responds.ts';
import { rowTypes } from '../http/rows-body.ts';
import { parameterOf } from './exact-bodies.ts';
import { ExportQuery, ImportQuery, ImportView } from './files.shapes.ts';
import { spooled } from './spooled.ts';
import { done } from './tables.controller.ts';

/** Tables from files, and files from tables. */
@ApiTags('Tables')
@Controller('api/v1/tables/:tableId')
export class TableFilesController {
  constructor(
    private readonly imports: Imports,
    private readonly exports: Exports,
  ) {}

  @Post('import')
  @ApiOperation({ summary: 'Insert the rows of a file' })
  @Needs('write', 'workspace', { takesRows: true })
  @ApiConsumes('text/csv', 'application/x-ndjson')
  @ApiBody({ schema: { type: 'string' }, description: 'CSV with a header, or a JSON object a line; UTF-8.' })
  @Responds(
    200,
    { success: 'flag', data: ImportView },
    'The rows were inserted, and the report says which were not.',
  )
  async importRows(
    @Admitted() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Query() { mode }: ImportQuery,
    @Headers('content-type') type: string | undefined,
    @Body() body: unknown,
  ) {
    const format = rowTypes[(type ?? '').split(';')[0]?.trim().toLowerCase() ?? ''];
    if (!format || !isBytes(body))
      throw Invalid.field('', 'must be a file of type text/csv or application/x-ndjson', 'type');
    const report = await spooled(body, (bytes) =>
      this.imports.read({ workspaceId, tableId }, { format, mode }, bytes),
    );
    return done(report);
  }

  @Get('export')
  @ApiOperation({ summary: 'Download the rows as a file' })
  @Needs('read', 'workspace')
  @ApiResponse({
    status: 200,
    description: 'All rows that match, as a file that is written as it is read.',
    content: {
      'text/csv': { schema: { type: 'string' } },
      'application/x-ndjson': { schema: { type: 'string' } },
    },
  })
  @Refuses()
  async exportRows(
    @Admitted() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Query() { format, guardFormulas, ...query }: ExportQuery,
  ): Promise<StreamableFile> {
    const filter = parameterOf(query.filter, 'filter');
    const sort = parameterOf(query.sort, 'sort');
    const parts = await this.exports.write({ workspaceId, tableId }, { format, guardFormulas, filter, sort });
    const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
    const disposition = `attachment; filename="${tableId}.${format}"`;
    return new StreamableFile(Readable.from(parts), { type, disposition });
  }
}

function isBytes(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
