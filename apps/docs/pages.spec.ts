import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { consolePlaces, contents, toPageFile, readmes } from '#apps/api/src/docs/contents';
import { renderPage, resolveLink, toSlug } from '#apps/api/src/docs/markdown-page';

const folder = fileURLToPath(new URL('pages/', import.meta.url));
const names = contents.flatMap(({ pages }) => pages);
const sourceOf = (name: string) => readFileSync(toPageFile(name), 'utf8');
const pages = names.map((name) => renderPage(name, sourceOf(name)));
const hrefsOf = (html: string) => [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, href = '']) => href);
const served = new Set(['/docs', '/docs/api', '/openapi.json', ...names.map((name) => `/docs/${name}`)]);

describe('the pages', () => {
  test('the pages are the pages that the navigation lists', () => {
    const files = readdirSync(folder, { recursive: true }).map(String);
    const found = files.filter((file) => file.endsWith('.md')).map((file) => file.replace(/\.md$/, ''));
    expect(found.toSorted()).toEqual(names.filter((name) => !(name in readmes)).toSorted());
  });

  test.each(pages)('$name begins with its one title', ({ name, title }) => {
    expect(sourceOf(name).startsWith(`# ${title}`)).toBe(true);
    expect([...sourceOf(name).matchAll(/^# .*$/gm)].filter(([line]) => line === `# ${title}`)).toHaveLength(
      1,
    );
  });

  test('the pages link only to existing pages, sections and pictures', () => {
    const broken = pages.flatMap((page) =>
      hrefsOf(page.html)
        .filter((href) => !leads(page.name, href))
        .map((href) => `${page.name} links to ${href}`),
    );
    expect(broken).toEqual([]);
  });

  test('the pages link to the console when they have calls', () => {
    const calls = names.filter(
      (name) =>
        !/^(contributing|clients)\//.test(name) && /^(?:[A-Z]+=\$\()?(curl|api) /m.test(sourceOf(name)),
    );
    expect(calls.length).toBeGreaterThan(5);
    expect(calls.filter((name) => !(name in consolePlaces))).toEqual([]);
    expect(Object.keys(consolePlaces).filter((name) => !names.includes(name))).toEqual([]);
  });

  test('the pages are at the address in the README', () => {
    const links = [...readFileSync('README.md', 'utf8').matchAll(/\]\(([^)]+)\)/g)].map(
      ([, link = '']) => link,
    );
    expect(links.length).toBeGreaterThan(8);
    expect(links.filter((link) => !link.startsWith('https://') && !existsSync(link))).toEqual([]);
  });

  test('the pages name only existing files and folders of the repository', () => {
    // Readers are told to make these.
    const made = /shout|greetings/;
    const missing = names.flatMap((name) => {
      const paths = sourceOf(name).match(/(?<=`)(apps|libs|temporal)\/[\w./-]+(?=`)/g) ?? [];
      return paths
        .filter((path) => !made.test(path) && !existsSync(path) && !existsSync(`${path}.ts`))
        .map((path) => `${name}: ${path}`);
    });
    expect(missing).toEqual([]);
  });

  test('the pages describe each picture, and show each picture', () => {
    const images = pages.flatMap(({ html }) => [...html.matchAll(/<img [^>]*>/g)].map(([tag]) => tag));
    expect(images.filter((tag) => !/ alt="[^"]{10,}"/.test(tag))).toEqual([]);
    const shown = new Set(images.map((tag) => /pictures\/([^"]+)"/.exec(tag)?.[1]));
    const held = readdirSync(fileURLToPath(new URL('pictures/', import.meta.url)));
    expect(held.filter((name) => !shown.has(name))).toEqual([]);
  });
});

function leads(from: string, href: string): boolean {
  if (href.startsWith('https://')) return true;
  const [address = '', anchor] = href.split('#');
  if (address.startsWith('/docs/pictures/'))
    return existsSync(fileURLToPath(new URL(`.${address.slice(5)}`, import.meta.url)));
  if (address !== '' && !served.has(address)) return false;
  if (anchor === undefined) return true;
  const page = pages.find(({ name }) => name === (address === '' ? from : address.replace('/docs/', '')));
  return page !== undefined && (page.html.includes(` id="${anchor}"`) || anchor === '');
}

describe('a link', () => {
  test.each([
    ['tour', 'concepts.md', '/docs/concepts'],
    ['tour', 'blocks/human.md#form', '/docs/blocks/human#form'],
    ['blocks/human', '../approvals.md', '/docs/approvals'],
    ['blocks/human', '#form', '#form'],
    ['contributing/runs', '../../pictures/run.svg', '/docs/pictures/run.svg'],
    ['tour', '../pictures/run.svg', '/docs/pictures/run.svg'],
    ['tour', 'https://example.com/a.md', 'https://example.com/a.md'],
  ])('a link from %s to %s leads to %s', (from, link, address) => {
    expect(resolveLink(from, link)).toBe(address);
  });

  test('a link to a section is spelled as code hosts spell it', () => {
    expect(toSlug('How people answer')).toBe('how-people-answer');
    expect(toSlug('`retry` and time-outs, both')).toBe('retry-and-time-outs-both');
  });
});

describe('a page', () => {
  test('a page takes HTML for text, and no address that runs code', () => {
    const { html } = renderPage('x', '# x\n\n<b onclick="x()">b</b> [a](javascript:x())\n');
    expect(html).not.toMatch(/<b |href/);
  });

  test('a page names the commands that no test runs, with the reason', () => {
    const { html } = renderPage('x', '```console needs Docker\ndocker compose up\n```\n');
    expect(html).toContain('No test runs this: needs Docker.');
  });
});
