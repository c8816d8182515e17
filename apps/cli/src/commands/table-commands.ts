import { openAsBlob } from 'node:fs';
import type { Command } from 'commander';
import { ApiError, type CallOptions, type Schemas, type UploadProgress } from '#libs/sdk/src/holdfast';
import { Exit, exitCodes, UsageError } from '../exit.ts';
import { parseValue, readText, wholeNumber } from '../inputs.ts';
import { parseObject } from '../json-object.ts';
import { findTable } from '../lookups.ts';
import type { CommandSession } from '../session.ts';
import { formatTable, safeText } from '../terminal.ts';
import { type CommandContext, type CommandOptions, withSession } from './context.ts';
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
    .description('Import a CSV, JSON or workbook file; rows that do not fit are named')
    .option('--new', 'make the table, with the columns of the file')
    .option('--preview', 'change nothing: say how the file would be read, and which lines would be refused')
    .option('--mode <mode>', 'all: nothing is written when a row does not fit; good: those that fit are')
    .option('--mapping <json>', 'columns by their names in the file, as {"E-Mail":"email","Note":null}')
    .option('--create-columns', 'add the columns that the table does not have')
    .option('--delimiter <sign>', 'the sign between two values: a character, or comma, semicolon, tab, pipe')
    .option('--encoding <name>', 'the encoding, such as windows-1252')
    .option('--header <line>', 'the line of the header; false: there is none')
    .option('--sheet <name>', 'the sheet of a workbook')
    .option('--nulls <word>', 'what an empty cell becomes: null or default')
    .option('--decimal <sign>', 'the decimal sign of numbers: . or ,')
    .option('--date-format <form>', 'the form of dates, such as DD.MM.YYYY')
    .option('--no-guard-formulas', 'keep the quote before a text such as +49')
    .addHelpText(
      'after',
      examples(
        'holdfast tables import leads leads.csv --preview',
        'holdfast tables import leads leads.jsonl --mode good',
        'holdfast tables import prices prices.xlsx --new --sheet 2026',
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

async function listTables(session: CommandSession): Promise<void> {
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

async function createTable(session: CommandSession, _options: CommandOptions, file = ''): Promise<void> {
  const { name, schema } = parseObject(await readText(file), file);
  const workspaceId = await session.workspaceId();
  // The API checks the content of the file, and names its faults.
  const body = { workspaceId, name, schema } as Parameters<typeof session.client.tables.create>[0];
  const { table } = await session.client.tables.create(body);
  session.done(table, `${table.name} is created as ${table.id}.`);
}

async function queryRows(session: CommandSession, options: CommandOptions, name = ''): Promise<void> {
  const { filter, sort, limit } = options as { filter?: string; sort?: string; limit: number };
  const workspaceId = await session.workspaceId();
  const { id } = await findTable(session, workspaceId, name);
  const where = { filter: readObject('--filter', filter), sort: readObject('--sort', sort) };
  const rows = await session.client.tables.rows
    .query(id, { workspaceId, ...where, limit: Math.min(limit, 1000) })
    .toArray(limit);
  session.show(rows, () => {
    const columns = [...new Set(rows.flatMap(({ data }) => Object.keys(data)))];
    return formatTable(
      session.terminal,
      ['ROW', ...columns],
      rows.map(({ id: row, data }) => [row, ...columns.map((column) => formatCell(data[column]))]),
    );
  });
}

const formatCell = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

function readObject(option: string, text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  const value = parseValue(text);
  if (typeof value !== 'object' || value === null)
    throw new UsageError(`${option} must be a JSON object, and is ${text}.`);
  return value as Record<string, unknown>;
}

type ShownImport = Schemas['ImportJobView'];
type ShownPreview = Schemas['ImportPreviewView'];
type ImportCalls = CommandSession['client']['tables']['imports'];

const readOptions = [
  'mapping',
  'createColumns',
  'delimiter',
  'encoding',
  'header',
  'sheet',
  'nulls',
  'decimal',
  'dateFormat',
  'guardFormulas',
  'mode',
];

async function importRows(
  session: CommandSession,
  options: CommandOptions,
  name = '',
  file = '',
): Promise<void> {
  const workspaceId = await session.workspaceId();
  const content = await openAsBlob(file).catch(() => {
    throw new UsageError(`${file} cannot be read.`);
  });
  const given = readOptions.flatMap((option) =>
    options[option] === undefined ? [] : [[option, options[option]]],
  );
  // The API checks the values, and names the options that are wrong.
  const wish = { ...(Object.fromEntries(given) as object), workspaceId, contentType: getContentType(file) };
  const { imports, ...tables } = tableCalls(session, name, options['new'] === true);
  if (options['preview']) return showPreview(session, await tables.preview(content, wish));
  const begun = await tables
    .begin(
      content,
      // In one call, a new table and its rows are made together, or not at all.
      { ...wish, async: options['new'] !== true || content.size > inCallBytesMax },
      {
        onUploadProgress: (progress) => session.terminal.progress(uploadText(file, progress)),
        timeout: 600_000,
      },
    )
    .catch((error: unknown) => {
      session.terminal.progress('');
      throw error instanceof ApiError ? withLines(error, session) : error;
    });
  if (!('import' in begun)) return showImport(session, { ...begun, status: 'completed', error: null });
  const { id, tableId } = begun.import;
  showImport(session, await waitForImport(session, { workspaceId, tableId, imports }, id));
}

/** The maximum number of bytes of a file that a call imports before it answers. */
const inCallBytesMax = 16 * 1024 * 1024;

/** Shows the refused lines of a file that was refused as a whole, and returns the error. */
function withLines(error: ApiError, { terminal }: CommandSession): ApiError {
  for (const { path, message } of error.details ?? [])
    if (path.startsWith('line ')) terminal.err(safeText(`  ${path}: ${message}\n`));
  return error;
}

type CallParams = Record<string, unknown> & { workspaceId: string };

/** The calls for a file: into a table that exists, or into a new one. */
function tableCalls(session: CommandSession, name: string, isNew: boolean) {
  const { tables } = session.client;
  const { imports } = tables;
  const found = async ({ workspaceId }: CallParams) => (await findTable(session, workspaceId, name)).id;
  return {
    imports,
    preview: async (content: Blob, wish: CallParams) =>
      isNew ? tables.previewFile(content, wish) : imports.preview(await found(wish), content, wish),
    begin: async (content: Blob, wish: CallParams, call: CallOptions) =>
      isNew
        ? tables.createFromFile(content, { ...wish, name }, call)
        : imports.create(await found(wish), content, wish, call),
  };
}

function getContentType(file: string) {
  if (/\.(jsonl|ndjson|json)$/i.test(file)) return 'application/x-ndjson' as const;
  return /\.(csv|tsv|tab)$/i.test(file) ? ('text/csv' as const) : ('application/octet-stream' as const);
}

function showPreview(session: CommandSession, preview: ShownPreview): void {
  const { taken, columns, checkedCount, refusedCount, refused } = preview;
  const found = Object.entries(taken).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [`${name} ${JSON.stringify(value)}`] : [],
  );
  session.show(
    preview,
    () =>
      `${safeText(`${found.join(', ')}\n`)}${formatTable(
        session.terminal,
        ['IN THE FILE', 'TYPE', 'COLUMN', 'SAMPLES'],
        columns.map(({ name, type, column, samples, stored }) => {
          const shown = samples.map((text, at) =>
            stored[at] === text ? text : `${text} → ${stored[at] ?? ''}`,
          );
          return [name, type, column ?? '-', shown.join(', ')];
        }),
      )}${safeText(`${checkedCount} lines tried, ${refusedCount} would be refused.\n${formatLines(refused)}`)}`,
  );
}

/** Shows the end of an import. A failed import, and one with refused lines, ends the command with an error. */
function showImport(session: CommandSession, job: Ended): void {
  session.terminal.progress('');
  const { status, error, insertedCount, refusedCount, refused } = job;
  const said =
    status === 'completed'
      ? `${insertedCount} ${insertedCount === 1 ? 'row' : 'rows'} imported, ${refusedCount} refused.`
      : `The import is ${status}: ${error ?? 'nothing was written'}`;
  session.show(job, () => safeText(`${said}\n${formatLines(refused)}`));
  if (refusedCount > 0 || status !== 'completed') throw new Exit(exitCodes.failed);
}

type Ended = Pick<ShownImport, 'status' | 'error' | 'insertedCount' | 'refusedCount' | 'refused'>;

const formatLines = (refused: ShownImport['refused']) =>
  refused.map(({ line, message }) => `  line ${line}: ${message}\n`).join('');

async function waitForImport(
  session: CommandSession,
  { workspaceId, tableId, imports }: { workspaceId: string; tableId: string; imports: ImportCalls },
  importId: string,
): Promise<ShownImport> {
  for (;;) {
    const { import: job } = await imports.get(tableId, importId, { workspaceId, wait: 20 });
    if (job.status !== 'pending' && job.status !== 'processing') return job;
    session.terminal.progress(`${job.insertedCount} rows imported`);
  }
}

/** A bar of twenty places where the length is known. */
export function uploadText(name: string, { sentBytes, totalBytes }: UploadProgress): string {
  if (!totalBytes) return `${name}: ${sentBytes} bytes sent`;
  const done = Math.round((20 * sentBytes) / totalBytes);
  return `${name} [${'#'.repeat(done)}${' '.repeat(20 - done)}] ${Math.round((100 * sentBytes) / totalBytes)} %`;
}

async function exportRows(session: CommandSession, options: CommandOptions, name = ''): Promise<void> {
  const { output, format, filter } = options as { output?: string; format: 'csv' | 'jsonl'; filter?: string };
  if (format !== 'csv' && format !== 'jsonl') throw new UsageError('--format must be csv or jsonl.');
  const workspaceId = await session.workspaceId();
  const { id } = await findTable(session, workspaceId, name);
  const download = await session.client.tables.rows.exportQuery(id, {
    workspaceId,
    format,
    filter: readObject('--filter', filter),
  });
  await session.saveDownload(download, output, name);
}
