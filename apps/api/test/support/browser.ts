import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

/** The sizes in which pages are examined, in pixels. */
export const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 900 } };

/** Shows a page light at a desk, then dark on a phone. Gives the colours of each look. */
export async function* inEachLook(page: Page): AsyncGenerator<'light' | 'dark'> {
  for (const [colorScheme, size] of [
    ['light', sizes.desk],
    ['dark', sizes.phone],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    yield colorScheme;
  }
}

const packed = 'node_modules/@sparticuz/chromium';
/** Arguments for a run as root, without a screen, that contacts only the server under test. */
const quiet =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/**
 * A real Chromium. `HOLDFAST_TEST_BROWSER` may name one. Otherwise it comes from a package on Linux x64, and is an
 * installed Chrome elsewhere.
 */
export async function startBrowser(): Promise<Browser> {
  const executable = process.env['HOLDFAST_TEST_BROWSER'];
  const isPackaged = process.platform === 'linux' && process.arch === 'x64';
  const place = executable
    ? { executablePath: executable }
    : isPackaged
      ? { executablePath: await unpacked() }
      : { channel: 'chrome' };
  try {
    const browser = await chromium.launch({ ...place, args: quiet.split(' ') });
    // A page may wait for its turn on a machine that is full of other tests.
    return browser.on('context', (context) => context.setDefaultTimeout(90_000));
  } catch (error) {
    const way = 'Install Google Chrome, or set HOLDFAST_TEST_BROWSER to the program of a Chromium.';
    throw new Error(`No browser starts here, and the tests of pages need one. ${way}`, { cause: error });
  }
}

/**
 * Unpacks the browser once for each machine and version. When two processes do it at the same time, each moves a whole
 * file to the same place.
 */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as { version: string };
  const folder = join(tmpdir(), `holdfast-chromium-${version}-${process.getuid?.() ?? 0}`);
  const file = join(folder, 'chromium');
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const partFile = `${file}.${process.pid}`;
  await pipeline(
    createReadStream(join(packed, 'bin', 'chromium.br')),
    createBrotliDecompress(),
    createWriteStream(partFile, { mode: 0o700 }),
  );
  renameSync(partFile, file);
  return file;
}

/** The rules about colours. Only their result differs between a light and a dark page of one size. */
const colourRules = { runOnly: ['color-contrast', 'link-in-text-block'] };

/**
 * The accessibility faults of a page, each with its element. A good page has none. Ask only for `colours` when the
 * tests look at the same page in light and in dark.
 */
export async function findObstacles(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules === 'colours' && colourRules) });
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${options})`);
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
  );
  const wide = await measureOverflow(page);
  return wide > 0 ? [...faults, `scrolls sideways by ${wide} px: ${await wideElementsOf(page)}`] : faults;
}

/** The first tags that end to the right of the window. */
function wideElementsOf(page: Page): Promise<string> {
  return page.evaluate<string>(`[...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth)
    .slice(0, 5).map(({ outerHTML }) => outerHTML.slice(0, 150)).join(' ')`);
}

/** The number of pixels by which the page is wider than its window. */
export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Presses the tabulator until the element with this id has the focus, like a user without a mouse. */
export async function tabTo(page: Page, id: string): Promise<void> {
  for (let n = 0; n < 200; n++) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate('document.activeElement.id')) === id) return;
  }
  throw new Error(`The tabulator never comes to ${id}.`);
}

/** Waits until the page shows a text. Otherwise it throws what the page shows. */
export async function untilShown(page: Page, text: string): Promise<void> {
  await page
    .getByText(text)
    .waitFor()
    .catch(async () => {
      const shown = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ').slice(0, 1500);
      throw new Error(`the page does not show "${text}", but: ${shown}`);
    });
}
