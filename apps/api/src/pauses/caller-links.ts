import { isGranted } from '#libs/auth/caller';
import type { CallerLinks, Links } from '#libs/pauses/links';
import type { Admission } from '../http/caller.guard.ts';

/** What the guard found out about a caller, as far as links depend on it. */
export type LinkReader = Pick<Admission, 'caller' | 'reach'>;

/** Makes links for one caller. Whoever may not answer a pause gets no link that could. */
export function linksFor(links: Links, { caller, reach }: LinkReader): CallerLinks {
  return links.of(isGranted(reach.role, 'execute') ? caller : null);
}
