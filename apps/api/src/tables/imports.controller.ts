import { randomUUID } from 'node:crypto';
import { applyDecorators, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { appendEntry } from '#libs/platform/database/audited';
import { send } from '#libs/platform/database/database';
import { Invalid } from '#libs/platform/errors/errors';
import { Settings } from '#libs/platform/settings/settings';
import { type ImportJob, ImportJobs } from '#libs/tables/files/import-jobs';
import { CompletionNotifier } from '#libs/platform/database/completion-notifier';
import { ImportOutbox } from '#libs/tables/files/import-outbox';
import type { ReadOptions } from '#libs/tables/files/import-options';
import { guessFormat, inCallBytesMax } from '#libs/tables/files/import-source';
import { Imports, type ImportInput, type ImportRef } from '#libs/tables/files/imports';
import { parseMediaType } from '#libs/platform/text/foreign-text';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission, StoresData, TakesRows } from '../http/route-decorators.ts';
import { HttpAnswer, KeyedWork } from '../http/answer.ts';
import { Idempotent, type RunOnce } from '../http/answer.interceptor.ts';
import { ApiResult } from '../http/api-result.ts';
import { rowTypes } from '../http/rows-body.ts';
import {
  ImportBegunView,
  ImportJobView,
  ImportListQuery,
  ImportPageView,
  ImportPreviewView,
  FileImportQuery,
  ImportTableQuery,
  ImportView,
  ImportWaitQuery,
  FilePreviewQuery,
  ReadFileQuery,
} from './files.dto.ts';
import { type Spooled, bufferToDisk } from './buffer-to-disk.ts';
import { isExactObject } from '#libs/platform/json/exact-json';
import { parseParameter } from './exact-bodies.ts';
import { TakesWorkspace } from '../http/workspace-query.ts';

const begunNote =
  'With `async`: the file is stored, and a worker imports it. Read its progress at `statusUrl`.';
const foundNote = 'What was found, and which lines an import would refuse.';
const previewNote =
  'Says what the file is, how an import would read it and which of its first ten thousand lines it would refuse. It changes nothing.';
/** A name for the table that a preview makes and takes back. */
const previewName = () => `preview_${randomUUID().replaceAll('-', '_')}`;

const TakesFile = () =>
  applyDecorators(
    ApiConsumes(...rowTypes),
    ApiBody({
      schema: { type: 'string' },
      description:
        'The bytes of the file: CSV, JSON list, lines of JSON, XLSX, XLS or ODS, also packed with gzip.',
    }),
  );

/** Imports files into tables. */
@ApiTags('Tables')
@Controller('api/v1/tables')
export class TableImportsController {
  constructor(
    private readonly imports: Imports,
    private readonly jobs: ImportJobs,
    private readonly outbox: ImportOutbox,
    private readonly notifier: CompletionNotifier,
    private readonly settings: Settings,
  ) {}

  @Post('import')
  @ApiOperation({
    summary: 'Make a table of a file',
    description:
      'Makes a table with the columns of the file, whose types are those of its first values, and inserts its rows. With mode `all` a refused line leaves no table. With `async` the table is there at once, and stays whatever the import does.',
  })
  @RequirePermission('write', 'workspace')
  @StoresData()
  @TakesRows()
  @Idempotent('imp')
  @TakesFile()
  @ApiResult(201, { success: 'flag', data: ImportView }, 'The table was made, and the rows were inserted.', {
    also: [409, 422],
  })
  @ApiResponse({ status: 202, type: ImportBegunView, description: begunNote })
  importTable(
    @CurrentCaller() { workspaceId }: Admission,
    @Query() { name, description, mode, async: later, ...read }: ImportTableQuery,
    @Req() request: FastifyRequest,
  ) {
    const ref = { workspaceId, create: { name, ...(description ? { description } : {}) } };
    return this.importFile(ref, { mode, options: parseOptions(read, request) }, later, request);
  }

