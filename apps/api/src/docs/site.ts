import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contents, toPageFile, home } from './contents.ts';
import { absentPage, renderDocument } from './document.html.ts';
import { toPagePath, renderPage } from './markdown-page.ts';
import { buildSearchIndex } from './search-index.ts';

/** One file below `/docs`. */
export interface SiteResource {
  type: string;
  body: string | Buffer;
  /** Its ETag: equal bodies have equal tags. */
  tag: string;
}

const html = 'text/html; charset=utf-8';
/** The URL of an installation by default. */
const usualUrl = 'http://localhost:3000';
const searchLibrary = 'node_modules/minisearch/dist/es/index.js';
const pictureTypes: Record<string, string> = { svg: 'image/svg+xml', png: 'image/png' };

/** The documentation: every page and picture by its path. All of it is rendered once, at the first request. */
export class Site {
  readonly absent = buildResource(html, absentPage());
  private resources?: Map<string, SiteResource>;

  /** Commands of the pages call `publicUrl`. Their sources are written for the default URL. */
  constructor(
    private readonly publicUrl: string,
    private readonly folder = checkout(),
  ) {}

  find(address: string): SiteResource | undefined {
    this.resources ??= new Map([...this.pages(), ...this.pictures(), ...this.scripts()]);
    return this.resources.get(address);
  }

  private pages(): [string, SiteResource][] {
    const names = contents.flatMap(({ pages }) => pages);
    const sources = new Map(
      names.map((name) => [name, this.here(readFileSync(join(this.folder, toPageFile(name)), 'utf8'))]),
    );
    const pages = names.map((name) => renderPage(name, sources.get(name) ?? ''));
    const resources = pages.map((page): [string, SiteResource] => [
      page.name === home ? '/docs' : toPagePath(page.name),
      buildResource(html, renderDocument(page, pages)),
    ]);
    const index = buildResource('application/json; charset=utf-8', buildSearchIndex(pages, sources));
    return [...resources, [toPagePath('search-index.json'), index]];
  }

  /** Search and copy buttons, and the search library. */
  private scripts(): [string, SiteResource][] {
    const files = { 'docs.js': 'apps/docs/browser/docs.js', 'minisearch.js': searchLibrary };
    return Object.entries(files).map(([name, path]) => [
      toPagePath(name),
      buildResource('text/javascript; charset=utf-8', readFileSync(join(this.folder, path))),
    ]);
  }

  private here(text: string): string {
    return text.replaceAll(usualUrl, this.publicUrl);
  }

  private pictures(): [string, SiteResource][] {
    const folder = join(this.folder, 'apps/docs/pictures');
    return readdirSync(folder).map((name) => {
      const type = pictureTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
      return [toPagePath(`pictures/${name}`), buildResource(type, readFileSync(join(folder, name)))];
    });
  }
}

function buildResource(type: string, body: string | Buffer): SiteResource {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { type, body, tag: `"${hash}"` };
}

/** The folder of package.json, from the sources and from `dist`. The pages are read from the sources. */
function checkout(from = import.meta.dirname): string {
  return existsSync(join(from, 'package.json')) || dirname(from) === from ? from : checkout(dirname(from));
}
