import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import initSqlJs, { type Database } from 'sql.js';

/**
 * Bytes of a page. A transaction writes each page that it touches as a whole, and again into the file at a checkpoint; most touch one
 * entry in each of many indexes.
 */
const pageBytes = 1024;

/** The indexes of what the product and its operators search runs by. */
const keywords = [1, 2, 3, 4, 5].map((n) => `by_keyword_0${n}`);
const kept = ['by_workflow_id', 'by_status', ...keywords];

/**
 * Makes the file of a Temporal server with SQLite, empty, unless it is there. `create` has the server itself make one at the path that it is given.
 *
 * Temporal has an index for each search attribute that there might ever be, 57 in all, and writes into each of them at the start and
 * at the end of every run: 1,380 kB to the disk a run (measured). Without those that nobody searches by, and with small pages, it is 110 kB, and the server takes two to three times
 * as many starts a second.
 */
export async function ensureRunsFile(file: string, create: (path: string) => Promise<void>): Promise<void> {
  if (existsSync(file)) return;
  const path = `${file}.new`;
  // Left by a start that was killed.
  for (const old of [path, `${path}-journal`]) rmSync(old, { force: true });
  await create(path);
  if (existsSync(`${path}-journal`))
    throw new Error('Temporal was killed while it made its file. Start again.');
  const { Database } = await initSqlJs();
  const made = new Database(readFileSync(path));
  thin(made);
  writeFileSync(path, made.export());
  made.close();
  renameSync(path, file);
}

function thin(made: Database): void {
  const [indexes] = made.exec(
    `select name from sqlite_master where type = 'index' and tbl_name = 'executions_visibility' and name like 'by\\_%' escape '\\'`,
  );
  for (const [name] of indexes?.values ?? [])
    if (!kept.includes(String(name))) made.run(`drop index "${String(name)}"`);
  made.run(`pragma page_size = ${pageBytes}; vacuum`);
}
