import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../../api/test/support/browser.ts';
import { Knowledge } from '../../api/test/support/knowledge.ts';
import { Stack } from '../../api/test/support/stack.ts';
import { hostileTexts } from './support/hostile-texts.ts';
import { type Visit, Visitors } from './support/visits.ts';

let stack: Stack;
let browser: Browser;
let visitors: Visitors;
let ids: { workflow: string; execution: string; contexts: string[]; table: string; base: string };
let links: { timeline: string; answers: string[] };
const knowledge = new Knowledge(() => stack);
const at = (path: string) => `/w/${stack.home.id}${path}`;
/** A name is one line. */
const names = hostileTexts.map((text) => text.replaceAll(/\s+/g, ' ').slice(0, 90));

const chunksOf = (texts: string[], size: number) =>
  Array.from({ length: Math.ceil(texts.length / size) }, (_, n) => texts.slice(n * size, (n + 1) * size));

/** A question whose title, text and form come from the call, and blocks whose names are the first of the texts. */
const asking = {
  start: { inputs: { title: { type: 'string' }, text: { type: 'string' } } },
  blocks: [
    ...names.slice(0, 60).map((name, n) => ({
      id: `b${n}`,
      name,
      type: 'function',
      params: { code: 'return input', input: { text: '{{ start.text }}' } },
    })),
    {
      id: 'ask',
      type: 'human',
      params: {
        title: '{{ start.title }}',
        message: '{{ start.text }}',
        form: names.slice(60, 90).map((label, n) => ({
          name: `f${n}`,
          label,
          type: n % 2 === 0 ? 'string' : 'boolean',
          description: names[90 + n],
        })),
      },
    },
  ],
  edges: [
    { from: 'start', to: 'b0' },
    ...names.slice(0, 59).map((_, n) => ({ from: `b${n}`, to: `b${n + 1}` })),
    { from: 'b59', to: 'ask' },
  ],
};

beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.shared(), startBrowser()]);
  visitors = await Visitors.signIn(stack, browser);
  const workflow = await stack.givenDeployed(asking);
  const runs = await Promise.all(
    chunksOf(hostileTexts, 50).map((texts) =>
      stack.execute(workflow, { inputs: { title: texts[0], text: texts.join('\n\n') } }),
    ),
  );
  for (const [n, name] of names.slice(0, 100).entries()) {
    const made = await stack.post('/api/v1/workflows', {
      name,
      description: hostileTexts[100 + n],
      // A name of a folder has no slashes and no commas, and no spaces at its ends.
      folder: names[200 + n]?.replaceAll(/[/,]/g, ' ').trim(),
      definition: { blocks: [], edges: [] },
    });
    expect(made).toMatchObject({ status: 201 });
  }
  const table = await stack.post('/api/v1/tables', {
    workspaceId: stack.home.id,
    name: 'hostile',
    description: hostileTexts.slice(0, 5).join(' '),
    schema: { columns: [{ name: 'text', type: 'string' }] },
  });
  const rows = hostileTexts.map((text) => ({ text }));
  await stack.post(`/api/v1/tables/${table.body.data.table.id}/rows`, { workspaceId: stack.home.id, rows });
  const { base } = await knowledge.givenText(names[2] ?? '', hostileTexts.join('\n\n'), {
    name: names[1] ?? '',
  });
  const personal = { 'x-api-key': stack.personalKey };
  for (const name of names.slice(0, 20)) {
    await stack.post(`/api/v1/workspaces/${stack.home.id}/keys`, { name });
    await stack.post('/api/v1/users/me/keys', { name }, personal);
  }
  await stack.call('PATCH', '/api/v1/users/me', { name: names[4] }, personal);
  await stack.call('PATCH', `/api/v1/workspaces/${stack.home.id}`, { name: names[5] });
  const [first] = runs;
  const timeline = await stack.get(`/api/v1/executions/${first?.body.executionId}/timeline`);
  const points = runs.map(({ body }) => body.paused.pausePoints[0]);
  ids = {
    workflow,
    execution: first?.body.executionId,
    contexts: points.map(({ contextId }) => contextId),
    table: table.body.data.table.id,
    base,
  };
  links = {
    timeline: timeline.body.data.pageUrl,
    answers: points.map(({ resumeLinks }) => resumeLinks.uiUrl),
  };
});
afterEach(() => visitors.leave());
afterAll(async () => {
  await visitors.leave();
  await browser.close();
  await stack.stop();
});

/** The texts that came alive on a page: they ran, were refused by the policy, or asked for something elsewhere. */
async function aliveOn({ page, faults }: Visit, away: string[]): Promise<string[]> {
  const ran = await page.evaluate<boolean>(`'ran' in window`);
  const markup = await page.evaluate<number>(
    `document.querySelectorAll('[onerror], [onload], [onfocus], [ontoggle], iframe, object, embed, base, main script, a[href^="javascript:" i], a[href^="data:" i], img[src^="http"]').length`,
  );
  return [...faults, ...away, ...(ran ? ['it ran'] : []), ...(markup > 0 ? [`${markup} elements`] : [])];
}

function awayFrom(page: Page): string[] {
  const away: string[] = [];
  page.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && host !== new URL(stack.url).host) away.push(request.url());
  });
  return away;
}

