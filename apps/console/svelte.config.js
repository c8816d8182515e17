import adapter from '@sveltejs/adapter-static';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

/** Kit hides its text for screen readers by a style attribute, which our policy refuses. app.css hides it instead. */
const plainAnnouncer = {
  name: 'plain-announcer',
  markup: ({ content, filename = '' }) =>
    filename.endsWith('generated/root.svelte') ? { code: content.replace(/ style="[^"]*"/, '') } : undefined,
};

/** @type {import('@sveltejs/kit').Config} */
export default {
  preprocess: [plainAnnouncer, vitePreprocess()],
  kit: {
    // One page serves every address, because only the browser knows the content.
    adapter: adapter({ pages: '.svelte-kit/site', assets: '.svelte-kit/site', fallback: 'console.html' }),
    paths: { base: '/console', relative: false },
    // The house names no folder `lib`.
    files: { lib: 'src' },
    prerender: { entries: [] },
  },
};
