import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { fastify } from 'fastify';
import { markup } from '../http/html.ts';
import { palette } from '../http/page-style.ts';

export interface ReferenceFile {
  type: string;
  body: Buffer;
  /** The body, compressed with gzip. */
  packed: Buffer;
  tag: string;
}

/**
 * The settings of the viewer. It may load and send nothing outside: no fonts, no proxy for tried calls, no telemetry,
 * no agent. It forgets a typed key with the page.
 */
const configuration = {
  url: '/openapi.json',
  layout: 'modern',
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'none',
  showOperationId: true,
  defaultOpenFirstTag: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'apiKey' },
};

const start = `Scalar.createApiReference('#app', ${JSON.stringify(configuration)});\n`;

const style = `
${palette}
body { margin: 0 }
body > header { position: sticky; top: 0; z-index: 20; box-sizing: border-box; height: 3rem; display: flex; align-items: center; gap: 1.5rem; padding: 0 1rem; background: var(--back); color: var(--text); border-bottom: 1px solid var(--line); font: 1rem system-ui, sans-serif }
body > header a { color: var(--act) } body > header a:first-child { font-weight: 700; color: inherit; text-decoration: none }
:root, body { --scalar-custom-header-height: 3rem; --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace }
`;

const page = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Holdfast</title><link rel="stylesheet" href="/docs/api/style.css"></head>
<body><header><a href="/docs">Holdfast</a><a href="/docs">Documentation</a><a href="/openapi.json">OpenAPI</a></header>
<noscript>The reference needs JavaScript; <a href="/openapi.json">/openapi.json</a> holds the same.</noscript>
<div id="app"></div><script src="/docs/api/viewer.js"></script><script src="/docs/api/start.js"></script></body></html>`
  .text;

const script = 'text/javascript; charset=utf-8';

/**
 * The page of the API reference with its viewer, all from this process. It is made at the first request, because the
 * viewer has four megabytes.
 */
export class Reference {
  private files?: Promise<Map<string, ReferenceFile>>;

  /** The file below `/docs/api` by its name; the page itself has the empty name. */
  async find(name: string): Promise<ReferenceFile | undefined> {
    this.files ??= this.load();
    return (await this.files).get(name);
  }

  private async load(): Promise<Map<string, ReferenceFile>> {
    const files: [string, string, string][] = [
      ['', 'text/html; charset=utf-8', page],
      ['style.css', 'text/css; charset=utf-8', style],
      ['start.js', script, start],
      ['viewer.js', script, await viewer()],
    ];
    return new Map(
      await Promise.all(
        files.map(async ([name, type, text]): Promise<[string, ReferenceFile]> => {
          const body = Buffer.from(text);
          const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
          return [name, { type, body, packed: await promisify(gzip)(body), tag }];
        }),
      ),
    );
  }
}

/**
 * The script of the viewer. Its package has it inside a plugin that serves it. So a server that never listens asks the
 * plugin.
 */
async function viewer(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const server = fastify();
  try {
    await server.register(scalar, { routePrefix: '/', configuration: { content: {} } });
    const { statusCode, body } = await server.inject('/js/scalar.js');
    if (statusCode !== 200) throw new Error(`The viewer of the reference was answered with ${statusCode}.`);
    // The source map is not served.
    const map = body.lastIndexOf('\n//# sourceMappingURL=');
    return map < 0 ? body : body.slice(0, map + 1);
  } finally {
    await server.close();
  }
}
