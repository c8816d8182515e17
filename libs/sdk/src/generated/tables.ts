// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { Download } from '../download.ts';
import type { Content } from '../uploads.ts';
import type { AnswerOf, BodyOf, DataOf, QueryOf, WorkspaceOptional } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.tables`. */
export class TablesResource extends Resource {
  readonly columns = new TablesColumnsResource(this.transport);

  readonly rows = new TablesRowsResource(this.transport);

  readonly imports = new TablesImportsResource(this.transport);

  /**
   * List the tables.
   *
   * Lists every table of the workspace with its columns and the number of its rows.
   *
   * `GET /api/v1/tables`
   */
  list(params: WorkspaceOptional<QueryOf<'listTables'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listTables'>['data']['tables'][number], AnswerOf<'listTables'>> {
    return this.transport.list({ id: 'listTables', verb: 'GET', path: `/api/v1/tables`, params, workspaceIn: 'query', needsWorkspace: true, valuePath: ['data', 'tables'], paging: 'single' }, options);
  }

  /**
   * Create a table.
   *
   * Makes an empty table with typed columns. Blocks find it by its name or its id.
   *
   * `POST /api/v1/tables`
   */
  create(params: WorkspaceOptional<BodyOf<'createTable'>>, options: CallOptions = {}): Call<DataOf<'createTable'>> {
    return this.transport.read({ id: 'createTable', verb: 'POST', path: `/api/v1/tables`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Read a table without its rows.
   *
   * Shows the columns of a table, its number of rows and its limit.
   *
   * `GET /api/v1/tables/{tableId}`
   */
  get(tableId: string, params: WorkspaceOptional<QueryOf<'getTable'>> = {}, options: CallOptions = {}): Call<DataOf<'getTable'>> {
    return this.transport.read({ id: 'getTable', verb: 'GET', path: `/api/v1/tables/${this.segment(tableId)}`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * Rename or describe a table.
   *
   * Changes only the sent members. Rows and columns do not change.
   *
   * `PATCH /api/v1/tables/{tableId}`
   */
  update(tableId: string, params: WorkspaceOptional<BodyOf<'updateTable'>> = {}, options: CallOptions = {}): Call<DataOf<'updateTable'>> {
    return this.transport.read({ id: 'updateTable', verb: 'PATCH', path: `/api/v1/tables/${this.segment(tableId)}`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Delete a table with all its rows.
   *
   * Deletes the table with all its rows. Blocks that use it then fail. This cannot be undone.
   *
   * `DELETE /api/v1/tables/{tableId}`
   */
  delete(tableId: string, params: WorkspaceOptional<QueryOf<'deleteTable'>> = {}, options: CallOptions = {}): Call<DataOf<'deleteTable'>> {
    return this.transport.read({ id: 'deleteTable', verb: 'DELETE', path: `/api/v1/tables/${this.segment(tableId)}`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * Make a table of a file.
   *
   * Makes a table with the columns of the file, whose types are those of its first values, and inserts its rows. With mode `all` a refused line leaves no table. With `async` the table is there at once, and stays whatever the import does.
   *
   * `POST /api/v1/tables/import`
   */
  createFromFile(content: Content, params: WorkspaceOptional<QueryOf<'importTable'> & { contentType?: 'text/csv' | 'text/tab-separated-values' | 'text/plain' | 'application/x-ndjson' | 'application/jsonl' | 'application/gzip' | 'application/x-gzip' | 'application/octet-stream' | 'application/vnd.ms-excel' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' | 'application/vnd.oasis.opendocument.spreadsheet' }>, options: CallOptions = {}): Call<DataOf<'importTable'>> {
    return this.transport.read({ id: 'importTable', verb: 'POST', path: `/api/v1/tables/import`, params, queryNames: ['workspaceId', 'delimiter', 'encoding', 'header', 'sheet', 'mapping', 'nulls', 'decimal', 'dateFormat', 'guardFormulas', 'name', 'description', 'mode', 'async'], body: 'content', content, workspaceIn: 'query', idempotent: true, valuePath: ['data'] }, options);
  }

  /**
   * Look at a file before a table is made of it.
   *
   * Says what the file is, how an import would read it and which of its first ten thousand lines it would refuse. It changes nothing. The columns are those that the new table would have.
   *
   * `POST /api/v1/tables/import/preview`
   */
  previewFile(content: Content, params: WorkspaceOptional<QueryOf<'previewTable'> & { contentType?: 'text/csv' | 'text/tab-separated-values' | 'text/plain' | 'application/x-ndjson' | 'application/jsonl' | 'application/gzip' | 'application/x-gzip' | 'application/octet-stream' | 'application/vnd.ms-excel' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' | 'application/vnd.oasis.opendocument.spreadsheet' }> = {}, options: CallOptions = {}): Call<DataOf<'previewTable'>> {
    return this.transport.read({ id: 'previewTable', verb: 'POST', path: `/api/v1/tables/import/preview`, params, queryNames: ['workspaceId', 'delimiter', 'encoding', 'header', 'sheet', 'mapping', 'nulls', 'decimal', 'dateFormat', 'guardFormulas'], body: 'content', content, workspaceIn: 'query', valuePath: ['data'] }, options);
  }
}

/** The calls of `client.tables.columns`. */
export class TablesColumnsResource extends Resource {
  /**
   * Add a column.
   *
   * Adds a column at the end. A default is written to every existing row.
   *
   * `POST /api/v1/tables/{tableId}/columns`
   */
  add(tableId: string, params: WorkspaceOptional<BodyOf<'addColumn'>>, options: CallOptions = {}): Call<DataOf<'addColumn'>> {
    return this.transport.read({ id: 'addColumn', verb: 'POST', path: `/api/v1/tables/${this.segment(tableId)}/columns`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Rename a column, or change its type and its rules.
   *
   * Renames a column, or changes its type or its rules. A change that a row does not fit is refused, and nothing changes.
   *
   * `PATCH /api/v1/tables/{tableId}/columns`
   */
  change(tableId: string, params: WorkspaceOptional<BodyOf<'changeColumn'>>, options: CallOptions = {}): Call<DataOf<'changeColumn'>> {
    return this.transport.read({ id: 'changeColumn', verb: 'PATCH', path: `/api/v1/tables/${this.segment(tableId)}/columns`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Delete a column with its cells.
   *
   * Deletes a column with all its cells. This cannot be undone.
   *
   * `DELETE /api/v1/tables/{tableId}/columns`
   */
  delete(tableId: string, params: WorkspaceOptional<BodyOf<'deleteColumn'>>, options: CallOptions = {}): Call<DataOf<'deleteColumn'>> {
    return this.transport.read({ id: 'deleteColumn', verb: 'DELETE', path: `/api/v1/tables/${this.segment(tableId)}/columns`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }
}

/** The calls of `client.tables.rows`. */
export class TablesRowsResource extends Resource {
  /**
   * Download the rows as a file.
   *
   * Downloads all rows that match as CSV or as lines of JSON.
   *
   * `GET /api/v1/tables/{tableId}/export`
   */
  export(tableId: string, params: WorkspaceOptional<QueryOf<'exportRows'>> = {}, options: CallOptions = {}): Call<Download> {
    return this.transport.download({ id: 'exportRows', verb: 'GET', path: `/api/v1/tables/${this.segment(tableId)}/export`, params, workspaceIn: 'query', accept: 'text/csv, application/x-ndjson' }, options);
  }

  /**
   * Download the rows of a long filter as a file.
   *
   * Downloads the rows like the GET call, for a filter that is too long for an address.
   *
   * `POST /api/v1/tables/{tableId}/export`
   */
  exportQuery(tableId: string, params: WorkspaceOptional<BodyOf<'exportRowsByBody'>> = {}, options: CallOptions = {}): Call<Download> {
    return this.transport.download({ id: 'exportRowsByBody', verb: 'POST', path: `/api/v1/tables/${this.segment(tableId)}/export`, params, body: 'json', workspaceIn: 'body', accept: 'text/csv, application/x-ndjson' }, options);
  }

  /**
   * List rows.
   *
   * Finds rows by conditions on their columns, sorted and by pages, with their exact number. Pass `changeToken` later as `changedSince` to get only the changes.
   *
   * `GET /api/v1/tables/{tableId}/rows`
   */
  list(tableId: string, params: WorkspaceOptional<QueryOf<'listRows'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listRows'>['data']['rows'][number], AnswerOf<'listRows'>> {
    return this.transport.list({ id: 'listRows', verb: 'GET', path: `/api/v1/tables/${this.segment(tableId)}/rows`, params, workspaceIn: 'query', needsWorkspace: true, valuePath: ['data', 'rows'], cursorPath: ['data', 'nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Insert one row or many.
   *
   * Inserts one row as `data`, or up to 1,000 as `rows`: all of them or none.
   *
   * `POST /api/v1/tables/{tableId}/rows`
   */
  insert(tableId: string, params: WorkspaceOptional<BodyOf<'insertRows'>> = {}, options: CallOptions = {}): Call<DataOf<'insertRows'>> {
    return this.transport.read({ id: 'insertRows', verb: 'POST', path: `/api/v1/tables/${this.segment(tableId)}/rows`, params, body: 'json', workspaceIn: 'body', idempotent: true, valuePath: ['data'] }, options);
  }

  /**
   * Change all rows of a filter alike.
   *
   * Changes every row that matches a filter in the same way, 10,000 at most. `all: true` means every row.
   *
   * `PUT /api/v1/tables/{tableId}/rows`
   */
  updateByFilter(tableId: string, params: WorkspaceOptional<BodyOf<'updateRowsByFilter'>>, options: CallOptions = {}): Call<DataOf<'updateRowsByFilter'>> {
    return this.transport.read({ id: 'updateRowsByFilter', verb: 'PUT', path: `/api/v1/tables/${this.segment(tableId)}/rows`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Change rows, each in its own way.
   *
   * Changes up to 1,000 rows, each in its own way: all of them or none. A column that is left out does not change.
   *
   * `PATCH /api/v1/tables/{tableId}/rows`
   */
  updateMany(tableId: string, params: WorkspaceOptional<BodyOf<'updateRows'>>, options: CallOptions = {}): Call<DataOf<'updateRows'>> {
    return this.transport.read({ id: 'updateRows', verb: 'PATCH', path: `/api/v1/tables/${this.segment(tableId)}/rows`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Delete rows by a filter or by their ids.
   *
   * Deletes the rows of a filter or of a list of ids, 10,000 at most. `all: true` means every row.
   *
   * `DELETE /api/v1/tables/{tableId}/rows`
   */
  deleteMany(tableId: string, params: WorkspaceOptional<BodyOf<'deleteRows'>> = {}, options: CallOptions = {}): Call<DataOf<'deleteRows'>> {
    return this.transport.read({ id: 'deleteRows', verb: 'DELETE', path: `/api/v1/tables/${this.segment(tableId)}/rows`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * List rows by a long filter.
   *
   * Lists the rows like the GET call, for a filter that is too long for an address.
   *
   * `POST /api/v1/tables/{tableId}/rows/query`
   */
  query(tableId: string, params: WorkspaceOptional<BodyOf<'queryRows'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'queryRows'>['data']['rows'][number], AnswerOf<'queryRows'>> {
    return this.transport.list({ id: 'queryRows', verb: 'POST', path: `/api/v1/tables/${this.segment(tableId)}/rows/query`, params, body: 'json', workspaceIn: 'body', valuePath: ['data', 'rows'], cursorPath: ['data', 'nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Insert a row, or change the row with its unique value.
   *
   * Changes the row with this value in a unique column, or inserts a row when there is none. It is safe with many callers at once.
   *
   * `POST /api/v1/tables/{tableId}/rows/upsert`
   */
  upsert(tableId: string, params: WorkspaceOptional<BodyOf<'upsertRow'>>, options: CallOptions = {}): Call<DataOf<'upsertRow'>> {
    return this.transport.read({ id: 'upsertRow', verb: 'POST', path: `/api/v1/tables/${this.segment(tableId)}/rows/upsert`, params, body: 'json', workspaceIn: 'body', idempotent: true, valuePath: ['data'] }, options);
  }

  /**
   * Count, add up and compare rows.
   *
   * Counts, adds up, averages and compares the rows of a filter, by groups of up to two columns.
   *
   * `POST /api/v1/tables/{tableId}/rows/aggregate`
   */
  aggregate(tableId: string, params: WorkspaceOptional<BodyOf<'aggregateRows'>>, options: CallOptions = {}): Call<DataOf<'aggregateRows'>> {
    return this.transport.read({ id: 'aggregateRows', verb: 'POST', path: `/api/v1/tables/${this.segment(tableId)}/rows/aggregate`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Read one row.
   *
   * Shows one row. Send its ETag as If-Match with a change: the change is refused when the row has changed since.
   *
   * `GET /api/v1/tables/{tableId}/rows/{rowId}`
   */
  get(tableId: string, rowId: string, params: WorkspaceOptional<QueryOf<'getRow'>> = {}, options: CallOptions = {}): Call<DataOf<'getRow'>> {
    return this.transport.read({ id: 'getRow', verb: 'GET', path: `/api/v1/tables/${this.segment(tableId)}/rows/${this.segment(rowId)}`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * Change one row.
   *
   * Changes only the sent columns. null empties a cell.
   *
   * `PATCH /api/v1/tables/{tableId}/rows/{rowId}`
   */
  update(tableId: string, rowId: string, params: WorkspaceOptional<BodyOf<'updateRow'>>, options: CallOptions = {}): Call<DataOf<'updateRow'>> {
    return this.transport.read({ id: 'updateRow', verb: 'PATCH', path: `/api/v1/tables/${this.segment(tableId)}/rows/${this.segment(rowId)}`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Delete one row.
   *
   * Deletes one row. With If-Match it is refused when the row has changed since.
   *
   * `DELETE /api/v1/tables/{tableId}/rows/{rowId}`
   */
  delete(tableId: string, rowId: string, params: WorkspaceOptional<BodyOf<'deleteRow'>> = {}, options: CallOptions = {}): Call<DataOf<'deleteRow'>> {
    return this.transport.read({ id: 'deleteRow', verb: 'DELETE', path: `/api/v1/tables/${this.segment(tableId)}/rows/${this.segment(rowId)}`, params, body: 'json', workspaceIn: 'body', needsWorkspace: true, valuePath: ['data'] }, options);
  }
}

/** The calls of `client.tables.imports`. */
export class TablesImportsResource extends Resource {
  /**
   * Insert the rows of a file.
   *
   * Inserts the rows of a CSV with any delimiter, a JSON list, lines of JSON, or a sheet of a workbook (XLSX, XLS, ODS), also packed with gzip. Mode `all` inserts every row or none. Mode `good` inserts the rows that fit, and the report names each refused line. Files above 16 MiB need `async=true`.
   *
   * `POST /api/v1/tables/{tableId}/import`
   */
  create(tableId: string, content: Content, params: WorkspaceOptional<QueryOf<'importRows'> & { contentType?: 'text/csv' | 'text/tab-separated-values' | 'text/plain' | 'application/x-ndjson' | 'application/jsonl' | 'application/gzip' | 'application/x-gzip' | 'application/octet-stream' | 'application/vnd.ms-excel' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' | 'application/vnd.oasis.opendocument.spreadsheet' }> = {}, options: CallOptions = {}): Call<DataOf<'importRows'>> {
    return this.transport.read({ id: 'importRows', verb: 'POST', path: `/api/v1/tables/${this.segment(tableId)}/import`, params, queryNames: ['workspaceId', 'delimiter', 'encoding', 'header', 'sheet', 'mapping', 'nulls', 'decimal', 'dateFormat', 'guardFormulas', 'createColumns', 'mode', 'async'], body: 'content', content, workspaceIn: 'query', idempotent: true, valuePath: ['data'] }, options);
  }

  /**
   * Look at a file before its rows are inserted.
   *
   * Says what the file is, how an import would read it and which of its first ten thousand lines it would refuse. It changes nothing.
   *
   * `POST /api/v1/tables/{tableId}/import/preview`
   */
  preview(tableId: string, content: Content, params: WorkspaceOptional<QueryOf<'previewImport'> & { contentType?: 'text/csv' | 'text/tab-separated-values' | 'text/plain' | 'application/x-ndjson' | 'application/jsonl' | 'application/gzip' | 'application/x-gzip' | 'application/octet-stream' | 'application/vnd.ms-excel' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' | 'application/vnd.oasis.opendocument.spreadsheet' }> = {}, options: CallOptions = {}): Call<DataOf<'previewImport'>> {
    return this.transport.read({ id: 'previewImport', verb: 'POST', path: `/api/v1/tables/${this.segment(tableId)}/import/preview`, params, queryNames: ['workspaceId', 'delimiter', 'encoding', 'header', 'sheet', 'mapping', 'nulls', 'decimal', 'dateFormat', 'guardFormulas', 'createColumns'], body: 'content', content, workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * List the imports of a table.
   *
   * Lists the asynchronous imports that are open, or ended in the last 30 days.
   *
   * `GET /api/v1/tables/{tableId}/imports`
   */
  list(tableId: string, params: WorkspaceOptional<QueryOf<'listImports'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listImports'>['data']['imports'][number], AnswerOf<'listImports'>> {
    return this.transport.list({ id: 'listImports', verb: 'GET', path: `/api/v1/tables/${this.segment(tableId)}/imports`, params, workspaceIn: 'query', valuePath: ['data', 'imports'], cursorPath: ['data', 'nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Read the progress of an import, or wait for its end.
   *
   * Shows the progress of an import. With `wait` the answer comes when it has ended, or after this number of seconds.
   *
   * `GET /api/v1/tables/{tableId}/imports/{importId}`
   */
  get(tableId: string, importId: string, params: WorkspaceOptional<QueryOf<'getImport'>> = {}, options: CallOptions = {}): Call<DataOf<'getImport'>> {
    return this.transport.read({ id: 'getImport', verb: 'GET', path: `/api/v1/tables/${this.segment(tableId)}/imports/${this.segment(importId)}`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }

  /**
   * End an import.
   *
   * Ends an import that has not ended. In mode `all` no row of it stays. In mode `good` the committed rows stay.
   *
   * `POST /api/v1/tables/{tableId}/imports/{importId}/cancel`
   */
  cancel(tableId: string, importId: string, params: WorkspaceOptional<QueryOf<'cancelImport'>> = {}, options: CallOptions = {}): Call<DataOf<'cancelImport'>> {
    return this.transport.read({ id: 'cancelImport', verb: 'POST', path: `/api/v1/tables/${this.segment(tableId)}/imports/${this.segment(importId)}/cancel`, params, workspaceIn: 'query', valuePath: ['data'] }, options);
  }
}
