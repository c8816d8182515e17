import { describeWith } from '#libs/platform/binaries/support/needs';
import { isWhole, testInWhole, testMoreInWhole } from '#libs/platform/settings/support/whole';
import type { Browser } from 'playwright-core';
import { contents } from '#apps/api/src/docs/contents';
import {
  findObstacles,
  inEachLook,
  measureOverflow,
  sizes,
  startBrowser,
} from '#apps/api/test/support/browser';
import { Stack } from '#apps/api/test/support/stack';

const names = contents.flatMap(({ pages }) => pages);

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  stack = await Stack.shared();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const open = { 'x-api-key': '' };

describe('GET /docs', () => {
  test('GET /docs is for everyone, with our own script alone and from nowhere else', async () => {
    const { status, headers, body } = await stack.get('/docs', open);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'self'; connect-src 'self'; img/,
    );
    expect(body).toContain('<h1>Holdfast</h1>');
    expect(body.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/docs/docs.js">']);
    expect(body).not.toMatch(/<style>[^]*<style>| style=| on[a-z]+="/);
  });

  test('GET /docs answers 304 to a client that has the page, and caches it for a minute', async () => {
    const { headers } = await stack.get('/docs/tour', open);
    const again = await stack.get('/docs/tour', { ...open, 'if-none-match': headers.get('etag') ?? '' });
    expect(again).toMatchObject({ status: 304, body: '' });
    expect(again.headers.get('cache-control')).toBe('public, max-age=60');
    expect((await stack.get('/docs/blocks', open)).headers.get('etag')).not.toBe(headers.get('etag'));
  });

  test('GET /docs answers with a slash at its end too, and shows the address of the installation', async () => {
    const { docs } = (await stack.get('/', open)).body;
    for (const path of ['/docs', '/docs/tour', '/docs/api'])
      expect((await stack.get(`${path}/`, open)).body).toBe((await stack.get(path, open)).body);
    expect(docs).not.toBe('http://localhost:3000/docs');
    expect((await stack.get('/docs/tour', open)).body).toContain(
      `export</span> URL=${docs.replace('/docs', '')}\n`,
    );
  });

  test('GET /docs serves pictures, and the reference of the API beside the pages', async () => {
    const picture = await stack.get('/docs/pictures/resume-page-desk.png', open);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    const reference = await stack.get('/docs/api', open);
    expect(reference.body).toContain('<script src="/docs/api/viewer.js">');
    expect(reference.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; connect-src 'self'; img/,
    );
    const viewer = await stack.get('/docs/api/viewer.js', open);
    expect([viewer.status, viewer.headers.get('content-encoding')]).toEqual([200, 'gzip']);
    expect((await stack.get('/openapi.json', open)).body).toHaveProperty('openapi', '3.1.0');
    expect((await stack.get('/openapi.yaml', open)).status).toBe(200);
  });

  test.each(['/docs/nothing', '/docs/pictures/..%2f..%2fpackage.json', '/docs/blocks/nothing'])(
    'GET /docs answers that there is no page at %s',
    async (path) => {
      const { status, body } = await stack.get(path, open);
      expect(status).toBe(404);
      expect(body).toContain('There is no such page');
    },
  );
});

describe('GET /', () => {
  test('GET / leads a browser to the console, and gives a program links as JSON', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const led = await fetch(`${stack.url}/`, { redirect: 'manual', headers: { accept } });
    expect([led.status, led.headers.get('location')]).toEqual([302, '/console/']);
    const { status, headers, body } = await stack.get('/', { ...open, accept: '*/*' });
    expect([status, headers.get('vary')]).toEqual([200, 'Accept']);
    expect(body).toMatchObject({ name: 'Holdfast', docs: expect.stringMatching(/^http.*\/docs$/) });
    for (const name of ['reference', 'openapi', 'definitionSchema', 'health']) {
      const link = new URL(body[name]);
      expect([name, (await stack.get(link.pathname, open)).status]).toEqual([name, 200]);
    }
  });
});

