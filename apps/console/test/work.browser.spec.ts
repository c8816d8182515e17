import type { Browser } from 'playwright-core';
import { startBrowser } from '../../api/test/support/browser.ts';
import { approval, pure } from '../../api/test/support/definitions.ts';
import { line, respond } from '../../api/test/support/graphs.ts';
import { givenMember } from '../../api/test/support/people.ts';
import { Stack, until } from '../../api/test/support/stack.ts';
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

const isCompleted = (status: string) => status === 'completed';
const at = (path: string) => `/w/${stack.home.id}${path}`;

async function givenQuestion(workflow: string, amount: number) {
  const { body } = await stack.execute(workflow, { inputs: { amount } });
  const { contextId } = body.paused.pausePoints[0];
  const status = async () => (await stack.get(`/api/jobs/${body.jobId}`)).body.status;
  return { executionId: body.executionId as string, contextId: contextId as string, status };
}

describe('the inbox', () => {
  let workflow: string;
  beforeAll(async () => {
    workflow = await stack.givenDeployed(approval);
  });

  test('takes an answer, and goes on with the next question', async () => {
    const [one, two] = [await givenQuestion(workflow, 101), await givenQuestion(workflow, 102)];
    const { page } = await visitors.open(at(`/inbox?open=${one.contextId}`));
    await page.getByRole('heading', { name: 'Approve 101?' }).waitFor();
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.getByText('The answer was committed').waitFor();
    await page.getByRole('heading', { name: 'Approve 102?' }).waitFor();
    await until(one.status, isCompleted);
    await page.getByRole('button', { name: 'No', exact: true }).click();
    await until(two.status, isCompleted);
  });

  test('tells the second of two people that the first was faster', async () => {
    const { contextId, executionId, status } = await givenQuestion(workflow, 103);
    const member = await givenMember(stack, stack.at('ann'));
    const { page } = await visitors.open(at(`/inbox?open=${contextId}`));
    await page.getByRole('heading', { name: 'Approve 103?' }).waitFor();
    // The page must not have seen the answer of the other before its own is sent.
    await page.route('**/api/v1/inbox*', (route) => route.abort());
    const path = `/api/resume/${workflow}/${executionId}/${contextId}`;
    const first = await stack.post(path, { input: { approved: false } }, member.headers);
    expect(first.status).toBe(200);
    await page.getByRole('button', { name: 'Yes' }).click();
    await page
      .getByRole('alert')
      .getByText(/already/i)
      .waitFor();
    expect(await status()).toBe('completed');
  });

  test('is gone through by j and k, and takes the answer that y has marked by Ctrl and Enter', async () => {
    const { status } = await givenQuestion(workflow, 104);
    const { page } = await visitors.open(at('/inbox'));
    await page.getByText('Approve 104?').waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Approve 104?' }).waitFor();
    await page.locator('form textarea, form input').first().focus();
    // A decision has no default: nothing is sent until somebody has chosen.
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').getByText('Choose Yes or No').waitFor();
    expect(await status()).toBe('processing');
    await page.getByRole('heading', { name: 'Approve 104?' }).click();
    await page.keyboard.press('y');
    await page.keyboard.press('Control+Enter');
    await until(status, isCompleted);
  });

  test('answers several questions with one form', async () => {
    const questions = [await givenQuestion(workflow, 105), await givenQuestion(workflow, 106)];
    const { page } = await visitors.open(at('/inbox'), { size: 'phone' });
    await page.getByLabel('Choose “Approve 105?”').check();
    await page.getByLabel('Choose “Approve 106?”').check();
    await page.getByRole('button', { name: 'Answer 2 together' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click();
    await page.getByText('2 answers were committed.').waitFor();
    for (const { status } of questions) await until(status, isCompleted);
  });
});

describe('the executions', () => {
  let workflow: string;
  beforeAll(async () => {
    workflow = await stack.givenDeployed(pure);
    await stack.execute(workflow, { inputs: { amount: 1 } });
  });

  test('keep their filters in the address, and under a name', async () => {
    const { page } = await visitors.open(at('/executions'));
    await page.getByLabel('Workflow', { exact: true }).selectOption(workflow);
    await page.getByLabel('Failed').check();
    await page.getByText('No execution fits these filters').waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed');
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByLabel('Name of the view').fill('What fails');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.goto(page.url().replace(/\?.*/, ''));
    await page.getByRole('link', { name: 'What fails' }).click();
    await page.getByText('No execution fits these filters').waitFor();
    await page.getByLabel('Failed').uncheck();
    await page.getByRole('row').getByText('Completed').first().waitFor();
  });

  test('show a run that is accepted while the page is open', async () => {
    const { page } = await visitors.open(at(`/executions?workflowIds=${workflow}`));
    const rows = page.locator('tbody tr');
    await rows.first().waitFor();
    const before = await rows.count();
    await stack.execute(workflow, { inputs: { amount: 2 } });
    await rows.nth(before).waitFor();
  });

  test('are ended by hand, after a confirmation', async () => {
    const { executionId } = await givenQuestion(await stack.givenDeployed(approval), 7);
    const { page } = await visitors.open(at(`/executions/${executionId}`));
    await page.getByRole('button', { name: 'Cancel execution' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel execution' }).click();
    await page.locator('dl').getByText('Cancelled').waitFor();
  });
});

describe('a workflow', () => {
  test('is written, checked, deployed, run and rolled back in the console', async () => {
    const { page, faults } = await visitors.open(at('/workflows?new=1'));
    await page.getByLabel('Name', { exact: true }).fill('By hand');
    await page.getByRole('dialog').getByRole('button', { name: 'New workflow' }).click();
    await page.getByRole('heading', { name: 'By hand' }).waitFor();
    await page.getByRole('button', { name: 'Deploy' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deploy' }).click();
    await page.getByText('Version 1 is live').first().waitFor();

    // The block comes with its edge, into text and graph.
    await page.getByRole('button', { name: 'Add a block' }).click();
    await page.getByRole('menuitem', { name: /^function/ }).click();
    await page.locator('.svelte-flow__node').getByText('function1').waitFor();
    await page.getByText('No faults').waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('The draft was saved.').waitFor();
    await page.getByRole('button', { name: 'Deploy' }).click();
    await page.getByLabel('Name of the version').fill('With a function');
    await page.getByRole('dialog').getByRole('button', { name: 'Deploy' }).click();
    await page.getByText('Version 2 is live').first().waitFor();

    await page.getByRole('button', { name: /^Run version \d+$/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Run version \d+$/ })
      .click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Output' }).waitFor();
    await page.getByRole('dialog').getByText('function1').waitFor();
    await page.getByRole('button', { name: 'Close' }).first().click();

    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByRole('link', { name: 'Roll back to this version' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await page.getByText('Version 1 is live').first().waitFor();
    expect(faults).toEqual([]);
  });

  test('is saved twice by one person without a conflict, and is deployed only after it is saved', async () => {
    const id = await stack.givenDeployed(line(respond('x')));
    const { page, faults } = await visitors.open(at(`/workflows/${id}`));
    const violations: string[] = [];
    page.on(
      'console',
      (said) => void (/Content Security Policy/.test(said.text()) && violations.push(said.text())),
    );
    const editor = page.getByRole('textbox', { name: 'Definition as JSON' });
    await editor.click();
    await page.keyboard.press('Control+End');
    // Spaces change nothing that is stored, but the revision. Lines come at once, as from dictation.
    for (const text of ['  ', '\n\n']) {
      await page.keyboard.insertText(text);
      await page.getByText('Not saved').waitFor();
      await page.keyboard.press('Control+s');
      await page.getByText('· Saved').waitFor();
    }
    expect(await page.getByText('Somebody else has saved').count()).toBe(0);
    await page.keyboard.insertText(' ');
    await page.getByRole('button', { name: 'Run version 1' }).click();
    await page.getByText('The draft differs from it').waitFor();
    await page.getByRole('button', { name: 'Close' }).first().click();
    await page.getByRole('button', { name: 'Deploy' }).click();
    await page.getByText('so save it first').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Not saved').waitFor();
    expect([faults, violations]).toEqual([[], []]);
  });

  test('runs with inputs that come from files, as text, as JSON and as bytes', async () => {
    const inputs = {
      note: { type: 'string', required: true },
      order: { type: 'object', required: true },
      picture: { type: 'string', required: true },
    };
    const data = { note: '{{ start.note }}', order: '{{ start.order }}', picture: '{{ start.picture }}' };
    const id = await stack.givenDeployed({ start: { inputs }, ...line(respond(data)) });
    const { page, faults } = await visitors.open(at(`/workflows/${id}`));
    await page.getByRole('button', { name: /^Run version \d+$/ }).click();
    const fill = (field: string, name: string, buffer: Buffer) =>
      page
        .getByLabel(`${field}: Fill it from a file`)
        .setInputFiles({ name, mimeType: name.endsWith('.png') ? 'image/png' : 'text/plain', buffer });
    await fill('note', 'note.txt', Buffer.from('first\nsecond'));
    await fill('picture', 'large.png', Buffer.alloc(11 * 1024 * 1024));
    await page.getByText('large.png: A file of more than 10 MB cannot be an input.').waitFor();
    await fill('picture', 'dot.png', Buffer.from([0x89, 0x50, 0xff, 0x00]));
    await fill('order', 'order.json', Buffer.from('{"items": [1, 2]}'));
    await page.getByText('large.png: A file').waitFor({ state: 'detached' });
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Run version \d+$/ })
      .click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Output' }).waitFor();
    expect(faults).toEqual([]);
    const { body } = await stack.get(`/api/v1/logs?workflowIds=${id}&details=full&includeFinalOutput=true`);
    expect(body.data[0].finalOutput).toEqual({
      note: 'first\nsecond',
      order: { items: [1, 2] },
      picture: 'data:image/png;base64,iVD/AA==',
    });
  });

  test('shows a fault at its place, and the block of a click in the text', async () => {
    const id = await stack.givenWorkflow(approval);
    const { page } = await visitors.open(at(`/workflows/${id}`));
    await page.locator('.svelte-flow__node').getByText('approve').click();
    const editor = page.getByRole('textbox', { name: 'Definition as JSON' });
    await editor.focus();
    // The block is selected, so typed text replaces it.
    await page.keyboard.insertText('{ "id": "approve", "type": "human", "params": {} }');
    await page.getByRole('button', { name: /params\.title/ }).waitFor();
    await page.locator('.svelte-flow__node .fault').first().waitFor();
  });

  test('is not overwritten without a question when another person has saved it', async () => {
    const id = await stack.givenWorkflow(pure);
    const { page } = await visitors.open(at(`/workflows/${id}`));
    const editor = page.getByRole('textbox', { name: 'Definition as JSON' });
    await editor.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText(' ');
    await page.getByText('Not saved').waitFor();
    await stack.call('PATCH', `/api/v1/workflows/${id}`, { definition: approval });
    await page.keyboard.press('Control+s');
    await page.getByRole('alert').getByText('Somebody else has saved this workflow').waitFor();
    await page.getByRole('button', { name: 'Load theirs' }).click();
    await page.locator('.svelte-flow__node').getByText('approve').waitFor();
  });
});
