import type { Room } from './rooms.ts';

/** The clients of the API. They import nothing of the product. */
export const clientRooms: Room[] = [
  { at: 'libs/sdk' },
  // Where blocks, edges and bars stand: the same in the console and on the page of a timeline.
  { at: 'libs/drawing', packages: ['@dagrejs/dagre'] },
  { at: 'apps/cli', rooms: ['libs/sdk'], packages: ['commander', 'diff', 'yaml', 'node'] },
  {
    // Calls the product as any other client does.
    at: 'apps/console',
    rooms: ['libs/sdk', 'libs/drawing'],
    packages: [
      '$app',
      'svelte',
      '@lucide/svelte',
      '@sveltejs/kit',
      'vite',
      '@xyflow/svelte',
      '@codemirror/state',
      '@codemirror/view',
      '@codemirror/lang-json',
      '@codemirror/lint',
      '@codemirror/autocomplete',
      '@codemirror/commands',
      '@codemirror/language',
      '@codemirror/search',
      '@codemirror/merge',
      '@lezer/highlight',
      'jsonc-parser',
      'markdown-it',
      '@simplewebauthn/browser',
      'node',
    ],
    also: {
      'apps/clients/src/method-names': 'a call that is copied names the method of the client',
      'apps/local/examples': 'the first approval is the example of the tour',
      'apps/api/test/support': 'the tests run the product, and a browser',
      'apps/api/src/http/page-style': 'a test compares the colours with those of the answer page',
    },
  },
  {
    // Makes the clients out of the description of the API, packs them, and tries them as their users do.
    at: 'apps/clients',
    rooms: ['libs/wheels'],
    packages: ['openapi-typescript', 'esbuild', 'node'],
    also: {
      'libs/sdk': 'the tests call the product through it',
      'apps/api/test/support': 'and run it',
    },
  },
];
