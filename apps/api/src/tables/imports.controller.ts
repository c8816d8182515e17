import { createReadStream } from 'node:fs';
import { Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { appendEntry } from '#libs/platform/database/audited';
import { send } from '#libs/platform/database/database';
import { Invalid } from '#libs/platform/errors/errors';
import { Idempotency } from '#libs/workspace/idempotency/idempotency';
import { Settings } from '#libs/platform/settings/settings';
import { type ImportJob, ImportJobs } from '#libs/tables/files/import-jobs';
import { CompletionNotifier } from '#libs/platform/database/completion-notifier';
import { ImportOutbox } from '#libs/tables/files/import-outbox';
import { Imports, type ImportInput } from '#libs/tables/files/imports';
import type { TableRef } from '#libs/tables/writes/row-changes';
import { Admitted, type Admission, Needs } from '../http/caller.guard.ts';
import { keyedOnce, TakesIdempotencyKey } from '../http/idempotency-key.ts';
import { Responds } from '../http/responds.ts';
import { rowTypes } from '../http/rows-body.ts';
import {
  ImportBegunView,
  ImportJobView,
  ImportListQuery,
  ImportPageView,
  ImportQuery,
  ImportView,
  ImportWaitQuery,
} from './files.shapes.ts';
import { type Spooled, bufferToDisk } from './buffer-to-disk.ts';
import { envelope } from '../http/envelope.ts';
import { TakesWorkspace } from '../http/workspace-query.ts';

/** The maximum number of bytes that a call imports before it answers. A worker imports larger files. */
const inCallBytesMax = 16 * 1024 * 1024;

/** Imports files into tables. */
@ApiTags('Tables')
@Controller('api/v1/tables/:tableId')
export class TableImportsController {
  constructor(
    private readonly imports: Imports,
    private readonly jobs: ImportJobs,
    private readonly outbox: ImportOutbox,
    private readonly notifier: CompletionNotifier,
    private readonly idempotency: Idempotency,
    private readonly settings: Settings,
  ) {}

  @Post('import')
  @ApiOperation({
    summary: 'Insert the rows of a file',
    description:
      'Inserts the lines of a CSV, a JSON list or lines of JSON. Mode `all` inserts every row or none. Mode `good` inserts the rows that fit, and the report names each refused line. Files above 16 MiB need `async=true`.',
  })
  @Needs('write', 'workspace', { stores: true, takesRows: true })
  @TakesIdempotencyKey()
  @ApiConsumes('text/csv', 'application/x-ndjson')
  @ApiBody({ schema: { type: 'string' }, description: 'CSV with a header, or a JSON object a line; UTF-8.' })
  @Responds(
    200,
    { success: 'flag', data: ImportView },
    'The rows were inserted. The report lists the refused lines.',
    { also: [409, 422] },
  )
  @ApiResponse({
    status: 202,
    type: ImportBegunView,
    description:
      'With `async`: the file is stored, and a worker imports it. Read its progress at `statusUrl`.',
  })
  async importRows(
    @Admitted() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Query() { mode, async: later }: ImportQuery,
    @Req() { headers, body }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const type = headers['content-type'] ?? '';
    const format = rowTypes[type.split(';')[0]?.trim().toLowerCase() ?? ''];
    if (!format || !isBytes(body))
      throw Invalid.field('', 'must be a file of type text/csv or application/x-ndjson', 'type');
    const place = { workspaceId, tableId };
    const wish = { format, mode };
    return bufferToDisk(body, async (file) => {
      if (!later && file.size > inCallBytesMax)
        throw Invalid.field(
          '',
          `has more than ${inCallBytesMax} bytes; import it with async=true, and read how far it is`,
          'too_large',
        );
      const call = {
        idempotency: this.idempotency,
        key: headers['idempotency-key']?.toString(),
        workspaceId,
        route: `import ${tableId}`,
        body: { ...wish, later, sha256: file.sha256.toString('hex') },
        prefix: 'imp' as const,
        reply,
      };
      return keyedOnce(call, (id) =>
        later ? this.begin(place, wish, { id, file }) : this.now(place, wish, { id, file }),
      );
    });
  }

  private async now(place: TableRef, wish: ImportInput, { id, file }: { id: string; file: Spooled }) {
    const { workspaceId, tableId } = place;
    const report = await this.imports.readOnce(id, place, wish, createReadStream(file.path), {
      // Writes the audit entry in the transaction of the rows.
      last: async (tx, { insertedCount, refusedCount }) => {
        const changes = JSON.stringify({ ...wish, insertedCount, refusedCount });
        await send(tx, appendEntry, [workspaceId, 'table.imported', 'table', tableId, changes]);
      },
    });
    return { status: 200, body: envelope(report) };
  }

  private async begin(place: TableRef, wish: ImportInput, { id, file }: { id: string; file: Spooled }) {
    const { path, size, sha256 } = file;
    const mimeType = wish.format === 'csv' ? 'text/csv' : 'application/x-ndjson';
    const job = await this.jobs.create(place, wish, {
      id,
      file: { content: { path }, filename: `rows.${wish.format}`, mimeType, size, sha256 },
    });
    await this.outbox.deliverNow({ workspaceId: place.workspaceId, importId: id }, place.tableId);
    const statusUrl = `${this.settings.publicUrl}/api/v1/tables/${place.tableId}/imports/${id}`;
    const message = 'The file is stored, and a worker imports it';
    return { status: 202, body: envelope({ import: ImportJobView.of(job), statusUrl, message }) };
  }

  @Get('imports')
  @ApiOperation({
    summary: 'List the imports of a table',
    description: 'Lists the asynchronous imports that are open, or ended in the last 30 days.',
  })
  @Needs('read', 'workspace')
  @Responds(
    200,
    { success: 'flag', data: ImportPageView },
    'The imports of the last 30 days, the newest first.',
  )
  async listImports(
    @Admitted() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Query() { limit, cursor }: ImportListQuery,
  ) {
    const { imports, nextCursor } = await this.jobs.list({ workspaceId, tableId }, { limit, cursor });
    return envelope({ imports: imports.map((job) => ImportJobView.of(job)), nextCursor });
  }

  @Get('imports/:importId')
  @ApiOperation({
    summary: 'Read the progress of an import, or wait for its end',
    description:
      'Shows the progress of an import. With `wait` the answer comes when it has ended, or after this number of seconds.',
  })
  @Needs('read', 'workspace')
  @Responds(200, { success: 'flag', data: { import: ImportJobView } }, 'The import with its progress.')
  async getImport(
    @Admitted() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Param('importId') importId: string,
    @Query() { wait }: ImportWaitQuery,
  ) {
    const place = { workspaceId, tableId };
    const read = () => this.jobs.get(place, importId);
    const job = await this.notifier.readUntilEnded(importId, read, (now) => !isOpen(now), wait * 1000);
    return envelope({ import: ImportJobView.of(job) });
  }

  @Post('imports/:importId/cancel')
  @ApiOperation({
    summary: 'End an import',
    description:
      'Ends an import that has not ended. In mode `all` no row of it stays. In mode `good` the committed rows stay.',
  })
  @TakesWorkspace()
  @Needs('write', 'workspace')
  @Responds(
    200,
    { success: 'flag', data: { import: ImportJobView, message: 'text' } },
    'The import has ended. In the mode `all` no row of it is in the table.',
    { also: [409] },
  )
  async cancelImport(
    @Admitted() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Param('importId') importId: string,
  ) {
    const job = await this.jobs.cancelImport({ workspaceId, tableId }, importId);
    return envelope({ import: ImportJobView.of(job), message: 'Import cancelled' });
  }
}

function isOpen({ status }: ImportJob): boolean {
  return status === 'pending' || status === 'processing';
}

function isBytes(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
