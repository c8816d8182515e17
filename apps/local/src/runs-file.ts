import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Database } from 'sql.js';

/**
 * SQLite page size in bytes. Small pages write less, because most transactions change one entry in many indexes.
 */
const pageBytes = 512;

/**
 * The columns with their own index, beside the lists by time: the columns that the UI and its links search by, and the
 * two attributes that select few runs.
 */
const kept = ['by_workflow_id', 'by_status'];
const indexed = ['HoldfastWorkflow', 'HoldfastState'];

/**
 * Makes the file of a Temporal server with SQLite, empty, unless it is there. `create` has the server itself make one at the path that it is given.
 *
 * Temporal has an index for each search attribute that there might ever be, 57 in all, and writes into each of them at the start and
 * at the end of every run: 1,380 kB to the disk a run (measured). Without those that nobody searches by, with none for words that a run
 * does not have, and with small pages, it is 70 kB. The backlog of ended runs of `npm run bench -- execute` is shown in 40 to 49 s, and
 * without this in 61 to more than 300 s.
 */
export async function ensureRunsFile(file: string, create: (path: string) => Promise<void>): Promise<void> {
  if (existsSync(file)) return;
  const path = `${file}.new`;
  // Left by a start that was killed.
  for (const old of [path, `${path}-journal`]) rmSync(old, { force: true });
  await create(path);
  if (existsSync(`${path}-journal`))
    throw new Error('Temporal was killed while it made its file. Start again.');
  // The image of the containers has no SQLite, and makes no such file.
  const { default: initSqlJs } = await import('sql.js');
  const { Database } = await initSqlJs();
  const made = new Database(readFileSync(path));
  thin(made);
  writeFileSync(path, made.export());
  made.close();
  renameSync(path, file);
}

function thin(made: Database): void {
  const columns = columnsOf(made, indexed);
  for (const column of columns) indexBy(made, column);
  const all = [...kept, ...columns.map(indexOf)];
  for (const name of namesOf(made, 'index', 'by\\_%'))
    if (!all.includes(name)) made.run(`drop index "${name}"`);
  for (const name of namesOf(made, 'trigger', '%')) quieten(made, name);
  made.run(`pragma page_size = ${pageBytes}; vacuum`);
}

function namesOf(made: Database, type: 'index' | 'trigger', like: string): string[] {
  const [found] = made.exec(
    `select name from sqlite_master where type = '${type}' and tbl_name = 'executions_visibility' and name like '${like}' escape '\\'`,
  );
  return (found?.values ?? []).map(([name]) => String(name));
}

/** Temporal gives each attribute any free column of its type, and keeps which one in its namespaces, as protobuf text after text. */
function columnsOf(made: Database, attributes: string[]): string[] {
  const [found] = made.exec('select data from namespaces');
  const text = (found?.values ?? [])
    .map(([data]) => Buffer.from(data as Uint8Array).toString('latin1'))
    .join('\n');
  const named = [...text.matchAll(/(Keyword\d\d).(.)/gs)].map(
    ({ 0: all, 1: column = '', 2: length = '', index }) => ({
      column,
      name: text.slice(index + all.length).slice(0, length.charCodeAt(0)),
    }),
  );
  return named.filter(({ name }) => attributes.includes(name)).map(({ column }) => column);
}

/** For example `by_keyword_07` for `Keyword07`. */
const indexOf = (column: string) => `by_keyword_${column.slice(-2)}`;

/** Without a place for the runs that have no value. */
function indexBy(made: Database, column: string): void {
  const name = indexOf(column);
  const sql = sqlOf(made, name);
  made.run(`drop index "${name}"; ${sql} where ${column} is not null`);
}

function sqlOf(made: Database, name: string): string {
  const [found] = made.exec(`select sql from sqlite_master where name = '${name}'`);
  return String(found?.values[0]?.[0]);
}

/** Temporal adds each run to two indexes of words, also a run without words. Now only runs with words are added. */
function quieten(made: Database, trigger: string): void {
  const sql = sqlOf(made, trigger).replaceAll(/VALUES \(([^()]*)\)/g, (_, values: string) => {
    const words = values.split(',').filter((value) => /(NEW|OLD)\.(?!rowid)/.test(value));
    return `SELECT ${values} WHERE coalesce(${words.join()}) IS NOT NULL`;
  });
  made.run(`drop trigger "${trigger}"; ${sql}`);
}
