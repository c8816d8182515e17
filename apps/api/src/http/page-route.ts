import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { markup, page } from './html.ts';

interface Page {
  isPage: boolean;
  takesForms: boolean;
}

/** For the few handlers that people's browsers call. Every other one answers 415 to a form, and faults as JSON. */
export const IsPage = ({ takesForms: forms = false } = {}) =>
  RouteConfig({ isPage: true, takesForms: forms } satisfies Page);

export function isPage(request: FastifyRequest): boolean {
  return configOf(request).isPage === true;
}

export function takesForms(request: FastifyRequest): boolean {
  return configOf(request).takesForms === true;
}

function configOf({ routeOptions }: FastifyRequest): Partial<Page> {
  return routeOptions.config as Partial<Page>;
}

/** What went wrong before a handler could say it in words of its own. */
export function faultPage(status: number, requestId: string): string {
  const [title, text] =
    status === 413
      ? ['This is too much', 'An answer can have one megabyte. Please go back and shorten it.']
      : status < 500
        ? ['This could not be read', 'Please open the link again and answer there.']
        : ['This did not work just now', 'Please try again in a moment. An answer is never taken twice.'];
  return page(title, markup`<p>${text}</p>`, { foot: markup`Request ${requestId}` });
}
