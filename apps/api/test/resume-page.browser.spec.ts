import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Links } from '#libs/runs/pauses/links';
import { Settings } from '#libs/platform/settings/settings';
import { findObstacles, inEachLook, measureOverflow, sizes, startBrowser, tabTo } from './support/browser.ts';
import { approval, everything } from './support/definitions.ts';
import { Receiver } from './support/receiver.ts';
import { begins, resetBefore } from './support/resets.ts';
import { Stack, until } from './support/stack.ts';
import { isWhole, testMoreInWhole } from '#libs/platform/settings/support/whole';
import { asWarning } from '#libs/platform/settings/support/warnings';

let stack: Stack;
let browser: Browser;
let workflows: { approval: string; everything: string };
const contexts: BrowserContext[] = [];
beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.shared(), startBrowser()]);
  workflows = {
    approval: await stack.givenDeployed(approval),
    everything: await stack.givenDeployed(everything),
  };
});
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

interface Question {
  workflow: string;
  executionId: string;
  contextId: string;
  url: string;
}

/** A run that waits, and the address that its person was sent. */
async function givenQuestion(workflow: string, inputs: object = {}): Promise<Question> {
  const { body } = await stack.execute(workflow, { inputs, async: false });
  if (body.status !== 'paused') throw new Error(JSON.stringify(body));
  const { contextId, resumeLinks } = body.paused.pausePoints[0];
  const { pathname, search } = new URL(resumeLinks.uiUrl);
  return { workflow, executionId: body.executionId, contextId, url: stack.url + pathname + search };
}

async function givenPage(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: sizes.desk, ...options });
  contexts.push(context);
  return context.newPage();
}

async function answersOf({ workflow, executionId }: Question) {
  return (await stack.get(`/api/resume/${workflow}/${executionId}`)).body.queue;
}

async function jobOf({ executionId }: Question) {
  return (await stack.get(`/api/jobs/${executionId.replace('exec_', 'job_')}?wait=60`)).body;
}

/** Answered at the first call, and never again. */
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start((_, response) => {
    if (receiver.received.length === 1) response.end('{}');
  });
});
afterAll(() => receiver.stop());

/** Goes on to the page that comes of it. */
async function submitted(page: Page, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent('load'), act()]);
}

