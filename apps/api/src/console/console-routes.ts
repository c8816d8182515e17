import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { RouteFlags } from '../http/route-config.ts';

const shell = 'console.html';
const yearS = 31_536_000;

/**
 * Serves the console, a compiled browser program: each file by its name, and its one page for every other path below
 * `/console`. The page may run its own scripts and call this installation, and nothing else. Each request reads the
 * page and its script policy, so a new build shows at once.
 */
export async function serveConsole(server: FastifyInstance, folder = consoleFolder()): Promise<void> {
  if (!existsSync(join(folder, shell))) return;
  const isFile = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() ?? false;
  await server.register(async (scope) => {
    await scope.register(fastifyStatic, {
      root: folder,
      serve: false,
      preCompressed: true,
      cacheControl: false,
    });
    scope.get('/console', (_, reply) => reply.redirect('/console/', 308));
    const config = { isStaticFile: true } satisfies RouteFlags;
    scope.get<{ Params: { '*': string } }>('/console/*', { config }, (request, reply) => {
      const name = request.params['*'];
      if (name === shell || !isFile(name)) {
        if (name.startsWith('_app/')) return reply.callNotFound();
        const headers = buildHeaders(readFileSync(join(folder, shell), 'utf8'));
        return reply.headers(headers).sendFile(shell);
      }
      // The names of files in this folder change with their content.
      const maxAge = name.startsWith('_app/immutable/') ? `public, max-age=${yearS}, immutable` : 'no-cache';
      return reply.headers({ ...fixedHeaders, 'Cache-Control': maxAge }).sendFile(name);
    });
  });
}

const fixedHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The policy lists the hashes of the page's own scripts, so an injected script does not run. */
function buildHeaders(html: string): Record<string, string> {
  const scripts = scriptsIn(html).map(
    (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  return {
    ...fixedHeaders,
    'Content-Security-Policy': [
      `default-src 'none'`,
      `script-src ${[`'self'`, ...scripts].join(' ')}`,
      `style-src 'self'`,
      `img-src 'self' data: blob:`,
      `font-src 'self'`,
      `connect-src 'self'`,
      `worker-src 'self'`,
      `base-uri 'none'`,
      `form-action 'self'`,
      `frame-ancestors 'none'`,
    ].join('; '),
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-cache',
  };
}

/** The texts of the inline scripts of a page. */
function scriptsIn(html: string): string[] {
  return html
    .split('<script')
    .slice(1)
    .map((part) => part.slice(part.indexOf('>') + 1, part.indexOf('</script>')))
    .filter(Boolean);
}

function consoleFolder(): string {
  return join(import.meta.dirname.replace(/([\\/])apps[\\/]api[\\/]src[\\/]console$/, '$1apps'), 'console');
}
