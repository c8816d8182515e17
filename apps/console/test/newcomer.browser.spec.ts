import type { Browser, Page } from 'playwright-core';
import { startBrowser, untilShown } from '../../api/test/support/browser.ts';
import { approval } from '../../api/test/support/definitions.ts';
import { givenOwner, ownerToken } from '../../api/test/support/sessions.ts';
import { Stack } from '../../api/test/support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.shared(), startBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

/** A page of somebody else's browser: nobody has signed in there. */
async function strangerPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  return context.newPage();
}

const shownOnce = (page: Page) => page.getByTestId('shown-once').innerText();

test('a newcomer comes from the printed link to an answered approval, a key and a colleague without a terminal', async () => {
  const page = await strangerPage();
  await page.goto(`${stack.url}/console/sign-in#token=${await ownerToken(stack)}`);

  // The three steps of the first page.
  await page.getByRole('button', { name: 'Create and deploy' }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Yes', exact: true }).click();
  await untilShown(page, 'That was an approval');

  // A key, which works.
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Purpose of the key').fill('Billing');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const key = await shownOnce(page);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  expect((await stack.get('/api/v1/workflows', { 'x-api-key': key })).body.data).toHaveLength(1);

  // A colleague.
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('Email address').fill(stack.at('colleague'));
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
  const link = await shownOnce(page);
  const theirs = await strangerPage();
  await theirs.goto(link);
  await theirs.getByRole('button', { name: 'Accept and sign in' }).click();
  await theirs.getByRole('heading', { name: 'Home' }).waitFor();
  await theirs.getByRole('link', { name: 'Workflows' }).click();
  await theirs
    .getByRole('link', { name: /approval/i })
    .first()
    .waitFor();
});

/** With HOLDFAST_PICTURES=apps/docs/pictures the pictures of the page "Console" are taken anew. */
testInWhole(
  'the pictures of the page about the console show the inbox, a workflow and an execution',
  async () => {
    const owner = await givenOwner(stack);
    const [name = '', value = ''] = owner.headers['cookie']?.split('=') ?? [];
    const workflow = await stack.givenDeployed(approval);
    const named = await stack.call('PATCH', `/api/v1/workflows/${workflow}`, { name: 'Expenses' });
    expect(named.status).toBe(200);
    const runs = [];
    for (const amount of [4200, 1750, 9900]) runs.push(await stack.givenPaused(workflow, { amount }));
    const place = `${stack.url}/console/w/${stack.home.id}`;
    const pictures: [string, string, 'desk' | 'phone', string, string[]][] = [
      ['inbox', `${place}/inbox?open=${runs[0]?.contextId}`, 'desk', 'Inbox', ['form']],
      [
        'workflow',
        `${place}/workflows/${workflow}`,
        'desk',
        'Expenses',
        ['.svelte-flow__node', 'text=No faults'],
      ],
      ['phone', `${place}/executions/${runs[1]?.executionId}`, 'phone', 'amount: 1750', ['time']],
    ];
    for (const [picture, address, size, title, shown] of pictures) {
      const context = await browser.newContext({
        viewport: size === 'phone' ? { width: 390, height: 844 } : { width: 1280, height: 800 },
        colorScheme: size === 'phone' ? 'dark' : 'light',
        userAgent: owner.headers['user-agent'] ?? '',
      });
      await context.addCookies([{ name, value, url: stack.url }]);
      const page = await context.newPage();
      await page.goto(address);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      for (const part of shown) await page.locator(part).first().waitFor();
      const folder = process.env['HOLDFAST_PICTURES'];
      if (folder) await page.screenshot({ path: `${folder}/console-${picture}.png` });
      await context.close();
    }
  },
);