/** Every page that somebody with a link can come to. */
const states: Record<string, { says: string; open: (page: Page) => Promise<unknown> }> = {
  'the question': {
    says: 'Everything?',
    open: async (page) => page.goto((await givenQuestion(workflows.everything)).url),
  },
  'the question after a wrong answer': {
    says: 'Everything?',
    open: async (page) => {
      await page.goto((await givenQuestion(workflows.everything)).url);
      await page.fill('[name=data]', '{');
      await page.fill('[name=count]', 'many');
      await page.locator('form button').click();
    },
  },
  'an answer that was taken': {
    says: 'Your answer was accepted',
    open: async (page) => {
      await page.goto((await givenQuestion(workflows.approval)).url);
      await page.getByLabel('Yes').check();
      await page.locator('form button').click();
    },
  },
  'an answered pause': {
    says: 'Already answered',
    open: async (page) => {
      const question = await givenQuestion(workflows.approval);
      await stack.post(new URL(question.url).pathname.replace('/resume', '/api/resume'), { approved: true });
      await page.goto(question.url);
    },
  },
  'an expired pause': {
    says: 'Too late',
    open: async (page) => {
      const [ask, done] = approval.blocks;
      const brief = { ...ask, params: { ...ask?.params, expiresAfter: 'PT1S' } };
      const id = await stack.givenDeployed({ ...approval, blocks: [brief, done] });
      const { url } = await givenQuestion(id);
      await until(
        () => page.goto(url),
        (response) => response?.status() === 409,
      );
    },
  },
  'a cancelled run': {
    says: 'No longer needed',
    open: async (page) => {
      const { executionId, url } = await givenQuestion(workflows.approval);
      await stack.post(`/api/workflows/${workflows.approval}/executions/${executionId}/cancel`);
      await until(
        () => page.goto(url),
        (response) => response?.status() === 409,
      );
    },
  },
  'a pause that a reset has closed': {
    says: 'No longer open',
    open: async (page) => {
      const ask = approval.blocks[0];
      const call = { id: 'call', type: 'http', params: { url: receiver.url(), idempotent: true } };
      // From a wait on Temporal carries the run out, so its history has the call.
      const nap = { id: 'nap', type: 'wait', params: { duration: 0.1 } };
      const edges = [
        { from: 'start', to: 'nap' },
        { from: 'nap', to: 'call' },
        { from: 'call', to: 'approve' },
      ];
      const id = await stack.givenDeployed({ ...approval, blocks: [nap, call, ask], edges });
      const { executionId, url } = await givenQuestion(id);
      // The second call is answered by nobody: the new run never comes to ask again.
      await resetBefore(await stack.temporal(), executionId, begins('call'));
      await until(
        () => page.goto(url),
        (response) => response?.status() === 409,
      );
    },
  },
  'a link to another pause': {
    says: 'This link is not valid',
    open: async (page) => {
      const [mine, other] = [
        await givenQuestion(workflows.approval),
        await givenQuestion(workflows.approval),
      ];
      await page.goto(mine.url.replace(mine.contextId, other.contextId));
    },
  },
  'an old link': {
    says: 'This link has expired',
    open: async (page) => {
      const { workflow: workflowId, executionId, contextId } = await givenQuestion(workflows.approval);
      const target = { workspaceId: stack.home.id, workflowId, executionId, contextId };
      const late = new Links(new Settings(stack.env)).uiUrl(target, {
        registeredAt: new Date(),
        expiresAt: new Date(Date.now() - 1000),
      });
      const { pathname, search } = new URL(late);
      await page.goto(stack.url + pathname + search);
    },
  },
  'an answer that is too large': {
    says: 'This is too much',
    open: async (page) => {
      await page.goto((await givenQuestion(workflows.approval)).url);
      // Each of them is nine bytes of a form.
      await page.evaluate("document.querySelector('[name=note]').value = '☃'.repeat(120_000)");
      await page.locator('form button').click();
    },
  },
};

describe('page', () => {
  testMoreInWhole.each(Object.entries(states).slice(0, isWhole ? undefined : 3))(
    'a page for %s can be used by everyone, light or dark, on a phone and at a desk',
    async (_, { says, open }) => {
      const page = await givenPage();
      await open(page);
      await page.locator('h1', { hasText: says }).waitFor();
      for await (const look of inEachLook(page))
        expect([look, await findObstacles(page)]).toEqual([look, []]);
    },
  );
});

