import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import initSqlJs from 'sql.js';
import { soon } from '#libs/platform/settings/support/soon';
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

test('the file of a new Temporal has small pages, and an index only for selective columns', async () => {
  await startAndStop();
  const bytes = readFileSync(file);
  // It has a log beside it, which sql.js knows nothing of; these two bytes say so.
  bytes.fill(1, 18, 20);
  const { Database } = await initSqlJs();
  const runs = new Database(bytes);
  const [indexes] = runs.exec(
    "select name from sqlite_master where type = 'index' and name like 'by%' order by name",
  );
  expect(runs.exec('pragma page_size')[0]?.values).toEqual([[512]]);
  const names = indexes?.values.flat() ?? [];
  expect(names).toEqual([
    expect.stringMatching(/^by_keyword_\d\d$/),
    expect.stringMatching(/^by_keyword_\d\d$/),
    'by_status',
    'by_workflow_id',
  ]);
  runs.close();
});

test('runs are found by every attribute, also by words, which few runs have', async () => {
  const log = join(folder, 'log');
  const { child, address } = await startTemporal({ file, port: await freePort(), namespace: 'default', log });
  const connection = await Connection.connect({ address });
  const client = new Client({ connection });
  await connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: { Words: 7 },
  });
  const start = (workflowId: string, more: SearchAttributePair[]) =>
    client.workflow.start('any', {
      workflowId,
      taskQueue: 'none',
      typedSearchAttributes: [
        { key: defineSearchAttributeKey('HoldfastWorkflow', 'KEYWORD'), value: `of ${workflowId}` },
        { key: defineSearchAttributeKey('HoldfastWorkspace', 'KEYWORD'), value: `with ${workflowId}` },
        ...more,
      ],
    });
  const words = { key: defineSearchAttributeKey('Words', 'KEYWORD_LIST'), value: ['red', 'blue'] };
  const found = async (query: string) => {
    const ids: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
    return ids;
  };
  const state = defineSearchAttributeKey('HoldfastState', 'KEYWORD');
  await soon(() =>
    start('first', [words]).then(
      () => true,
      () => false,
    ),
  );
  const second = await start('second', [{ key: state, value: 'paused' }]);
  await second.terminate();
  await soon(async () => (await found("ExecutionStatus = 'Terminated'")).length === 1);
  const queries = [
    "Words = 'red'",
    "Words = 'green'",
    "HoldfastState = 'paused'",
    "HoldfastWorkspace = 'with first'",
  ];
  expect(await Promise.all([...queries, "HoldfastWorkflow = 'of second'"].map(found))).toEqual([
    ['first'],
    [],
    ['second'],
    ['first'],
    ['second'],
  ]);
  await connection.close();
  await stopTemporal(child.pid ?? 0);
});

test('the leftovers of a killed start do not stop the next start', async () => {
  writeFileSync(`${file}.new`, 'half a file');
  writeFileSync(`${file}.new-journal`, 'half a journal');
  await startAndStop();
  expect([existsSync(file), existsSync(`${file}.new`)]).toEqual([true, false]);
});
