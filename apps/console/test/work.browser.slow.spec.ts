import { readFileSync } from 'node:fs';
import pg from 'pg';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../../api/test/support/browser.ts';
import { approval, pure } from '../../api/test/support/definitions.ts';
import { block, line, respond } from '../../api/test/support/graphs.ts';
import { givenMember } from '../../api/test/support/people.ts';
import { Receiver } from '../../api/test/support/receiver.ts';
import { Stack, until } from '../../api/test/support/stack.ts';
import { looks, Visitors } from './support/visits.ts';

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

  test('the inbox takes an answer, and goes on with the next question', async () => {
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

  test('the inbox tells the second of two people that the first was faster', async () => {
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

  test('the inbox is gone through by j and k, and takes the answer that y has marked by Ctrl and Enter', async () => {
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

  test('the inbox answers several questions with one form', async () => {
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

  test('the executions keep their filters in the address, and under a name', async () => {
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

  test('the executions show a run that is accepted while the page is open', async () => {
    const { page } = await visitors.open(at(`/executions?workflowIds=${workflow}`));
    const rows = page.locator('tbody tr');
    await rows.first().waitFor();
    const before = await rows.count();
    await stack.execute(workflow, { inputs: { amount: 2 } });
    await rows.nth(before).waitFor();
  });

  test('the executions that are ticked, two of them, are compared, on a phone too and on the page of their workflow', async () => {
    await stack.execute(workflow, { inputs: { amount: 3000 } });
    for (const [path, size] of [
      [`/executions?workflowIds=${workflow}`, 'phone'],
      [`/workflows/${workflow}?tab=runs`, 'desk'],
    ] as const) {
      const { page, faults } = await visitors.open(at(path), { size });
      const ticks = page.getByRole('checkbox', { name: /^Choose exec_/ });
      await ticks.nth(1).waitFor();
      await ticks.nth(0).check();
      await page.getByText('Choose a second execution').waitFor();
      expect(await page.getByRole('link', { name: 'Compare', exact: true }).count()).toBe(0);
      await ticks.nth(1).check();
      await page.getByRole('link', { name: 'Compare', exact: true }).click();
      await page.getByRole('heading', { name: 'Compare two executions' }).waitFor();
      await page.getByText('Difference').first().waitFor();
      await page.getByRole('link', { name: /^amount: 3000/ }).waitFor();
      const check = page.getByRole('row', { name: /^check / });
      await check.getByText('Leaves by “else” in place of “large”').waitFor();
      expect(faults).toEqual([]);
    }
  });

  test('the executions that took the same way are compared by what their blocks gave, not by their time', async () => {
    const ids = [];
    for (const note of ['one', 'two'])
      ids.push((await stack.execute(workflow, { inputs: { amount: 4, note } })).body.executionId as string);
    const { page, faults } = await visitors.open(at(`/executions/compare?a=${ids[0]}&b=${ids[1]}`));
    await page
      .getByRole('row', { name: /^small / })
      .getByText('Gave another output: data.note')
      .waitFor();
    for (const path of ['check', 'large'])
      await page
        .getByRole('row', { name: new RegExp(`^${path} `) })
        .getByText('No difference')
        .waitFor();
    expect(faults).toEqual([]);
  });

  test('the executions that another one has started are listed by their titles', async () => {
    const call = block('call', 'workflow', { workflowId: workflow, inputs: { amount: 5 } });
    const parent = (await stack.execute(await stack.givenDeployed(line(call)))).body.executionId;
    const { page, faults } = await visitors.open(at(`/executions/${parent}`));
    const children = page.getByRole('table', { name: 'Child executions' });
    await children.getByRole('link', { name: /^amount: 5/ }).waitFor();
    expect(faults).toEqual([]);
  });

  test('the executions are ended by hand, after a confirmation', async () => {
    const { executionId } = await givenQuestion(await stack.givenDeployed(approval), 7);
    const { page } = await visitors.open(at(`/executions/${executionId}`));
    await page.getByRole('button', { name: 'Cancel execution' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel execution' }).click();
    await page.locator('dl').getByText('Cancelled').waitFor();
  });

  test('a failed execution is retried from its call, and runs again from a block', async () => {
    const state = { fails: true };
    const receiver = await Receiver.start((_, response) =>
      response.writeHead(state.fails ? 500 : 200).end('{}'),
    );
    const call = (id: string) =>
      block(id, 'http', { url: receiver.url(`/${id}`), method: 'POST' }, { retry: { maxAttempts: 1 } });
    const charging = await stack.givenDeployed(line(call('charge'), respond({ paid: true })));
    const { body } = await stack.execute(charging);
    const { page } = await visitors.open(at(`/executions/${body.executionId}`));
    await page.getByRole('button', { name: 'Retry' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry' });
    await dialog.getByText(/^charge\scalled again under the key exec_\w+\/charge\/retry-1$/).waitFor();
    state.fails = false;
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('The execution goes on.').waitFor();
    await until(async () => (await stack.get(`/api/jobs/${body.jobId}`)).body.status, isCompleted);
    await page.reload();
    await page.getByRole('link', { name: 'Blocks' }).click();
    await page.getByRole('button', { name: 'done', exact: true }).click();
    await page.getByRole('button', { name: 'Run again from this block' }).click();
    const fork = page.getByRole('dialog', { name: 'Run again from this block' });
    await fork.getByText('1 visit with a result is kept.').waitFor();
    expect(await fork.getByText('called again').count()).toBe(0);
    await fork.getByRole('button', { name: 'Run again', exact: true }).click();
    await page.getByText('Goes on from').waitFor();
    await page.getByRole('link', { name: 'Blocks' }).click();
    await page.getByRole('button', { name: 'charge', exact: true }).click();
    await page.getByRole('button', { name: 'Run again from this block' }).click();
    await fork.getByLabel('What is otherwise').selectOption('Output of this block');
    await fork.getByRole('textbox', { name: 'Output of this block' }).fill('{"status": "fine"}');
    await fork.getByText('output.status').first().waitFor();
    await fork.getByLabel('What is otherwise').selectOption('Parameters of this block');
    const params = fork.getByRole('textbox', { name: 'Parameters of this block' });
    await params.fill('{"url": ');
    await fork.getByText('This is no JSON yet.').waitFor();
    await params.fill(JSON.stringify({ url: receiver.url('/other') }));
    await fork.getByRole('button', { name: 'Run again', exact: true }).click();
    await until(
      async () => receiver.received.at(-1)?.path,
      (path) => path === '/other',
    );
    receiver.received.length -= 1;
    expect(receiver.received.map(({ key }) => key)).toEqual([
      `${body.executionId}/charge`,
      `${body.executionId}/charge/retry-1`,
    ]);
    receiver.stop();
  });
});

describe('a workflow', () => {
  test('a workflow is written, checked, deployed, run and rolled back in the console', async () => {
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

    // What ran on version 2 runs again on the live one, and with other inputs.
    await page.goto(page.url().replace(/\?.*/, '?tab=runs'));
    await page.locator('[data-open]').first().click();
    await page.getByRole('button', { name: 'Run again' }).click();
    const again = page.getByRole('dialog');
    await again.getByText('A new execution runs the same version with the same inputs.').waitFor();
    const versions = again.getByLabel('Version');
    const options = await versions.locator('option').allInnerTexts();
    expect(options.map((text) => text.replace(/, deployed .*/, ''))).toEqual([
      'The same: version 2',
      'Version 1, live',
    ]);
    await versions.selectOption('1');
    await again.getByText('A new execution runs version 1 with the same inputs.').waitFor();
    await again.getByLabel('What is otherwise').selectOption('Inputs of the execution');
    await again.getByText('A new execution runs version 1 with the inputs above.').waitFor();
    await again.getByRole('button', { name: 'Run again' }).click();
    await page.getByText('Version 1', { exact: true }).first().waitFor();
    expect(faults).toEqual([]);
  });

  test('a workflow is saved twice by one person without a conflict, and is deployed only after it is saved', async () => {
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

  test('a draft runs beside the live version, and its deploy shows which executions would have ended otherwise', async () => {
    const id = await stack.givenDeployed(line(respond('live')));
    for (let runs = 0; runs < 3; runs++) await stack.execute(id, { inputs: {} });
    await stack.call('PATCH', `/api/v1/workflows/${id}`, { definition: line(respond('of the draft')) });
    const { page, faults } = await visitors.open(at(`/workflows/${id}`));
    await page.getByRole('button', { name: 'Run version 1' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Run the draft instead' }).click();
    await dialog.getByText('The draft runs as a test').waitFor();
    await dialog.getByRole('button', { name: 'Run the draft', exact: true }).click();
    await dialog.getByText('of the draft').first().waitFor();
    await dialog.getByRole('link', { name: 'Open the execution' }).click();
    await page.getByText('Draft, as a test').first().waitFor();
    await page.goto(new URL(`/console/w/${stack.home.id}/workflows/${id}?do=deploy`, page.url()).href);
    await dialog
      .getByText('Of the last 3 executions, replayed with their answers, 3 would end otherwise')
      .waitFor();
    await dialog.getByText('goes another way').or(dialog.getByText('has another output')).first().waitFor();
    await dialog.getByRole('button', { name: 'Deploy' }).click();
    await page.getByText('Version 2 is live').first().waitFor();
    expect(faults).toEqual([]);
  });

  test('a workflow runs with inputs that come from files, as text, as JSON and as bytes', async () => {
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

  test('a workflow shows a fault at its place, and the block of a click in the text', async () => {
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

  test('a workflow is not overwritten without a question when another person has saved it', async () => {
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

test('a failure is no dead end: its values are seen, the workflow is fixed, the run is retried, twenty others go on in bulk', async () => {
  const state = { isOldDown: true };
  const receiver = await Receiver.start(({ path }, response) =>
    response.writeHead(path === '/old' && state.isOldDown ? 500 : 200).end('{}'),
  );
  const build = (path: string) => ({
    start: { inputs: { amount: { type: 'number', required: true } } },
    ...line(
      block(
        'charge',
        'http',
        { url: receiver.url(path), method: 'POST', body: { total: '{{ start.amount }}' } },
        { retry: { maxAttempts: 1 } },
      ),
      respond({ paid: true }),
    ),
  });
  const id = await stack.givenDeployed(build('/old'));
  const failed = [];
  for (let amount = 0; amount < 21; amount++)
    failed.push((await stack.execute(id, { inputs: { amount: 7000 + amount } })).body.executionId as string);
  const count = (path: string) => receiver.received.filter((call) => call.path === path).length;
  const open = (path: string) => page.goto(`${stack.url}/console${at(path)}`);

  const { page, faults } = await visitors.open(at(''));
  await page.getByRole('link', { name: 'amount: 7020' }).waitFor();

  // What it really sent, beside its template.
  await open(`/executions/${failed[0]}`);
  await page.getByText('Why it failed').waitFor();
  await page.getByRole('link', { name: 'Blocks' }).click();
  await page.getByRole('button', { name: 'charge', exact: true }).click();
  await page.getByLabel('What was sent charge').getByText('7000').waitFor();
  await page.getByLabel('Parameters charge').getByText('{{ start.amount }}').waitFor();

  // The draft is fixed, tried, and deployed with its backtest.
  await open(`/workflows/${id}`);
  await page.getByRole('textbox', { name: 'Definition as JSON' }).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(JSON.stringify(build('/new')));
  await page.getByText('Not saved').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('· Saved').waitFor();
  await page.getByRole('button', { name: 'Run version 1' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Run the draft instead' }).click();
  await dialog.getByLabel('amount').fill('1');
  // First with answers in place of its calls: none is made.
  await dialog.getByLabel('get the answers below, and none is made').check();
  const answers = dialog.getByRole('textbox', { name: 'What calls return, by block' });
  expect(JSON.parse(await answers.inputValue())).toMatchObject({ charge: { output: { status: 200 } } });
  await answers.fill('{"charge": ');
  await dialog.getByRole('button', { name: 'Run the draft', exact: true }).click();
  await dialog.getByText('It must be well-formed JSON.').waitFor();
  await answers.fill('{"charging": {"output": {}}}');
  await dialog.getByRole('button', { name: 'Run the draft', exact: true }).click();
  await dialog.getByText(/effects\.charging: There is no block "charging"/).waitFor();
  await answers.fill('{"charge": {"fail": {"code": "HTTP_503", "message": "It is down"}}}');
  await dialog.getByRole('button', { name: 'Run the draft', exact: true }).click();
  await dialog.getByText('It is down').first().waitFor();
  await dialog.getByRole('button', { name: 'Run again', exact: true }).click();
  expect(count('/new')).toBe(0);
  await dialog.getByLabel('are made', { exact: true }).check();
  await dialog.getByRole('button', { name: 'Run the draft', exact: true }).click();
  await dialog.getByText('"paid": true').first().waitFor();
  expect(count('/new')).toBe(1);
  await open(`/workflows/${id}?do=deploy`);
  await dialog
    .getByText('Of the last 21 executions, replayed with their answers, 21 would end otherwise')
    .waitFor();
  const others = dialog.getByRole('link', { name: /^amount: 70/ });
  expect(await others.count()).toBe(5);
  await dialog.getByRole('button', { name: 'Show all 21' }).click();
  expect(await others.count()).toBe(21);
  await dialog.getByRole('button', { name: 'Deploy' }).click();
  await page.getByText('Version 2 is live').first().waitFor();

  // One goes on where it failed.
  state.isOldDown = false;
  await open(`/executions/${failed[0]}`);
  await page.getByRole('button', { name: 'Retry' }).click();
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await page.locator('dl').getByText('Completed').waitFor();

  // The others run again from where they failed, on the fixed version.
  await open(`/executions?workflowIds=${id}&status=failed`);
  await page.getByRole('button', { name: 'All of this list' }).click();
  await dialog.getByLabel('What to do').selectOption('Run again');
  await dialog.getByLabel('Keep what was done before the failure').check();
  await dialog.getByRole('button', { name: 'Run again 20' }).click();
  await dialog.getByText('The job is done.').waitFor();
  await dialog.getByText('20 of 20 done, 0 refused.').waitFor();
  await until(
    () => stack.get(`/api/v1/logs?workflowIds=${id}&status=completed&limit=100`),
    ({ body }) => body.data.filter(({ isTest }: { isTest: boolean }) => !isTest).length === 21,
  );
  expect(count('/new')).toBe(21);
  expect(faults).toEqual([]);
  receiver.stop();
});

test('a workflow shows its flow control, and the list which execution waits for its turn, for which key and at which place', async () => {
  const inputs = { customer: { type: 'string', required: true } };
  const flow = { concurrency: { limit: 1, key: 'start.customer' } };
  const form = [{ name: 'yes', type: 'boolean' }];
  const ask = block('ask', 'human', { title: 'Refund?', form });
  const id = await stack.givenDeployed({ start: { inputs, flow }, ...line(ask, respond('done')) });
  const execute = () => stack.execute(id, { inputs: { customer: 'customer-7' } });
  const first = (await execute()).body.executionId;
  const { executionId } = (await execute()).body;
  const { page, faults } = await visitors.open(at(`/workflows/${id}?tab=runs`));
  await page.getByText('limit 1, key start.customer').waitFor();
  await page.getByRole('row').filter({ hasText: 'Waits for its turn' }).locator('[data-open]').click();
  await page.getByText('It waits for the key customer-7, at place 1.').waitFor();
  await page.goto(`${stack.url}/console${at('')}`);
  const running = page.getByRole('region', { name: 'Running now' });
  await running.getByRole('link', { name: 'customer: customer-7' }).waitFor();
  for (const one of [executionId, first]) await stack.post(`/api/workflows/${id}/executions/${one}/cancel`);
  expect(faults).toEqual([]);
});

test('an address with a tab that there is not shows the definition of the workflow', async () => {
  const id = await stack.givenDeployed(line(respond('done')));
  const { page, faults } = await visitors.open(at(`/workflows/${id}?tab=odd`));
  await page.getByRole('button', { name: 'Save draft' }).waitFor();
  expect(faults).toEqual([]);
});

test('charts show the executions of a workflow by hour, as bars and as a table, and say when there are none', async () => {
  const id = await stack.givenDeployed(line(block('bad', 'response', { data: '{{ int("x") }}' })));
  const { page, faults } = await visitors.open(at(`/workflows/${id}?tab=runs`));
  await page.getByText('No execution was accepted in this time.').waitFor();
  for (let n = 0; n < 3; n++) await stack.execute(id);
  await page.reload();
  await page.getByText('3 executions, of which 3 failed.').waitFor();
  const chart = page.getByRole('img', { name: 'Executions by hour. The highest bar is 3.' });
  await chart.getByText(/All 3, Failed 3$/).waitFor({ state: 'attached' });
  await page.locator('details summary').getByText('As a table').first().click();
  await page
    .getByRole('table', { name: 'Executions by hour' })
    .getByRole('cell', { name: '3' })
    .nth(1)
    .waitFor();
  await page.getByLabel('Shown').selectOption('The last 30 days');
  await page.getByRole('img', { name: 'Executions by day. The highest bar is 3.' }).waitFor();
  for (const path of ['', '/usage']) {
    await page.goto(`${stack.url}/console${at(path)}`);
    await page.getByRole('region', { name: 'Executions over time' }).getByRole('img').first().waitFor();
  }
  expect(faults).toEqual([]);
});

test('who has deployed, started, held and answered is shown by name, with the id in the title', async () => {
  const made = await stack.post(`/api/v1/workspaces/${stack.home.id}/keys`, { name: 'Robot', role: 'admin' });
  const { id, key } = made.body.data;
  const robot = { 'x-api-key': key };
  const workflow = await stack.givenDeployed(approval, robot);
  const trigger = { kind: 'webhook', name: 'Shop', webhook: { scheme: 'none' } };
  await stack.post(`/api/v1/workflows/${workflow}/triggers`, trigger, robot);
  const asked = (await stack.execute(workflow, { inputs: { amount: 8 } }, robot)).body;
  const [{ contextId }] = asked.paused.pausePoints;
  await stack.post(
    `/api/resume/${workflow}/${asked.executionId}/${contextId}`,
    { input: { approved: true } },
    robot,
  );
  const holds = `/api/v1/workspaces/${stack.home.id}/holds`;
  const hold = await stack.post(holds, { workflowId: workflow, reason: 'The mill rests.' }, robot);
  const held = (await stack.execute(workflow, { inputs: { amount: 9 } }, robot)).body;
  const { page, faults } = await visitors.open(at(`/workflows/${workflow}?tab=versions`));
  const named = page.getByRole('main').getByTitle(id).filter({ hasText: 'Robot' });
  for (const path of [
    `/workflows/${workflow}?tab=versions`,
    `/workflows/${workflow}?tab=triggers`,
    `/executions?workflowIds=${workflow}`,
    `/executions/${held.executionId}`,
    '/settings?tab=holds',
    '/settings?tab=keys',
    '/audit',
    `/executions/${asked.executionId}?tab=pauses`,
  ]) {
    await page.goto(`${stack.url}/console${at(path)}`);
    // A key shows who made it: the first key made this one.
    const shown = path.endsWith('keys') ? page.getByTitle(/^key_/).filter({ hasText: 'first' }) : named;
    await shown.locator('visible=true').first().waitFor();
  }
  await page.getByText('Answered by Robot').waitFor();
  expect(await page.getByText('due').count()).toBe(0);
  await stack.post(`${holds}/${hold.body.data.id}/release`);
  expect(faults).toEqual([]);
});

test('an endpoint is made, tested and looked at in the settings, and an event is sent again', async () => {
  const receiver = await Receiver.start();
  const { page, faults } = await visitors.open(at('/settings?tab=events'));
  await page.getByRole('button', { name: 'New endpoint' }).click();
  await page.getByLabel('Address').fill(receiver.url('/hook'));
  await page.getByRole('button', { name: 'Create' }).click();
  await page
    .getByTestId('shown-once')
    .getByText(/^whsec_/)
    .waitFor();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('button', { name: /^Send a test to/ }).click();
  await page.getByText('The test is on its way.').waitFor();
  // It gets the events of earlier runs too.
  const countTests = async () =>
    receiver.received.filter(({ body }) => JSON.parse(body).type === 'endpoint.tested').length;
  await until(countTests, (count) => count === 1);
  await page.getByRole('button', { name: /^Deliveries to/ }).click();
  await page.getByRole('button', { name: 'Send endpoint.tested again' }).click();
  await until(countTests, (count) => count === 2);
  await page.getByRole('button', { name: /^Disable/ }).click();
  await page.getByText('by a person').waitFor();
  await page.getByRole('button', { name: /^Delete http/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There is no endpoint yet.').waitFor();
  expect(faults).toEqual([]);
  receiver.stop();
});

test('an alert rule is made in the settings, shows that it is broken, and is switched off and deleted', async () => {
  const workflow = await stack.givenDeployed(line(block('bad', 'response', { data: '{{ int("x") }}' })));
  const { page, faults } = await visitors.open(at('/settings?tab=events'));
  await page.getByRole('button', { name: 'New alert rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('The mill stands');
  await dialog.getByLabel('Workflow').selectOption(workflow);
  await dialog.getByLabel('From this number on').fill('2');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Failures in a row from 2 on').waitFor();
  for (let n = 0; n < 2; n++) await stack.execute(workflow);
  const owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
  // A rule is checked half a minute after its last check.
  await owner.query(`update alert_rules set checked_at = null where workspace_id = $1`, [stack.home.id]);
  await owner.end();
  await until(
    () => stack.get(`/api/v1/workspaces/${stack.home.id}/alerts`),
    ({ body }) => body.data[0].isRaised,
  );
  await page.reload();
  await page.getByText('Broken, told').waitFor();
  await page.getByText('now 2', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Switch off The mill stands' }).click();
  await page.getByText('Switched off').waitFor();
  await page.getByRole('button', { name: 'Delete The mill stands' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There is no alert rule yet.').waitFor();
  expect(faults).toEqual([]);
});

test('a hold is set in the settings, and released by the banner over the executions, which says why', async () => {
  const workflow = await stack.givenDeployed(pure);
  const { page, faults } = await visitors.open(at('/settings?tab=holds'));
  await page.getByRole('button', { name: 'Hold', exact: true }).click();
  await page.getByLabel('What is held').selectOption(workflow);
  await page.getByLabel('Why').fill('The mill is being moved.');
  await page.getByRole('dialog').getByRole('button', { name: 'Hold', exact: true }).click();
  await page.getByText('It is held.').waitFor();
  const { executionId } = (await stack.execute(workflow, { inputs: { amount: 1 } })).body;
  await page.goto(page.url().replace(/settings.*/, 'executions'));
  await page.getByText('is held: The mill is being moved.').waitFor();
  await page.getByRole('button', { name: /^Release / }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
  const status = async () =>
    (await stack.get(`/api/jobs/${executionId.replace('exec_', 'job_')}`)).body.status;
  await until(status, isCompleted);
  await page.getByText('is held: The mill is being moved.').waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
});

test('a workflow is held on its page, where a banner says by whom, why and how many wait, and releases it at a rate', async () => {
  const workflow = await stack.givenDeployed(pure);
  const holds = `/api/v1/workspaces/${stack.home.id}/holds`;
  const { page, faults } = await visitors.open(at(`/workflows/${workflow}`));
  const dialog = page.getByRole('dialog');
  const banner = page.getByRole('status').filter({ hasText: 'is held: The mill rests.' });
  await page.getByRole('button', { name: 'Hold', exact: true }).click();
  await dialog.getByLabel('Why').fill('The mill rests.');
  await dialog.getByLabel('Stop what runs too').check();
  await dialog.getByRole('button', { name: 'Hold', exact: true }).click();
  await banner.getByText('Admin, 0 executions wait, what runs stops too').waitFor();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: 'Hold', exact: true }).count()).toBe(0);
  const [hold] = (await stack.get(holds)).body.data;
  expect(hold).toMatchObject({ workflowId: workflow, triggerId: null, stops: 'effects' });
  await stack.execute(workflow, { inputs: { amount: 1 } });
  await banner.getByText('1 execution waits').waitFor();
  await page.getByRole('button', { name: /^Release workflow/ }).click();
  await dialog.getByLabel('Executions a second').fill('20');
  await dialog.getByRole('button', { name: 'Release' }).click();
  await banner.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Hold', exact: true }).waitFor();
  expect(faults).toEqual([]);
});

test('a trigger is held on its page or in the settings, and its workflow, its row and the settings name it', async () => {
  const workflow = await stack.givenDeployed(pure);
  const triggers = `/api/v1/workflows/${workflow}/triggers`;
  const make = async (name: string) =>
    (await stack.post(triggers, { kind: 'webhook', name, webhook: { scheme: 'none' } })).body.data.id;
  const [shop, desk] = [await make('Shop'), await make('Desk')];
  const { page, faults } = await visitors.open(at(`/workflows/${workflow}?tab=triggers&trigger=${shop}`));
  const dialog = page.getByRole('dialog');
  const hold = page.getByRole('main').getByRole('button', { name: 'Hold', exact: true });
  // The first one holds the workflow, and stays.
  await hold.nth(1).click();
  await dialog.getByLabel('Why').fill('The shop moves.');
  await dialog.getByRole('button', { name: 'Hold', exact: true }).click();
  await page.getByText(/The trigger Shop of workflow .* is held: The shop moves\./).waitFor();
  await dialog.waitFor({ state: 'detached' });
  expect(await hold.count()).toBe(1);
  const { executionId } = (await stack.post(`${triggers}/${shop}/run`, { body: { amount: 1 } })).body.data;
  await page.getByText('1 execution waits').waitFor();

  await page.goto(`${stack.url}/console${at('/settings?tab=holds')}`);
  await page.getByRole('button', { name: 'Hold', exact: true }).click();
  await dialog.getByLabel('What is held').selectOption(workflow);
  await dialog.getByLabel('Which executions').selectOption('Those that the trigger Desk starts');
  await dialog.getByLabel('Why').fill('The desk is full.');
  await dialog.getByRole('button', { name: 'Hold', exact: true }).click();
  await page.getByText(/^The trigger Desk of workflow/).waitFor();
  const { body } = await stack.get(`/api/v1/workspaces/${stack.home.id}/holds`);
  const held = body.data.map(({ triggerId }: { triggerId: string }) => triggerId);
  expect(new Set(held)).toEqual(new Set([shop, desk]));

  await page.goto(`${stack.url}/console${at(`/workflows/${workflow}?tab=triggers`)}`);
  await page.getByRole('row', { name: /Desk/ }).getByText('Held: The desk is full.').waitFor();
  for (const name of [/^Release The trigger Desk/, /^Release The trigger Shop/]) {
    await page.getByRole('button', { name }).click();
    await dialog.getByRole('button', { name: 'Release' }).click();
    await page.getByRole('button', { name }).waitFor({ state: 'detached' });
  }
  await until(
    async () => (await stack.get(`/api/jobs/job_${executionId.slice(5)}`)).body.status,
    isCompleted,
  );
  expect(faults).toEqual([]);
});

test('a calendar is made, changed and deleted in the settings, which name the schedule that still uses it', async () => {
  const { page, faults } = await visitors.open(at('/settings?tab=calendars'));
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'New calendar' }).click();
  await dialog.getByLabel('Name, as').fill('mill-days');
  await dialog.getByLabel('Days, one on each line').fill('2030-12-25\n2030-02-30');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').getByText('dates.1').waitFor();
  await dialog.getByLabel('Days, one on each line').fill('2030-12-25, 2030-12-26');
  await dialog.getByLabel('Sunday').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('each Sunday, 2030-12-25, 2030-12-26').waitFor();
  const workflow = await stack.givenDeployed(pure);
  const triggers = `/api/v1/workflows/${workflow}/triggers`;
  const schedule = { cron: '@daily', except: ['mill-days'] };
  const body = { kind: 'schedule', name: 'Grind', schedule, inputs: { amount: 1 } };
  const { id } = (await stack.post(triggers, body)).body.data;
  await page.getByRole('button', { name: 'Change mill-days' }).click();
  await dialog.getByLabel('Sunday').uncheck();
  await dialog.getByLabel('Monday').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('each Monday, 2030-12-25, 2030-12-26').waitFor();
  await page.getByRole('button', { name: 'Delete mill-days' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('Schedules use the calendar "mill-days": "Grind" of').waitFor();
  await stack.call('DELETE', `${triggers}/${id}`);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There is no calendar yet.').waitFor();
  expect(faults).toEqual([]);
});

test('a schedule shows its next moments in its zone, where the clocks change, and why its last moment started nothing', async () => {
  const workflow = await stack.givenDeployed(pure);
  const triggers = `/api/v1/workflows/${workflow}/triggers`;
  const days = [23, 24, 25, 26, 27].map((day) => `2035-03-${day}T09:00`);
  const given = (name: string, schedule: object, amount: unknown) =>
    stack.post(triggers, { kind: 'schedule', name, schedule, inputs: { amount } });
  await given('Summer', { dates: days, timezone: 'Europe/Berlin' }, 5);
  const unfit = (await given('Unfit', { everySeconds: 2 }, '{{ schedule.scheduledAt }}')).body.data.id;
  await until(
    async () => (await stack.get(`${triggers}/${unfit}`)).body.data.lastDelivery?.verdict,
    (verdict) => verdict === 'invalid',
  );
  const { page, faults } = await visitors.open(at(`/workflows/${workflow}?tab=triggers`));
  const next = page.getByRole('list', { name: 'The next moments, in Europe/Berlin' }).getByRole('listitem');
  await next.nth(4).waitFor();
  const shown = (await next.allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim());
  expect(shown.slice(1)).toEqual([
    'Sat 24 Mar 2035, 09:00 +01:00',
    'Sun 25 Mar 2035, 09:00 +02:00 the clocks change (+01:00 before)',
    'Mon 26 Mar 2035, 09:00 +02:00',
    'Tue 27 Mar 2035, 09:00 +02:00',
  ]);
  const row = page.getByRole('row', { name: /Unfit/ });
  await row.getByText('Schedule every 2 seconds UTC').waitFor();
  await row.getByText('It did not run: its inputs did not fit the workflow.').waitFor();
  await row.getByText(/amount/).waitFor();
  await stack.post(`${triggers}/${unfit}/pause`);
  await row.getByText('None while it is paused').waitFor();
  // A phone has no room for them in the list, and shows them on the page of the trigger.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('link', { name: 'Summer' }).click();
  await next.getByText('the clocks change').waitFor();
  expect(faults).toEqual([]);
});

test('a webhook is made in the console, shows its address and secret once, and is run, renewed, changed, replayed and deleted', async () => {
  const workflow = await stack.givenDeployed(pure);
  const { page, faults } = await visitors.open(at(`/workflows/${workflow}?tab=triggers`));
  const dialog = page.getByRole('dialog');
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  // The last one, because the cross at the top closes too.
  const finish = (name: string) => dialog.getByRole('button', { name, exact: true }).last().click();
  const closed = () => dialog.waitFor({ state: 'detached' });
  await press('New trigger');
  await dialog.getByLabel('Name').fill('Shop');
  await dialog.getByLabel('How the sender proves itself').selectOption('bearer');
  await dialog.getByLabel('Only when this is true').fill('event.body.amount > 1');
  await dialog.getByLabel('Inputs, as JSON').fill('[1]');
  await finish('Create');
  await dialog.getByText('Inputs are an object of JSON').waitFor();
  await dialog.getByLabel('Inputs, as JSON').fill('{ "amount": "{{ event.body.amount }}" }');
  await finish('Create');
  const once = page.getByTestId('shown-once');
  await once.nth(1).waitFor();
  const [address = '', secret = ''] = await once.allTextContents();
  const send = async (amount: number, token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const url = stack.url + new URL(address).pathname;
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ amount }) })).status;
  };
  expect([await send(2, secret), await send(1, secret), await send(3, 'guessed')]).toEqual([202, 200, 401]);
  await finish('I have saved it');
  await page.getByRole('heading', { name: 'Shop', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Shop', exact: true }).waitFor();
  expect(await page.content()).not.toContain(secret);

  await press('Run now');
  await dialog.getByLabel('Body, as JSON').fill('{"amount": 4');
  await finish('Run');
  await dialog.getByText('This is no JSON.').waitFor();
  await dialog.getByLabel('Body, as JSON').fill('{"amount": 4}');
  await finish('Run');
  const link = await dialog.getByRole('link', { name: 'Look at the execution' }).getAttribute('href');
  expect((await stack.get(`/api/jobs/job_${link?.split('exec_')[1]}`)).body.status).toBeDefined();
  await finish('Close');

  await press('New address or secret');
  expect(await dialog.getByRole('button', { name: 'Renew' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Make a new one here').check();
  await dialog.getByLabel('Hours for which').fill('0');
  await finish('Renew');
  const fresh = (await once.textContent()) ?? '';
  await finish('I have saved it');
  expect([await send(5, secret), await send(6, fresh)]).toEqual([401, 202]);

  await press('Change');
  await dialog.getByLabel('Name').fill('Market');
  await dialog.getByLabel('Only when this is true').fill('');
  await dialog.getByText('More settings').click();
  await dialog.getByLabel('What the sender is answered').selectOption('the answer of the Response block');
  await finish('Save');
  await page.getByRole('heading', { name: 'Market', exact: true }).waitFor();
  expect(await send(1, fresh)).toBe(200);

  await press('Pause');
  await dialog.getByLabel('Note for everybody').fill('We count.');
  await finish('Pause');
  await page.getByText('We count.').waitFor();
  // One more than a call replays.
  const kept = await Promise.all(Array.from({ length: 101 }, (_, n) => send(1000 + n, fresh)));
  expect(new Set(kept)).toEqual(new Set([409]));
  await press('Resume');
  await page.getByLabel('Verdict').selectOption('while paused');
  await press('Replay all of them');
  await finish('Replay');
  await dialog.getByText('101 executions started').waitFor();
  await finish('Close');
  await page.getByLabel('Verdict').selectOption('forged');
  await page.getByRole('cell', { name: 'forged' }).first().waitFor();
  expect(await page.getByRole('button', { name: /^Replay/ }).count()).toBe(0);

  await press('Delete');
  await finish('Delete');
  await closed();
  await page.getByText('Nothing starts this workflow by itself').waitFor();
  expect(faults).toEqual([]);
});

test('a schedule is made and changed in the console, and one of the definition is run there and not changed', async () => {
  const start = {
    ...pure.start,
    triggers: [{ kind: 'schedule', name: 'Defined', schedule: { cron: '@daily' }, inputs: { amount: 1 } }],
  };
  const workflow = await stack.givenDeployed({ ...pure, start });
  const { page, faults } = await visitors.open(at(`/workflows/${workflow}?tab=triggers`));
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'New trigger' }).click();
  await dialog.getByLabel('Schedule').check();
  await dialog.getByLabel('Name').fill('Each hour');
  await dialog.getByLabel('Interval').check();
  await dialog.getByLabel('Seconds between').fill('3600');
  await dialog.getByLabel('Time zone').fill('Asia/Kolkata');
  await dialog.getByText('More settings').click();
  await dialog.getByLabel('Days on which nothing starts').fill('2030-12-25');
  await dialog.getByLabel('Most executions').fill('9');
  await dialog.getByLabel('No moment after').fill('2031-01-01T12:30');
  await dialog.getByLabel('Inputs, as JSON').fill('{ "amount": 5 }');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Schedule every hour').waitFor();
  await page.getByText('+05:30').nth(4).waitFor();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await dialog.getByLabel('While an earlier execution').selectOption('all moments wait');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('It was changed').waitFor();
  const { body } = await stack.get(`/api/v1/workflows/${workflow}/triggers`);
  const made = body.data.find(({ name }: { name: string }) => name === 'Each hour');
  expect(made.schedule).toMatchObject({
    overlap: 'buffer_all',
    everySeconds: 3600,
    timezone: 'Asia/Kolkata',
    except: ['2030-12-25'],
    maxRuns: 9,
    endsAt: expect.stringMatching(/^203[01]-/),
    catchUpSeconds: 600,
  });
  await page.getByRole('link', { name: 'All triggers' }).click();
  await page.getByRole('link', { name: 'Defined' }).click();
  await page.getByText('It belongs to the definition').waitFor();
  for (const name of ['Change', 'Delete', 'New address or secret'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Run now' }).click();
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await dialog.getByText('Look at the execution').waitFor();
  expect(faults).toEqual([]);
});

test('a start that waits for its batch says when it starts, and one that is in a batch leads to the run of it', async () => {
  const workflow = await stack.givenDeployed({
    start: { flow: { batch: { size: 2, longest: 3600 } } },
    ...line(respond('{{ start.batch }}')),
  });
  const start = async () => (await stack.execute(workflow, { inputs: {}, async: true })).body.executionId;
  const first = await start();
  const { page, faults } = await visitors.open(at(`/executions/${first}`));
  await page.getByText(/It waits for its turn, at place 1\.\s+It starts by/).waitFor();
  const last = await start();
  await page.getByText('Runs in the batch of').waitFor();
  await page.getByRole('link', { name: 'Another execution' }).click();
  await page.waitForURL(`**/executions/${last}**`);
  expect(faults).toEqual([]);
});

test('a hold of a host is set in the settings, and a call that it stops says so on the page of its run', async () => {
  const url = 'http://127.0.0.1:9/';
  const call = { id: 'call', type: 'http', params: { url } };
  const workflow = await stack.givenDeployed({ blocks: [call], edges: [{ from: 'start', to: 'call' }] });
  const { page, faults } = await visitors.open(at('/settings?tab=holds'));
  await page.getByRole('button', { name: 'Hold', exact: true }).click();
  await page.getByLabel('What is held').selectOption('Calls to one host');
  await page.getByLabel('Host, as').fill('127.0.0.1');
  await page.getByLabel('Why').fill('The port is shut.');
  await page.getByRole('dialog').getByRole('button', { name: 'Hold', exact: true }).click();
  await page.getByText('Calls to 127.0.0.1').waitFor();
  const { executionId } = (await stack.execute(workflow, { inputs: {}, async: true })).body;
  await until(
    async () => (await stack.get(`/api/workflows/${workflow}/executions/${executionId}`)).body.held,
    Boolean,
  );
  await page.goto(page.url().replace(/settings.*/, `executions/${executionId}`));
  await page.getByText('It waits before its next effect. Held by').waitFor();
  await page.goto(page.url().replace(/executions.*/, 'settings?tab=holds'));
  await page.getByRole('button', { name: 'Release Calls to 127.0.0.1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
  await page.getByText('Nothing is held.').waitFor();
  expect(faults).toEqual([]);
});

describe.each(looks)('what is done to many, and files of one, %s', (_, look) => {
  test('the dialog over a list answers all that wait, by the form of their question', async () => {
    const workflow = await stack.givenDeployed(approval);
    const questions = [await givenQuestion(workflow, 201), await givenQuestion(workflow, 202)];
    const { page, faults } = await visitors.open(at(`/executions?workflowIds=${workflow}`), look);
    await page.getByRole('button', { name: 'All of this list' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What to do').selectOption('Answer');
    await dialog.getByRole('heading', { name: 'Approve 202?' }).waitFor();
    await dialog.getByText('Fill in the form to count them.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Answer 0' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Yes', { exact: true }).check();
    await dialog.getByRole('button', { name: 'Answer 2' }).click();
    await dialog.getByText('2 of 2 done, 0 refused.').waitFor();
    for (const { status } of questions) await until(status, isCompleted);
    expect(faults).toEqual([]);
  });

  test('an execution gives its scenario as a file, and says where its play differs', async () => {
    const workflow = await stack.givenDeployed(pure);
    const { executionId } = (await stack.execute(workflow, { inputs: { amount: 3 } })).body;
    const { page, faults } = await visitors.open(at(`/executions/${executionId}`), look);
    await page.getByRole('button', { name: 'Scenario' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Its play goes as the execution went.').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`${executionId}.scenario.json`);
    const { body } = await stack.get(`/api/workflows/${workflow}/executions/${executionId}/scenario`);
    expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toEqual(body.data.scenario);
    expect(faults).toEqual([]);
  });

  test('a schedule shows its backfills, makes one after it has counted, and stops it', async () => {
    const workflow = await stack.givenDeployed(pure);
    const schedule = await stack.post(`/api/v1/workflows/${workflow}/triggers`, {
      kind: 'schedule',
      name: 'Each hour',
      schedule: { everySeconds: 3600 },
      inputs: { amount: 5 },
    });
    const { id } = schedule.body.data;
    const { page, faults } = await visitors.open(
      at(`/workflows/${workflow}?tab=triggers&trigger=${id}`),
      look,
    );
    await page.getByText('No backfill yet').waitFor();
    await page.getByRole('button', { name: 'New backfill' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('From').fill('2026-01-06T00:00');
    await dialog.getByLabel('Until').fill('2026-01-06T03:00');
    await dialog.getByText('The range has 3 moments. None of them has started yet.').waitFor();
    await dialog.getByLabel('Moments a second at most').fill('50');
    await dialog.getByRole('button', { name: 'Start 3' }).click();
    await page.getByText('3 of 3 started').waitFor();
    // A long one is stopped.
    await page.getByRole('button', { name: 'New backfill' }).click();
    await dialog.getByLabel('From').fill('2025-01-06T00:00');
    await dialog.getByLabel('Until').fill('2026-01-06T03:00');
    await dialog.getByText('3 of them have started already.').waitFor();
    await dialog.getByRole('button', { name: /^Start / }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });
});

test('what a bulk job has begun is undone in the console by a person of two workspaces, where nothing ran', async () => {
  await stack.givenWorkspace();
  const workflow = await stack.givenDeployed(approval);
  for (const amount of [1, 2]) {
    const { executionId } = await givenQuestion(workflow, amount);
    await stack.call('POST', `/api/workflows/${workflow}/executions/${executionId}/cancel`);
  }
  const list = (status: string) => stack.get(`/api/v1/logs?workflowIds=${workflow}&status=${status}`);
  await until(
    () => list('cancelled'),
    ({ body }) => body.data.length === 2,
  );
  const { page, faults } = await visitors.open(at(`/executions?workflowIds=${workflow}&status=cancelled`));
  await page.getByRole('button', { name: 'All of this list' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What to do').selectOption('Run again');
  await dialog.getByText('New executions run the live version with the same inputs.').waitFor();
  await dialog.getByLabel('Version').selectOption('That of each execution');
  await dialog.getByText('New executions run the version of each with the same inputs.').waitFor();
  await dialog.getByLabel('Executions a second at most').fill('20');
  await dialog.getByRole('button', { name: 'Run again 2' }).click();
  await dialog.getByText('2 of 2 done, 0 refused.').waitFor();
  await until(
    () => list('paused'),
    ({ body }) => body.data.length === 2,
  );
  // It is found again after its dialog is closed.
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('link', { name: 'Bulk jobs' }).click();
  const rows = page.locator('tbody tr');
  await rows.filter({ hasText: '2 of 2 done, 0 refused.' }).getByRole('link', { name: 'Undo' }).click();
  await dialog.getByRole('button', { name: 'Undo 2 that have not begun' }).click();
  await until(
    () => list('cancelled'),
    ({ body }) => body.data.length === 4,
  );
  const { body } = await stack.get('/api/v1/bulk?limit=2');
  expect(body.data).toMatchObject([
    { verb: 'undo', done: 2 },
    { verb: 'fork', done: 2, perSecond: 20, options: { version: 'same' } },
  ]);
  // One that is under way is stopped from the list.
  const slow = { verb: 'fork', filter: { workflowIds: workflow }, perSecond: 0.1 };
  const { id } = (await stack.post('/api/v1/bulk', slow)).body.data.job;
  await page.goto(page.url().replace(/\?.*/, ''));
  await page.getByRole('button', { name: 'Stop' }).click();
  await rows.first().getByText('Stopped').waitFor();
  expect((await stack.get(`/api/v1/bulk/${id}`)).body.data.status).toBe('aborted');
  expect(faults).toEqual([]);
});
