import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { markup, page } from './html.ts';
import { getRouteFlags, type RouteFlags } from './route-config.ts';

/** Marks a handler for browsers: its errors are pages. Every other handler refuses forms with 415 and answers in JSON. */
export const IsPage = ({ takesForms: forms = false, takesUploads = false, isForm = false } = {}) =>
  RouteConfig({ isPage: true, takesForms: forms, takesUploads, isForm } satisfies RouteFlags);

export function isPage(request: FastifyRequest): boolean {
  return getRouteFlags(request).isPage === true;
}

export function takesForms(request: FastifyRequest): boolean {
  return getRouteFlags(request).takesForms === true;
}

/** The page for a fault that the handler did not answer itself. */
export function errorPage(status: number, requestId: string): string {
  const [title, text] =
    status === 413
      ? [
          'This is too much',
          'An answer can have one megabyte, and a file one hundred. Please go back and shorten it.',
        ]
      : status === 429
        ? ['Too many at once', 'Please wait a minute and open the link again.']
        : status === 404
          ? ['Nothing is here', 'The link may be incomplete or old. Please ask for a new one.']
          : status < 500
            ? ['This could not be read', 'Please open the link again and answer there.']
            : ['This did not work just now', 'Please try again in a moment. An answer is never taken twice.'];
  return page(title, markup`<p>${text}</p>`, { foot: markup`Request ${requestId}` });
}