/** With HOLDFAST_PICTURES in the environment it takes the pictures of the page's docs anew. */
test('the example of the docs can be used by everyone, and looks like its pictures', async () => {
  const docs = new URL('../../docs/', import.meta.url);
  const example =
    /```json\n([^]*?)```/.exec(readFileSync(new URL('pages/approvals.md', docs), 'utf8'))?.[1] ?? '';
  const { url } = await givenQuestion(await stack.givenDeployed(JSON.parse(example)));
  const page = await givenPage();
  await page.goto(url);
  for (const [name, colorScheme, size] of [
    ['desk', 'light', sizes.desk],
    ['phone', 'dark', sizes.phone],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    expect(await findObstacles(page)).toEqual([]);
    const path = fileURLToPath(new URL(`pictures/resume-page-${name}.png`, docs));
    if (process.env['HOLDFAST_PICTURES']) await page.screenshot({ path, fullPage: true });
    await asWarning(() => expect(statSync(path).size).toBeLessThan(150_000))();
  }
});

describe('form', () => {
  test('the form is filled in and sent by keyboard alone, every type of field', async () => {
    const question = await givenQuestion(workflows.everything);
    const page = await givenPage();
    await page.goto(question.url);
    const { keyboard } = page;
    const given: [string, () => Promise<void>][] = [
      ['f0', () => keyboard.type('one line')],
      ['f1', () => keyboard.type('a\nb')],
      ['f2', () => keyboard.type('7')],
      // The first of a group has the focus; the arrow chooses the next one, and this is a No.
      ['f3', () => keyboard.press('ArrowDown')],
      ['f4', () => keyboard.type('02282026')],
      ['f5', () => keyboard.press('ArrowDown')],
      ['f6-2', () => keyboard.press('Space')],
      ['f7', () => keyboard.type('{"a":[1]}')],
      ['f8', () => keyboard.type('https://a.example/scan.pdf')],
      ['f8-file', async () => {}],
    ];
    for (const [id, give] of given) {
      await tabTo(page, id);
      await give();
    }
    await keyboard.press('Tab');
    await submitted(page, () => keyboard.press('Enter'));
    expect(await page.locator('h1').textContent()).toBe('Your answer was accepted');
    expect(await page.locator('main').innerText()).toMatch(
      /sure\s+No[^]*day\s+2026-02-28[^]*colours\s+red, blue/,
    );
    expect((await answersOf(question))[0].resumeInput).toEqual({
      line: 'one line',
      lines: 'a\nb',
      count: 7,
      sure: false,
      day: '2026-02-28',
      size: 'l',
      colours: ['red', 'blue'],
      data: { a: [1] },
      scan: 'https://a.example/scan.pdf',
    });
  });

  test('the form takes a file that is chosen by keyboard, and asks for it again beside other faults', async () => {
    const question = await givenQuestion(workflows.everything);
    const page = await givenPage();
    await page.goto(question.url);
    const content = Buffer.alloc(2 * 1024 * 1024, 'scan');
    const choose = async () => {
      await tabTo(page, 'f8-file');
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Space')]);
      await chooser.setFiles({ name: 'Prüfung.pdf', mimeType: 'application/pdf', buffer: content });
    };
    const send = async () => {
      await page.keyboard.press('Tab');
      await submitted(page, () => page.keyboard.press('Enter'));
    };
    await page.fill('[name=count]', 'many');
    await choose();
    await send();
    expect(await page.getByRole('alert').innerText()).toMatch(
      /count: It must be[^]*scan: Please choose the file again/,
    );
    expect(await findObstacles(page)).toEqual([]);
    const spoken = page.getByRole('textbox', { name: 'scan' });
    const described = (await spoken.getAttribute('aria-describedby'))?.split(' ').at(-1);
    expect(await page.locator(`#${described}`).innerText()).toBe('Please choose the file again.');
    expect(await page.getByLabel('Or choose a file for scan').getAttribute('type')).toBe('file');
    await page.fill('[name=count]', '7');
    await page.getByRole('radiogroup', { name: 'sure' }).getByLabel('Yes').check();
    await choose();
    await send();
    expect(await page.locator('h1').textContent()).toBe('Your answer was accepted');
    expect(await page.locator('main').innerText()).toMatch(/scan\s+Prüfung\.pdf/);
    const { scan, count } = (await answersOf(question))[0].resumeInput;
    expect([count, scan]).toEqual([
      7,
      expect.objectContaining({ name: 'Prüfung.pdf', size: content.length, type: 'application/pdf' }),
    ]);
    const file = await fetch(stack.url + new URL(scan.url).pathname, {
      headers: { 'x-api-key': stack.personalKey },
    });
    expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBe(true);

    // A body is not read without an open link: this body never ends.
    const endless = () => new ReadableStream({ start: (to) => to.enqueue(Buffer.from('--x\r\n')) });
    const post = { duplex: 'half', method: 'POST' } as const;
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    for (const [url, status] of [
      [question.url, 409],
      [question.url.replace('token=', 'token=x'), 403],
    ] as const)
      expect((await fetch(url, { ...post, body: endless(), headers })).status).toBe(status);
  });

  test('the form leads through its faults and keeps the typed values, without any script', async () => {
    const question = await givenQuestion(workflows.everything);
    const page = await givenPage({ javaScriptEnabled: false });
    await page.goto(question.url);
    await page.fill('[name=line]', 'stays');
    await page.fill('[name=count]', 'many');
    await submitted(page, () => page.locator('form button').click());
    expect(await page.title()).toBe('Error: Everything?');
    expect(await page.locator(':focus').getAttribute('role')).toBe('alert');
    expect(await page.getByLabel('count').getAttribute('aria-invalid')).toBe('true');
    const spoken = await page.getByLabel('count').getAttribute('aria-describedby');
    expect(await page.locator(`#${spoken?.split(' ').at(-1)}`).innerText()).toBe('It must be a number.');

    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    // A link within a page moves where the tabulator goes on from, and the field is the next one.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await page.locator(':focus').inputValue()).toBe('many');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('2');
    await page.getByRole('radiogroup', { name: 'sure' }).getByLabel('Yes').check();
    await submitted(page, () => page.locator('form button').click());
    expect(await page.locator('h1').textContent()).toBe('Your answer was accepted');
    expect((await answersOf(question))[0].resumeInput).toMatchObject({ line: 'stays', count: 2, sure: true });
  });

  test('a form that is clicked twice answers once and says so; the way back finds it answered', async () => {
    const question = await givenQuestion(workflows.approval);
    const page = await givenPage();
    await page.goto(question.url);
    await page.getByRole('radio', { name: 'No' }).check();
    await page.locator('form button').dblclick();
    await page.locator('h1', { hasText: 'Your answer was accepted' }).waitFor();
    expect(await answersOf(question)).toMatchObject([{ resumeInput: { approved: false } }]);
    // Sends the request of a browser that has lost the answer to the first try.
    const again = await page.request.post(question.url, { form: { approved: 'false', note: '' } });
    expect([again.status(), await again.text()]).toEqual([200, expect.stringContaining('was accepted')]);
    const other = await page.request.post(question.url, { form: { approved: 'true', note: '' } });
    expect([other.status(), await other.text()]).toEqual([409, expect.stringContaining('Already answered')]);
    await page.goBack();
    expect(await page.locator('h1').textContent()).toBe('Already answered');
    expect(await jobOf(question)).toMatchObject({ status: 'completed', output: { approved: false } });
  });
});

describe('text of a workflow', () => {
  const hostile = `</pre></td></title></textarea><script>alert(1)</script><img src=/x onerror=alert(2)>"'><svg onload=alert(3)><a href="javascript:alert(4)">x</a>`;

  test('a text of a workflow stays text: no script in it runs and no address in it is loaded', async () => {
    const link = '[x](javascript:alert(5)) ![x](https://a.example/x.png) <https://a.example/y.png>';
    const values = [
      `${hostile} ${link}`,
      [{ [hostile]: hostile }],
      { [hostile]: [hostile] },
      'javascript:alert(6)',
    ];
    const formats = [
      'text',
      'markdown',
      'table',
      'json',
      'date',
      'number',
      'link',
      hostile.slice(0, 60),
      undefined,
    ];
    const fields = formats.flatMap((format) => values.map((value) => ({ label: hostile, value, format })));
    const field = { label: hostile, description: hostile };
    const options = [{ label: hostile, value: hostile }];
    const form = [
      { ...field, name: 'a', type: 'string', placeholder: hostile, default: hostile },
      { ...field, name: 'b', type: 'text', placeholder: hostile, default: hostile },
      { ...field, name: 'c', type: 'select', options },
      { ...field, name: 'd', type: 'multiselect', options },
      { ...field, name: 'e', type: 'json', default: { [hostile]: hostile } },
      { ...field, name: 'f', type: 'file', placeholder: hostile, default: hostile },
      { ...field, name: 'g', type: 'number', max: 1 },
    ];
    const ask = {
      id: 'ask',
      type: 'human',
      params: { title: hostile, message: `${hostile} ${link}`, fields, form },
    };
    const id = await stack.givenDeployed({ blocks: [ask], edges: [{ from: 'start', to: 'ask' }] });
    const page = await givenPage();
    const seen: string[] = [];
    page.on('dialog', (dialog) => {
      seen.push(`said ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => seen.push(`asked ${request.method()}`));
    page.on('console', (message) => {
      // The status of the page itself is written there too.
      if (!message.text().includes('400 (Bad Request)')) seen.push(message.text());
    });
    await page.goto((await givenQuestion(id)).url);
    expect(await page.locator('h1').innerText()).toBe(hostile);
    expect(await page.locator('dt').first().innerText()).toBe(hostile);
    await page.fill('[name=g]', hostile);
    await submitted(page, () => page.locator('form button').click());
    await page.getByRole('alert').waitFor();
    expect(
      await page.locator('script, img, svg, iframe, [onerror], [onload], a[href^="javascript:"]').count(),
    ).toBe(0);
    expect(seen).toEqual(['asked GET', 'asked POST']);
    expect(await findObstacles(page)).toEqual([]);
  });

  test('a text of a workflow fits the page at any length, and in right-to-left scripts', async () => {
    const nested = Array.from({ length: 50 }).reduce<unknown>((inner) => ({ inner }), 'deep');
    const row = (n: number) =>
      Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`column ${i}`, `${n} × ${i}`]));
    const fields = [
      { label: 'Table', value: Array.from({ length: 100 }, (_, n) => row(n)), format: 'table' },
      { label: 'Deep', value: nested },
      { label: 'עברית', value: 'שלום, **עולם** https://a.example', format: 'markdown' },
      { label: 'x'.repeat(500), value: 'y'.repeat(5000) },
      // As a table it would have 4 million cells.
      { label: 'Sparse', value: Array.from({ length: 2000 }, (_, n) => ({ [`k${n}`]: n })), format: 'table' },
    ];
    const form = Array.from({ length: 100 }, (_, n) => ({
      name: `n${n}`,
      type: 'string',
      label: `مرحبا ${n}`,
    }));
    const ask = { id: 'ask', type: 'human', params: { title: 'Wide'.repeat(500), fields, form } };
    const id = await stack.givenDeployed({ blocks: [ask], edges: [{ from: 'start', to: 'ask' }] });
    const { url } = await givenQuestion(id);
    const page = await givenPage({ viewport: sizes.phone });
    await page.goto(url);
    expect(await measureOverflow(page)).toBe(0);
    expect(await page.locator('td').count()).toBe(2000);
    expect(await page.locator('form input').count()).toBe(100);
    const direction = await page.evaluate("getComputedStyle(document.querySelector('dd p')).direction");
    expect(direction).toBe('rtl');
    await submitted(page, () => page.locator('form button').click());
    expect(await page.locator('h1').textContent()).toBe('Your answer was accepted');
  });
});

describe('licence review', () => {
  test('the licence review asks on its page, is answered by keyboard alone, and finishes', async () => {
    const file = new URL('../../local/examples/licence-review.json', import.meta.url);
    const id = await stack.givenDeployed(JSON.parse(readFileSync(file, 'utf8')));
    const reports = await Receiver.start((_, response) => void response.end('{"id":"report-1"}'));
    const packages = [
      { name: 'plain', version: '1.0.0', licence: 'MIT' },
      { name: 'axe-core', version: '4.14.1', licence: 'MPL-2.0' },
    ];
    const question = await givenQuestion(id, { packages, allow: ['MIT'], reportUrl: reports.url() });
    const page = await givenPage();
    await page.goto(question.url);
    expect(await page.locator('h1').textContent()).toBe('1 of 2 packages are in question');
    expect(await page.locator('tbody tr').allInnerTexts()).toEqual([
      expect.stringMatching(/axe-core.*MPL-2\.0/),
    ]);
    await tabTo(page, 'f0');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Used in tests only.');
    await page.keyboard.press('Tab');
    await submitted(page, () => page.keyboard.press('Enter'));
    expect(await page.locator('h1').textContent()).toBe('Your answer was accepted');
    expect(await jobOf(question)).toMatchObject({
      status: 'completed',
      output: { verdict: 'approved', report: 'report-1' },
    });
    expect(reports.received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { verdict: 'approved', note: 'Used in tests only.' },
    ]);
    reports.stop();
  });
});
