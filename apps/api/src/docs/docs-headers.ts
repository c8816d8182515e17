import { pageHeaders } from '../http/html.ts';

/**
 * The headers of a page of the documentation. They allow our own script and nothing from elsewhere. The pages are the same for
 * everyone, so they may be cached for a minute.
 */
export const buildDocsHeaders = (styles: string) => ({
  ...pageHeaders,
  'Content-Security-Policy': [
    `default-src 'none'`,
    `style-src ${styles}`,
    `script-src 'self'`,
    `connect-src 'self'`,
    `img-src 'self'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
  ].join('; '),
  'Cache-Control': 'public, max-age=60',
});
