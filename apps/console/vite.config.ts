import { fileURLToPath } from 'node:url';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';
import { operations } from './operations.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
/** Only for `vite dev`: the address of the installation, and the key that is added to each call. */
const { HOLDFAST_URL = 'http://localhost:3000', HOLDFAST_API_KEY } = process.env;
const proxied = {
  target: HOLDFAST_URL,
  ...(HOLDFAST_API_KEY ? { headers: { 'X-API-Key': HOLDFAST_API_KEY } } : {}),
};

/**
 * True for the frame and the first page, whose imports go into one file. Thirty small files compress worse, and each
 * needs a request.
 */
function isOfFirstPage(id: string): boolean {
  return /\/routes\/(\+layout|w\/\[workspace\]\/\+(layout|page))\.svelte$/.test(id);
}

export default defineConfig({
  plugins: [operations(checkout), sveltekit()],
  resolve: { alias: [{ find: /^#(apps|libs)\/(.+)$/, replacement: `${checkout}$1/$2.ts` }] },
  // Kit's own server, which makes the page, needs another version of this package than the top has.
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