describeWith('a browser')('in a browser', () => {
  beforeAll(async () => {
    browser = await startBrowser();
  });

  const addressOf = (name: string) => (name === 'welcome' ? '/docs' : `/docs/${name}`);

  testMoreInWhole('a page fits a phone and loads everything that it shows', async () => {
    const page = await browser.newPage({ viewport: sizes.phone });
    const failed: string[] = [];
    page.on('requestfailed', (request) => failed.push(`${page.url()} did not get ${request.url()}`));
    page.on('console', (message) => failed.push(`${page.url()} says ${message.text()}`));
    for (const name of isWhole ? names : names.slice(0, 8)) {
      const response = await page.goto(stack.url + addressOf(name));
      if (response?.status() !== 200) failed.push(`${name} is answered with ${response?.status()}`);
      if ((await measureOverflow(page)) > 0) failed.push(`${name} scrolls sideways`);
    }
    expect(failed).toEqual([]);
    await page.close();
  });

  /** These have between them everything that a page can hold. With HOLDFAST_PICTURES a look at each is kept there. */
  testMoreInWhole.each(
    isWhole ? ['welcome', 'tour', 'approvals', 'concepts', 'templates', 'contributing/runs'] : ['tour'],
  )('%s can be read by everyone', async (name) => {
    const page = await browser.newPage();
    await page.goto(stack.url + addressOf(name));
    for await (const colorScheme of inEachLook(page)) {
      expect(await findObstacles(page)).toEqual([]);
      const pictures = process.env['HOLDFAST_PICTURES'];
      const path = `${pictures}/${name.replace('/', '-')}-${colorScheme}.png`;
      if (pictures) await page.screenshot({ path, fullPage: true });
    }
    await page.close();
  });

  test('a reader finds a section by a part of its words, and opens it by keyboard', async () => {
    const page = await browser.newPage();
    await page.goto(`${stack.url}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('idempot');
    await page.getByRole('search').getByRole('link').first().waitFor();
    expect(await page.getByRole('search').getByRole('status').textContent()).toMatch(/sections found/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/[a-z/-]+(#|$)/);
    expect(await page.locator('main').textContent()).toMatch(/idempot/i);
    expect(await findObstacles(page)).toEqual([]);
    await page.close();
  });

  testInWhole('a reader copies a block of code by its button', async () => {
    const context = await browser.newContext();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    await page.goto(`${stack.url}/docs/tour`);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(await page.locator('.code pre').first().textContent());
    await context.close();
  });

  testInWhole('a reader gets from page to page by keyboard alone', async () => {
    const page = await browser.newPage();
    await page.goto(`${stack.url}/docs`);
    const link = page.getByRole('navigation', { name: 'All pages' }).getByRole('link', { name: 'Tour' });
    for (let n = 0; n < 60 && !(await link.evaluate((one) => one === one.ownerDocument.activeElement)); n++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${stack.url}/docs/tour`);
    expect(
      await page.getByRole('link', { name: 'Tour', exact: true }).first().getAttribute('aria-current'),
    ).toBe('page');
    await page.close();
  });

  testInWhole('the reference opens at executions, asks nobody else, and tries a call out', async () => {
    const page = await browser.newPage({ viewport: sizes.desk });
    const said: string[] = [];
    page.on('console', (message) => message.type() === 'error' && said.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${stack.url}/`)) said.push(`asks ${request.url()}`);
    });
    await page.goto(`${stack.url}/docs/api`);
    await page.getByRole('heading', { name: 'Execute the live version of a workflow' }).first().waitFor();
    await page.goto(`${stack.url}/docs/api#tag/health/GET/health/live`);
    await page.reload();
    await page.getByRole('button', { name: /Test Request.*health\/live/s }).click();
    const [answer] = await Promise.all([
      page.waitForResponse(`${stack.url}/health/live`),
      page.getByRole('button', { name: /Send/ }).first().click(),
    ]);
    expect(await answer.json()).toEqual({ status: 'up' });
    await page.getByText('200 OK').waitFor();
    expect(said).toEqual([]);
    await page.setViewportSize(sizes.phone);
    await page.goto(`${stack.url}/docs/api`);
    await page.getByRole('heading', { name: 'Holdfast' }).waitFor();
    expect(await measureOverflow(page)).toBe(0);
    await page.close();
  });
});
