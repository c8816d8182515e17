import { createWriteStream, openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { UploadProgress } from '#libs/sdk/src/holdfast';
import { Exit, exitCodes, UsageError } from '../exit.ts';
import { parseValue, readText, wholeNumber } from '../inputs.ts';
import { parseObject } from '../json-object.ts';
import { findTable } from '../lookups.ts';
import type { Session } from '../session.ts';
import { formatTable, safeText } from '../terminal.ts';
import { type CommandContext, type Options, withSession } from './context.ts';
import { examples } from './session-commands.ts';

/** Commands for tables: list, create, query, import, export. */
export function addTableCommands(program: Command, context: CommandContext): void {
  const tables = program.command('tables').description('Tables and their rows');
  tables
    .command('list', { isDefault: true })
    .description('List the tables')
    .action(withSession(context, listTables));
  tables
    .command('create <file>')
    .description('Create a table of a JSON file with its name and its schema')
    .addHelpText('after', examples('holdfast tables create leads.table.json'))
    .action(withSession(context, createTable));
  tables
    .command('query <table>')
    .description('Show rows')
    .option('--filter <json>', 'which rows, as {"amount":{"$gt":5}}')
    .option('--sort <json>', 'in which order, as {"amount":"desc"}')
    .option('--limit <n>', 'how many', wholeNumber(), 100)
    .addHelpText('after', examples(`holdfast tables query leads --filter '{"score":{"$gte":8}}' --json`))
    .action(withSession(context, queryRows));
  tables
    .command('import <table> <file>')
    .description('Import a CSV or NDJSON file; rows that do not fit are named')
    .option('--mode <mode>', 'all: nothing is written when a row does not fit; good: those that fit are')
    .addHelpText(
      'after',
      examples(
        'holdfast tables import leads leads.csv',
        'holdfast tables import leads leads.jsonl --mode good',
      ),
    )
    .action(withSession(context, importRows));
  tables
    .command('export <table>')
    .description('Export the rows as CSV or NDJSON, to standard output or to a file')
    .option('-o, --output <file>', 'write to this file')
    .option('--format <format>', 'csv or jsonl', 'csv')
    .option('--filter <json>', 'which rows')
    .action(withSession(context, exportRows));
}

async function listTables(session: Session): Promise<void> {
  const tables = await session.client.tables.list({ workspaceId: await session.workspaceId() }).toArray();
  session.show(tables, () =>
    formatTable(
      session.terminal,
      ['TABLE', 'NAME', 'ROWS', 'COLUMNS'],
      tables.map(({ id, name, rowCount, schema }) => [
        id,
        name,
        rowCount,
        schema.columns.map((column) => column.name).join(', '),
      ]),
    ),
  );
}

async function createTable(session: Session, _options: Options, file = ''): Promise<void> {
  const { name, schema } = parseObject(await readText(file), file);
  const workspaceId = await session.workspaceId();
  // The API checks the content of the file, and names its faults.
  const body = { workspaceId, name, schema } as Parameters<typeof session.client.tables.create>[0];
  const { table } = await session.client.tables.create(body);
  session.done(table, `${table.name} is created as ${table.id}.`);
}

async function queryRows(session: Session, options: Options, name = ''): Promise<void> {
  const { filter, sort, limit } = options as { filter?: string; sort?: string; limit: number };
  const workspaceId = await session.workspaceId();
  const { id } = await findTable(session, workspaceId, name);
  const where = { filter: objectOf('--filter', filter), sort: objectOf('--sort', sort) };
  const rows = await session.client.tables.rows
    .query(id, { workspaceId, ...where, limit: Math.min(limit, 1000) })
    .toArray(limit);
  session.show(rows, () => {
    const columns = [...new Set(rows.flatMap(({ data }) => Object.keys(data)))];
    return formatTable(
      session.terminal,
      ['ROW', ...columns],
      rows.map(({ id: row, data }) => [row, ...columns.map((column) => cellOf(data[column]))]),
    );
  });
}

const cellOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

function objectOf(option: string, text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  const value = parseValue(text);
  if (typeof value !== 'object' || value === null)
    throw new UsageError(`${option} must be a JSON object, and is ${text}.`);
  return value as Record<string, unknown>;
}

async function importRows(session: Session, options: Options, name = '', file = ''): Promise<void> {
  const { client } = session;
  const mode = options['mode'] as 'all' | 'good' | undefined;
  const workspaceId = await session.workspaceId();
  const { id } = await findTable(session, workspaceId, name);
  const content = await openAsBlob(file).catch(() => {
    throw new UsageError(`${file} cannot be read.`);
  });
  const contentType = /\.(jsonl|ndjson)$/.test(file)
    ? ('application/x-ndjson' as const)
    : ('text/csv' as const);
  const begun = await client.tables.imports.create(
    id,
    content,
    { workspaceId, contentType, async: true, ...(mode ? { mode } : {}) },
    {
      onUploadProgress: (progress) => session.terminal.progress(uploadText(file, progress)),
      timeout: 600_000,
    },
  );
  if (!('import' in begun)) throw new Error('The import was not made a job.');
  const result = await waitForImport(session, workspaceId, id, begun.import.id);
  session.terminal.progress('');
  const { insertedCount, refusedCount, refused } = result;
  const lines = refused.map((one) => `  ${JSON.stringify(one)}\n`);
  session.show(result, () =>
    safeText(
      `${insertedCount} ${insertedCount === 1 ? 'row' : 'rows'} imported, ${refusedCount} refused.\n${lines.join('')}`,
    ),
  );
  if (refusedCount > 0) throw new Exit(exitCodes.failed);
}

async function waitForImport(session: Session, workspaceId: string, tableId: string, importId: string) {
  for (;;) {
    const { import: job } = await session.client.tables.imports.get(tableId, importId, {
      workspaceId,
      wait: 20,
    });
    if (job.status === 'completed') return job;
    if (job.status === 'failed' || job.status === 'cancelled')
      throw new Error(`The import is ${job.status}: ${job.error ?? 'nothing was written'}`);
    session.terminal.progress(`${job.insertedCount} rows imported`);
  }
}

/** A bar of twenty places where the length is known. */
export function uploadText(name: string, { sentBytes, totalBytes }: UploadProgress): string {
  if (!totalBytes) return `${name}: ${sentBytes} bytes sent`;
  const done = Math.round((20 * sentBytes) / totalBytes);
  return `${name} [${'#'.repeat(done)}${' '.repeat(20 - done)}] ${Math.round((100 * sentBytes) / totalBytes)} %`;
}

async function exportRows(session: Session, options: Options, name = ''): Promise<void> {
  const { output, format, filter } = options as { output?: string; format: 'csv' | 'jsonl'; filter?: string };
  if (format !== 'csv' && format !== 'jsonl') throw new UsageError('--format must be csv or jsonl.');
  const workspaceId = await session.workspaceId();
  const { id } = await findTable(session, workspaceId, name);
  const download = await session.client.tables.rows.exportQuery(id, {
    workspaceId,
    format,
    filter: objectOf('--filter', filter),
  });
  const source = Readable.fromWeb(download.stream as Parameters<typeof Readable.fromWeb>[0]);
  if (output === undefined) {
    for await (const chunk of source) session.terminal.out(Buffer.from(chunk).toString('utf8'));
    return;
  }
  await pipeline(source, createWriteStream(output));
  session.done({ output }, `${name} is exported to ${output}.`);
}