  @Post('import/preview')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Look at a file before a table is made of it',
    description: `${previewNote} The columns are those that the new table would have.`,
  })
  @RequirePermission('write', 'workspace')
  @TakesRows()
  @TakesFile()
  @ApiResult(200, { success: 'flag', data: ImportPreviewView }, foundNote)
  previewTable(
    @CurrentCaller() { workspaceId }: Admission,
    @Query() read: ReadFileQuery,
    @Req() request: FastifyRequest,
  ) {
    return this.preview(
      { workspaceId, create: { name: previewName() } },
      parseOptions(read, request),
      request,
    );
  }

  @Post(':tableId/import')
  @ApiOperation({
    summary: 'Insert the rows of a file',
    description:
      'Inserts the rows of a CSV with any delimiter, a JSON list, lines of JSON, or a sheet of a workbook (XLSX, XLS, ODS), also packed with gzip. Mode `all` inserts every row or none. Mode `good` inserts the rows that fit, and the report names each refused line. Files above 16 MiB need `async=true`.',
  })
  @RequirePermission('write', 'workspace')
  @StoresData()
  @TakesRows()
  @Idempotent('imp')
  @TakesFile()
  @ApiResult(
    200,
    { success: 'flag', data: ImportView },
    'The rows were inserted. The report lists the refused lines.',
    { also: [409, 422] },
  )
  @ApiResponse({ status: 202, type: ImportBegunView, description: begunNote })
  importRows(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Query() { mode, async: later, ...read }: FileImportQuery,
    @Req() request: FastifyRequest,
  ) {
    const input = { mode, options: parseOptions(read, request) };
    return this.importFile({ workspaceId, tableId }, input, later, request);
  }

  @Post(':tableId/import/preview')
  @HttpCode(200)
  @ApiOperation({ summary: 'Look at a file before its rows are inserted', description: previewNote })
  @RequirePermission('write', 'workspace')
  @TakesRows()
  @TakesFile()
  @ApiResult(200, { success: 'flag', data: ImportPreviewView }, foundNote)
  previewImport(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Query() read: FilePreviewQuery,
    @Req() request: FastifyRequest,
  ) {
    return this.preview({ workspaceId, tableId }, parseOptions(read, request), request);
  }

  private preview(ref: ImportRef, options: ReadOptions, { body }: FastifyRequest) {
    return bufferToDisk(fileIn(body), ({ path }) => this.imports.preview(ref, options, path));
  }

  /** The file is there while the work runs. */
  private importFile(ref: ImportRef, input: ImportInput, later: boolean, { body }: FastifyRequest) {
    return (runOnce: RunOnce) =>
      bufferToDisk(fileIn(body), (file) => {
        if (!later && file.size > inCallBytesMax)
          throw Invalid.field(
            '',
            `has more than ${inCallBytesMax} bytes; import it with async=true, and read how far it is`,
            'too_large',
          );
        const route = 'create' in ref ? 'import' : `import ${ref.tableId}`;
        const created = 'create' in ref ? ref.create : {};
        const request = { ...input, ...created, later, sha256: file.sha256.toString('hex') };
        return runOnce<object>(
          new KeyedWork<object>(route, request, ({ id }) =>
            later ? this.begin(ref, input, { id, file }) : this.now(ref, input, { id, file }),
          ),
        );
      });
  }

  private async now(ref: ImportRef, input: ImportInput, { id, file }: { id: string; file: Spooled }) {
    const report = await this.imports.readOnce(id, ref, input, file.path, {
      // Writes the audit entry in the transaction of the rows.
      last: async (tx, { insertedCount, refusedCount, tableId, taken: { format } }) => {
        const changes = JSON.stringify({ mode: input.mode, format, insertedCount, refusedCount });
        await send(tx, appendEntry, [ref.workspaceId, 'table.imported', 'table', tableId, changes]);
      },
    });
    return new HttpAnswer<object>(report);
  }

  private async begin(ref: ImportRef, input: ImportInput, { id, file }: { id: string; file: Spooled }) {
    const { path, size, sha256 } = file;
    const { contentType = '' } = input.options;
    const format = await guessFormat(path, contentType);
    const mimeType = parseMediaType(contentType);
    const job = await this.jobs.create(ref, input, {
      id,
      format,
      path,
      file: { content: { path }, filename: `rows.${format}`, mimeType, size, sha256 },
    });
    if (job.status === 'pending')
      await this.outbox.deliverNow([{ id, workspaceId: ref.workspaceId, tableId: job.tableId }]);
    const statusUrl = `${this.settings.publicUrl}/api/v1/tables/${job.tableId}/imports/${id}`;
    const message = 'The file is stored, and a worker imports it';
    return new HttpAnswer<object>({ import: ImportJobView.of(job), statusUrl, message }, { status: 202 });
  }

  @Get(':tableId/imports')
  @ApiOperation({
    summary: 'List the imports of a table',
    description: 'Lists the asynchronous imports that are open, or ended in the last 30 days.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(
    200,
    { success: 'flag', data: ImportPageView },
    'The imports of the last 30 days, the newest first.',
  )
  async listImports(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Query() { limit, cursor }: ImportListQuery,
  ) {
    const { imports, nextCursor } = await this.jobs.list({ workspaceId, tableId }, { limit, cursor });
    return { imports: imports.map((job) => ImportJobView.of(job)), nextCursor };
  }

  @Get(':tableId/imports/:importId')
  @ApiOperation({
    summary: 'Read the progress of an import, or wait for its end',
    description:
      'Shows the progress of an import. With `wait` the answer comes when it has ended, or after this number of seconds.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { success: 'flag', data: { import: ImportJobView } }, 'The import with its progress.')
  async getImport(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Param('importId') importId: string,
    @Query() { wait }: ImportWaitQuery,
  ) {
    const ref = { workspaceId, tableId };
    const read = () => this.jobs.get(ref, importId);
    const job = await this.notifier.readUntilEnded(importId, read, (now) => !isOpen(now), wait * 1000);
    return { import: ImportJobView.of(job) };
  }

  @Post(':tableId/imports/:importId/cancel')
  @ApiOperation({
    summary: 'End an import',
    description:
      'Ends an import that has not ended. In mode `all` no row of it stays. In mode `good` the committed rows stay.',
  })
  @TakesWorkspace()
  @RequirePermission('write', 'workspace')
  @ApiResult(
    200,
    { success: 'flag', data: { import: ImportJobView, message: 'text' } },
    'The import has ended. In the mode `all` no row of it is in the table.',
    { also: [409] },
  )
  async cancelImport(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('tableId') tableId: string,
    @Param('importId') importId: string,
  ) {
    const job = await this.jobs.cancelImport({ workspaceId, tableId }, importId);
    return { import: ImportJobView.of(job), message: 'Import cancelled' };
  }
}

function isOpen({ status }: ImportJob): boolean {
  return status === 'pending' || status === 'processing';
}

/** The options of a call. Throws `Invalid` for a mapping that is none. */
function parseOptions(
  { header, delimiter, mapping, ...query }: ReadFileQuery & { createColumns?: boolean },
  { headers }: FastifyRequest,
): ReadOptions {
  const { encoding, sheet, nulls, decimal, dateFormat, guardFormulas, createColumns } = query;
  return {
    encoding,
    sheet,
    nulls,
    decimal,
    dateFormat,
    guardFormulas,
    createColumns,
    contentType: headers['content-type'] ?? '',
    ...(header === undefined ? {} : (headerNamed[header] ?? { header: Number(header) })),
    ...(delimiter === undefined ? {} : { delimiter: delimiterNamed[delimiter] ?? delimiter }),
    ...(mapping === undefined ? {} : { mapping: parseMapping(mapping) }),
  };
}

const headerNamed: Record<string, { header?: boolean }> = { true: {}, false: { header: false } };
const delimiterNamed: Record<string, string> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' };

function parseMapping(text: string): Record<string, string | null> {
  const value = parseParameter(text, 'mapping');
  if (!isExactObject(value) || !Object.values(value).every((to) => to === null || typeof to === 'string'))
    throw Invalid.field(
      'mapping',
      'must be a JSON object of names, or null, by the names in the file',
      'type',
    );
  return value as Record<string, string | null>;
}

function fileIn(body: unknown): AsyncIterable<Uint8Array> {
  if (isBytes(body)) return body;
  throw Invalid.field(
    '',
    'must be a file of type text/csv, application/x-ndjson or application/octet-stream',
    'type',
  );
}

function isBytes(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
