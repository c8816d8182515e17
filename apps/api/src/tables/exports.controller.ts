import { Readable } from 'node:stream';
import { Controller, Get, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Audit } from '#libs/audit/audit';
import { Exports } from '#libs/tables/exports';
import { Admitted, type Admission, Needs } from '../http/caller.guard.ts';
import { Refuses } from '../http/responds.ts';
import { parameterOf } from './exact-bodies.ts';
import { ExportQuery } from './files.shapes.ts';

/** Files from tables. */
@ApiTags('Tables')
@Controller('api/v1/tables/:tableId')
export class TableExportsController {
  constructor(
    private readonly exports: Exports,
    private readonly audit: Audit,
  ) {}

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
    const about = { resourceType: 'table', resourceId: tableId };
    await this.audit.note(workspaceId, { action: 'table.exported', ...about });
    const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
    const disposition = `attachment; filename="${tableId}.${format}"`;
    return new StreamableFile(Readable.from(parts), { type, disposition });
  }
}
