import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import initSqlJs from 'sql.js';
import { freePort } from './ports.ts';
import { startTemporal, stopTemporal } from './temporal.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-runs-'));
  file = join(folder, 'runs.db');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function startAndStop(): Promise<void> {
  const log = join(folder, 'log');
  const { child } = await startTemporal({ file, port: await freePort(), namespace: 'default', log });
  await stopTemporal(child.pid ?? 0);
}

test('the file of a new Temporal has small pages, and an index only for what is searched by', async () => {
  await startAndStop();
  const bytes = readFileSync(file);
  // It has a log beside it, which sql.js knows nothing of; these two bytes say so.
  bytes.fill(1, 18, 20);
  const { Database } = await initSqlJs();
  const runs = new Database(bytes);
  const [indexes] = runs.exec(
    "select name from sqlite_master where type = 'index' and name like 'by%' order by name",
  );
  expect(runs.exec('pragma page_size')[0]?.values).toEqual([[1024]]);
  expect(indexes?.values.flat()).toEqual([
    'by_keyword_01',
    'by_keyword_02',
    'by_keyword_03',
    'by_keyword_04',
    'by_keyword_05',
    'by_status',
    'by_workflow_id',
  ]);
  runs.close();
});

test('what a killed start has left does not stop the next one', async () => {
  writeFileSync(`${file}.new`, 'half a file');
  writeFileSync(`${file}.new-journal`, 'half a journal');
  await startAndStop();
  expect([existsSync(file), existsSync(`${file}.new`)]).toEqual([true, false]);
});
