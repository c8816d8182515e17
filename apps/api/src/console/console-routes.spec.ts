import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { serveConsole } from './console-routes.ts';

const pageWith = (script: string) => `<!doctype html><title>Console</title><script>${script}</script>`;
let folder: string;
let server: FastifyInstance;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'console-'));
  writeBuild('first');
  server = fastify();
  await serveConsole(server, folder);
  url = await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function writeBuild(name: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, '_app/immutable'), { recursive: true });
  writeFileSync(join(folder, 'console.html'), pageWith(`start('${name}')`));
  writeFileSync(join(folder, `_app/immutable/${name}.js`), `export const build = '${name}';`);
}

const get = (path: string) => fetch(`${url}${path}`);

test('each address without a file has the page, and the policy allows its own script', async () => {
  const policies = new Set<string | null>();
  for (const path of ['/console/', '/console/w/any/executions', '/console/console.html', '/console/_app']) {
    const found = await get(path);
    expect(await found.text()).toBe(pageWith(`start('first')`));
    expect(found.headers.get('cache-control')).toBe('no-cache');
    policies.add(found.headers.get('content-security-policy'));
  }
  expect([...policies]).toEqual([expect.stringContaining(`script-src 'self' 'sha256-`)]);
});

test('a build that replaces the files is served with its own policy, without a restart', async () => {
  const policy = (await get('/console/')).headers.get('content-security-policy');
  writeBuild('second');
  const page = await get('/console/');
  expect(await page.text()).toBe(pageWith(`start('second')`));
  expect(page.headers.get('content-security-policy')).not.toBe(policy);
  const script = await get('/console/_app/immutable/second.js');
  expect(await script.text()).toBe(`export const build = 'second';`);
  expect(script.headers.get('cache-control')).toContain('immutable');
  expect((await get('/console/_app/immutable/first.js')).status).toBe(404);
});

test('no file outside of the folder is served', async () => {
  for (const path of ['/console/..%2f..%2fetc%2fpasswd', '/console/%2e%2e/%2e%2e/etc/passwd'])
    expect(await (await get(path)).text()).not.toContain('root:');
});