/** Each page by its name: where it is, and a text that it shows once all is drawn. */
const pages: Record<string, () => { path: string; shows: string }> = {
  home: () => ({ path: '', shows: 'Waiting for people' }),
  workflows: () => ({ path: '/workflows', shows: 'window.ran' }),
  'one workflow': () => ({ path: `/workflows/${ids.workflow}`, shows: 'No faults' }),
  'its run': () => ({ path: `/workflows/${ids.workflow}?do=run`, shows: 'title' }),
  'its versions': () => ({
    path: `/workflows/${ids.workflow}?tab=versions`,
    shows: 'Compare with the draft',
  }),
  executions: () => ({ path: '/executions?search=window.ran', shows: 'More filters' }),
  'one execution': () => ({ path: `/executions/${ids.execution}`, shows: 'Waiting for a person' }),
  'its blocks': () => ({ path: `/executions/${ids.execution}?tab=blocks&block=b0`, shows: 'window.ran' }),
  'its data': () => ({ path: `/executions/${ids.execution}?tab=data`, shows: 'window.ran' }),
  'its pauses': () => ({ path: `/executions/${ids.execution}?tab=pauses`, shows: 'History' }),
  tables: () => ({ path: '/tables', shows: 'hostile' }),
  rows: () => ({ path: `/tables/${ids.table}`, shows: 'window.ran' }),
  knowledge: () => ({ path: '/knowledge', shows: 'evil.example' }),
  documents: () => ({ path: `/knowledge/${ids.base}`, shows: 'window.ran' }),
  search: () => ({ path: `/knowledge/${ids.base}?tab=search&q=window+ran+script`, shows: 'window.ran' }),
  usage: () => ({ path: '/usage', shows: 'Usage' }),
  audit: () => ({ path: '/audit', shows: 'window.ran' }),
  settings: () => ({ path: '/settings', shows: 'Settings' }),
  keys: () => ({ path: '/settings?tab=keys', shows: 'window.ran' }),
  members: () => ({ path: '/settings?tab=members', shows: 'Settings' }),
  account: () => ({ path: '/account', shows: 'window.ran' }),
};

describe('three hundred hostile texts', () => {
  test('the hostile texts are three hundred', () => {
    expect(new Set(hostileTexts).size).toBe(300);
  });

  test('a hostile text that runs as code is detected', async () => {
    const visit = await visitors.open(at(''));
    await visit.page.getByText('Waiting for people').waitFor();
    await visit.page.evaluate(
      `document.querySelector('main').innerHTML = '<img src=x onerror="window.ran=1">'`,
    );
    expect(await aliveOn(visit, [])).toContain('1 elements');
  });

  describe('in one browser', () => {
    let person: Visitors;
    let visit: Visit;
    let away: string[];
    beforeAll(async () => {
      person = await Visitors.signIn(stack, browser);
      visit = await person.open(at(''));
      away = awayFrom(visit.page);
    });
    afterAll(() => person.leave());

    test.each(Object.entries(pages))('hostile texts stay texts on the page: %s', async (_, placeOf) => {
      const { path, shows } = placeOf();
      await visit.page.goto(`${stack.url}/console${at(path)}`);
      await visit.page.locator('main').getByText(shows).filter({ visible: true }).first().waitFor();
      expect(await aliveOn(visit, away)).toEqual([]);
    });
  });

  test('hostile texts stay texts in the palette, which finds a workflow by its name', async () => {
    const visit = await visitors.open(at('/executions'));
    const away = awayFrom(visit.page);
    await visit.page
      .getByRole('option', { name: names[2] ?? '', exact: true })
      .waitFor({ state: 'attached' });
    await visit.page.keyboard.press('Control+k');
    const palette = visit.page.getByRole('dialog', { name: 'Search and commands' });
    for (const name of names.slice(0, 100)) {
      await palette.getByRole('combobox').fill(name);
      await palette.getByRole('option', { name, exact: true }).waitFor();
    }
    expect(await aliveOn(visit, away)).toEqual([]);
  });

  test('hostile texts stay texts in questions, all of them as Markdown', async () => {
    for (const context of ids.contexts) {
      const visit = await visitors.open(at(`/inbox?open=${context}`));
      const away = awayFrom(visit.page);
      await visit.page.getByText('What happens next').waitFor();
      expect(await visit.page.locator('main').textContent()).toContain('window.ran');
      expect(await aliveOn(visit, away)).toEqual([]);
    }
  });

  test('hostile texts stay texts in the grid, from the first row to the last', async () => {
    const visit = await visitors.open(at(`/tables/${ids.table}`));
    const away = awayFrom(visit.page);
    await visit.page.locator('main').getByText('window.ran').filter({ visible: true }).first().waitFor();
    await visit.page.getByRole('grid').focus();
    for (let n = 0; n < 12; n++) await visit.page.keyboard.press('PageDown');
    await visit.page.keyboard.press('Control+End');
    await visit.page.locator('main').getByText('5 ../../../etc').filter({ visible: true }).first().waitFor();
    expect(await aliveOn(visit, away)).toEqual([]);
  });

  test('hostile texts stay texts on the pages that a link opens', async () => {
    const { page, faults } = await visitors.open('/sign-in');
    const away = awayFrom(page);
    for (const url of [links.timeline, ...links.answers]) {
      await page.goto(url);
      expect(await page.locator('main').textContent()).toContain('window.ran');
      expect(await aliveOn({ page, faults }, away)).toEqual([]);
    }
  });
});
