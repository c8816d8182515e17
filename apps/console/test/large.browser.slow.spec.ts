import type { Browser } from 'playwright-core';
import { startBrowser } from '../../api/test/support/browser.ts';
import { pure } from '../../api/test/support/definitions.ts';
import { Stack } from '../../api/test/support/stack.ts';
import { Visitors } from './support/visits.ts';

let stack: Stack;
let browser: Browser;
let visitors: Visitors;
beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.shared(), startBrowser()]);
  visitors = await Visitors.signIn(stack, browser);
});
afterEach(() => visitors.leave());
afterAll(async () => {
  await visitors.leave();
  await browser.close();
  await stack.stop();
});

const at = (path: string) => `/w/${stack.home.id}${path}`;
const ids = Array.from({ length: 1000 }, (_, n) => `b${n}`);
/** A tree: each block leads to up to three other blocks. Some blocks are reached twice. */
const thousand = {
  blocks: ids.map((id) => ({ id, type: 'response', params: { data: id } })),
  edges: [
    ...ids.map((id, n) => ({ from: n === 0 ? 'start' : `b${Math.floor((n - 1) / 3)}`, to: id })),
    ...ids.slice(0, 300).map((id, n) => ({ from: id, to: `b${999 - n}` })),
  ],
};

test('a definition of 50 MB that is pasted is refused in a sentence, and the page stays as it was', async () => {
  const workflow = await stack.givenWorkflow(pure);
  const { page, faults } = await visitors.open(at(`/workflows/${workflow}`));
  await page.getByText('No faults').waitFor();
  const editor = page.getByRole('textbox', { name: 'Definition as JSON' });
  const begin = async () => (await editor.textContent())?.slice(0, 200);
  const before = await begin();
  await editor.focus();
  await page.keyboard.press('Control+a');
  await page.evaluate(
    `navigator.clipboard.writeText('{"blocks":[' + '{"id":"a"},'.repeat(5_000_000) + ']}')`,
  );
  await page.keyboard.press('Control+v');
  await page.getByText('A definition may have 512 KiB at most').waitFor();
  expect(await begin()).toBe(before);
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' ');
  await page.getByText('No faults').waitFor();
  expect(faults).toEqual([]);
});

test('a graph of a thousand blocks draws only the visible blocks, and can be moved, enlarged and read as a table', async () => {
  const workflow = await stack.givenWorkflow(thousand);
  const { page, faults } = await visitors.open(at(`/workflows/${workflow}`));
  const nodes = page.locator('.svelte-flow__node');
  await nodes.first().waitFor();
  // The page goes on while a worker places the blocks.
  expect(page.workers().map((worker) => worker.url())).toEqual([expect.stringContaining('place.worker')]);
  for (let n = 0; n < 4; n++) await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.waitForFunction(`document.querySelectorAll('.svelte-flow__node').length < 200`);
  await nodes.first().click();
  await page.locator('.svelte-flow__node.selected').waitFor();
  await page.getByRole('button', { name: 'As a table' }).click();
  expect(await page.getByRole('table').locator('tbody tr').count()).toBe(1000);
  expect(faults).toEqual([]);
});
