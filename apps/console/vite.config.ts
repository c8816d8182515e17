import { fileURLToPath } from 'node:url';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';
import { operations } from './operations.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
/** For `vite dev` alone: the installation that is called, and the key that is added to each call. */
const { HOLDFAST_URL = 'http://localhost:3000', HOLDFAST_API_KEY } = process.env;
const proxied = {
  target: HOLDFAST_URL,
  ...(HOLDFAST_API_KEY ? { headers: { 'X-API-Key': HOLDFAST_API_KEY } } : {}),
};

/**
 * The frame and the first page, which bring what they import into one file: thirty small files pack worse, and each is asked for.
 */
function isOfFirstPage(id: string): boolean {
  return /\/routes\/(\+layout|w\/\[workspace\]\/\+(layout|page))\.svelte$/.test(id);
}

export default defineConfig({
  plugins: [operations(checkout), sveltekit()],
  resolve: { alias: [{ find: /^#(apps|libs)\/(.+)$/, replacement: `${checkout}$1/$2.ts` }] },
  // Kit's own server, which makes the one page, needs another version of this package than lies at the top.
  ssr: { noExternal: ['cookie'] },
  build: { target: 'es2023', reportCompressedSize: false },
  environments: {
    client: {
      build: {
        rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', test: isOfFirstPage }] } } },
      },
    },
  },
  server: {
    fs: { allow: [checkout] },
    proxy: Object.fromEntries(
      ['/api', '/health', '/docs', '/resume', '/timeline'].map((path) => [path, proxied]),
    ),
  },
});
