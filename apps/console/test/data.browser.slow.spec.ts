import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { utils, write } from '@e965/xlsx';
import type { Browser, Page } from 'playwright-core';
import { findObstacles, startBrowser } from '../../api/test/support/browser.ts';
import { block, line } from '../../api/test/support/graphs.ts';
import { Knowledge } from '../../api/test/support/knowledge.ts';
import { Stack } from '../../api/test/support/stack.ts';
import { looks, rulesOf, Visitors } from './support/visits.ts';

const hostile = `<img src=x onerror="alert(1)">`;
const rowCount = 10_000;

/** Forty chapters. One is about the pump. */
const manual = Array.from({ length: 40 }, (_, n) =>
  n === 29
    ? `# Pumps\n\nThe pump P-100 is started by the green button. ${hostile} ${'It needs water before. '.repeat(20)}`
    : `# Chapter ${n}\n\n${`Sentence of chapter ${n} on valves. `.repeat(20)}`,
).join('\n\n');

let stack: Stack;
let browser: Browser;
let visitors: Visitors;
let viewers: Visitors;
let folder: string;
let ids: { large: string; base: string; manual: string };
const knowledge = new Knowledge(() => stack);
beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.shared(), startBrowser()]);
  [visitors, viewers] = await Promise.all([
    Visitors.signIn(stack, browser),
    Visitors.signIn(stack, browser, 'viewer'),
  ]);
  folder = mkdtempSync(join(tmpdir(), 'holdfast-data-'));
  const { base, document } = await knowledge.givenText('manual.md', manual, {
    name: 'manuals',
    chunkingConfig: { maxSize: 100, minSize: 1, overlap: 0 },
  });
  await stack.call('PUT', `/api/v1/knowledge/${base}/tags`, { tags: [{ name: 'language', type: 'text' }] });
  ids = { large: await givenTable('ledger'), base, manual: document };
  for (let begin = 0; begin < rowCount; begin += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, n) => ({
      email: begin + n === 0 ? hostile : `person${begin + n}@example.org`,
      score: begin + n,
    }));
    await stack.post(`/api/v1/tables/${ids.large}/rows`, { rows });
  }
});
afterEach(async () => {
  await visitors.leave();
  await viewers.leave();
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

const at = (path: string) => `/w/${stack.home.id}${path}`;

async function givenTable(name: string, rows: object[] = []): Promise<string> {
  const columns = [
    { name: 'email', type: 'string', required: true, unique: true },
    { name: 'score', type: 'number' },
    { name: 'stage', type: 'string', default: 'new' },
  ];
  const { body } = await stack.post('/api/v1/tables', { name, schema: { columns } });
  const { id } = body.data.table;
  if (rows.length > 0) await stack.post(`/api/v1/tables/${id}/rows`, { rows });
  return id as string;
}

async function rowsOf(table: string): Promise<{ id: string; data: Record<string, unknown> }[]> {
  const { body } = await stack.get(`/api/v1/tables/${table}/rows?workspaceId=${stack.home.id}`);
  return body.data.rows;
}

const file = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const cellAt = (page: Page, text: string) => page.getByRole('gridcell', { name: text, exact: true });

async function expectNoObstacles(look: (typeof looks)[number][1], pages: (readonly [string, string])[]) {
  const { page, faults } = await visitors.open(at(''), look);
  for (const [path, shows] of pages) {
    await page.goto(`${stack.url}/console${at(path)}`);
    await page.getByText(shows).locator('visible=true').first().waitFor();
    expect([path, await findObstacles(page, rulesOf(look))]).toEqual([path, []]);
  }
  expect(faults).toEqual([]);
}

describe('a table', () => {
  test.each(looks)('a table is accessible to everybody %s', async (_, look) => {
    await expectNoObstacles(look, [
      ['/tables', 'ledger'],
      ['/tables?new=1', 'Add another column'],
      ['/tables?new=file', 'Drop a file here'],
      [`/tables/${ids.large}`, 'person1@example.org'],
      [`/tables/${ids.large}?where=[["score","$gte","5"]]&sort=-score`, 'person9999@example.org'],
      [`/tables/${ids.large}?row=new`, 'An empty field takes'],
      [`/tables/${ids.large}?tab=columns`, 'default new'],
      [`/tables/${ids.large}?tab=imports`, 'Nothing was imported'],
      [`/tables/${ids.large}?tab=settings`, 'Delete table'],
    ]);
  });

  test('a table draws only the visible rows of ten thousand, and reaches the last by one key', async () => {
    const { page } = await visitors.open(at(`/tables/${ids.large}`));
    await cellAt(page, 'person1@example.org').waitFor();
    const grid = page.getByRole('grid');
    expect(await grid.getAttribute('aria-rowcount')).toBe(String(rowCount + 1));
    await grid.focus();
    await page.keyboard.press('Control+End');
    await cellAt(page, 'person9999@example.org').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    await page.keyboard.press('PageUp');
    await page.keyboard.press('Control+Home');
    await cellAt(page, hostile).waitFor();
    await grid.evaluate((element: { scrollTop: number }) => (element.scrollTop = 5_000 * 36));
    await cellAt(page, 'person5001@example.org').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(60);
  });

  test('a table is filtered and sorted in the address', async () => {
    const { page } = await visitors.open(at(`/tables/${ids.large}`));
    await page.getByRole('button', { name: 'Add condition' }).click();
    await page.getByLabel('Column of condition 1').selectOption('score');
    await page.getByLabel('Comparison of condition 1').selectOption('$lt');
    await page.getByLabel('Value of condition 1').fill('20');
    await page.getByLabel('Value of condition 1').press('Enter');
    await page.getByText('20 rows fit the filter').waitFor();
    await page.getByRole('button', { name: 'score' }).click();
    await page.getByRole('button', { name: 'score ↑' }).click();
    await page.getByRole('row').nth(1).getByText('person19@example.org').waitFor();
    await page.reload();
    await page.getByText('20 rows fit the filter').waitFor();
    await page.getByRole('row').nth(1).getByText('person19@example.org').waitFor();
  });

  test('a table is made and filled by hand, and edited in place by keyboard', async () => {
    const { page, faults } = await visitors.open(at('/tables?new=1'));
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).first().fill('by_hand');
    await page.getByRole('dialog').getByRole('button', { name: 'New table' }).click();
    await page.getByRole('heading', { name: 'No row yet' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.getByRole('button', { name: 'Add row' }).first().click();
    await page.getByRole('dialog').getByLabel(/^name/).fill('Ann');
    await page.getByRole('dialog').getByRole('button', { name: 'Add row' }).click();
    await cellAt(page, 'Ann').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByLabel('New value of name').fill('Bob');
    await page.keyboard.press('Enter');
    await page.getByText('“name” was saved.').waitFor();
    expect((await rowsOf(id)).map(({ data }) => data)).toEqual([{ name: 'Bob' }]);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Delete 1 row' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 row' }).click();
    await page.getByRole('heading', { name: 'No row yet' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('a table leads from a row to the execution that wrote it', async () => {
    const id = await givenTable('written_by_a_run');
    const insert = block('insert', 'table', { operation: 'insert', table: id, data: { email: 'run' } });
    const workflow = await stack.givenDeployed(line(insert));
    const { executionId } = (await stack.execute(workflow)).body;
    const [row] = await rowsOf(id);
    const { page, faults } = await visitors.open(at(`/tables/${id}?row=${row?.id}`));
    await page.getByRole('dialog').getByRole('link', { name: executionId }).click();
    await page.waitForURL(`**/executions/${executionId}`);
    expect(faults).toEqual([]);
  });

  test('a table says in a sentence that a value is refused, and keeps the field open', async () => {
    const id = await givenTable('refusing', [{ email: 'ann@example.org', score: 1 }]);
    const { page } = await visitors.open(at(`/tables/${id}`));
    await cellAt(page, '1').dblclick();
    await page.getByLabel('New value of score').fill('many');
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .getByText(/number/)
      .first()
      .waitFor();
    await page.getByLabel('New value of score').waitFor();
    expect((await rowsOf(id))[0]?.data['score']).toBe(1);
  });

  test('a table shows a change of the cell by another person, and overwrites it on request', async () => {
    const id = await givenTable('contested', [{ email: 'ann@example.org', score: 1 }]);
    const [row] = await rowsOf(id);
    const { page } = await visitors.open(at(`/tables/${id}`));
    await cellAt(page, '1').waitFor();
    const path = `/api/v1/tables/${id}/rows/${row?.id}`;

    // Another cell of the row is no conflict.
    await stack.call('PATCH', path, { data: { stage: 'theirs' } });
    await cellAt(page, '1').dblclick();
    await page.getByLabel('New value of score').fill('2');
    await page.keyboard.press('Enter');
    await page.getByText('“score” was saved.').waitFor();
    expect((await rowsOf(id))[0]?.data).toMatchObject({ score: 2, stage: 'theirs' });

    await stack.call('PATCH', path, { data: { score: 50 } });
    await cellAt(page, '2').dblclick();
    await page.getByLabel('New value of score').fill('3');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Somebody else has changed this row' });
    await dialog.getByText('50').waitFor();
    expect((await rowsOf(id))[0]?.data['score']).toBe(50);
    await dialog.getByRole('button', { name: 'Overwrite with mine' }).click();
    await cellAt(page, '3').waitFor();
    expect((await rowsOf(id))[0]?.data['score']).toBe(3);
  });

  test('a table tells the loss by the deletion of a column, and the reason when rows refuse another type', async () => {
    const id = await givenTable('columns', [
      { email: 'ann@example.org', score: 1 },
      { email: 'bob@example.org' },
    ]);
    const { page } = await visitors.open(at(`/tables/${id}?tab=columns`));
    await page.getByRole('button', { name: 'Change email' }).click();
    await page.getByRole('dialog').getByLabel('Type').selectOption('number');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('alert').getByText(/row/i).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete score' }).click();
    await page.getByRole('dialog').getByText('1 row has a value in it').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('“score” was deleted.').waitFor();
    await page.getByRole('button', { name: 'Add column' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('points');
    await page.getByRole('dialog').getByRole('button', { name: 'Add column' }).click();
    await page.getByRole('cell', { name: 'points', exact: true }).waitFor();
  });

  test('a table takes a file, names the refused lines, and gives a file back', async () => {
    const id = await givenTable('imported');
    const lines = Array.from({ length: 500 }, (_, n) => `p${n}@example.org,${n === 6 ? 'many' : n}`);
    const { page } = await visitors.open(at(`/tables/${id}?tab=imports`));
    await page
      .locator('input[type=file]')
      .setInputFiles(file('people.csv', `email,score\n${lines.join('\n')}\n`));
    await page.getByLabel('Insert the lines that fit').check();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('499 rows were inserted, 1 line was refused.').waitFor();
    await page.getByRole('group', { name: 'Refused lines' }).getByRole('cell', { name: '8' }).waitFor();
    await page.getByRole('link', { name: 'Rows' }).click();
    await page.getByText('499 rows').first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'As CSV' }).click();
    const saved = await download;
    expect(await saved.failure()).toBeNull();
    expect(saved.suggestedFilename()).toMatch(/\.csv$/);
  });

  test('a table takes a file with semicolons by a mapping that a person makes', async () => {
    const id = await givenTable('mapped');
    const { page } = await visitors.open(at(`/tables/${id}?tab=imports`));
    const csv = 'E-Mail-Adresse;Score;Ort;Notiz\nann@example.org;1,5;Bonn;x\nbob@example.org;2;Köln;y\n';
    await page.locator('input[type=file]').setInputFiles(file('leute.csv', csv));
    await page.getByLabel('Column for E-Mail-Adresse').selectOption('email');
    await page.getByText('2 lines tried, and all fit.').waitFor();
    await page.getByLabel('Column for Notiz').selectOption('Leave out');
    expect(await page.getByLabel('Column for Score').inputValue()).toBe('score');
    expect(await page.getByLabel('Delimiter').locator('option:checked').innerText()).toBe('found: semicolon');
    await page.getByLabel('Decimal sign').selectOption('point');
    await page.getByText('2 lines tried: 1 line does not fit.').waitFor();
    await page
      .getByRole('group', { name: 'Refused lines' })
      .getByText(/score must be a number/)
      .waitFor();
    await page.getByLabel('Decimal sign').selectOption('');
    await page.getByText('2 lines tried, and all fit.').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('2 rows were inserted, 0 lines were refused.').waitFor();
    const rows = await rowsOf(id);
    expect(rows.map(({ data }) => data)).toMatchObject([
      { email: 'ann@example.org', score: 1.5, Ort: 'Bonn' },
      { email: 'bob@example.org', score: 2, Ort: 'Köln' },
    ]);
    expect(Object.keys(rows[0]?.data ?? {})).not.toContain('Notiz');
  });

  test('a table is made of a sheet of a workbook', async () => {
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet([['nothing']]), 'Notes');
    const days = [
      ['Item', 'Price', 'Sold'],
      ['Mill', 12.5, new Date(Date.UTC(2025, 0, 31))],
      ['Bolt', 3, new Date(Date.UTC(2025, 1, 1))],
    ];
    utils.book_append_sheet(book, utils.aoa_to_sheet(days, { UTC: true }), 'Sales');
    const { page } = await visitors.open(at('/tables'));
    await page.getByRole('link', { name: 'Table from a file' }).click();
    const dialog = page.getByRole('dialog', { name: 'Table from a file' });
    const path = join(mkdtempSync(join(tmpdir(), 'book-')), 'sales 2025.xlsx');
    writeFileSync(path, write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
    await dialog.locator('input[type=file]').setInputFiles(path);
    await dialog.getByLabel('Sheet').selectOption('Sales');
    await dialog.getByText('2 lines tried, and all fit.').waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('sales_2025');
    expect(await dialog.getByLabel('Column for Sold').locator('option:checked').innerText()).toBe(
      'New column Sold (date)',
    );
    expect(await findObstacles(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'New table' }).click();
    await page.getByRole('heading', { name: 'sales_2025' }).waitFor();
    await cellAt(page, 'Mill').waitFor();
    const { tables } = (await stack.get(`/api/v1/tables?workspaceId=${stack.home.id}`)).body.data;
    const { id } = tables.find(({ name }: { name: string }) => name === 'sales_2025');
    const rows = await rowsOf(id);
    expect(rows.map(({ data }) => data)).toEqual([
      { Item: 'Mill', Price: 12.5, Sold: '2025-01-31T00:00:00.000Z' },
      { Item: 'Bolt', Price: 3, Sold: '2025-02-01T00:00:00.000Z' },
    ]);
  });

  test('a table offers a viewer nothing that writes', async () => {
    const { page } = await viewers.open(at(`/tables/${ids.large}`));
    await cellAt(page, 'person1@example.org').waitFor();
    expect(await page.getByRole('button', { name: /^(Add row|Delete)/ }).count()).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Row' }).waitFor();
    expect(
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Save|Delete/ })
        .count(),
    ).toBe(0);
  });
});

describe('a knowledge base', () => {
  const document = () => `/knowledge/${ids.base}?document=${ids.manual}`;

  test.each(looks)('a knowledge base is accessible to everybody %s', async (_, look) => {
    await expectNoObstacles(look, [
      ['/knowledge', 'manuals'],
      ['/knowledge?new=1', 'Maximum tokens of a chunk'],
      [`/knowledge/${ids.base}`, 'manual.md'],
      [document(), 'Chunk 1'],
      [`${document()}&chunk=29&q=pump`, 'The passage that was found'],
      [`/knowledge/${ids.base}?tab=search&q=how+is+the+pump+started`, 'results'],
      [`/knowledge/${ids.base}?tab=tags`, 'language'],
      [`/knowledge/${ids.base}?tab=settings`, 'Delete knowledge base'],
    ]);
  });

  test('a knowledge base takes files, shows their progress, the reason of a failure, and what a read is unsure of', async () => {
    const { page, faults } = await visitors.open(at('/knowledge?new=1'));
    await page.getByRole('dialog').getByLabel('Name').fill('By hand');
    await page.getByRole('dialog').getByRole('button', { name: 'New knowledge base' }).click();
    await page.getByRole('heading', { name: 'No document yet' }).waitFor();
    const empty = file('empty.txt', '  ');
    await page
      .locator('input[type=file]')
      .setInputFiles([
        file('valves.md', '# Valves\n\nA valve is closed by hand.'),
        file('pumps.txt', 'Die Pumpe fÃ¼r die KÃ¼che'),
        empty,
      ]);
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('valves.md').getByText('Ready').waitFor();
    await row('pumps.txt').getByText('Check the text · 84 % sure').waitFor();
    await row('pumps.txt').getByText('wrong encoding').waitFor();
    await row('empty.txt').getByText('Failed').waitFor();
    await row('empty.txt').locator('code', { hasText: 'EMPTY' }).waitFor();
    await page.getByRole('button', { name: 'Process again: empty.txt' }).click();
    await page.getByText('A worker will process it again.').waitFor();
    await row('empty.txt').getByText('Failed').waitFor();
    await page.locator('input[type=file]').setInputFiles(empty);
    await page.getByText('already stored').waitFor();
    await page.getByRole('button', { name: 'Disable valves.md' }).click();
    await row('valves.md').getByText('Disabled').waitFor();
    await page.getByRole('button', { name: 'Delete empty.txt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row('empty.txt').waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  test('a knowledge base finds a passage, and shows it in its document between its neighbours', async () => {
    const { page, faults } = await visitors.open(at(`/knowledge/${ids.base}?tab=search`));
    await page.getByLabel('A question, or words from the text').fill('How is the pump P-100 started?');
    await page.keyboard.press('Enter');
    const first = page.getByRole('listitem').filter({ hasText: 'manual.md' }).first();
    await first.locator('mark', { hasText: 'P-100' }).first().waitFor();
    await first.getByRole('meter').waitFor();
    await first.getByRole('link', { name: /^Read it in the document/ }).click();
    const found = page.getByRole('region').filter({ hasText: 'The passage that was found' });
    await found.locator('mark', { hasText: 'P-100' }).first().waitFor();
    await page.getByText('Sentence of chapter 28').first().waitFor();
    await page.getByText('Sentence of chapter 30').first().waitFor();
    expect(faults).toEqual([]);
  });

  test('a knowledge base lets a chunk be edited and disabled, and its document be tagged', async () => {
    const { base, document: id } = await knowledge.givenText('note.md', 'The gate is closed at night.');
    await stack.call('PUT', `/api/v1/knowledge/${base}/tags`, { tags: [] });
    const { page } = await visitors.open(at(`/knowledge/${base}?tab=tags`));
    await page.getByLabel('Name').fill('place');
    await page.getByRole('button', { name: 'Add tag' }).click();
    await page.getByRole('button', { name: 'Delete the tag place' }).waitFor();
    await page.goto(page.url().replace(/\?.*/, `?document=${id}`));
    await page.getByRole('button', { name: 'Edit chunk 1' }).click();
    await page.getByRole('dialog').getByLabel('Text').fill('The gate is open at night.');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('The chunk was saved.').waitFor();
    await page.getByText('The gate is open at night.').waitFor();
    await page.getByRole('button', { name: 'Disable chunk 1' }).click();
    await page.getByRole('button', { name: 'Enable chunk 1' }).waitFor();
    await page.getByLabel('place').fill('harbour');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The document’s tags were saved.').waitFor();
    const { body } = await stack.get(`/api/v1/knowledge/${base}/documents/${id}`);
    expect(body.data.document.tags).toEqual({ place: 'harbour' });
    const chunks = await knowledge.chunks(base, id);
    expect(chunks.body.data.chunks[0]).toMatchObject({
      content: 'The gate is open at night.',
      enabled: false,
    });
    await page.goto(page.url().replace(/\?.*/, '?tab=search'));
    await page.getByLabel('Tag', { exact: true }).selectOption('place');
    await page.getByLabel('Value', { exact: true }).fill('harbour');
    await page.getByLabel('Value', { exact: true }).press('Enter');
    await page.getByText('Nothing found.').waitFor();
  });

  test('a knowledge base offers a viewer nothing that writes', async () => {
    const { page } = await viewers.open(at(`/knowledge/${ids.base}`));
    await page.getByRole('link', { name: 'manual.md' }).click();
    await page.getByRole('heading', { name: 'Chunk 1', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^(Edit|Disable|Delete|Save)/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'All documents' }).click();
    await page.getByRole('link', { name: 'manual.md' }).waitFor();
    expect(await page.locator('input[type=file]').count()).toBe(0);
  });
});
